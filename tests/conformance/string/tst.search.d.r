3 9 -1 3
9 3 -1 0
0 5 5 0
0 -1
6 6 -1
0 18
[lo hello dtrace] [hello dtrace] []
[o hello dtrace] [lo dtrace] []

