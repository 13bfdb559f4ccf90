fault 1 16
fault 1 -1
fault 1 0
fault 1 elsewhere
abc

