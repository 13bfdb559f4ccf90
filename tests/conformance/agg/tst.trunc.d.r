c 3
d 4
a 1
b 2

