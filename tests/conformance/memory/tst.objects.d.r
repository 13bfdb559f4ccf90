-3 5 -9 1 123456789a abcde 4464 a string -3 77
6 6
123456789b 14 7 0
4 7 a string
-3 4464 5 abcde
5 5
5 a string
0 []
127.0.0.9
sword s o
4 8 3 0

