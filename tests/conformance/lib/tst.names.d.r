2 9 64 2
6 18 10
state-established <unknown>
1 0 64
state-bound state-idle
4 2 2
1 0.0.0.0 1
4464 16 4
8 4 2 4
1

