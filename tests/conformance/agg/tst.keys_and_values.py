#!/usr/bin/env python3
# @@host
"""Aggregations: each function with keys of each kind, their order, normalization, trunc() and printa()."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check


def agg(*rows):
    """What is printed at the end."""
    return "\n" + "".join(rows)


def v(n):
    return f" {n:>16}"


def s(x):
    return f"  {x:<50}"


def k(n, width):
    return f" {n:>{width}}"


C = []

def A(script, out, options=(), **rest):
    C.append(Case(script, out, options, **rest))


NL = dict(newline=False)
# --- aggregations: each function with each kind of key, default output at the end
for f,val in (("count()",1),("sum(7)",7),("min(7)",7),("max(7)",7),("avg(7)",7),("stddev(7)",0),("sum(-7)",-7),("min(-7)",-7),("avg(-7)",-7)):
    A(f'BEGIN{{@={f};exit(0);}}', agg(v(val)+"\n"), **NL)
    A(f'BEGIN{{@["k"]={f};exit(0);}}', agg(s("k")+v(val)+"\n"), **NL)
    A(f'BEGIN{{@[3]={f};exit(0);}}', agg(k(3,8)+v(val)+"\n"), **NL)
    A(f'BEGIN{{@[(char)3]={f};exit(0);}}', agg(k(3,3)+v(val)+"\n"), **NL)
    A(f'BEGIN{{@[(short)-3]={f};exit(0);}}', agg(k(-3,5)+v(val)+"\n"), **NL)
    A(f'BEGIN{{@[3LL]={f};exit(0);}}', agg(k(3,16)+v(val)+"\n"), **NL)
    A(f'BEGIN{{@["k",3,(char)1,(short)2,5LL]={f};exit(0);}}', agg(s("k")+k(3,8)+k(1,3)+k(2,5)+k(5,16)+v(val)+"\n"), **NL)
# sorting
A('BEGIN{@["a"]=sum(3);@["b"]=sum(1);@["c"]=sum(2);exit(0);}', agg(s("b")+v(1)+"\n",s("c")+v(2)+"\n",s("a")+v(3)+"\n"), **NL)
A('BEGIN{@["a"]=sum(3);@["b"]=sum(1);@["c"]=sum(2);exit(0);}', agg(s("a")+v(3)+"\n",s("c")+v(2)+"\n",s("b")+v(1)+"\n"),["-xaggsortrev"], **NL)
A('BEGIN{@["c"]=sum(3);@["b"]=sum(1);@["a"]=sum(2);exit(0);}', agg(s("a")+v(2)+"\n",s("b")+v(1)+"\n",s("c")+v(3)+"\n"),["-xaggsortkey"], **NL)
A('BEGIN{@["c"]=sum(3);@["b"]=sum(1);@["a"]=sum(2);exit(0);}', agg(s("c")+v(3)+"\n",s("b")+v(1)+"\n",s("a")+v(2)+"\n"),["-xaggsortkey","-xaggsortrev"], **NL)
A('BEGIN{@[1,9]=sum(3);@[2,8]=sum(1);@[3,7]=sum(2);exit(0);}', agg(k(3,8)+k(7,8)+v(2)+"\n",k(2,8)+k(8,8)+v(1)+"\n",k(1,8)+k(9,8)+v(3)+"\n"),["-xaggsortkey","-xaggsortkeypos=1"], **NL)
A('BEGIN{@[2]=sum(3);@[1]=sum(3);@[10]=sum(3);@[-1]=sum(3);exit(0);}', agg(*[k(x,8)+v(3)+"\n" for x in (-1,1,2,10)]), **NL)
A('BEGIN{@["b"]=sum(3);@["a"]=sum(3);@["B"]=sum(3);exit(0);}', agg(*[s(x)+v(3)+"\n" for x in ("B","a","b")]), **NL)
A('BEGIN{@[1]=sum(-3);@[2]=sum(5);@[3]=sum(0);exit(0);}', agg(k(1,8)+v(-3)+"\n",k(3,8)+v(0)+"\n",k(2,8)+v(5)+"\n"), **NL)
A('BEGIN{@[1]=avg(10);@[1]=avg(20);@[2]=avg(14);exit(0);}', agg(k(2,8)+v(14)+"\n",k(1,8)+v(15)+"\n"), **NL)
A('BEGIN{@[1]=max(3);@[1]=max(9);@[1]=max(5);exit(0);}', agg(k(1,8)+v(9)+"\n"), **NL)
A('BEGIN{@[1]=min(3);@[1]=min(-9);@[1]=min(5);exit(0);}', agg(k(1,8)+v(-9)+"\n"), **NL)
A('BEGIN{@=stddev(2);@=stddev(4);@=stddev(4);@=stddev(4);@=stddev(5);@=stddev(5);@=stddev(7);@=stddev(9);exit(0);}', agg(v(2)+"\n"), **NL)
A('BEGIN{@=stddev(-10);@=stddev(10);exit(0);}', agg(v(10)+"\n"), **NL)
A('BEGIN{@=avg(1);@=avg(2);exit(0);}', agg(v(1)+"\n"), **NL)
A('BEGIN{@=avg(-1);@=avg(-2);exit(0);}', agg(v(-1)+"\n"), **NL)
A('BEGIN{@=sum(0x7fffffffffffffff);@=sum(1);exit(0);}', agg(v(-9223372036854775808)+"\n"), **NL)
# normalize, denormalize, clear, trunc
A('BEGIN{@[1]=sum(100);normalize(@,10);exit(0);}', agg(k(1,8)+v(10)+"\n"), **NL)
A('BEGIN{@[1]=sum(100);normalize(@,10);denormalize(@);exit(0);}', agg(k(1,8)+v(100)+"\n"), **NL)
A('BEGIN{@[1]=sum(105);normalize(@,10);exit(0);}', agg(k(1,8)+v(10)+"\n"), **NL)
A('BEGIN{@[1]=sum(-105);normalize(@,10);exit(0);}', agg(k(1,8)+v(-10)+"\n"), **NL)
A('BEGIN{@=count();normalize(@,1000);exit(0);}', agg(v(0)+"\n"), **NL)
A('BEGIN{@=max(90);@=min(9);exit(0);}', "", status=1, err="redefined")
A('BEGIN{@=avg(90);@=avg(110);normalize(@,10);exit(0);}', agg(v(10)+"\n"), **NL)
A('BEGIN{@[1]=sum(5);@[2]=sum(6);clear(@);exit(0);}', agg(k(1,8)+v(0)+"\n",k(2,8)+v(0)+"\n"), **NL)
A('BEGIN{@[1]=sum(5);@[2]=sum(6);trunc(@);exit(0);}', "")
A('BEGIN{@[1]=sum(5);@[2]=sum(6);@[3]=sum(4);trunc(@,1);exit(0);}', agg(k(2,8)+v(6)+"\n"), **NL)
A('BEGIN{@[1]=sum(5);@[2]=sum(6);@[3]=sum(4);trunc(@,2);exit(0);}', agg(k(1,8)+v(5)+"\n",k(2,8)+v(6)+"\n"), **NL)
A('BEGIN{@[1]=sum(5);@[2]=sum(6);@[3]=sum(4);trunc(@,-1);exit(0);}', agg(k(3,8)+v(4)+"\n"), **NL)
A('BEGIN{@[1]=sum(5);@[2]=sum(6);@[3]=sum(4);trunc(@,-2);exit(0);}', agg(k(3,8)+v(4)+"\n",k(1,8)+v(5)+"\n"), **NL)
A('BEGIN{@[1]=sum(5);@[2]=sum(6);trunc(@,0);exit(0);}', "")
A('BEGIN{@[1]=sum(5);@[2]=sum(6);trunc(@,10);exit(0);}', agg(k(1,8)+v(5)+"\n",k(2,8)+v(6)+"\n"), **NL)
A('BEGIN{@[1]=sum(5);@[2]=sum(6);trunc(@,-10);exit(0);}', agg(k(1,8)+v(5)+"\n",k(2,8)+v(6)+"\n"), **NL)
# printa
A('BEGIN{@=count();printa(@);exit(0);}', "\n"+v(1)+"\n")
A('BEGIN{@["a"]=count();printa(@);exit(0);}', "\n"+s("a")+v(1)+"\n")
A('BEGIN{@["a"]=count();printa("%s %@d\\n",@);exit(0);}', "a 1\n")
A('BEGIN{@["a"]=sum(31);printa("%s %@x %@o %@u %@d|",@);exit(0);}', "a 1f 37 31 31|")
A('BEGIN{@["a"]=sum(31);printa("%10s|%-10s|%@5d|%-@5d|",@);exit(0);}', "", status=1, err="missing a corresponding")
A('BEGIN{@["a"]=sum(31);printa("%-10s|%@5d|",@);exit(0);}', "a         |   31|")
A('BEGIN{@["a"]=sum(31);printa("%10s|%@-5d|",@);exit(0);}', "         a|31   |")
A('BEGIN{@["a"]=sum(31);printa("%10s|%@05d|",@);exit(0);}', "         a|00031|")
A('BEGIN{@[1,2]=sum(3);printa("%d-%d=%@d ",@);exit(0);}', "1-2=3 ")
A('BEGIN{@[1,2]=sum(3);printa("%@d\\n",@);exit(0);}', "3\n")
A('BEGIN{@[1]=sum(3);@b[1]=sum(4);printa("%d %@d %@d\\n",@,@b);exit(0);}', "1 3 4\n")
A('BEGIN{@[1]=sum(3);@b[2]=sum(4);printa("%d %@d %@d\\n",@,@b);exit(0);}', "2 0 4\n1 3 0\n")
A('BEGIN{@a[1]=sum(3);@b[2]=sum(4);printa(@a,@b);exit(0);}', "\n"+k(2,8)+v(0)+v(4)+"\n"+k(1,8)+v(3)+v(0)+"\n")
A('BEGIN{@a[1]=sum(3);@b[2]=sum(4);printa(@a,@b);exit(0);}', "\n"+k(1,8)+v(3)+v(0)+"\n"+k(2,8)+v(0)+v(4)+"\n",["-xaggsortpos=1"])
A('BEGIN{@=count();printa("static\\n",@);exit(0);}', "static\n")
A('BEGIN{@["x"]=count();@["y"]=count();printa("%s\\n",@);exit(0);}', "x\ny\n")
A('BEGIN{@=count();} END{printa("%@d\\n",@);} BEGIN{exit(0);}', "1\n")
A('BEGIN{printa(@);@=count();exit(0);}', "", status=1, err="undefined aggregation|does not exist|not defined")
A('BEGIN{@=count();clear(@);printa("%@d",@);exit(0);}', "0")
A('BEGIN{@[1]=count();trunc(@);printa("%@d",@);exit(0);}', "")
A('BEGIN{@=sum(-5);printa("%@d %@u %@x",@);exit(0);}', "-5 18446744073709551611 fffffffffffffffb")
A('BEGIN{@[1669315611000000000]=count();printa("%Y",@);exit(0);}', "2022 Nov 24 18:46:51")
A('BEGIN{@[(char)65]=count();printa("%c",@);exit(0);}', "A")
A('BEGIN{@[100]=count();printa("%x %o",@);exit(0);}', "", status=1, err="missing")
A('BEGIN{@[255]=count();printa("%x",@);exit(0);}', "ff")
A('BEGIN{@["a\\tb"]=count();printa("%S",@);exit(0);}', "a\\tb")
check(C)
