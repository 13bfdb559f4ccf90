2 9 64 2
6 18 10
state-established <unknown>
1 0 64

