fault 1 at 0

