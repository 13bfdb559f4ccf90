char 'a'
int 0xffffffff
int 0
int8_t '\377'
uint64_t 0xddd5
void * 0x1234
string "say \"hi\"\n"
string "literal"
enum color GREEN
enum color 7
string "BEGIN"
char [16] "dtrace"
int 0x1
char 'd'

