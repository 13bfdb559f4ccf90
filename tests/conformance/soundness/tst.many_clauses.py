# 500 clauses with strings and distributions on one probe, which is more than one
# function of BPF holds: they run in order, share the firing's time and its
# this-> variables, faults run ERROR, and interrupting probes mix nothing.
# @@timeout: 120
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import faults  # noqa: E402
import soundness

CALLS = 200
CLAUSES = 500
HERE = "syscall::getppid:entry /pid == $target"
lines = [
    "#pragma D option quiet",
    "int n, faults, e;",
    f'{HERE}/ {{ this->c = 0; this->s = probefunc; this->t = timestamp; n++; }}',
]
for i in range(CLAUSES):
    lines.append(f'{HERE} && this->s == "getppid" && this->t == timestamp/ {{ this->c++; '
                 f'@s[this->s, {i % 25}] = count(); @q{i % 10} = quantize(n); '
                 f'@r[execname, probefunc, "k{i % 7}"] = sum(this->c); }}')
    if i % 100 == 50:
        lines.append(f"{HERE}/ {{ faults++; trace(*(int *)8); faults = -1000000; }}")
lines += [
    "ERROR { e += arg4; @e[arg5, execname] = count(); }",
    f"{HERE}/ {{ @c = sum(this->c); @n = max(this->c); }}",
    # Interrupts the others in their middle.
    'profile-4999 { this->s = "other"; this->c = -5; @p = min(this->c); @x[this->s] = count(); }',
    'END { printf("n %d faults %d e %d\\n", n, faults, e); }',
]
with tempfile.NamedTemporaryFile("w", suffix=".d") as script:
    script.write("\n".join(lines) + "\n")
    script.flush()
    out, err = soundness.trace(["-s", script.name, "-c", f"{soundness.workload('getppid')} {CALLS}"])
found = re.search(r"^n (\d+) faults (\d+) e (\d+)$", out, re.M)
if found is None:
    sys.exit(f"END printed nothing: {out[:300]}")
fired, *faulted = map(int, found.groups())
# Firings that the kernel suppresses are drops, those of other processes too.
dropped = soundness.drops(err)
if not CALLS - dropped <= fired <= CALLS:
    sys.exit(f"fired {fired} times and dropped {dropped} of {CALLS}: {err}")
if faulted != [5 * fired, 5 * fired]:
    sys.exit(f"faults and ERROR's sum are {faulted}, fired {fired} times")
reported = faults.count(err, "invalid address (0x8)")
if reported != 5 * fired:
    sys.exit(f"{reported} faults reported, {5 * fired} made")
sums = [int(n) for n in re.findall(r"^\s+(-?\d+)$", out, re.M)]
if sums[:2] != [CLAUSES * fired, CLAUSES]:
    sys.exit(f"@c and @n are {sums[:2]}")
strings = {int(k): int(n) for k, n in re.findall(r"^  getppid +(\d+) +(\d+)$", out, re.M)}
if strings != {k: 20 * fired for k in range(25)}:
    sys.exit(f"@s is {strings}")
keys = {k: int(n) for k, n in re.findall(r"^  getppid +getppid +(k\d) +(\d+)$", out, re.M)}
if keys != {f"k{k}": fired * sum(i + 1 for i in range(CLAUSES) if i % 7 == k) for k in range(7)}:
    sys.exit(f"@r is {keys}")
