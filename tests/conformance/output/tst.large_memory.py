#!/usr/bin/env python3
"""tracemem(), trace(), printm() and print() record a whole variable of 32 KB, and 1 MB of the memory of the kernel and of a program."""
import os
import re
import subprocess

BYTES = 32768
MOST = 1 << 20
DECLARED = f"struct big {{ char c[{BYTES}]; }}; struct big v; BEGIN {{ v.c[0] = 1; v.c[{BYTES - 1}] = 0x41; }} "
USER = f"syscall::write:entry /pid == $target && arg2 == {MOST}/ {{ %s exit(0); }}"


def dtrace(program, *options):
    run = subprocess.run([os.environ["DTRACE"], "-q", "-x", "scratchsize=1m", *options, "-n", program],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0 or run.stderr != "":
        raise SystemExit(f"{program}\n{run.stderr}")
    return run.stdout


def last_row(text, size, wanted):
    rows = [row for row in text.split("\n") if re.match(r" +[0-9a-f]+: ", row)]
    if len(rows) != size // 16 or wanted not in rows[-1] or not rows[-1].lstrip().startswith(f"{size - 16:x}: "):
        raise SystemExit(f"{len(rows)} rows, the last {rows[-1:]}, wanted {wanted!r}")


for action in (f"tracemem(&v.c[0], {BYTES});", "trace(v);", f"printm({BYTES}, &v.c[0]);"):
    last_row(dtrace(DECLARED + "BEGIN { " + action + " exit(0); }"), BYTES, "00 41  ...............A")
if ", 'A' ]" not in dtrace(DECLARED + "BEGIN { print(v); exit(0); }"):
    raise SystemExit("print() does not show the last character")
COMMAND = "python3 -c 'import os; os.write(os.open(\"/dev/null\", 1), b\"\\x01\" + bytes(1048574) + b\"Z\")'"
for action in (f"tracemem(copyin(arg1, {MOST}), {MOST});", f"trace(copyin(arg1, {MOST}));"):
    last_row(dtrace(USER % action, "-c", COMMAND), MOST, "00 5a  ...............Z")
last_row(dtrace(f"BEGIN {{ this->p = (char *)alloca({MOST}); this->p[{MOST - 1}] = 'Z'; tracemem(this->p, {MOST}); exit(0); }}"),
         MOST, "00 5a  ...............Z")
