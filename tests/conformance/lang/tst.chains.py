#!/usr/bin/env python3
# @@host
"""Expressions of 1,990 operands, of every operator; many clauses; long names and strings; line ends."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check

MANY = 1990


class FromStdin(Case):
    """A script that is too long for a command line."""

    def __init__(self, script, out, **rest):
        super().__init__(None, out, ["-s", "/dev/stdin"], stdin=script, **rest)


def of_chain(operator, operand, out, predicate=False, many=MANY):
    text = operator.join([operand] * many)
    clause = f"BEGIN/{text}/{{trace(1);exit(0);}}" if predicate else f"BEGIN{{trace(({text}));exit(0);}}"
    return FromStdin("BEGIN{x=1;} " + clause, out)


name = "n" * 1000
check([
    of_chain(" + ", "x", "1990"),
    of_chain(" - ", "x", "-1988"),
    of_chain(" * ", "x", "1"),
    of_chain(" / ", "x", "1", many=500),
    of_chain(" % ", "x", "0", many=500),
    of_chain(" & ", "x", "1"),
    of_chain(" | ", "x", "1"),
    of_chain(" ^ ", "x", "0"),
    of_chain(" ^^ ", "x", "0"),
    of_chain(" && ", "x", "1"),
    of_chain(" || ", "x", "1"),
    of_chain(" == ", "x", "1"),
    of_chain(" , ", "x", "1"),
    of_chain(" + ", "1", "1990"),
    of_chain(" && ", "x", "1", predicate=True),
    FromStdin("BEGIN{x=1;} BEGIN{trace(" + " + ".join(["x"] * 2100) + ");}", "", status=1, err="more than 2000 levels deep"),
    FromStdin("BEGIN{x=1;trace(" + "(1+" * 200 + "x" + ")" * 200 + ");exit(0);}", "201"),
    FromStdin("BEGIN{" + "if(1){" * 200 + "trace(5);" + "}" * 200 + "exit(0);}", "5"),
    FromStdin("BEGIN{x++;}\n" * 1000 + "BEGIN{trace(x);exit(0);}", "1000"),
    FromStdin(f"BEGIN{{{name}=3;self->{name}=4;this->{name}=5;trace({name}+self->{name}+this->{name});exit(0);}}", "12"),
    FromStdin(f"BEGIN{{@{name}=count();exit(0);}} END{{printa(\"%@d\",@{name});}}", "1"),
    FromStdin("BEGIN{trace(\"" + "a" * 65535 + "\");exit(0);}", "a" * 256),
    FromStdin("BEGIN{printf(\"" + "a" * 65535 + "\");exit(0);}", "a" * 65535),
    FromStdin("BEGIN{trace(strlen(\"" + "a" * 65535 + "\"));exit(0);}", "256"),
    FromStdin("\r\n".join(["BEGIN", "{", "\ttrace(1); /* a", "b */", "\texit(0);", "}", ""]), "1"),
    FromStdin("#pragma D option quiet\r\nBEGIN\r\n/1/\r\n{ printf(\"x\\\r\ny\");\r\nexit(0); }\r\n", "xy"),
    FromStdin("\ufeffBEGIN{trace(1);exit(0);}", "1"),
    FromStdin("", "", status=1, err="empty D program"),
    FromStdin("BEGIN{trace(1);\0exit(0);}", "", status=1, err="dtrace: failed to compile script /dev/stdin: "),
])
