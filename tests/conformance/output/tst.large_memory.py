#!/usr/bin/env python3
"""tracemem(), trace(), printm() and print() record up to 32 KB of memory: of the kernel, of a variable, of a program."""
import os
import re
import subprocess

BYTES = 32768
DECLARED = f"struct big {{ char c[{BYTES}]; }}; struct big v; BEGIN {{ v.c[0] = 1; v.c[{BYTES - 1}] = 0x41; }} "
USER = "syscall::write:entry /pid == $target && arg2 == 32768/ { %s exit(0); }"


def dtrace(program, *options):
    run = subprocess.run([os.environ["DTRACE"], "-q", "-x", "scratchsize=64k", *options, "-n", program],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0 or run.stderr != "":
        raise SystemExit(f"{program}\n{run.stderr}")
    return run.stdout


def last_row(text, wanted):
    rows = [row for row in text.split("\n") if re.match(r" +[0-9a-f]+: ", row)]
    if len(rows) != BYTES // 16 or wanted not in rows[-1] or not rows[-1].lstrip().startswith("7ff0: "):
        raise SystemExit(f"{len(rows)} rows, the last {rows[-1:]}, wanted {wanted!r}")


for action in (f"tracemem(&v.c[0], {BYTES});", "trace(v);", f"printm({BYTES}, &v.c[0]);"):
    last_row(dtrace(DECLARED + "BEGIN { " + action + " exit(0); }"), "00 41  ...............A")
if ", 'A' ]" not in dtrace(DECLARED + "BEGIN { print(v); exit(0); }"):
    raise SystemExit("print() does not show the last character")
COMMAND = "python3 -c 'import os; os.write(os.open(\"/dev/null\", 1), b\"\\x01\" + bytes(32766) + b\"Z\")'"
for action in (f"tracemem(copyin(arg1, {BYTES}), {BYTES});", f"trace(copyin(arg1, {BYTES}));"):
    last_row(dtrace(USER % action, "-c", COMMAND), "00 5a  ...............Z")
