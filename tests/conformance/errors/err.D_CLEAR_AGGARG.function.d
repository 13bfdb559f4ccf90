BEGIN { clear(count()); }
