/* The end of this comment is missing.
/* So this one begins within it. */
BEGIN { exit(0); }
