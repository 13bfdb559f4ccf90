
  a                                                                 1
  z                                                                 1
  b                                                                 2
b=-5
a=10
z           1      0      0      0
a           1     10      9      6
b           2     -5     -1      5
3
n b -1
n a 2
d b -5
d a 10
t b 2
cl a 0
cl b 0
again b 2

