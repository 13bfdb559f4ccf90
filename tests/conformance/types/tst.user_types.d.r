104 5 17 -3
tag 85899345930 10 20 7
1 first 2 second
one two
6 1
1
1
two
5 10 1 first
t
5 tag 10 1 first
6 tag
104 20

