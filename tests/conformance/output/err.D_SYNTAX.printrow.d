/* A column has at most one conversion, at its end. */
BEGIN { printrow("A %d B", pid); }
