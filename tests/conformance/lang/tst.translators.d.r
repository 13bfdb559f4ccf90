3 zero zero many
12
n 1
11
dtrace dtrace
1 5
0 1
1

