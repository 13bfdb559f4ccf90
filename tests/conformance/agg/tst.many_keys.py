# More keys than the table has room for, a few at a time: all of them are in the output, and nothing is
# dropped, whether the aggregation is printed once, cleared, or has stacks among its keys. A line
# that is printed shows that the batch before it has been looked at.
# @@timeout: 120
import os
import re
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
BATCHES, KEYS = 60, 200
TARGET = """import sys, ctypes
call = ctypes.CDLL(None).syscall
key = 0
for line in sys.stdin:
    for i in range(int(line)):
        call(8, 1000, key, 0)  # lseek() of a descriptor that is not open
        key += 1
    call(39)"""
LSEEK = "syscall::lseek:entry /pid == $target && args[0] == 1000/"
SCRIPT = f"""
{LSEEK} {{ @kept[args[1]] = count(); @sums[args[1]] = sum(args[1]); @average[args[1]] = avg(args[1]);
          @seldom[args[1]] = count(); @often[args[1]] = count(); @deep[args[1], ustack(10)] = count(); }}
syscall::getpid:entry /pid == $target/ {{ printa("often %d %@d\\n", @often); clear(@often); trunc(@often); printf("batch\\n"); }}
END {{ printa("kept %d %@d\\n", @kept); printa("sums %d %@d\\n", @sums); printa("average %d %@d\\n", @average);
      printa("deep %d %k%@d\\n", @deep); printa("seldom %d %@d\\n", @seldom); clear(@seldom); }}"""

target = subprocess.Popen([sys.executable, "-c", TARGET], stdin=subprocess.PIPE, text=True)
run = subprocess.Popen([DTRACE, "-q", "-x", "aggsize=64k", "-p", str(target.pid), "-n", SCRIPT, "-n",
                        'BEGIN { printf("begun\\n"); }'],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
lines = []


def until(wanted):
    while True:
        line = run.stdout.readline()
        if not line:
            sys.exit(f"no '{wanted}': {run.stderr.read()}")
        lines.append(line.strip())
        if lines[-1] == wanted:
            return


until("begun")
for _ in range(BATCHES):
    target.stdin.write(f"{KEYS}\n")
    target.stdin.flush()
    until("batch")
target.stdin.close()
rest, errors = run.communicate()
lines += [line.strip() for line in rest.splitlines()]
target.wait()
errors = re.sub(r"dtrace: \d+ user stacks? (?:is|are) cut short.*\n", "", errors)
bad = [f"reported: {errors!r}"] if errors else []
for name, value in (("kept", lambda key: 1), ("sums", lambda key: key), ("average", lambda key: key),
                    ("seldom", lambda key: 1), ("often", lambda key: 1)):
    got = {}
    for line in lines:
        found = re.fullmatch(rf"{name} (\d+) (\d+)", line)
        if found:
            got[int(found[1])] = got.get(int(found[1]), 0) + int(found[2])
    wrong = [key for key in range(BATCHES * KEYS) if got.get(key) != value(key)]
    if wrong or len(got) != BATCHES * KEYS:
        bad.append(f"{name}: {len(got)} keys of {BATCHES * KEYS}; wrong: {[(key, got.get(key)) for key in wrong[:5]]}")
deep = [line for line in lines if line.startswith("deep ")]
if len(deep) != BATCHES * KEYS:
    bad.append(f"deep: {len(deep)} keys of {BATCHES * KEYS}")
if bad:
    sys.exit("\n".join(bad))
