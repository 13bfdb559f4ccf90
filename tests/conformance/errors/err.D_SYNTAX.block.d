/* A block belongs to if or else. */
BEGIN { { trace(1); } exit(0); }
