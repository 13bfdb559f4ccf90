enum family bart
enum family lisa
int 0x3
1 4 8 1
4 -1

