# -A saves an enabling, --anonymous traces it without anybody, -a claims what it has recorded and goes on.
# @@timeout: 60
# @@host
import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402

home = tempfile.mkdtemp()
environment = dict(os.environ, DTRACE_ANONYMOUS=home)
SOCKET = os.path.join(home, "claim")


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def run(*arguments, **more):
    return subprocess.run([DTRACE, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30,
                          env=environment, **more)


def until(condition):
    end = time.monotonic() + 20
    while not condition():
        check(time.monotonic() < end, "never true")
        time.sleep(0.02)


def save(*arguments):
    done = run("-A", *arguments)
    check(done.returncode == 0 and done.stderr.startswith(f"dtrace: saved anonymous enabling in {home}/enabling\n"), done)
    check(STARTS in done.stderr, done)


# How it begins is said for this system.
STARTS = "systemctl enable dtrace-anonymous" if os.path.isdir("/run/systemd/system") else "systemd does not run here"


def claim(*arguments):
    return subprocess.Popen([DTRACE, "-a", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment)


def end_with_us():
    """Nobody else would end it, should this test be killed."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def ended(process, status=0, out="", err=""):
    got = process.communicate(timeout=30)
    check((process.returncode, *got) == (status, out, err), process.returncode, got)


# Of a name that no other test's program has.
NAME = f"a{os.getpid()}"
CALLS = shutil.copy(workload("getppid"), f"{home}/{NAME}")
COUNT = f'syscall::getppid:entry /execname == "{NAME}"/ ' '{ n++; @ = count(); }'
QUIET = ["-q", "-x", "bufsize=64k"]


def traced(calls=50):
    """Starts the tracer; once there is something to claim, probes are live, and the workload makes its calls."""
    process = subprocess.Popen([DTRACE, "--anonymous"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment, preexec_fn=end_with_us)
    until(lambda: os.path.exists(SOCKET) or process.poll() is not None)
    subprocess.run([CALLS, str(calls)], check=True)
    return process


def counted(claimer, calls):
    """Reads the lines of the ticks in which the workload made its calls: mostly one, more if a tick came between."""
    lines = []
    while sum(int(line.removeprefix("n ")) for line in lines) < calls:
        lines.append(claimer.stdout.readline())
        check(re.fullmatch(r"n \d+\n", lines[-1]), lines)
    check(sum(int(line.removeprefix("n ")) for line in lines) == calls, lines)


check(run("-a").stderr == "dtrace: could not enable tracing: No anonymous tracing state\nhint: dtrace -A saves what is to be traced, "
      "and dtrace --anonymous, the service dtrace-anonymous of systemd, traces it\n", run("-a"))
check(run("--anonymous").returncode == 1 and "no anonymous enabling is saved" in run("--anonymous").stderr, "")
for bad in (["-c", "true"], ["-p", "1"], ["-o", "x"]):
    done = run("-A", *bad, "-n", "BEGIN")
    check(done.returncode == 2 and "cannot be saved" in done.stderr, done)
done = run("-A", "-n", "BEGIN { trace(nothing); }")
check(done.returncode == 1 and "failed to resolve nothing" in done.stderr and not os.path.exists(f"{home}/enabling"), done)
check(run("-a", "-n", "BEGIN").returncode == 2, run("-a", "-n", "BEGIN"))
check(run("-a", "-A").returncode == 2, run("-a", "-A"))

# Claimed while it runs: what was before, what comes, a Ctrl-C of the claimer.
save(*QUIET, "-n", 'BEGIN { printf("begun\\n"); } ' + COUNT + ' tick-100ms /n/ { printf("n %d\\n", n); n = 0; } '
     'END { printf("end\\n"); }')
tracer = traced()
check(run("--anonymous").returncode == 1, "a second tracer")
claimer = claim()
line = claimer.stdout.readline()
check(line == "begun\n", line)
counted(claimer, 50)
check(run("-a").returncode == 1, "a second claim")
subprocess.run([CALLS, "7"], check=True)
counted(claimer, 7)
claimer.send_signal(signal.SIGINT)
rest = claimer.stdout.read()
check(rest == "\nend\n\n               57\n" and claimer.wait(20) == 0, rest)
check(claimer.stderr.read() == "", "")
ended(tracer)
check(not os.path.exists(SOCKET), "the socket stays")

# -ae ends it; -o says where to.
tracer = traced()
ended(claim("-e", "-o", f"{home}/out"))
out = open(f"{home}/out").read()
check(re.fullmatch(r"begun\n(n \d+\n)*\nend\n\n {15}50\n", out), out)
ended(tracer)

# An exit() that nobody saw waits; so does its status.
with open(f"{home}/x.d", "w") as file:
    file.write('#pragma D option quiet\nBEGIN { printf("script\\n"); } tick-20ms { exit(3); }')
save("-s", f"{home}/x.d")
os.unlink(f"{home}/x.d")  # its text was saved
tracer = traced(0)
check(tracer.poll() is None, "it did not wait")
ended(claim(), 3, "script\n\n")
ended(tracer, 3)

# What -C makes of it is saved, too: neither the script nor its header is needed later.
with open(f"{home}/x.d", "w") as file:
    file.write('#include "x.h"\nBEGIN { printf("%s %d\\n", TEXT, WORD); exit(0); }')
with open(f"{home}/x.h", "w") as file:
    file.write('#define TEXT "from a header"\n')
save("-q", "-C", "-DWORD=7", "-s", f"{home}/x.d", "-n", "END { trace(WORD + 1); }")
os.unlink(f"{home}/x.d")
os.unlink(f"{home}/x.h")
tracer = traced(0)
ended(claim(), 0, "from a header 7\n8\n")
ended(tracer)

# Buffers: what finds no room is counted; fill keeps the first, ring the last.
PRINT = f'syscall::getppid:entry /execname == "{NAME}"/ ' '{ printf("%d\\n", n++); }'
for policy, kept in (("switch", None), ("fill", 0), ("ring", -1)):
    save("-q", "-b", "4k", "-x", f"bufpolicy={policy}", "-n", PRINT)
    tracer = traced(5000)
    claimer = claim("-e")
    out, err = claimer.communicate(timeout=30)
    numbers = [int(line) for line in out.split()]
    dropped = sum(int(n) for n in re.findall(r"(\d+) drops? on CPU", err))
    check(claimer.returncode == 0 and 50 < len(numbers) < 5000, policy, len(numbers), err)
    check(policy != "switch" or len(numbers) + dropped >= 5000, policy, len(numbers), dropped)
    check(policy != "fill" or numbers[0] == 0, policy, numbers[:3])
    check(policy != "ring" or numbers[-1] == 4999 or dropped > 0, policy, numbers[-3:])
    tracer.communicate(timeout=30)

# Ends: of the tracer before and after the claim, of the claimer, of who reads.
save(*QUIET, "-n", 'BEGIN { printf("begun\\n"); } tick-10ms { printf("%d\\n", n++); }')
tracer = traced(0)
tracer.send_signal(signal.SIGTERM)
check(tracer.wait(20) == 0 and not os.path.exists(SOCKET), tracer.returncode)
tracer.communicate()
tracer = traced(0)
claimer = claim()
check(claimer.stdout.readline() == "begun\n", "")
tracer.kill()
check(claimer.wait(20) == 1 and "ended without an exit status" in claimer.stderr.read(), claimer.returncode)
claimer.stdout.close()
tracer.communicate()
for victim in ("claimer", "reader"):
    tracer = traced(0)
    claimer = claim()
    check(claimer.stdout.readline() == "begun\n", "")
    if victim == "claimer":
        claimer.kill()
    claimer.stdout.close()
    check(tracer.wait(20) in (0, 1), tracer.returncode)
    tracer.communicate()
    check(claimer.wait(20) == (1 if victim == "reader" else -9), claimer.returncode)
    check(victim != "reader" or "failed to write to <stdout>: Broken pipe" in claimer.stderr.read(), victim)

# Who connects and says nothing, or nonsense, claims nothing.
tracer = traced(0)
for nonsense in (b"", b"x", b"a"):
    stranger = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    stranger.connect(SOCKET)
    if nonsense:
        stranger.send(nonsense)
    stranger.close()
claimer = claim("-e")
out, err = claimer.communicate(timeout=30)
begun, *numbers = out.split()
check(claimer.returncode == 0 and begun == "begun" and err == "", out[:50], err)
check(numbers == [str(n) for n in range(len(numbers))], numbers)
tracer.communicate(timeout=30)

# A file that is damaged anywhere is refused, or means what it says.
whole = open(f"{home}/enabling", "rb").read()
for cut in range(0, len(whole), 7):
    with open(f"{home}/enabling", "wb") as file:
        file.write(whole[:cut])
    done = run("--anonymous")
    check(done.returncode == 1 and "is no saved enabling" in done.stderr, cut, done)
check(run("-A").stderr == f"dtrace: cleaned up old anonymous enabling in {home}/enabling\n", "")
check(run("-A").returncode == 0 and not os.path.exists(f"{home}/enabling"), "")
shutil.rmtree(home)
