      A B
      1 x
     22 yy

