1 1 1
1 1
0 0
dtrace 1
1
1
1 O
TS 1
1
1
1
1
0 one

