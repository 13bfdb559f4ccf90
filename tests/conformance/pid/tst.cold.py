# User memory that is not resident is brought in at the probes of processes, and nothing is lost meanwhile.
# @@timeout: 60
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import faults  # noqa: E402
from soundness import DTRACE, EVENTS, aggregation_drops, drops, equation, workload  # noqa: E402

THREADS = 4
ROUNDS = 2500 * EVENTS


def run(*words):
    done = subprocess.run([DTRACE, "-q", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def same(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have!r}, wanted {want!r}")


few = ["-c", workload("cold") + " 3"]
report = subprocess.run([DTRACE, "--self-test"], capture_output=True, text=True).stdout
if not re.search(r"uprobe.multi +yes", report):
    # Programs of the older way cannot wait for memory, and say so.
    out, err = run(*few, "-n", "pid$target:a.out:look:entry { trace(copyinstr(arg0)); }")
    same("what is not resident", (out, faults.count(err, "invalid address (0x")), ("\n", 3))
    sys.exit(0)

for what, clause, line in (
        ("a string", "printf(\"%d %s\\n\", arg1, copyinstr(arg0))", "{} across"),
        ("part of one", "printf(\"%d %s\\n\", arg1, copyinstr(arg0 + 3, 3))", "{} oss"),
        ("a number", "printf(\"%d %x\\n\", arg1, *(uint32_t *)copyin(arg0, 4))", "{} 6f726361"),
        ("bytes into bytes", "this->p = alloca(8); copyinto(arg0, 7, this->p); printf(\"%d %s\\n\", arg1, "
         "stringof(this->p))", "{} across"),
        ("more than a page", "this->p = (char *)copyin(arg0, 4099); printf(\"%d %c%d\\n\", arg1, this->p[5], "
         "this->p[4098])", "{} s0"),
        ("in a predicate of a later clause", "this->s = copyinstr(arg0)} pid$target:a.out:look:entry "
         "/this->s == \"across\"/ {printf(\"%d yes\\n\", arg1)", "{} yes")):
    out, err = run(*few, "-n", "pid$target:a.out:look:entry {" + clause + "}")
    same(what, (out, err), ("".join(line.format(i) + "\n" for i in range(3)) + "\n", ""))
out, err = run(*few, "-n", "cold$target:::seen { printf(\"%c %s\\n\", arg0, copyinstr(arg1)); }")
same("an argument in memory", (out, err), ("a across\n" * 3 + "\n", ""))
out, err = run(*few, "-n", "pid$target:a.out:look:entry { trace(copyinstr(arg0 - 4096 * 4096)); }",
               "-n", "ERROR { printf(\"%d\\n\", arg4); }")
same("what is not there", (out, faults.count(err, "invalid address")), ("1\n" * 3 + "\n", 3))

# Clauses that are divided into several functions, and ERROR's with variables.
clauses = "".join("pid$target:a.out:look:entry { printf(\"%d %s\\n\", " + str(i) +
                  ", strjoin(copyinstr(arg0), \"!\")); @[copyinstr(arg0 + 1)] = quantize(arg1); }" for i in range(60))
out, err = run(*few, "-n", clauses + " ERROR { self->errors++; }")
same("many clauses", out.split("\n\n")[0].split("\n"), [f"{i} across!" for i in range(60)] * 3)

# Two of them run on each CPU, and one goes on where another waits.
load = ["-c", f"{workload('cold')} {ROUNDS} {THREADS}"]
out, err = run(*load, "-b", "32m", "-x", "switchrate=20ms", "-n", """
pid$target:a.out:look:entry { @n[copyinstr(arg0)] = count(); @s[copyinstr(arg0)] = sum(arg1); printf("%s\\n", copyinstr(arg0)); }
profile:::tick-20ms { printa("n %s %@d\\n", @n); trunc(@n); printa("s %@d\\n", @s); clear(@s); }
END { printa("n %s %@d\\n", @n); printa("s %@d\\n", @s); }""")
lost = drops(err)
equation("records", ROUNDS * THREADS, out.count("across\n"), lost)
counted = sum(int(n) for n in re.findall(r"^n across (\d+)$", out, re.M))
if lost == 0:
    equation("counted", ROUNDS * THREADS, counted, aggregation_drops(err))
if lost + aggregation_drops(err) == 0:
    same("summed", sum(int(n) for n in re.findall(r"^s (\d+)$", out, re.M)), THREADS * ROUNDS * (ROUNDS - 1) // 2)
