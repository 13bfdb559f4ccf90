#!/usr/bin/env python3
# @@host
"""Chapters of the guide that the other tables have least of: layouts of histograms, keys and rows, print(), tracemem(),
pragmas, declarations, and a program for each tag that only a declaration or an argument brings."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check

HEADING = "           value  ------------- Distribution ------------- count    \n"


def says(body, out, **options):
    return Case("BEGIN{" + body + "exit(0);}", out, **options)


def refused(tag, script, options=()):
    return Case(script, "", options, 1, rf"\[(?:{tag})\]")


def bar(length):
    return "@" * length


check([
    # histogram layout from the reference
    says('@=quantize(1);@=quantize(2);@=quantize(2);@=quantize(9);printa(@);', "\n\n" + HEADING +
      "               0 |                                         0        \n"
      "               1 |" + bar(10) + " " * 31 + "1        \n"
      "               2 |" + bar(20) + " " * 21 + "2        \n"
      "               4 |                                         0        \n"
      "               8 |" + bar(10) + " " * 31 + "1        \n"
      "              16 |                                         0        \n\n"),
    says('@=lquantize(3,0,10,1);@=lquantize(-5,0,10,1);@=lquantize(50,0,10,1);printa(@);', re.compile(
      re.escape("\n\n" + HEADING + "             < 0 |" + bar(13) + " " * 28 + "1        \n") + "(?:.*\n)*" +
      re.escape("           >= 10 |" + bar(13) + " " * 28 + "1        \n\n\n"))),
    says('@=quantize(1,-3);printa(@);', re.compile("(?s).*               1  {0,40}@+\\| .*-3 .*")),
    says('@=quantize(1,-3);@=quantize(4,3);printa(@);', "\n\n" + HEADING +
      "               0 |                                         0        \n".replace("|" + " " * 41, " " * 20 + "|" + " " * 21) +
      "               1 " + " " * 10 + bar(10) + "|" + " " * 21 + "-3       \n"
      "               2 " + " " * 20 + "|" + " " * 21 + "0        \n"
      "               4 " + " " * 20 + "|" + bar(10) + " " * 11 + "3        \n"
      "               8 " + " " * 20 + "|" + " " * 21 + "0        \n\n"),
    says('@["a"]=count();@["bb"]=sum(4);', "", status=1, err="D_AGG_REDEF"),
    # aggzoom: the largest 95% of 40 = 38
    says('@=quantize(1);@=quantize(2);@=quantize(2);printa(@);', "\n\n" + HEADING +
      "               0 |                                         0        \n"
      "               1 |" + bar(19) + " " * 22 + "1        \n"
      "               2 |" + bar(38) + " " * 3 + "2        \n"
      "               4 |                                         0        \n\n", options=["-xaggzoom"]),
    # default printing: in the order of declaration, sorted by value then key
    Case('BEGIN{@b["y"]=sum(2);@b["x"]=sum(2);@b["z"]=sum(1);@a=count();exit(0);}',
      "\n" + "  %-50s %16d\n" % ("z", 1) + "  %-50s %16d\n" % ("x", 2) + "  %-50s %16d\n" % ("y", 2) + "                1\n", newline=False),
    says('@[1L,"a",(char)2,(short)3]=count();printa(@);', "\n %16d  %-50s %3d %5d %16d\n" % (1, "a", 2, 3, 1)),
    says('@[probename]=avg(5);printa(@);', "\n  %-50s %16d\n" % ("BEGIN", 5)),
    says('@[5]=count();printa("%5d|%-5d|\\n",@);', "", status=1, err="D_PRINTF_ARG_PROTO|D_PRINTA"),
    says('@[5]=count();printa("[%@5d][%-@5d][%@05d]\\n",@);', re.compile(r"\[    1\].*\n\n")),
    says('@a[1]=count();@b[2]=count();printa("%d %@d %@d\\n",@a,@b);', "2 0 1\n1 1 0\n"),
    refused("D_PRINTA_AGGKEY|D_PRINTA_AGGPROTO", 'BEGIN{@a[1]=count();@b["x"]=count();printa(@a,@b);}'),
    says('@a=count();@b=count();printa("%@d\\n",@a,@b);', "1\n"),
    says('@["x"]=quantize(1);printa("%s: %@d",@);', re.compile("x: \n+" + re.escape(HEADING) + "(?:.*\n)*")),
    # options
    Case('BEGIN{@[1]=sum(1);@[2]=sum(2);exit(0);}', "\n %8d %16d\n %8d %16d\n" % (2, 2, 1, 1), options=["-xaggsortrev"], newline=False),
    Case('BEGIN{setopt("aggsortrev");@[1]=sum(1);@[2]=sum(2);exit(0);}', "\n %8d %16d\n %8d %16d\n" % (2, 2, 1, 1), newline=False),
    Case('BEGIN{setopt("quiet","um, no");exit(0);}', "", err='couldn\'t set option "quiet" to "um, no": Invalid value for specified option'),
    Case('BEGIN{setopt("bufsize","1m");exit(0);}', "", err="Operation illegal when tracing is active"),
    Case('#pragma D option quiet=0\nBEGIN{trace(1);exit(0);}', re.compile("CPU .*\n.*:BEGIN         1\n\n"), quiet=False, err=None),
    refused("D_PRAGMA_OPTSET", '#pragma D option strsize=abc\nBEGIN{}'),
    refused("D_PRAGMA_MALFORM", '#pragma D option\nBEGIN{}'),
    refused("D_PRAGMA_MALFORM", '#pragma D depends_on\nBEGIN{}'),
    refused("D_PRAGMA_MALFORM|D_PRAGMA_INVAL", '#pragma D attributes foo x\nBEGIN{}'),
    refused("D_PRAGMA_UNUSED", '#pragma D attributes Stable/Stable/Common nosuch\nBEGIN{}'),
    refused("D_PRAGMA_INVAL", '#pragma D binding "x" y\nBEGIN{}'),
    refused("D_PRAGCTL_INVAL|D_PRAGMA_INVAL|D_SYNTAX", '#foo\nBEGIN{}'),
    Case('#pragma ident "x"\nBEGIN{trace(1);exit(0);}', "1"),
    refused("D_ATTR_MIN", 'BEGIN{trace(curthread);}', ["-xamin=Stable/Stable/Common"]),
    # declarations
    refused("D_DECL_SIGNINT", 'unsigned float x; BEGIN{}'),
    refused("D_DECL_CHARATTR", 'long char x; BEGIN{}'),
    refused("D_DECL_CLASS", 'static self int x; BEGIN{}'),
    refused("D_DECL_BADCLASS|D_DECL_CLASS", 'register int x; BEGIN{}'),
    refused("D_DECL_VOIDOBJ", 'void x; BEGIN{}'),
    refused("D_DECL_INCOMPLETE", 'struct nosuch x; BEGIN{}'),
    refused("D_DECL_ARRSUB", 'int x[-1]; BEGIN{}'),
    refused("D_DECL_ARRNULL|D_DECL_ARRSUB", 'int x[0]; BEGIN{}'),
    refused("D_DECL_ENCONST", 'enum e{A="x"}; BEGIN{}'),
    refused("D_DECL_ENOFLOW", 'enum e{A=0x7fffffff,B}; BEGIN{}'),
    refused("D_DECL_BFTYPE", 'struct s{string a:3;}; BEGIN{}'),
    refused("D_DECL_BFSIZE", 'struct s{char a:9;}; BEGIN{}'),
    refused("D_DECL_BFCONST", 'struct s{int a:0;}; BEGIN{}'),
    refused("D_DECL_IDRED", 'int x; string x; BEGIN{}'),
    refused("D_DECL_TYPERED|D_DECL_IDRED", 'typedef int t; typedef long t; BEGIN{}'),
    refused("D_DECL_USELESS", 'int; BEGIN{}'),
    refused("D_DECL_LONGINT", 'long struct s{int a;} q; BEGIN{}'),
    refused("D_DECL_SIGNINT|D_DECL_COMBO", 'signed string x; BEGIN{}'),
    refused("D_DECL_PROTO_VOID", 'int f(void, int); BEGIN{}'),
    refused("D_DECL_USELESS", 'int self; BEGIN{}'),
    refused("D_DECL_PARMCLASS", 'int f(static int); BEGIN{}'),
    refused("D_DECL_CHARATTR", 'short char z; BEGIN{}'),
    refused("D_OFFSETOF_TYPE", 'BEGIN{trace(offsetof(int,x));}'),
    refused("D_OFFSETOF_BITFIELD", 'struct s{int a:3;}; BEGIN{trace(offsetof(struct s,a));}'),
    refused("D_SIZEOF_BITFIELD", 'struct s{int a:3;} v; BEGIN{trace(sizeof(v.a));}'),
    refused("D_SIZEOF_TYPE", 'BEGIN{trace(sizeof(void));}'),
    refused("D_ADDROF_LVAL", 'BEGIN{trace(&1);}'),
    refused("D_ADDROF_VAR", 'BEGIN{x=1;trace(&x);}'),
    refused("D_CAST_INVAL", 'struct s{int a;} v; BEGIN{trace((int)v);}'),
    refused("D_OP_ARITH", 'BEGIN{trace("a"*2);}'),
    refused("D_OP_INT", 'BEGIN{trace("a"&2);}'),
    refused("D_OP_SCALAR", 'struct s{int a;} v; BEGIN{trace(!v);}'),
    refused("D_OP_SOU", 'BEGIN{trace(pid.x);}'),
    refused("D_OP_INCOMPAT", 'BEGIN{trace("a"==1);}'),
    refused("D_ARR_BADREF|D_IDENT_BADREF", 'int x[int]; BEGIN{trace(x);}'),
    refused("D_ARGS_NONE|D_ARGS_IDX", 'BEGIN{trace(args[0]);}'),
    refused("D_ARGS_TYPE|D_PROTO_ARG", 'syscall::read:entry{trace(args["a"]);}'),
    refused("D_ARGS_IDX", 'syscall::read:entry{trace(args[9]);}'),
    refused("D_PROTO_LEN", 'BEGIN{trace();}'),
    refused("D_PROTO_LEN", 'BEGIN{exit();}'),
    refused("D_PROTO_ARG", 'BEGIN{exit("a");}'),
    refused("D_PROTO_LEN", 'BEGIN{@=count(1);}'),
    refused("D_PROTO_LEN", 'BEGIN{@=sum();}'),
    refused("D_AGG_SCALAR|D_PROTO_ARG", 'BEGIN{@=sum("a");}'),
    refused("D_STACK_SIZE|D_STACK_PROTO|D_PROTO_ARG", 'BEGIN{stack(-1);}'),
    refused("D_USTACK_FRAMES|D_PROTO_ARG", 'BEGIN{ustack("a");}'),
    refused("D_TRACEMEM_SIZE", 'BEGIN{tracemem(curthread,pid);}'),
    refused("D_TRACE_VOID", 'BEGIN{trace((void)1);}'),
    refused("D_TRACE_AGG", 'BEGIN{@=count();trace(@);}'),
    refused("D_PRINT_AGG", 'BEGIN{@=count();print(@);}'),
    refused("D_PRINT_VOID", 'BEGIN{print((void)1);}'),
    refused("D_XLATE_NONE", 'struct o{int y;}; BEGIN{trace(xlate<struct o>(1).y);}'),
    refused("D_XLATE_REDECL", 'struct o{int y;}; translator struct o<int T>{y=T;}; translator struct o<int T>{y=T;};'),
    refused("D_XLATE_MEMB", 'struct o{int y;}; translator struct o<int T>{z=T;};'),
    refused("D_XLATE_INCOMPAT", 'struct o{int y;}; translator struct o<int T>{y="a";};'),
    refused("D_XLATE_SOU", 'translator int<int T>{y=T;};'),
    refused("D_FREOPEN_INVALID", 'BEGIN{freopen(".");}', ["-w"]),
    refused("D_PDESC_INVAL", 'a:b:c:d:e{}'),
    refused("D_PROC_NAME", 'pid1::main:nosuch{}'),
    refused("D_LQUANT_LIMTYPE|D_LQUANT_BASETYPE", 'BEGIN{@=lquantize(1,pid,2);}'),
    refused("D_LQUANT_STEPLARGE", 'BEGIN{@=lquantize(1,0,10,20);}'),
    refused("D_LQUANT_MATCHBASE", 'BEGIN{@=lquantize(1,0,10,1);@=lquantize(1,1,10,1);}'),
    refused("D_LQUANT_MATCHLIM", 'BEGIN{@=lquantize(1,0,10,1);@=lquantize(1,0,11,1);}'),
    refused("D_LQUANT_MATCHSTEP", 'BEGIN{@=lquantize(1,0,10,1);@=lquantize(1,0,10,2);}'),
    refused("D_LLQUANT_FACTORSMALL", 'BEGIN{@=llquantize(1,1,0,3,10);}'),
    refused("D_LLQUANT_MAGRANGE", 'BEGIN{@=llquantize(1,10,3,0,10);}'),
    refused("D_LLQUANT_MAGTOOBIG", 'BEGIN{@=llquantize(1,10,0,40,10);}'),
    refused("D_NORMALIZE_PROTO", 'BEGIN{@=count();normalize(@);}'),
    refused("D_TRUNC_PROTO", 'BEGIN{trunc();}'),
    refused("D_CLEAR_PROTO", 'BEGIN{clear();}'),
    refused("D_CHR_OFLOW", "BEGIN{trace('abcdefghi');}"),
    refused("D_CHR_NL", "BEGIN{trace('a\n');}"),
    refused("D_INT_DIGIT", 'BEGIN{trace(089);}'),
    refused("D_STRINGOF_TYPE", 'struct s{int a;} v; BEGIN{trace(stringof(v));}'),
    # print()
    says('print(1U);', "uint_t 0x1\n".replace("uint_t", "unsigned int")),
    says('print((uint64_t)5);', "uint64_t 0x5\n"),
    says("print('a');", re.compile("int 0x61\n\n|char 'a'\n\n")),
    says("print((char)'a');", "char 'a'\n"),
    says('print((void *)0);', "void * 0\n"),
    Case('typedef struct foo{int a;void *b;struct c{uint64_t alpha;}c;}foo_t; foo_t v; BEGIN{v.a=1;v.c.alpha=3;print(v);exit(0);}',
     "foo_t {\n    int a = 0x1\n    void *b = 0\n    struct c c = {\n        uint64_t alpha = 0x3\n    }\n}\n"),
    # tracemem
    says('this->p=alloca(16);bcopy("SunOS",this->p,5);tracemem(this->p,5);',
     "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n         0: 53 75 6e 4f 53                                   SunOS\n"),
    says('this->p=alloca(20);tracemem(this->p,20);',
     "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n         0: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................\n        10: 00 00 00 00                                      ....\n"),
    # if/else, ternary, commas
    says('if(1)printf("a");else printf("b");', "a"),
    says('if(pid==0){printf("a");}else if(pid!=0){printf("c");}', "c"),
    says('if(pid){if(pid==0){printf("x");}else{printf("y");}}', "y"),
    says('x=1?"a":"b";printf("%s",x);', "a"),
    says('x=(y=3,y+1);printf("%d",x);', "4"),
    # inlines, enums, typedefs
    Case('inline int X=3+4; BEGIN{trace(X);exit(0);}', "7"),
    Case('inline string s[int n]=n==0?"zero":n==1?"one":"many"; BEGIN{trace(s[1]);exit(0);}', "one"),
    Case('enum e{A,B=5,C}; BEGIN{printf("%d %d %d",A,B,C);exit(0);}', "0 5 6"),
    Case('typedef int myint; myint x; BEGIN{x=5;printf("%d %d",x,sizeof(myint));exit(0);}', "5 4"),
    Case('union u{int a;char b[4];} v; BEGIN{v.a=0x41424344;printf("%c",v.b[0]);exit(0);}', "D"),
    Case('struct b{int a:3;unsigned c:5;} v; BEGIN{v.a=-1;v.c=31;printf("%d %d",v.a,v.c);exit(0);}', "-1 31"),
    # multiple probes/predicates
    Case('BEGIN/0/{trace(1);} BEGIN/1/{trace(2);} END{trace(3);} BEGIN{exit(0);}', "23"),
    Case('BEGIN,END{printf("%s ",probename);} BEGIN{exit(0);}', "BEGIN END "),
    Case('tick-5ms{n++;} tick-5ms/n==3/{trace(n);exit(0);}', "3"),
    Case('profile-101/cpu==0/{exit(0);}', ""),
    Case('tick-10ms{printf("%d",arg0==0);exit(0);}', "1"),
    Case('BEGIN{printf("%d %d %d",pid>0,ppid>=0,uid);exit(0);}', "1 1 0"),
    Case('BEGIN{printf("%s %s",probeprov,execname);exit(0);}', "dtrace dtrace"),
    Case('BEGIN{printf("%d %d",id,epid);exit(0);}', "1 1"),
    Case('BEGIN{printf("%d",errno);exit(0);}', "0"),
    Case('BEGIN{printf("%d",timestamp==timestamp);printf("%d",walltimestamp/1000000000>1600000000);exit(0);}', "11"),
    Case('BEGIN{printf("%d",stackdepth>=0);printf("%d",ipl);exit(0);}', "10"),
    Case('BEGIN{printf("%s",curpsinfo->pr_fname);exit(0);}', "dtrace"),
    Case('BEGIN{printf("%d %d %d",SIGKILL,ENOENT,O_CREAT);exit(0);}', "9 2 64"),
    Case('BEGIN{printf("%d",curthread->pid==tid);exit(0);}', "1"),
    Case('ERROR{printf("%d %d",arg1,arg2);exit(0);} BEGIN{trace(*(int *)0);}', "2 1", err="."),
    # The names of keys in a declaration mean nothing.
    Case('int a[int x, string name]; self int b[int x]; BEGIN{a[1,"k"]=2;self->b[3]=4;printf("%d%d",a[1,"k"],self->b[3]);exit(0);}', "24"),
    refused("D_PROTO_LEN", 'int a[int x]; BEGIN{a[1,2]=2;}'),
    # A pipe has no name, for descriptors and for operations of files.
    Case('syscall::read:entry/progenyof($target) && fds[arg0].fi_fs=="pipefs"/{printf("%s",fds[arg0].fi_name);exit(0);}',
         "<unknown>", options=["-c", "sh -c 'echo | /bin/cat >/dev/null'"]),
    Case('fsinfo:::read/progenyof($target) && args[0]->fi_fs=="pipefs"/{printf("%s",args[0]->fi_name);exit(0);}',
         "<unknown>", options=["-c", "sh -c 'echo | /bin/cat >/dev/null'"]),
    # What stands where a program must be given, and what fires instead of probes of other systems.
    Case('BEGIN{trace(sizeof(struct a.out`t));}', "", status=1, err="hint: a.out: there is no target process; -c and -p give one"),
    Case('BEGIN{trace(sizeof(libc`size_t));}', "", status=1, err="hint: libc: there is no target process; -c and -p give one"),
    Case('sysinfo:::wait_ticks_io{}', "", status=1, err="hint: waits for a disk are io:::wait-start and wait-done"),
])
