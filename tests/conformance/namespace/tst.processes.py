# In a namespace of processes of its own, dtrace shows the numbers that processes have there: those that it is told
# are found, stacks have names, and what is not in there has the number 0.
import os
import re
import subprocess
import sys
import threading

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402

SKIP = 77
WITHIN = ["unshare", "--pid", "--fork", "--mount-proc"]


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def trace(script, *options):
    done = subprocess.run([*WITHIN, DTRACE, "-q", "-n", script, *options], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    check(done.returncode == 0 and done.stderr == "", done)
    return done.stdout


if subprocess.run([*WITHIN, "true"], capture_output=True).returncode != 0:
    print("no namespace of processes can be made here")
    sys.exit(SKIP)

# dtrace is the first process there, and what it starts the second.
WORDS = "pid, tid, ppid, pid == $target, $pid, progenyof($pid), progenyof($target), progenyof(3)"
out = trace("syscall::getppid:entry /pid == $target/ { printf(\"%d %d %d %d %d %d %d %d|\", " + WORDS + "); "
            "ustack(); @[ustack(2)] = count(); }", "-c", f"{workload('unwind')} deep 2")
words, _, rest = out.partition("|")
check(words.split() == ["2", "2", "1", "1", "1", "1", "1", "0"], out)
check(re.findall(r"`(\w+)\+", rest)[:6] == ["leaf", "deep", "deep", "main", "__libc_start_call_main", "__libc_start_main"], rest)
check(re.search(r"unwind`leaf\+0x\w+\n +unwind`deep\+0x\w+\n +1\n", rest), rest)

# What structures say of processes, translated: this one, its parent, and whom it is grouped with.
SEEN = ("curpsinfo->pr_pid, curpsinfo->pr_ppid, curpsinfo->pr_pgid, curpsinfo->pr_sid, curlwpsinfo->pr_lwpid, "
        "task_tgid_vnr(curthread->real_parent), pid_vnr(curthread->thread_pid), curpsinfo->pr_psargs")
out = trace('syscall::getppid:entry /pid == $target/ { printf("%d %d %d %d %d %d %d %s", ' + SEEN + "); exit(0); }",
            "-c", f"setsid {workload('unwind')} deep 1")
check(out.strip().split(maxsplit=7) == ["2", "1", "2", "2", "2", "1", "2", f"{workload('unwind')} deep 1"], out)
# The first process there was started from outside.
OUTSIDE = "xlate <psinfo_t> (curthread->real_parent->real_parent)"
out = trace('syscall::getppid:entry /pid == $target/ { printf("%d %s", ' + f"{OUTSIDE}.pr_pid, {OUTSIDE}.pr_psargs); exit(0); }}",
            "-c", f"{workload('unwind')} deep 1")
check(out.split() == ["0", WITHIN[0]], out)

# The function of a process that is named by its number there.
out = trace("pid$target:a.out:deep:entry /pid == $target/ { @ = count(); }", "-c", f"{workload('unwind')} deep 7")
check(out.split() == ["7"], out)

# Another process, which is not in there, calls getppid() all the time.
stop = threading.Event()


def call():
    while not stop.wait(0.01):
        os.getppid()


outside = threading.Thread(target=call)
outside.start()
try:
    out = trace('syscall::getppid:entry /execname == $$1/ { printf("%d %d %d", pid, tid, progenyof($pid)); exit(0); }',
                open("/proc/self/comm").read().strip())
finally:
    stop.set()
    outside.join()
check(out.split() == ["0", "0", "0"], out)
