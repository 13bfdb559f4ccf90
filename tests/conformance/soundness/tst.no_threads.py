# A process may have no more threads (pids.max, RLIMIT_NPROC): what is done by one is done without, or is refused in words.
# @@timeout: 60
import os
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import soundness  # noqa: E402

LIBRARY = os.path.join(os.path.dirname(soundness.workload("x")), "libfault.so")
ENVIRONMENT = dict(os.environ, LD_PRELOAD=LIBRARY, FAULT_CALL="thread", FAULT_AT="all")


def run(*words):
    return subprocess.run([soundness.DTRACE, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                          env=ENVIRONMENT)


REFUSED = "create a thread: Resource temporarily unavailable"
# Tables of user stacks are made by a thread, as long as the script runs.
done = run("-n", "profile-97 { @[ustack()] = count(); } tick-10ms { exit(0); }")
if done.returncode != 1 or REFUSED not in done.stderr:
    sys.exit(f"user stacks: status {done.returncode}\n{done.stderr}")
# These only take longer.
for words, status in (
    (["-qn", "syscall::getpid: { @ = count(); } BEGIN { exit(0); } END { printf(\"end\"); }"], 0),
    (["-ln", "usdt_nowhere*:::"], 1),
    (["-qn", "pid$target::write*:entry { @ = count(); } END { printf(\"end\"); }", "-c", "/bin/true"], 0),
):
    done = run(*words)
    if done.returncode != status or status == 0 and not done.stdout.startswith("end"):
        sys.exit(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
