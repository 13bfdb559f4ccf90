#!/usr/bin/env python3
# @@host
"""At a sample, probefunc() is the function of the kernel that it has interrupted, and addr() where the CPU was."""
import os
import re
import subprocess

run = subprocess.run(
    [os.environ["STAP"], "-e", '''
global kernel, user, wrong, ended
probe timer.profile.freq.hz(997) {
  if (pid() != target()) next
  if (user_mode()) {
    user++
    wrong += probefunc() != "" || addr() == 0 || addr() < 0
  } else {
    kernel++
    functions[probefunc()]++
    wrong += probefunc() != symname(addr()) || addr() > 0
  }
  if (kernel > 20 && user > 20) exit()
}
global functions
probe end { printf("%d %d\\n", wrong, kernel > 20 && user > 20) foreach (f in functions) println(f) }''',
     "-c", "perl -e 'while (getppid()) { open(F, \"<\", \"/etc/hostname\"); $x = 0; $x += $_ for 1..2000 }'"],
    capture_output=True, text=True, timeout=300, check=False)
lines = run.stdout.split("\n")[:-1]
if run.returncode != 0 or lines[0] != "0 1":
    raise SystemExit(f"{run.returncode} {run.stdout} {run.stderr}")
if not all(re.fullmatch(r"[A-Za-z_][\w.]*", name) for name in lines[1:]):
    raise SystemExit(f"no functions: {lines}")
