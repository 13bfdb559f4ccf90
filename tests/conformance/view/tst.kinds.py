# @@host
"""Frames say what kind of code they are of, in view lines, in a flame graph as SVG, and in the page: compiled, inlined (-x inlines),
made at run time (a perf map), and run by an interpreter (jstack()). folded has names only: what was counted is the same."""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from cpython import PYTHON  # noqa: E402
from disturbed import again  # noqa: E402
from exports import replay  # noqa: E402
from soundness import DTRACE  # noqa: E402
from views import Views  # noqa: E402

CALLS = 200
SOURCE = r"""
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static inline __attribute__((always_inline)) long inner(void) { return syscall(SYS_getppid) + 1; }
__attribute__((noinline)) long outer(void) { return inner() * 2; }
int main(int count, char** words) {
  static const unsigned char kGetppid[] = {0xb8, SYS_getppid, 0, 0, 0, 0x0f, 0x05, 0xc3};
  char* page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char name[64];
  memcpy(page, kGetppid, sizeof kGetppid);
  sprintf(name, "/tmp/perf-%d.map", getpid());
  FILE* map = fopen(name, "w");
  fprintf(map, "%lx %zx made\n", (long)page, sizeof kGetppid);
  fclose(map);
  FILE* said = fopen(words[count - 1], "w");
  fputs(name, said);
  fclose(said);
  for (int i = 0; i < CALLS; i++) outer();
  for (int i = 0; i < CALLS; i++) ((long (*)(void))page)();
  alarm(60);
  pause();  // names of a perf map are those of a process that is there
}
"""
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r:.600}, not {wanted!r:.600}")


def record(file, stack, calls, *words):
    """Until the last of the calls."""
    while True:
        done = subprocess.run([DTRACE, "-q", "-x", "oformat=none", "-x", f"record={file}", "-x", "inlines", "-n",
                               f"int n; syscall::getppid:entry /pid == $target/ {{ @[{stack}] = count(); }} "
                               f"syscall::getppid:entry /pid == $target && ++n == {calls}/ {{ exit(0); }}", "-c", " ".join(words)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done
        if "drops on CPU" not in done.stderr and "drop on CPU" not in done.stderr:
            return
        again(done.stderr)


def text(file, form):
    return replay(file, "-x", f"oformat={form}").stdout.decode()


with tempfile.TemporaryDirectory(prefix="kinds-") as directory:
    program = os.path.join(directory, "job")
    subprocess.run(["cc", "-g", "-O2", f"-DCALLS={CALLS}", "-x", "c", "-", "-o", program], input=SOURCE, text=True, check=True)
    script = os.path.join(directory, "x.py")
    with open(script, "w") as out:
        out.write(f"import os\ndef work():\n    os.getppid()\nfor i in range({CALLS}):\n    work()\n")
    native, python = os.path.join(directory, "n.dtr"), os.path.join(directory, "p.dtr")
    said = os.path.join(directory, "map")
    try:
        record(native, "ustack()", 2 * CALLS, program, said)
    finally:
        if os.path.exists(said):
            with open(said) as name:
                os.unlink(name.read())
    record(python, "jstack()", CALLS, PYTHON, "-IS", script)
    for file, wanted, sums in ((native, {("job`outer", "user"), ("job`inner", "inlined"), ("[jit]`made", "jit")},
                                {"job`outer": CALLS, "job`inner": CALLS, "[jit]`made": CALLS}),
                               (python, {("work", "interpreted"), ("<module>", "interpreted")}, {"work": CALLS, "<module>": CALLS})):
        views = Views(text(file, "views"))
        frames = {frame for stack in views.stacks.values() for frame in stack}
        check(wanted, wanted & frames, "kinds of frames")
        check(set(), {code for _, code in frames} - {"user", "inlined", "interpreted", "jit"}, "kinds that there are")
        svg, folded = text(file, "svg"), text(file, "folded")
        for name, count in sums.items():
            lines = [line for line in folded.splitlines() if name in line.rsplit(" ", 1)[0].split(";")]
            check(count, sum(int(line.rsplit(" ", 1)[1]) for line in lines), f"{name} in folded")
        for name, code in wanted:
            said = {"user": "", "inlined": "; inlined", "jit": "; JIT", "interpreted": "; interpreted"}[code]
            style = {"user": "u", "inlined": "i", "jit": "j", "interpreted": "p"}[code]
            shown = name.replace("<", "&lt;").replace(">", "&gt;")
            if not re.search(rf"<title>{re.escape(shown)}: {CALLS} of \d+, [0-9.]+ %{said}</title><rect class=\"{style}[ \"]", svg):
                bad.append(f"{name} is not drawn as {code}: {re.findall('<title>' + re.escape(shown) + '.{0,80}', svg)}")
if bad:
    sys.exit("\n".join(bad))
