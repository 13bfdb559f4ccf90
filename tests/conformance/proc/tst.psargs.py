#!/usr/bin/env python3
"""psinfo_t's arguments: of the process itself, of its children until they execute a program, and of others."""
import os
import signal
import subprocess
import sys
import time

DTRACE = os.environ.get("DTRACE", "")
MARK = "first second"
CHILD_WORD = "30.5"


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


# Of what another process has in its memory, only its name is known.
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
    f"create|{ALL}", f"start|{ALL}", f"exec-success|sleep {CHILD_WORD}|2|1", "12|sleep|0|0",
]
quoted = f"{sys.executable} {os.path.abspath(__file__)} work '{MARK}'"
done = subprocess.run([DTRACE, "-C", "-q", "-x", "strsize=1k", "-x", "temporal", "-n", SCRIPT, "-c", quoted],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
if done.returncode != 0 or done.stderr:
    sys.exit(f"dtrace ended with {done.returncode}: {done.stderr}")
# What runs at the same time may stand in either order.
if sorted(filter(None, done.stdout.split("\n"))) != sorted(WANTED):
    sys.exit(f"wanted {WANTED},\nseen {done.stdout}")
