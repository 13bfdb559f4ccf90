write both none
1 1 DA 23 dtrace
2 1 ZCBA dtrace
union {
    int i = 0x41424344
    char [4] c = [ "DCBA" ]
}
mode_e WRITE

