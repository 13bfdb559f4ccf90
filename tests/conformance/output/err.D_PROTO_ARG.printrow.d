/* A column is a constant. */
BEGIN { printrow(execname, pid); }
