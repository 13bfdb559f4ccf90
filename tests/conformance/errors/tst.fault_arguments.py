#!/usr/bin/env python3
# @@host
"""ERROR's arguments for each way to read a bad address: the number of the action (arg2), the kind (arg4) and the address (arg5)."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check


def fault(statements, says, err="invalid address", before=""):
    return Case(before + " BEGIN { " + statements + " } ERROR { printf(\"%d %d %d\", arg2, arg4, arg5); exit(0); }", says, err=err)


LINKS = "(struct list_head *)"
check([
    fault("*(int *)0 = 5;", "1 1 0"),
    fault(f"x = {LINKS}0; trace(x->prev);", "2 1 8"),
    fault(f"trace(({LINKS}8)->next);", "1 1 8"),
    fault(f"trace(({LINKS}8)->prev);", "1 1 16"),
    fault(f"print(*{LINKS}16);", "1 1 16"),
    fault("tracemem((void *)16, 8);", "1 1 16"),
    fault("strlen((char *)8);", "1 1 8"),
    fault("x = stringof((char *)24);", "1 1 24"),
    fault("printf(\"%d %s\", 1, stringof((char *)24));", "1 1 24"),
    fault("bcopy((void *)8, alloca(8), 8);", "1 1 8"),
    fault("copyin(8, 8);", "1 1 8"),
    fault("copyinstr(8);", "1 1 8"),
    fault("copyinto(8, 4, alloca(4));", "1 1 8"),
    fault("@[*(int *)16] = count();", "1 1 16"),
    fault("@ = sum(*(int *)16);", "1 1 16"),
    fault("x = 1; y = 2; z = *(int *)16;", "3 1 16"),
    fault("x[*(int *)16] = 1;", "1 1 16"),
    fault("this->x = *(int *)16;", "1 1 16"),
    fault("self->x = 1; self->x = *(int *)16;", "2 1 16"),
    fault("x = 0; y = 1; y /= x;", "3 4 0", "divide-by-zero"),
    fault("x = 0; trace(1); trace(7 % x);", "3 4 0", "divide-by-zero"),
    fault("alloca(1 << 20);", "1 5 0", "out of scratch space"),
    fault("this->p = (char *)alloca(3); tracemem(this->p, 3); this->p[0] = *(char *)16;", "3 1 16"),
    Case("BEGIN / *(int *)16 > 0 / { } ERROR { printf(\"%d %d %d\", arg2, arg4, arg5); exit(0); }",
         "0 1 16", err="in predicate"),
    Case("int x; BEGIN / 1 % x / { } ERROR { printf(\"%d %d %d\", arg2, arg4, arg5); exit(0); }", "0 4 0",
         err="divide-by-zero in predicate"),
])
