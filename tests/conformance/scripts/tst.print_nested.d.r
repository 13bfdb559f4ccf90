struct out {
    struct in [2] i = [ 
        struct in {
            int a = 0x1
            char b = '\0'
        }, 
        struct in {
            int a = 0
            char b = 'z'
        }
    ]
    union un = {
        int u = 0x41424344
        char [4] c = [ "DCBA" ]
    }
    int bf :3 = 0x7
    unsigned int bg :9 = 0x12c
    char [6] name = [ "hey" ]
    int *p = 0
    struct in *ip = 0
    float f = 0
    enum e = TWO
    void (*)() fn = 0
    uint8_t [3] raw = [ 0, 0xff, 0 ]
}

struct in [2] [ 
    struct in {
        int a = 0x1
        char b = '\0'
    }, 
    struct in {
        int a = 0
        char b = 'z'
    }
]
char [6] "hey"
union {
    int u = 0x41424344
    char [4] c = [ "DCBA" ]
}
uint8_t [3] [ 0, 0xff, 0 ]
struct in {
    int a = 0
    char b = 'z'
}
enum TWO

