42 42 42 42
43 0 2
5 43 8 0
8
8
9 -3 tagged ged
TAgged
agaied -3
agaied
6
16
8
18
4
11
5.0.0.0 6
fault 1
fault 1
fault 1
fault 1
0 0

