#!/usr/bin/env python3
# @@host
"""Programs of unusual size: many clauses, variables, aggregations, members, arguments and keys, deep nesting, long names and texts."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check


def says(body, out, **options):
    return Case("BEGIN{" + body + "exit(0);}", out, **options)


def joined(text, count, between=""):
    return between.join(text.format(i) for i in range(count))


check([
    Case(joined("BEGIN{{x{0}={0};}} ", 300) + 'BEGIN{printf("%d",' + joined("x{}", 300, "+") + ");exit(0);}", str(sum(range(300)))),
    says(joined("@a{0}[{0}]=sum({0});", 300) + 'printa("%@d\\n",@a299);', re.compile(r"299\n.*", re.S)),
    says('printf("' + "%d " * 100 + '",' + joined("{}", 100, ",") + ");", joined("{} ", 100)),
    says("trace(1);" * 400, "1" * 400),
    says("x=" + "(" * 200 + "1" + ")" * 200 + ";trace(x);", "1"),
    says("x=" + "(-" * 101 + "1" + ")" * 101 + ";trace(x);", "-1"),
    says("x=5;y=" + "x?" * 60 + "1" + ":2" * 60 + ";trace(y);", "1"),
    says('x="a";y=' + "strjoin(" * 30 + "x" + ",x)" * 30 + ";trace(strlen(y));", "31"),
    says("x[" + joined("{}", 30, ",") + "]=5;" + "trace(x[" + joined("{}", 30, ",") + "]);", "5"),
    says("@[" + joined('"k{}"', 15, ",") + ']=count();printa("%@d\\n",@);', re.compile(r"1\n.*", re.S)),
    Case("enum big{" + joined("E{}", 3000, ",") + "}; BEGIN{trace(E2999);exit(0);}", "2999"),
    Case("struct big{" + joined("int m{};", 2000) + "}; BEGIN{trace(offsetof(struct big,m1999));exit(0);}", "7996"),
    Case("struct big{" + joined("int m{};", 1000) + "}; struct big v; BEGIN{v.m999=4;trace(v.m999);exit(0);}", "4"),
    Case("inline int i0=0; " + "".join(f"inline int i{n}=i{n - 1}+1; " for n in range(1, 100)) + "BEGIN{trace(i99);exit(0);}", "99"),
    Case("typedef int t0; " + "".join(f"typedef t{n - 1} t{n}; " for n in range(1, 100)) + "t99 v; BEGIN{v=3;trace(v);exit(0);}", "3"),
    says("v" * 200 + "=3;trace(" + "v" * 200 + ");", "3"),
    says('trace(strlen("' + "x" * 5000 + '"));', "5000", options=["-xstrsize=8k"]),
    says('trace(strlen("' + "x" * 5000 + '"));', "256"),
    says('x="' + "x" * 300 + '";printf("%d %d",strlen(x),strlen(substr(x,10)));', "256 246"),
    says('x=strjoin("' + "x" * 200 + '","' + "y" * 200 + '");printf("%d %s",strlen(x),substr(x,199,2));', "256 xy"),
    says("trace($150);", "150", words=[str(i) for i in range(1, 151)], options=["-xdefaultargs"]),
    Case(joined("BEGIN", 50, ",") + "{n++;} BEGIN{trace(n);exit(0);}", "50"),
    says("if(1){" * 30 + "trace(7);" + "}" * 30, "7"),
    says("trace(" + joined("1", 1000, "+") + ");", "1000"),
    says("x=1;trace(" + joined("x", 500, "+") + ");", "500"),
    says("x=1;trace(" + joined("x", 300, "&&") + ");", "1"),
    Case(joined("BEGIN{{s{}=speculation();}} ", 10) + 'BEGIN{printf("' + "%d " * 10 + '",' + joined("s{}", 10, ",") + ");exit(0);}",
         "1 2 3 4 5 6 7 8 9 10 ", ["-xnspec=10"]),
])
