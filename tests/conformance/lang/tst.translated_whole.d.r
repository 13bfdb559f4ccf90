5 5
5 hello abc 6 6 1 0
6 6 5
struct output {
    int y = 0x6
    string text = "hello"
    char [4] name = [ "abc" ]
    unsigned int bits :3 = 0x7
    struct part in = {
        short a = 0x6
        short b = 0x7
    }
    int twice = 0x1
}
struct output {
    int y = 0x6
    string text = "hello"
    char [4] name = [ "abc" ]
    unsigned int bits :3 = 0x7
    struct part in = {
        short a = 0x6
        short b = 0x7
    }
    int twice = 0x1
}
7 none
0 0
1 dtrace 1

