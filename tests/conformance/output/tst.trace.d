/* @@host */
/* @@options: -q */
BEGIN { trace(1); trace("two"); trace((short)3); exit(0); }
