BEGIN { for (;;) { } x = 'abcdefghijk; "open
y = 089 + ; }
int x = 3; inlin int y; struct { int z } w;
