[hello] [hello] [hello] [    ab] [he]
-1 65535 -1 65535
-1 18446744073709551615 -1 -1
[         1][           3       5]
text [       1]


           value  ------------- Distribution ------------- count    
             < 1 |                                         0        
               1 |                                         0        

