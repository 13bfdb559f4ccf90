#!/usr/bin/env python3
"""Failed calls only: each call is speculated at its entry, and committed by its thread when it fails.

Many threads at a time, more than there are speculations: what is printed, and what was refused, is all that failed.
"""

import os
import re
import subprocess
import sys

dtrace = os.environ["DTRACE"]
WORK = """
import os, threading
def work(n):
    for i in range(500):
        try:
            os.close(1000 + n)
        except OSError:
            pass
        os.close(os.dup(1))
threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
"""
SCRIPT = """
#pragma D option quiet
#pragma D option nspec=4
syscall::close:entry /pid == $target/ { self->id = speculation(); self->fd = arg0; started[self->id != 0] = 1; @begun[self->id != 0 ? "in" : "out"] = count(); }
syscall::close:entry /pid == $target/ { speculate(self->id); printf("close %d\\n", (int)arg0); }
syscall::close:return /self->id && errno/ { @end["failed"] = count(); commit_now = 1; }
syscall::close:return /self->id && errno/ { commit(self->id); self->id = 0; }
syscall::close:return /self->id && !errno/ { discard(self->id); self->id = 0; }
END { printa("begun %s %@d\\n", @begun); printa("end %s %@d\\n", @end); }
"""
done = subprocess.run([dtrace, "-n", SCRIPT, "-c", f"{sys.executable} -c '{WORK}'"], capture_output=True, text=True)
lines = done.stdout.splitlines()
printed = [int(line.split()[1]) for line in lines if line.startswith("close ")]
failed = next(int(line.split()[2]) for line in lines if line.startswith("end failed"))
out = next((int(line.split()[2]) for line in lines if line.startswith("begun out")), 0)
# Said as often as it is looked at.
refused = sum(map(int, re.findall(r"dtrace: (\d+) failed speculations? \(no speculative buffer available\)", done.stderr)))
problems = []
if done.returncode != 0:
    problems.append(f"exit status {done.returncode}: {done.stderr}")
if len(printed) != failed:
    problems.append(f"{failed} failed calls were committed, {len(printed)} printed")
if any(fd < 1000 for fd in printed):
    problems.append("a call that did not fail was printed")
if failed + out < 4000 and out < 1:
    problems.append(f"only {failed} of 4000 failures were speculated, and none was refused")
if refused != out:
    problems.append(f"{out} were refused, and it says {refused}")
for problem in problems:
    print("FAILED:", problem)
if problems:
    print(done.stderr)
sys.exit(bool(problems))
