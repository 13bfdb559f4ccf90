/* Each column is followed by its value. */
BEGIN { printrow("PID", pid, "COMM"); }
