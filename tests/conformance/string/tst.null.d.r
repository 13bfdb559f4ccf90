1 0
0 1
1 0
absent
1 0
110

