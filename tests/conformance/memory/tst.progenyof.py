"""progenyof(): many in one clause, which the verifier follows once, and processes with many ancestors."""
import os
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
CHAIN = os.environ["BUILD"] + "/tests/workloads/chain"


def run(program, *words):
    done = subprocess.run([DTRACE, "-q", *words, "-n", program], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout.strip(), done.stderr


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


# Eighty walks of up to 256 steps.
calls = " + ".join(f"progenyof({1 if i % 2 else 4190000 + i})" for i in range(80))
result = run(f"BEGIN {{ printf(\"%d\", {calls}); exit(0); }}")
check(result[0] == 0 and result[1] == "40", result)


for depth, wanted in (100, "11"), (260, "invalid"):
    processes = subprocess.Popen([CHAIN, str(depth)], stdout=subprocess.PIPE, text=True)
    first, last = processes.stdout.readline().split()
    try:
        probe = f"syscall::getppid:entry /pid == {last}/ {{ printf(\"%d%d\", progenyof({first}), progenyof($pid) + 1); exit(0); }}"
        status, out, err = run(probe + " ERROR { printf(\"invalid\"); exit(0); }")
        check(status == 0 and out == wanted, (depth, out, err))
        check(depth < 256 or "illegal operation" in err, err)
    finally:
        processes.kill()
        processes.communicate()
