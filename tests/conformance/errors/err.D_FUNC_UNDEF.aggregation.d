BEGIN { @ = cout(); }
