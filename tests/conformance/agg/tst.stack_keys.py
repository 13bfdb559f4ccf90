#!/usr/bin/env python3
# Stacks of the kernel and of processes, of any length, are keys of one aggregation; each row shows its own.
import os
import subprocess

SCRIPT = """
BEGIN { @a[stack()] = count(); @a[ustack()] = count(); @a[ustack()] = count(); @a[stack(1)] = sum(1); }
BEGIN { exit(0); }
""".replace("@a[stack(1)] = sum(1);", "@a[stack(1)] = count();")
run = subprocess.run([os.environ["DTRACE"], "-q", "-n", SCRIPT], capture_output=True, text=True, check=True)
rows = [row.split("\n") for row in run.stdout.strip().split("\n\n")]
counts = sorted((row[-1].strip(), "libc" not in row[0]) for row in rows)
if counts != [("1", True), ("1", True), ("2", False)]:
    raise SystemExit(f"rows: {rows}")
short = [row for row in rows if len(row) == 2 and "libc" not in row[0]]
if len(short) != 1:
    raise SystemExit(f"stacks of the kernel of one frame: {short}")
