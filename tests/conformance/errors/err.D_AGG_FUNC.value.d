BEGIN { @ = pid; }
