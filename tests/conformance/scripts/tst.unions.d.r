3 -4 6 -8
4 1 304 102
1 5 abc -3
1 1
8 4 4 40
16 28 32
0 4 5
9 hi ff 7 1
9 10
struct point {
    int x = 0xa
    int y = 0
}
struct point {
    int x = 0x9
    int y = 0
}
enum shape SQUARE

