#!/usr/bin/env python3
# @@host
"""Conversions, and what trace(), print() and tracemem() show of each type."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check, prints


def row(text):
    """The header and BEGIN's row, behind the columns of CPU, ID and FUNCTION:NAME."""
    return re.compile(r"CPU .*\n  \d      1                           :BEGIN " + re.escape(text) + "\n\n")


def shown(pattern):
    return re.compile(pattern + "\n", re.S)


check([
    prints(r'"%d %d %d %d\n", 7/-2, -7%3, 7%-3, -7/2', "-3 -1 1 -3\n"),
    prints(r'"%lld %lld\n", (int64_t)(int)0x80000000, (int64_t)(unsigned)0x80000000', "-2147483648 2147483648\n"),
    prints(r'"[%5d] [%-5d] [%05d] [%+5d] [% d]\n", 42,42,42,42,42', "[   42] [42   ] [00042] [  +42] [ 42]\n"),
    prints(r'''"[%'d] [%#o] [%#x] [%#x]\n", 1234567, 8, 0, 255''', "[1234567] [010] [0] [0xff]\n"),
    prints(r'"[%hd] [%hu] [%hx]\n", (short)70000, (unsigned short)65535, (short)-1', "[4464] [65535] [ffff]\n"),
    prints(r'"[%ld] [%lld] [%lu] [%lx]\n", 5L, 6LL, 7UL, 255L', "[5] [6] [7] [ff]\n"),
    prints(r'"[%c] [%c] [%3c] [%-3c]\n", 65, (char)66, 67, 68', "[A] [B] [  C] [D  ]\n"),
    prints(r'"[%.3s] [%10.3s] [%-10.3s]\n", "abcdef","abcdef","abcdef"', "[abc] [       abc] [abc       ]\n"),
    prints(r'"[%S]\n", "a\tb\n\001"', "[a\\tb\\n\\001]\n"),
    prints(r'"[%C] [%C] [%C]\n", 10, 65, 200', "[\\n] [A] [\\310]\n"),
    prints(r'"[%Y] [%T]\n", (int64_t)0, (int64_t)0', "[1970 Jan  1 00:00:00] [Thu, 01 Jan 1970 00:00:00 UTC]\n"),
    prints(r'"[%25Y] [%-25Y]\n", (int64_t)0, (int64_t)0', "[     1970 Jan  1 00:00:00] [1970 Jan  1 00:00:00     ]\n"),
    prints(r'"[%Y]\n", 1669315613LL * 1000000000', "[2022 Nov 24 18:46:53]\n"),
    prints(r'"[%p] [%#p] [%-8p] [%8p]\n", 255, 255, 255, 255', "[ff] [0xff] [ff      ] [      ff]\n"),
    prints(r'"[%o] [%x] [%x] [%u] [%d]\n", -1, (char)-1, (short)-1, (char)-1, (unsigned char)255', "[37777777777] [ff] [ffff] [255] [255]\n"),
    prints(r'"[%X] [%#X] [%08x]\n", 48879, 48879, 48879', "[BEEF] [0XBEEF] [0000beef]\n"),
    prints(r'"[%*d] [%*d] [%-*d]\n", 5, 42, -5, 42, 5, 42', "[   42] [42   ] [42   ]\n"),
    prints(r'"[%.5d] [%+.3d] [%8.5d] [%.*d]\n", 42, 7, 42, 4, 9', "[00042] [+007] [   00042] [0009]\n"),
    prints(r'"[%*.*s]\n", 6, 2, "abcdef"', "[    ab]\n"),
    prints(r'"[%?x] [%?d]\n", 255, 5', "[              ff] [               5]\n"),
    prints(r'"[%i] [%i] [%d]\n", x, (unsigned)-1, (unsigned)-1', "[-1] [-1] [4294967295]\n", declared="uint16_t x;", before="x=0xffff;"),
    prints(r'"100%% %s%%\n", "x"', "100% x%\n"),
    prints(r'"%u %llu\n", (int64_t)-1, (uint64_t)-1', "18446744073709551615 18446744073709551615\n"),
    prints(r'"%a\n", 0', "0x0\n"),
    prints(r'"%s|%S\n", "", ""', "|\n"),
    prints(r'"%x %X %o", 3735928559, 3735928559, 8', "deadbeef DEADBEEF 10"),
    Case('BEGIN{trace(1);exit(0);}', re.compile(r"CPU     ID                    FUNCTION:NAME\n  \d      1                           :BEGIN         1\n\n"), quiet=False, err="matched 1 probe"),
    Case('BEGIN{trace(1LL);exit(0);}', re.compile(r"CPU .*\n  \d      1                           :BEGIN                 1\n\n"), quiet=False, err=None),
    Case('BEGIN{trace((short)1);trace((char)2);exit(0);}', re.compile(r"CPU .*\n  \d      1                           :BEGIN      1   2\n\n"), quiet=False, err=None),
    Case('BEGIN{trace("abc");exit(0);}', re.compile(r"CPU .*\n  \d      1                           :BEGIN   abc                              \n\n"), quiet=False, err=None),
    Case('BEGIN{printf("hi\\n");exit(0);}', re.compile(r"CPU .*\n  \d      1                           :BEGIN hi\n\n\n"), quiet=False, err=None),
    Case('BEGIN{exit(0);} END{trace(7);}', re.compile(r"CPU .*\n  \d      1                           :BEGIN \n  \d      2                             :END         7\n\n"), quiet=False, err=None),
    Case('BEGIN{} BEGIN{exit(0);}', re.compile(r"CPU .*\n  \d      1                           :BEGIN \n  \d      1                           :BEGIN \n\n"), quiet=False, err=None),
    Case('BEGIN{print(1);print((char)97);print("hello");print((short)-1);print((unsigned long)0);exit(0);}', "int 0x1\nchar 'a'\nstring \"hello\"\nshort 0xffff\nunsigned long 0\n"),
    Case("BEGIN{print('a');print((void *)0x1234);exit(0);}", "int 0x61\nvoid * 0x1234\n"),
    Case("struct s {int a; char b; void *c; char n[4]; int z:4; int arr[2]; struct {int q;} in;}; struct s v; BEGIN{v.a=1;v.b='x';v.n=\"abc\";v.z=1;v.arr[1]=2;v.in.q=3;print(v);exit(0);}",
 "struct s {\n    int a = 0x1\n    char b = 'x'\n    void *c = 0\n    char [4] n = [ \"abc\" ]\n    int z :4 = 0x1\n    int [2] arr = [ 0, 0x2 ]\n    struct in = {\n        int q = 0x3\n    }\n}\n"),
    Case("int a[3]; BEGIN{a[0]=1;a[1]=2;a[2]=3;print(a);exit(0);}", "int [3] [ 0x1, 0x2, 0x3 ]\n"),
    Case("enum simpson{homer,bart}; BEGIN{print(bart);print((enum simpson)7);exit(0);}", "enum simpson bart\nenum simpson 7\n"),
    Case('BEGIN{trace((void *)16);exit(0);}', row("               16"), quiet=False, err=None),
    Case('BEGIN{trace(pid > 0);exit(0);}', row("        1"), quiet=False, err=None),
    Case('enum e{A=3};BEGIN{trace(A);exit(0);}', row("        3"), quiet=False, err=None),
    Case("BEGIN{trace('a');exit(0);}", row("       97"), quiet=False, err=None),
    Case('struct s{char c[4];int i;}; struct s v; BEGIN{v.c[0]=1;v.i=2;trace(v);exit(0);}', row("\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n         0: 01 00 00 00 02 00 00 00                          ........\n"), quiet=False, err=None),
    Case('char c[6]; BEGIN{c="hello";trace(c);exit(0);}', row("  hello                            "), quiet=False, err=None),
    Case('BEGIN{trace(execname);exit(0);}', row("  dtrace                           "), quiet=False, err=None),
    Case('BEGIN{trace(curthread->comm);exit(0);}', row("  dtrace                           "), quiet=False, err=None),
    Case('BEGIN{printf("%d\\n",1);trace(2);exit(0);}', row("1\n        2"), quiet=False, err=None),
    Case('BEGIN{trace("a\\nb");exit(0);}', row("  a\nb                              "), quiet=False, err=None),
    Case('BEGIN{x=5; x=-x; printf("%d %d %d",x,x/2,x%3);exit(0);}', "-5 -2 -2"),
    Case('BEGIN{printf("%lld",0x7fffffffffffffff/-1);exit(0);}', "-9223372036854775807"),
    Case('BEGIN{printf("%u",18446744073709551615%10);exit(0);}', "5"),
    Case('BEGIN{this->p=(char *)alloca(20);bcopy("abcdefghijklmnopqrs",this->p,20);tracemem(this->p,20,3);exit(0);}', shown(r"\n +0 .*\n +0: 61 62 63 +abc\n")),
    Case('BEGIN{this->p=(char *)alloca(20);tracemem(this->p,4,0);exit(0);}', shown(r".*0: 00 00 00 00 +\.\.\.\.\n")),
    Case('BEGIN{this->p=(char *)alloca(20);tracemem(this->p,4,-1);exit(0);}', shown(r".*0: 00 00 00 00 +\.\.\.\.\n")),
    Case('BEGIN{this->p=(char *)alloca(20);tracemem(this->p,4,9);exit(0);}', shown(r".*0: 00 00 00 00 +\.\.\.\.\n")),
    Case('BEGIN{this->p=(char *)alloca(20);this->p[17]=65;tracemem(this->p,18);exit(0);}', shown(r".* 0: (00 ){16} \.{16}\n +10: 00 41 +\.A\n")),
    prints(r'"%d%%|%c%c|%5s|%-5s|\n", 50, 0x41, 66, "r", "l"', "50%|AB|    r|l    |\n"),
    prints(r'"%#5x|%#-8x|%+5d|%05d|\n", 10, 10, 5, -5', "  0xa|0xa     |   +5|-0005|\n"),
    prints(r'"%lx %llx %lu\n", 1L, (uint64_t)-1, 18446744073709551615', "1 ffffffffffffffff 18446744073709551615\n"),
    prints(r'"[%10c][%.1s][%3.5d]\n", 65, "xyz", 42', "[         A][x][00042]\n"),
    prints(r'"[%*s][%-*s]\n", 4, "x", 4, "y"', "[   x][y   ]\n"),
    prints(r'"%S|%S\n", "\x7f", "é"', "\\177|\\303\\251\n"),
    prints(r'"%Y\n", walltimestamp - walltimestamp', "1970 Jan  1 00:00:00\n"),
    prints(r'"%T\n", 1075010400000000000', "Sun, 25 Jan 2004 06:00:00 UTC\n"),
    prints(r'"%p %p\n", NULL, (void *)1', "0 1\n"),
    prints(r'"%%d\n"', "%d\n"),
    prints(r'"%c", 0', "\0"),
    Case('BEGIN{print(curthread->comm);print(probename);exit(0);}', shown(r'char \[16\] "dtrace"\nstring "BEGIN"\n')),
    Case('union u{int a; char b;}; union u v; BEGIN{v.a=65;print(v);exit(0);}', shown(r"union u \{\n    int a = 0x41\n    char b = 'A'\n\}\n")),
    Case('struct in{int q;}; struct s{struct in a[2]; char *p; int b;} ; struct s v; BEGIN{v.a[1].q=5;v.b=-1;print(v);exit(0);}', shown(r"struct s \{\n    struct in \[2\] a = \[ ?\n        struct in \{\n            int q = 0\n        \}, ?\n        struct in \{\n            int q = 0x5\n        \}\n    \]\n    char \*p = 0\n    int b = 0xffffffff\n\}\n")),
    Case('typedef struct s{int a;} s_t; s_t v; BEGIN{print(v);exit(0);}', shown(r"s_t \{\n    int a = 0\n\}\n")),
    Case('BEGIN{print((uint8_t)200);print((int64_t)-1);print((_Bool)1);print(timestamp>0);exit(0);}', shown(r"uint8_t 0xc8\nint64_t 0xffffffffffffffff\n_Bool 0x1\nint 0x1\n")),
    Case('char c[4]; BEGIN{c[0]=4;print(c);exit(0);}', shown(r"char \[4\] \[ '\\004', '\\0', '\\0', '\\0' \]\n")),
    Case('BEGIN{print(curthread);print(&curthread->pid);exit(0);}', shown(r"struct task_struct \* 0xffff[0-9a-f]+\npid_t \* 0xffff[0-9a-f]+\n")),
    Case('BEGIN{print("a\\n\\"b");exit(0);}', shown(r'string "a\\n\\"b"\n')),
    Case('enum e{A=1,B=2}; struct s{enum e x; enum e y;}; struct s v; BEGIN{v.x=A;v.y=7;print(v);exit(0);}', shown(r"struct s \{\n    enum e x = A\n    enum e y = 7\n\}\n")),
])
