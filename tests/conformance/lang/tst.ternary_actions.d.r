TIME PID root
4
9
a
c
e
1

