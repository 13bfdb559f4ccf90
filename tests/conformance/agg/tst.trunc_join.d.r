e 0 500 8
a 1 900 0
b 2 100 7
smallest
b 0 0 7
e 0 500 8
a 1 900 0
twice
a 1 900
none
by the second
two 2 2 30
BEGIN 1 1 40

