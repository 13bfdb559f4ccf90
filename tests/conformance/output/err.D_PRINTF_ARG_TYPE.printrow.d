/* A stack is no value of a column. */
BEGIN { printrow("STACK", stack()); }
