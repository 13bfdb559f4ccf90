3 1 -3 hello -5 x
0 11 7 1
12 0
9 -5 0
0
2 1 70
22 11 1020904
hello -5 40
[0123456789abcde] 3
[0X2] 1 1
0X2 zX2

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 7a 58 32 00 34 35                                zX2.45

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: fb ff 78 00                                      ..x.

0 1
fault 1 at 4

