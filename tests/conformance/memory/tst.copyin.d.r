the-text text the  e

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 74 68 65 20 74 65 78 74 00                       the text.

             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 74 68 65 2d                                      the-
116 0

