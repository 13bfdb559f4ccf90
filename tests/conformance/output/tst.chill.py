# chill() spins for as long as it says, half of each second of a CPU at most.
import os
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, workload  # noqa: E402


def run(script, *options):
    started = time.monotonic()
    done = subprocess.run(["taskset", "-c", "0", DTRACE, "-q", "-w", *options, "-n", script], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    return done, time.monotonic() - started


def check(condition, *shown):
    if not condition:
        sys.exit(f"{shown}")


CLAUSE = "syscall::getppid:entry /pid == $target/"
TIMES = CLAUSE + """ { self->t = timestamp; chill(%d); }
syscall::getppid:return /self->t/ { printf("%%d\\n", timestamp - self->t); self->t = 0; }"""
for ns in (0, 1000, 5_000_000, 100_000_000):
    done, _ = run(TIMES % ns, "-c", workload("getppid") + " 3")
    spans = [int(line) for line in done.stdout.split()]
    check(done.returncode == 0 and "error" not in done.stderr, done)  # drops there may be: others fire meanwhile
    check(len(spans) == 3 and min(spans) >= ns, ns, spans)

# The clocks are read again behind it, in its own clause, behind a branch and in later clauses; without it a firing has one time.
WAIT = "this->t = timestamp; this->w = walltimestamp; chill(2000000); "
for script, least in (
    ("BEGIN { %s printf(\"%%d %%d\", timestamp - this->t, walltimestamp - this->w); exit(0); }" % WAIT, 2_000_000),
    ("BEGIN { %s this->u = timestamp; chill(3000000); printf(\"%%d\", timestamp - this->u); exit(0); }" % WAIT, 3_000_000),
    ("BEGIN { %s } BEGIN { printf(\"%%d\", timestamp - this->t); exit(0); }" % WAIT, 2_000_000),
    ("BEGIN { this->t = timestamp; if (this->t) { chill(2000000); } else { x = timestamp; } "
     "printf(\"%d\", timestamp - this->t); exit(0); }", 2_000_000),
):
    done, _ = run(script)
    check(done.returncode == 0 and min(map(int, done.stdout.split())) >= least, script, done)
for script in (
    "BEGIN { this->t = timestamp; if (pid == 0) { chill(2000000); } printf(\"%d\", timestamp - this->t); exit(0); }",
    "BEGIN { chill(2000000); this->t = timestamp; } BEGIN { printf(\"%d\", timestamp - this->t); exit(0); }",
):
    done, _ = run(script)
    check(done.stdout == "0\n", script, done)

# More than half a second at once, and a negative time, are refused at once.
for ns in ("500000001", "1 << 62", "-1"):
    done, took = run("BEGIN { chill(%s); printf(\"no\"); } ERROR { printf(\"kind %%d\\n\", arg4); exit(0); }" % ns)
    check(done.stdout == "kind 3\n\n" and "illegal operation in action #1" in done.stderr, done)

# Of a row of 200 ms, two are granted in a second; no CPU gives more than half of its time.
done, took = run("tick-10ms { calls++; chill(200000000); granted++; } ERROR { refused++; } "
              "tick-3s { printf(\"%d %d %d\\n\", calls, granted, refused); exit(0); }")
calls, granted, refused = map(int, done.stdout.split())
check(2 <= granted <= 2 * (int(took) + 2) and refused > 0 and calls == granted + refused, took, done)
check("illegal operation" in done.stderr, done)

# Two clauses of ten probes, ERROR among them: the verifier takes them all.
done, _ = run("int done; BEGIN { chill(1); trace(*(int *)16); } BEGIN { chill(2); } ERROR { chill(3); printf(\"error \"); } "
              "BEGIN, syscall::getp*:entry, sdt:sched::sched_switch, profile-97 /!done/ { chill(4); } "
              "BEGIN { done = 1; printf(\"done\\n\"); exit(0); }")
check(done.returncode == 0 and done.stdout == "error done\n\n", done)

done = subprocess.run([DTRACE, "-n", "BEGIN { chill(1); }"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
check(done.returncode == 1, done)
check(done.stderr.startswith("dtrace: could not enable tracing: Destructive actions not allowed\n"), done)
