# A program whose faults, and whose pages read and written, are known to it or to the kernel's own counts.
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import faults  # noqa: E402
from disturbed import again  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

SCRIPT = """
self int on;
self int phase;
syscall::getppid:entry /progenyof($target)/ { self->on = !self->on; self->phase += self->on; }
vminfo::: /self->on/
{
	@count[pid == $target ? self->phase : 100, probename] = count();
	@sum[pid == $target ? self->phase : 100, probename] = sum(args[0]);
	@other[pid == $target ? self->phase : 100, probename] = sum(arg1);
}
END { printa("%d %s %@d %@d %@d\\n", @count, @sum, @other); }
"""
ANONYMOUS, FORBIDDEN, FILE = 500, 5, 64
CHILD = 100
# On a device of blocks, where there is one to write to.
beside = os.path.dirname(os.path.abspath(DTRACE))
home = tempfile.TemporaryDirectory(dir=beside if os.access(beside, os.W_OK) else None)
path = f"{home.name}/file"


def check():
    """What is wrong, or nothing."""
    with open(path, "wb") as file:
        file.write(os.urandom(FILE * 4096))
        os.fsync(file.fileno())
    done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", f"{workload('pages')} {path}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    if "drop" in done.stderr:
        return done.stderr
    if done.returncode != 0 or done.stderr:
        sys.exit(f"exit status {done.returncode}: {done.stderr}")
    have = {(int(phase), name): (int(count), int(total))
            for phase, name, count, total, other in re.findall(r"^(\d+) (\w+) (\d+) (\d+) (\d+)$", done.stdout, re.M)}
    if re.search(r"^\d+ \w+ \d+ \d+ [1-9]", done.stdout, re.M):
        sys.exit(f"arg1 is not 0: {done.stdout}")
    major, pages_in = map(int, re.search(r"^major (\d+) in (\d+)$", done.stdout, re.M).groups())
    wanted = {(1, "as_fault"): (ANONYMOUS,) * 2, (CHILD, "cow_fault"): (ANONYMOUS,) * 2,
              (2, "prot_fault"): (FORBIDDEN,) * 2}
    for key, value in wanted.items():
        if have.get(key) != value:
            sys.exit(f"{key}: {have.get(key)}, wanted {value}: {done.stdout}")
    # The child's copies are no pages of zeros; the kernel may need one for itself, as tables of pages.
    zeros = have.get((1, "zfod"), (0, 0))
    if zeros != (ANONYMOUS,) * 2:
        sys.exit(f"pages of zeros: {zeros}, wanted {ANONYMOUS}: {done.stdout}")
    for key in ((1, "cow_fault"), (1, "prot_fault"), (CHILD, "as_fault"), (CHILD, "prot_fault"), (CHILD, "zfod")):
        if have.get(key, (0, 0))[0] > 0:
            sys.exit(f"{key}: {have[key]}, wanted none: {done.stdout}")
    # Each fault of the file reads its own page, where the file is on a device of blocks.
    if have.get((3, "pgpgin"), (0, 0))[1] != pages_in or (have.get((3, "pgin"), (0, 0))[0] > 0) != (pages_in > 0):
        sys.exit(f"pages read: {have.get((3, 'pgpgin'))}, the kernel has counted {pages_in}: {done.stdout}")
    if pages_in > 0:
        out = have.get((4, "pgpgout"), (0, 0))[1]
        if not FILE <= out <= 2 * FILE or not 1 <= have[4, "pgout"][0] <= out:
            sys.exit(f"pages written: {have.get((4, 'pgpgout'))}, wanted {FILE} and the file system's own: {done.stdout}")
    # The kernel leaves firings of perf events out where another task is at work in BPF's maps on that CPU.
    if have.get((3, "maj_fault"), (0, 0)) != (major, major):
        return f"major faults: {have.get((3, 'maj_fault'))}, the kernel has counted {major}: {done.stdout}"
    if pages_in > 0 and major < FILE // 2:
        sys.exit(f"the workload makes no major faults: {done.stdout}")
    return None


done = subprocess.run([DTRACE, "-q", "-n", "vminfo:::kernel_asflt /pid == $target/ { @ = sum(arg0); } "
                       "syscall::getppid:entry /pid == $target/ { trace(*(int *)0xffffc00000001000); }",
                       "-c", workload("getppid") + " 7"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
# dtrace touches such an address by a plain load, where there are those, and by a helper.
if done.stdout.split() not in (["7"], ["14"]) or faults.count(done.stderr, "invalid address (0xffffc00000001000)") != 7:
    sys.exit(f"reads of what is not there: {done}")
done = subprocess.run([DTRACE, "-n", "vminfo:::anonpgin"], capture_output=True, text=True, timeout=60)
if done.returncode != 1 or "the kernel has no tracepoint that fires for just that" not in done.stderr:
    sys.exit(f"a probe that nothing serves: {done}")

while (wrong := check()) is not None:
    again(wrong)
