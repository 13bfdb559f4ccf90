# Functions and system calls that a process calls a known number of times: tools/funccount.d.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

CALLS = 321
go, ready = os.pipe()
done, says = os.pipe()
child = os.fork()
if child == 0:
    os.read(go, 1)
    for _ in range(CALLS):
        os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, 0)
    os.write(says, b"x")
    os.read(go, 1)
    os._exit(0)
with toolkit.Alone("funccount", "-p", child, "syscall::*priority:entry") as calls, \
        toolkit.Alone("funccount", "-t", 1, f"pid{child}:libc:*etpriority:entry") as functions, \
        toolkit.Alone("funccount", "-d", "100ms", "-p", child, "syscall:::entry") as short:
    toolkit.same("its end", short.script.process.wait(60), 0)
    os.write(ready, b"x")
    os.read(done, 1)
os.write(ready, b"x")
os.waitpid(child, 0)


def rows(text):
    return re.findall(r"^(\S+) +(\S+) +(\S+) +(\d+)$", text, re.M)


toolkit.same("calls", rows(calls.ours), [("vmlinux", "getpriority", "entry", str(CALLS)), ("vmlinux", "setpriority", "entry", "1")])
toolkit.same("functions", [row[1:] for row in rows(functions.ours)], [("getpriority", "entry", str(CALLS))])
toolkit.same("when nothing is called", rows(short.ours), [])
