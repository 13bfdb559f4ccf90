# Page faults of a program that makes so many: each of them, every hundredth, and only those of the mode.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
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
done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", f"{workload('faults')} {PAGES}"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
print(done.stdout)
counts = {name: int(value) for name, value in re.findall(r"^(\w+) (\d+)$", done.stdout, re.M)}
# A write of the program; nothing of the kernel's faults in between.
for name in ("all", "user", "any"):
    if counts.get(name) != PAGES:
        sys.exit(f"{name}: {counts.get(name)} of {PAGES}")
if "kernel" in counts:
    sys.exit(f"{counts['kernel']} in the kernel")
# Each CPU counts for itself, and what others fault is counted with it.
if not 1 <= counts.get("hundredth", 0) <= PAGES // 100 + 20:
    sys.exit(f"every hundredth: {counts.get('hundredth')}")
if re.search(r"^at (\d+) (\d+)$", done.stdout, re.M).groups() != ("0", str(PAGES)):
    sys.exit("arg0 and arg1 do not say where")
if not re.search(rf"^where faults`main\+0x[0-9a-f]+ {PAGES}$", done.stdout, re.M):
    sys.exit("the faults are not in main()")
