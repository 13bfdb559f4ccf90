#!/usr/bin/env python3
"""psinfo_t's arguments: of the process itself, of its children until they execute a program, and of others."""
import os
import signal
import subprocess
import sys
import tempfile
import time

DTRACE = os.environ.get("DTRACE", "")
MARK = "first second"
CHILD_WORD = "30.5"
LONG = "x" * 300


def work():
    """What has these arguments makes a child, which signals it, and one that executes another program."""
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        os.kill(os.getppid(), signal.SIGUSR1)
        os._exit(3)
    os.waitpid(child, 0)
    child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(4)
    os.kill(child, signal.SIGUSR2)
    os.waitpid(child, 0)
    other = os.posix_spawn("/bin/sleep", ["sleep", CHILD_WORD], {})
    while open(f"/proc/{other}/cmdline", "rb").read() != f"sleep\0{CHILD_WORD}\0".encode():
        time.sleep(0.01)
    os.kill(other, signal.SIGUSR2)
    os.waitpid(other, 0)


# Of what another process has in its memory, nothing can be read.
SCRIPT = r"""
#define SHOWN(P) (P)->pr_psargs, (P)->pr_argc, (P)->pr_envp != 0
proc:::create
/pid == $target/
{
	printf("%s|%s|%d|%d\n", probename, SHOWN(args[0]));
}
proc:::exec-success, proc:::start
/progenyof($target) && pid != $target/
{
	printf("%s|%s|%d|%d\n", probename, SHOWN(curpsinfo));
}
proc:::signal-send, proc:::signal-discard
/progenyof($target) && (args[2] == SIGUSR1 || args[2] == SIGUSR2)/
{
	printf("%d|%s|%d|%d\n", args[2], SHOWN(args[1]));
}
"""

if sys.argv[1:2] == ["work"]:
    work()
    sys.exit()

ARGUMENTS = [sys.executable, os.path.abspath(__file__), "work", MARK]
ALL = f"{' '.join(ARGUMENTS)}|{len(ARGUMENTS)}|1"
WANTED = [
    f"create|{ALL}", f"start|{ALL}", f"10|{ALL}",  # the child signals what made it
    f"create|{ALL}", f"start|{ALL}", f"12|{ALL}",  # a child is signalled by what made it
    f"create|{ALL}", f"start|{ALL}", f"exec-success|sleep {CHILD_WORD}|2|1", f"12|sleep {CHILD_WORD}|0|0",
]
quoted = f"{sys.executable} {os.path.abspath(__file__)} work '{MARK}'"
done = subprocess.run([DTRACE, "-C", "-q", "-x", "strsize=1k", "-x", "temporal", "-n", SCRIPT, "-c", quoted],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
if done.returncode != 0 or done.stderr:
    sys.exit(f"dtrace ended with {done.returncode}: {done.stderr}")

# A process that began before tracing, its child, and what the child executes then; signalled by one that has nothing to
# do with them.
AFAR = r"""
BEGIN { printf("on\n"); }
proc:::signal-send, proc:::signal-discard
/args[2] == SIGUSR1 && (args[1]->pr_pid == $1 || args[1]->pr_ppid == $1)/
{
	printf("%s\n", args[1]->pr_psargs);
}
proc:::signal-send, proc:::signal-discard
/args[2] == SIGWINCH && args[1]->pr_pid == $1/
{
	exit(0);
}
"""
OLD = r"""
import os, signal, sys
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
def child(*words):
    made = os.fork()
    if made == 0:
        for line in sys.stdin:
            os.execv("/bin/sh", words)
    return made
print(child("sh", "-c", "read line", "x" * 300), flush=True)
signal.pause()
"""


def seen_from_afar(old_arguments):
    """What pr_psargs is of the old process, of its child, and of the child when it runs another program."""
    old = subprocess.Popen(old_arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    made = int(old.stdout.readline())
    traced = subprocess.Popen([DTRACE, "-q", "-x", "switchrate=20hz", "-n", AFAR, str(old.pid)],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        if traced.stdout.readline() != "on\n":
            sys.exit("dtrace did not begin")
        for pid in (old.pid, made):
            subprocess.run(["sh", "-c", f"kill -USR1 {pid}"], check=True)
        print(file=old.stdin, flush=True)
        while not open(f"/proc/{made}/cmdline", "rb").read().startswith(b"sh\0"):
            time.sleep(0.01)
        subprocess.run(["sh", "-c", f"kill -USR1 {made}; kill -WINCH {old.pid}"], check=True)
        return traced.communicate(timeout=60)[0]
    finally:
        for pid in (made, old.pid):
            os.kill(pid, signal.SIGKILL)
        old.wait()
        traced.kill()


with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
    program.write(OLD)
    program.flush()
    words = [sys.executable, program.name, "", "an empty one before", "ä"]
    shown = seen_from_afar(words)
wanted = [" ".join(words)] * 2 + [("sh -c read line " + LONG)[:255]]
if shown.split("\n")[:3] != wanted:
    sys.exit(f"wanted {wanted},\nseen {shown!r}")
# What runs at the same time may stand in either order.
if sorted(filter(None, done.stdout.split("\n"))) != sorted(WANTED):
    sys.exit(f"wanted {WANTED},\nseen {done.stdout}")
