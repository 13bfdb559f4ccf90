15 -6 hi -6
[0 ]
15 -7 hi
dtrace

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 0f 00 00 00 f9 ff ff ff 64 74 72 61 63 65 00 00  ........dtrace..
16 1
4464 0

