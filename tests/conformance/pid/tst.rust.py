# @@host
# @@timeout: 120
"""Programs of Rust: their functions by the names of both manglings, counted exactly, and the programs unharmed."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ["TESTS"], "stacks"))
sys.path.insert(0, os.environ["TESTS"])
import programs  # noqa: E402

DTRACE = os.environ["DTRACE"]
ROUNDS = 21
# Nodes of trees, of one of 5 levels and of two of 3.
WALKS = ROUNDS * (31 + 2 * 7)
UNWOUND = sum(i % 7 + 1 for i in range(ROUNDS))
failures = 0


def check(is_good, *what):
    global failures
    if not is_good:
        failures += 1
        print("FAILED:", *what)


def traced(program, script):
    with tempfile.NamedTemporaryFile("r") as out:
        run = subprocess.run([DTRACE, "-q", "-x", "demangle", "-o", out.name, "-c", f"{program} {ROUNDS}", "-n", script],
                             capture_output=True, text=True, timeout=100)
        check(run.returncode == 0, program, run.stderr[:1000])
        return run.stdout, out.read()


def look_at(program):
    plain = subprocess.run([program, str(ROUNDS)], capture_output=True, text=True).stdout
    printed, counts = traced(program, """
pid$target:a.out:*walk:entry, pid$target:a.out:*unwound:entry, pid$target:a.out:*unwound:return { @[probefunc, probename] = count(); }
pid$target:a.out:*apply*:entry, pid$target:a.out:*apply*:return { @["apply", probename] = count(); }
pid$target:a.out:*unwound:entry /arg0 == 0/ { ustack(5); }
END { printa("%s %s %@d\\n", @); }""")
    check(printed == plain, program, "printed", printed)
    # Each panic leaves all calls of unwound() without a return.
    for line in [f"<calls::Tree as calls::Walk>::walk entry {WALKS}", f"calls::unwound entry {UNWOUND}",
                 f"apply entry {2 * ROUNDS}", f"apply return {2 * ROUNDS}"]:
        check(line in counts.splitlines(), program, line, "is not in", counts)
    check(re.search(r"`calls::unwound\n.*`calls::unwound\+0x.*\n.*`calls::unwound\+", counts), program, counts)
    check("calls::unwound return" not in counts, program, counts)
    printed, counts = traced(program, "pid$target:a.out::entry, pid$target:a.out::return { @ = count(); }")
    check(printed == plain, program, "with all of its functions, printed", printed)
    check(int(counts.split()[0]) > 10000, program, counts)


def look_at_rg(home):
    if not os.access("/usr/bin/rg", os.X_OK):
        return
    with open(f"{home}/text", "w") as file:
        file.writelines(f"{i * 7919 % 10007} {i:x} words\n" for i in range(2000))
    command = ["/usr/bin/rg", "-j2", "-n", "7[a-f]", f"{home}/text"]
    plain = subprocess.run(command, capture_output=True, text=True).stdout
    run = subprocess.run([DTRACE, "-q", "-o", "/dev/null", "-c", " ".join(command), "-n",
                          "pid$target:libc::entry, pid$target:libpcre2-8::entry { @ = count(); }"],
                         capture_output=True, text=True, timeout=100)
    check(run.returncode == 0 and run.stdout == plain and len(plain) > 1000, "rg", run.stderr, run.stdout[:300])


with tempfile.TemporaryDirectory() as home:
    if not programs.compile_rust(f"{home}/calls"):
        print("skipped: no compiler of Rust")
        sys.exit(77)
    look_at(f"{home}/calls")
    for mangling in ("v0", "legacy"):
        other = f"{home}/{mangling}"
        if programs.compile_rust(other, "--crate-name=calls", f"-Csymbol-mangling-version={mangling}"):
            look_at(other)
    look_at_rg(home)
sys.exit(1 if failures else 0)
