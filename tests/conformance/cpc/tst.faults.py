# Page faults of a program that makes so many: each of them, every hundredth, and only those of the mode.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

PAGES = 3000
SCRIPT = """
self int on;
syscall::getppid:entry /pid == $target/ { self->on = !self->on; }
cpc:::minor_faults-all-1 /self->on/ { @["all"] = count(); in_kernel += arg0 != 0; in_program += arg1 != 0; }
cpc:::minor_faults-user-1 /self->on/ { @["user"] = count(); }
cpc:::minor_faults-kernel-1 /self->on/ { @["kernel"] = count(); }
cpc:::page_faults-all-1 /self->on/ { @["any"] = count(); @where[ufunc(arg1)] = count(); }
cpc:::minor_faults-user-100 /pid == $target/ { @["hundredth"] = count(); }
END { printa("%s %@d\\n", @); printf("at %d %d\\n", in_kernel, in_program); printa("where %A %@d\\n", @where); }
"""


def check():
    """What is wrong, or nothing."""
    done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", f"{workload('faults')} {PAGES}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    counts = {name: int(value) for name, value in re.findall(r"^(\w+) (\d+)$", done.stdout, re.M)}
    if "kernel" in counts or max(counts.get(name, 0) for name in ("all", "user", "any")) > PAGES:
        sys.exit(f"more than there were: {done.stdout}")  # a write of the program, and nothing else in between
    for name in ("all", "user", "any"):
        if counts.get(name) != PAGES:
            return f"{name}: {counts.get(name)} of {PAGES}"
    # Each CPU counts for itself, and what others fault is counted with it.
    if not 1 <= counts.get("hundredth", 0) <= PAGES // 100 + 20:
        return f"every hundredth: {counts.get('hundredth')}"
    if re.search(r"^at (\d+) (\d+)$", done.stdout, re.M).groups() != ("0", str(PAGES)):
        return "arg0 and arg1 do not say where"
    if not re.search(rf"^where faults`main {PAGES}$", done.stdout, re.M):
        return "the faults are not in main()"
    return None


# The kernel leaves firings out where another task is at work in BPF's maps on that CPU.
while (wrong := check()) is not None:
    again(wrong)
