BEGIN { normalize(count(), 2); }
