# With -c, tools whose help says so show the command and what it starts, and nothing of others.
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

# Computes for some time of a CPU, and waits for a lock.
PROGRAM = """
import sys, threading, time
lock = threading.Lock()
def wait():
    with lock: pass
def once():
    with lock:
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.03)
    thread.join()
    end = time.process_time() + 0.15
    while time.process_time() < end: sum(range(1000))
"""
OTHER = PROGRAM + "print('up', flush=True)\nwhile True: once()\n"
OURS = PROGRAM + "time.sleep({pause})\nonce()\n"


def traced(tool, *options, pause=0):
    """What the tool prints of a shell that starts the program, which pauses for so many seconds, while others do the same."""
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(OURS.format(pause=pause))
        script.flush()
        command = f"sh -c '{sys.executable} -S {script.name}; true'"
        done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / f"{tool}.d"), *options, "-c", command],
                              capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL)
    said = re.sub(toolkit.EARLY, "", done.stderr)
    said = re.sub(r"(?m)^dtrace: pid \d+ has exited\n", "", said)
    if done.returncode or said:
        sys.exit(f"{tool}: {done.returncode} {said}")
    return done.stdout


def shows(is_shown, tool, *options):
    """Whether the tool shows a stack of the program. A stack is cut short until unwind tables have been read: the longer
    the program pauses before it waits, the more time there is for that."""
    for pause in (0, 1, 5, 20):
        out = traced(tool, *options, pause=pause)
        if is_shown(out):
            return
    toolkit.same(f"{tool} {options}: {out}", False, True)


def sleeps_in_once(out):
    blocks = re.findall(r"((?:^.+\n)+)(\d+) us$", out, re.M)
    return any(int(us) >= 30000 and re.search(r"\nonce \(.*\.py:10\)\n", stack) for stack, us in blocks)


with subprocess.Popen([sys.executable, "-S", "-c", OTHER], stdout=subprocess.PIPE, text=True) as other:
    try:
        other.stdout.readline()
        out = traced("profile", "-U", "-F", "499")
        processes = set(re.findall(r"^(?!samples:)(\S+) (\d+)$", out, re.M))
        toolkit.same(f"profile: {processes}", (any(name.startswith("python") for name, _ in processes), str(other.pid) in {pid for _, pid in processes}), (True, False))
        toolkit.same(f"profile has others: {processes}", {re.sub(r"[\d.]+$", "", name) for name, _ in processes} <= {"python", "sh"}, True)
        # The functions, of the program and of the kernel: at least half of the samples that the time on the CPU gives.
        out = traced("profile", "-i", "-F", "499")
        rows = re.findall(r"^(?!COMMAND )(\S+) +(\S+) +(\d+)$", out, re.M)
        toolkit.same(f"profile -i: {out}", ({re.sub(r"[\d.]+$", "", name) for name, _, _ in rows} <= {"python", "sh"},
                                          sum(int(count) for _, _, count in rows) >= 0.15 * 499 / 2), (True, True))
        out = traced("futexctn")
        processes = set(re.findall(r"^\S+\[(\d+)\] waits at ", out, re.M))
        toolkit.same(f"futexctn: {out}", (len(processes), str(other.pid) in processes), (1, False))
        # Those that wait longest stand first, which is never a wait of microseconds here.
        totals = [sum(int(value) * int(count) for value, count in re.findall(r"^ +(\d+) \|.* (\d+) *$", block, re.M))
                  for block in out.split(" waits at ")[1:]]
        toolkit.same(f"order: {totals}", totals, sorted(totals, reverse=True))
        out = traced("offcputime", "-U")
        toolkit.same(f"offcputime: {out}", {re.sub(r"[\d.]+$", "", name) for name in re.findall(r"^([^\s`]+)$", out, re.M)} <= {"python", "sh"}, True)
        toolkit.same(f"offcputime: {out}", sum(map(int, re.findall(r"^(\d+) us$", out, re.M))) >= 30000, True)
        # With -j, the functions of the script: it waits for the lock in one, sleeps in another and computes there.
        shows(lambda out: re.search(r"\nwait \(.*\.py:5\)\n", out), "futexctn", "-j")
        shows(sleeps_in_once, "offcputime", "-j")
        shows(lambda out: re.search(r"\nonce \(.*\.py:13\)\n", out), "profile", "-j", "-F", "499")
        # Its innermost functions alone: a frame for each row, of Python where that is the innermost.
        shows(lambda out: re.search(r"\n\S+\nonce \(.*\.py:13\)\nsamples: \d+\n", out), "profile", "-j", "-i", "-F", "499")
    finally:
        other.kill()
