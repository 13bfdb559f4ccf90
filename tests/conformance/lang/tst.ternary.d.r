more 1 y
0 1 0
0 -4

