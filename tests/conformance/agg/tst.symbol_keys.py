#!/usr/bin/env python3
# @@host
"""A key is sym(), func() and mod() in several places, or usym(), ufunc(), umod() and uaddr(): each row shows what its place
says, and addresses of one name are one row of one place."""
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check

READ = "(uintptr_t)&`vfs_read"
WRITE = "(uintptr_t)&`vfs_write"


def row(key, count):
    return f"  {key:<50} {count:16}\n"


check([
    Case(f"BEGIN {{ @[sym({READ})] = count(); @[mod({READ})] = count(); @[mod({WRITE})] = count(); exit(0); }}",
         "\n" + row("vmlinux`vfs_read", 1) + row("vmlinux", 2), newline=False),
    Case(f"BEGIN {{ @[mod({READ})] = count(); @[sym({READ} + 1)] = count(); @[func({READ})] = count(); exit(0); }}",
         "\n" + row("vmlinux", 1) + row("vmlinux`vfs_read", 2), newline=False),
    # Alone, they are what they were.
    Case(f"BEGIN {{ @[mod({READ})] = count(); @[mod({WRITE})] = count(); exit(0); }}", "\n" + row("vmlinux", 2),
         newline=False),
    Case(f"BEGIN {{ @[sym(16), 1] = count(); @[mod(16), 1] = sum(2); exit(0); }}", "", status=1,
         err="D_AGG_REDEF"),
    Case("BEGIN { @[sym(16)] = sum(1); @[mod(16)] = sum(2); exit(0); }", "\n" + row("0x10", 1) + row("0x10", 2),
         newline=False),
    Case(f"BEGIN {{ @[sym({READ})] = sum(1); @[mod({READ})] = sum(2); printa(\"%a|%@d\\n\", @); printa(\"%20s|%@d\\n\", @); "
         "trunc(@); exit(0); }", "vmlinux`vfs_read|1\nvmlinux|2\n    vmlinux`vfs_read|1\n             vmlinux|2\n"),
    Case("BEGIN { @[usym(ucaller)] = sum(1); @[umod(ucaller)] = sum(2); @[uaddr(ucaller)] = sum(3); exit(0); }",
         re.compile(r"\n  (\S+`\S*?[^+]*?) +1\n  (\S+) +2\n  (\S+`.*\+0x[0-9a-f]+) +3\n"), newline=False),
    Case("BEGIN { @[uaddr(16)] = sum(1); @[ufunc(16)] = sum(2); @[umod(16)] = sum(3); printa(\"%A %@d\\n\", @); trunc(@); "
         "exit(0); }", "0x10 1\n0x10 2\n0x10 3\n"),
    Case("BEGIN { this->s = sym(16); @[this->s] = sum(1); this->m = mod(16); @[this->m] = sum(2); exit(0); }",
         "\n" + row("0x10", 1) + row("0x10", 2), newline=False),
    Case("BEGIN { @[1, sym(16), \"a\"] = sum(1); @[1, mod(16), \"a\"] = sum(2); printa(\"%d %a %s %@d\\n\", @); trunc(@); "
         "exit(0); }", "1 0x10 a 1\n1 0x10 a 2\n"),
    # Of the kernel and of programs are two kinds, and so are names of numbers.
    Case("BEGIN { @[sym(16)] = count(); @[usym(16)] = count(); }", "", status=1, err="D_PROTO_ARG"),
    Case("BEGIN { @[uaddr(16)] = count(); @[mod(16)] = count(); }", "", status=1, err="D_PROTO_ARG"),
    Case("BEGIN { @[sym(16)] = count(); @[errname(2)] = count(); }", "", status=1, err="D_PROTO_ARG"),
    Case("BEGIN { @[sym(16)] = count(); @[16] = count(); }", "", status=1, err="D_PROTO_ARG"),
    Case(f"BEGIN {{ @[sym({READ})] = count(); @[mod({READ})] = count(); exit(0); }}",
         re.compile(r'(?s).*"type": ?"sym", ?"value": ?"vmlinux`vfs_read".*"type": ?"mod", ?"value": ?"vmlinux".*'),
         ["-xoformat=jsonl"]),
])
