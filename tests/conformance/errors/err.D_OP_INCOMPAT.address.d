/* An address becomes a number by a cast only. */
BEGIN { x = 0; x = curthread; exit(0); }
