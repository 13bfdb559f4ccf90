#!/usr/bin/env python3
# @@host
"""What aggregations show at the end and by printa(), to the blank."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check, histogram


def at_end(clause, out, options=(), **rest):
    return Case("BEGIN{" + clause + "exit(0);}", out, list(options), newline=False, **rest)


def s50(key):
    return f"  {key:<50}"


FULL = "@" * 40

check([
    Case('BEGIN{x=1;} BEGIN{@=count();exit(0);}', re.compile(r"CPU .*\n  \d      1                           :BEGIN \n\n                1\n"), quiet=False, err=None),
    Case('BEGIN{@=count();@=count();exit(0);}', "\n                2\n", newline=False),
    Case('BEGIN{@a[1]=count();@b["x"]=sum(5);exit(0);}', "\n        1                1\n  x                                                                 5\n", newline=False),
    Case('BEGIN{@["sh",(int)46569]=sum(7);exit(0);}', "\n  sh                                                    46569                7\n", newline=False),
    Case('BEGIN{@a[1L]=count();@b[(short)2]=count();@c[(char)3]=count();exit(0);}', "\n                1                1\n     2                1\n   3                1\n", newline=False),
    Case('BEGIN{@=min(-5);@=min(3);exit(0);}', "\n               -5\n", newline=False),
    Case('BEGIN{@=max(-5);@=max(-3);exit(0);}', "\n               -3\n", newline=False),
    Case('BEGIN{@=avg(-5);@=avg(-2);exit(0);}', "\n               -3\n", newline=False),
    Case('BEGIN{@=sum(-5);@=sum(2);exit(0);}', "\n               -3\n", newline=False),
    Case('BEGIN{@=stddev(1);@=stddev(5);exit(0);}', "\n                2\n", newline=False),
    Case('BEGIN{@[3]=count();@[1]=count();@[2]=count();@[2]=count();exit(0);}', "\n        1                1\n        3                1\n        2                2\n", newline=False),
    Case('BEGIN{@["b"]=count();@["a"]=count();exit(0);}', "\n  a                                                                 1\n  b                                                                 1\n", newline=False),
    Case('BEGIN{@["b"]=sum(2);@["a"]=sum(1);exit(0);}', "\n  b                                                                 2\n  a                                                                 1\n", ["-xaggsortrev"], newline=False),
    Case('BEGIN{@["b"]=sum(1);@["a"]=sum(2);exit(0);}', "\n  a                                                                 2\n  b                                                                 1\n", ["-xaggsortkey"], newline=False),
    Case('BEGIN{@[1,2]=count();@[2,1]=count();exit(0);}', "\n        2        1                1\n        1        2                1\n", ["-xaggsortkey", "-xaggsortkeypos=1"], newline=False),
    Case('BEGIN{@=sum(-10);normalize(@,3);exit(0);}', "\n               -3\n", newline=False),
    Case('BEGIN{@=sum(10);normalize(@,3);denormalize(@);exit(0);}', "\n               10\n", newline=False),
    Case('BEGIN{@=avg(10);@=avg(20);normalize(@,5);exit(0);}', "\n                3\n", newline=False),
    Case('BEGIN{@[1]=sum(1);@[2]=sum(2);@[3]=sum(3);trunc(@,2);exit(0);}', "\n        2                2\n        3                3\n", newline=False),
    Case('BEGIN{@[1]=sum(1);@[2]=sum(2);@[3]=sum(3);trunc(@,-1);exit(0);}', "\n        1                1\n", newline=False),
    Case('BEGIN{@[1]=sum(1);trunc(@);exit(0);}', ""),
    Case('BEGIN{@[1]=sum(1);@[2]=sum(9);trunc(@,0);exit(0);}', ""),
    Case('BEGIN{@[1]=sum(1);clear(@);exit(0);}', "\n        1                0\n", newline=False),
    Case('BEGIN{@=quantize(1);exit(0);}', "\n"+histogram((0,0,0),(1,40,1),(2,0,0)), newline=False),
    Case('BEGIN{@=quantize(0);@=quantize(-1);@=quantize(1);@=quantize(-1);exit(0);}', "\n"+histogram((-2,0,0),(-1,20,2),(0,10,1),(1,10,1),(2,0,0)), newline=False),
    Case('BEGIN{@=quantize(1024,3);@=quantize(4,1);exit(0);}', "\n"+histogram((2,0,0),(4,10,1),(8,0,0),(16,0,0),(32,0,0),(64,0,0),(128,0,0),(256,0,0),(512,0,0),(1024,30,3),(2048,0,0)), newline=False),
    Case('BEGIN{@=quantize(0x7fffffffffffffff);exit(0);}', "\n"+histogram((2305843009213693952,0,0),(4611686018427387904,40,1)), newline=False),
    Case('BEGIN{@=lquantize(-5,-10,10,5);exit(0);}', "\n"+histogram((-10,0,0),(-5,40,1),(0,0,0)), newline=False),
    Case('BEGIN{@=lquantize(-50,-10,10,5);@=lquantize(10,-10,10,5);exit(0);}', "\n"+histogram(("< -10",20,1),(-10,0,0),(-5,0,0),(0,0,0),(5,0,0),(">= 10",20,1)), newline=False),
    Case('BEGIN{@=lquantize(3,0,10);exit(0);}', "\n"+histogram((2,0,0),(3,40,1),(4,0,0)), newline=False),
    Case('BEGIN{@=lquantize(3,0,10,1,5);@=lquantize(0,0,10,1,5);exit(0);}', "\n"+histogram(("< 0",0,0),(0,20,5),(1,0,0),(2,0,0),(3,20,5),(4,0,0)), newline=False),
    Case('BEGIN{@=llquantize(0,10,0,6,20);exit(0);}', "\n"+histogram(("< 1",40,1),(1,0,0)), newline=False),
    Case('BEGIN{@=llquantize(9,10,0,2,10);@=llquantize(10,10,0,2,10);@=llquantize(19,10,0,2,10);exit(0);}', "\n"+histogram((8,0,0),(9,13,1),(10,27,2),(20,0,0)), newline=False),
    Case('BEGIN{@=llquantize(3,2,0,3,2);exit(0);}', "\n"+histogram((1,0,0),(2,40,1),(4,0,0)), newline=False),
    Case('BEGIN{@["k"]=quantize(1);exit(0);}', "\n  %-50s" % "k" + histogram((0,0,0),(1,40,1),(2,0,0)), newline=False),
    at_end('@=quantize(1,-3);', "\n" + histogram((0, 0, 0), (1, 40, -3), (2, 0, 0)).replace("|" + FULL, FULL + "|").replace("|" + " " * 40, " " * 40 + "|")),
    Case('BEGIN{@a[1,"x"]=count();printa("%d %s %@d\\n",@a);exit(0);}', "1 x 1\n"),
    Case('BEGIN{@a=sum(1);@b=sum(2);printa("%@d %@d\\n",@a,@b);exit(0);}', "1 2\n"),
    Case('BEGIN{@a[1]=count();printa(@a);exit(0);}', "\n        1                1\n"),
    Case('BEGIN{@a["x"]=count();@b["x"]=sum(5);printa(@a,@b);exit(0);}', "\n  x                                                                 1                5\n"),
    Case('BEGIN{@a["x"]=count();@b["y"]=sum(5);printa("%s %@d %@d\\n",@a,@b);exit(0);}', "y 0 5\nx 1 0\n"),
    Case('BEGIN{@a["x"]=sum(2);@a["y"]=sum(1);@b["x"]=sum(1);@b["y"]=sum(2);printa("%s %@d %@d\\n",@a,@b);exit(0);}', "x 2 1\ny 1 2\n", ["-xaggsortpos=1"]),
    Case('BEGIN{@a[7]=sum(255);printa("[%-5d] [%@#x] [%@08d]\\n",@a);exit(0);}', "[7    ] [0xff] [00000255]\n"),
    Case('BEGIN{@a["k"]=count();printa("%@d\\n",@a);exit(0);}', "1\n"),
    Case('BEGIN{@a=count();printa("just text\\n",@a);exit(0);}', "just text\n"),
    Case('BEGIN{@a["k"]=quantize(1);printa("%s%@d",@a);exit(0);}', "k" + histogram((0,0,0),(1,40,1),(2,0,0))[:-1]),
    Case('BEGIN{@a["k"]=quantize(1);printa("<%s>\\n",@a);exit(0);}', "<k>\n"),
    Case('BEGIN{@a[1]=count();} END{printa("%d=%@d\\n",@a);} BEGIN{exit(0);}', "1=1\n"),
    Case('BEGIN{@a[1]=count();printa("%d %@d\\n",@a);clear(@a);printa("%d %@d\\n",@a);trunc(@a);printa("never %@d\\n",@a);exit(0);}', "1 1\n1 0\n"),
    Case('BEGIN{@a[0x41]=count();printa("%c %@d %x\\n",@a);exit(0);}', "", status=1, err="D_PRINTF_ARG_PROTO"),
    Case('BEGIN{@a["a b"]=count();printa("%S|%10s",@a);exit(0);}', "", status=1, err="D_PRINTF_ARG_PROTO"),
    Case('BEGIN{@a[pid == $pid ? "me" : "you", -1]=max(-1);printa("%s %d %@d\\n",@a);exit(0);}', "me -1 -1\n"),
    Case('BEGIN{@[1]=count();setopt("aggsortrev");@[2]=sum(1);exit(0);}', "", status=1, err="D_AGG_REDEF"),
    Case('BEGIN{@a[1]=sum(1);@a[2]=sum(2);setopt("aggsortrev");printa("%d\\n",@a);exit(0);}', "2\n1\n"),
    at_end('@[1]=quantize(1);@[1]=quantize(5);normalize(@,1);', "\n        1"+histogram((0,0,0),(1,20,1),(2,0,0),(4,20,1),(8,0,0))),
    at_end('@=quantize(1,10);@=quantize(5,20);normalize(@,10);', "\n"+histogram((0,0,0),(1,13,1),(2,0,0),(4,27,2),(8,0,0))),
    at_end('@a=count();@b=sum(2);@c=max(3);', "\n                1\n                2\n                3\n"),
    at_end('@["x",1]=count();@["x",2]=count();@["w",2]=count();', "\n"+s50("w")+"        2                1\n"+s50("x")+"        1                1\n"+s50("x")+"        2                1\n"),
    at_end('@["x",1]=sum(5);@["w",2]=sum(5);@["a",3]=sum(1);', "\n"+s50("a")+"        3                1\n"+s50("w")+"        2                5\n"+s50("x")+"        1                5\n"),
    at_end('@["x"]=sum(-5);@["w"]=sum(5);@["a"]=sum(0);', "\n"+s50("x")+"               -5\n"+s50("a")+"                0\n"+s50("w")+"                5\n"),
    at_end('@[-1]=count();@[1]=count();@[0]=count();', "\n       -1                1\n        0                1\n        1                1\n"),
    at_end('@["b"]=avg(10);@["a"]=avg(10);@["a"]=avg(0);', "\n"+s50("a")+"                5\n"+s50("b")+"               10\n"),
    at_end('@["q1"]=quantize(100);@["q2"]=quantize(1);@["q2"]=quantize(1);', "\n"+s50("q2")+histogram((0,0,0),(1,40,2),(2,0,0))+s50("q1")+histogram((32,0,0),(64,40,1),(128,0,0))),
    at_end('@a["k"]=sum(3);@b["k"]=sum(4);@c["k"]=sum(5);printa("%s %@d %@d %@d\\n",@a,@b,@c);', "k 3 4 5\n\n"),
    at_end('@a["k",1]=sum(3);@b["k",1]=sum(4);printa("%@d %s %@d %d\\n",@a,@b);', "3 k 4 1\n\n"),
    at_end('@a["k",1]=sum(3);printa("%2$s\\n",@a);', "", status=1, err="."),
    at_end('@a[1]=sum(3);@b[1]=sum(4);printa(@a,@b);', "\n        1                3                4\n\n"),
    at_end('@a[1]=sum(3);@a[2]=sum(4);@b[2]=sum(1);printa(@a,@b);', "\n        1                3                0\n        2                4                1\n\n"),
    at_end('@a[1]=sum(3);@a[2]=sum(4);@b[2]=sum(1);printa(@b,@a);', "\n        1                0                3\n        2                1                4\n\n"),
    at_end('@a=sum(3);@b=sum(4);printa(@a,@b);', "\n                3                4\n\n"),
    at_end('@[1]=lquantize(3,0,10,2);@[1]=lquantize(4,0,10,2);', "\n        1"+histogram((0,0,0),(2,20,1),(4,20,1),(6,0,0))),
    at_end('@=lquantize(-3,-10,0,5);', "\n"+histogram((-10,0,0),(-5,40,1),(">= 0",0,0))),
    at_end('@=lquantize(9,0,9,3);', "\n"+histogram((6,0,0),(">= 9",40,1))),
    at_end('@=llquantize(150,10,1,2,10);', "\n"+histogram((90,0,0),(100,40,1),(200,0,0))),
    at_end('@=llquantize(5,10,1,2,10);', "\n"+histogram(("< 10",40,1),(10,0,0))),
    at_end('@=llquantize(1000,10,1,2,10);', "\n"+histogram((900,0,0),(">= 1000",40,1))),
    at_end('@=quantize(0);', "\n"+histogram((-1,0,0),(0,40,1),(1,0,0))),
    at_end('@=quantize(-3);', "\n"+histogram((-4,0,0),(-2,40,1),(-1,0,0))),
    at_end('@=quantize(-4);', "\n"+histogram((-8,0,0),(-4,40,1),(-2,0,0))),
    at_end('@=quantize(1);@=quantize(2);@=quantize(3);', "\n"+histogram((0,0,0),(1,13,1),(2,27,2),(4,0,0))),
    at_end('@=stddev(10);', "\n                0\n"),
    at_end('@=stddev(-10);@=stddev(10);', "\n               10\n"),
    at_end('@=stddev(1);@=stddev(2);@=stddev(3);@=stddev(4);', "\n                1\n"),
    at_end('@=avg(9223372036854775807);@=avg(9223372036854775807);', "\n 9223372036854775807\n"),
    at_end('@=sum(9223372036854775807);@=sum(1);', "\n -9223372036854775808\n"),
    at_end('@=min(9223372036854775807);', "\n 9223372036854775807\n"),
    at_end('@=max(-9223372036854775807-1);', "\n -9223372036854775808\n"),
    at_end('@[pid==1?"a":"b"]=count();', "\n"+s50("b")+"                1\n"),
    at_end('@[1,"a",(char)2,3L,(short)4]=count();', "\n        1"+s50("a")+"   2                3     4                1\n"),
    at_end('@a["012345678901234567890123456789012345678901234567890123456789"]=count();', "\n  012345678901234567890123456789012345678901234567890123456789                1\n"),
    at_end('@[execname]=sum(1);@[execname]=sum(2);', "\n"+s50("dtrace")+"                3\n"),
    at_end('@["a"]=sum(1);@["b"]=sum(3);@["c"]=sum(2);trunc(@,1);', "\n"+s50("b")+"                3\n"),
    at_end('@["a"]=quantize(1);@["b"]=quantize(1000);trunc(@,1);', "\n"+s50("b")+histogram((256,0,0),(512,40,1),(1024,0,0))),
    at_end('@a[1]=count();printa("%@d %d %d\\n",@a);', "", status=1, err="D_PRINTF_ARG_PROTO"),
    at_end('@a["x"]=count();printa("%10s|%-10s\\n",@a);' , "", status=1, err="D_PRINTF_ARG_PROTO"),
    at_end('@a["x"]=sum(1234567);printa("%@10d|%@-10d|%@,d\\n",@a);', "", status=1, err="."),
])
