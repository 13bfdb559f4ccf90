# Any call of the kernel may fail, and any allocation: each is a message and status 1, or is done without; nothing that
# was recorded is missing without a word, nothing stays in the kernel.
# @@timeout: 120
import errno
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import soundness  # noqa: E402

PROGRAM = ('BEGIN { @a[1] = sum(7); @b["x"] = count(); g[3] = 1; self->x = 2; } tick-20ms { exit(0); } '
           'syscall:::entry { @n = count(); self->y = timestamp; } profile-97 { s[cpu] = 1; } '
           'END { clear(@n); printf("end\\n"); }')
CODES = [errno.ENOMEM, errno.EPERM, errno.EINVAL, errno.E2BIG, errno.EFAULT, errno.EMFILE]
MOST = (40 if "DT_GUEST" in os.environ else 150) * soundness.SCALE  # runs of each kind
LIBRARY = os.path.join(os.path.dirname(soundness.workload("x")), "libfault.so")
mark = os.path.join(tempfile.mkdtemp(), "mark")


def run(call, at, code):
    """What came of a run, and whether it got as far as the call."""
    if os.path.exists(mark):
        os.unlink(mark)
    environment = dict(os.environ, LD_PRELOAD=LIBRARY, FAULT_CALL=call, FAULT_AT=str(at), FAULT_ERRNO=str(code),
                       FAULT_MARK=mark)
    done = subprocess.run([soundness.DTRACE, "-q", "-n", PROGRAM], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=60, env=environment)
    return done, os.path.exists(mark)


def check(call, at, code, done):
    what = f"{call} {at} with {errno.errorcode[code]}: status {done.returncode}\n{done.stdout}{done.stderr}"
    if done.returncode not in (0, 1) or "internal error" in done.stderr:
        sys.exit(f"not an orderly end: {what}")
    if done.returncode == 1 and not re.search("^dtrace: .", done.stderr, re.M):
        sys.exit(f"no message: {what}")
    if done.returncode == 0 and not re.fullmatch(r"end\n\n +\d+ +7\n +x +1\n +\d+\n", re.sub(" +", " ", done.stdout)
                                                 .replace("\n ", "\n  ").replace(" 7", "  7").replace(" 1\n", "  1\n")):
        sys.exit(f"something is missing: {what}")


def calls(call):
    """How many such calls a run makes: the last that fails, by halves."""
    low, high = 1, 2
    while run(call, high, errno.EPERM)[1]:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if run(call, middle, errno.EPERM)[1] else (low, middle)
    return low


for call in ("bpf", "malloc"):
    total = calls(call)
    step = max(1, total // MOST)
    ended = {0: 0, 1: 0}
    for turn, at in enumerate(range(1, total + 1, step)):
        code = CODES[turn % len(CODES)]
        done, _ = run(call, at, code)
        check(call, at, code, done)
        ended[done.returncode] += 1
    print(f"{call}: {total} calls, {sum(ended.values())} made to fail: {ended[1]} refusals, {ended[0]} done without")
    if ended[1] == 0:
        sys.exit("nothing was refused: is the library loaded?")
os.rmdir(os.path.dirname(mark)) if not os.path.exists(mark) else None
soundness.wait_until_gone()
