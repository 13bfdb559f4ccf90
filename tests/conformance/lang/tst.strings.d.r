abd abc 0 1 0
[] 1

