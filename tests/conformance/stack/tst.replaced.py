# @@host
# A program and a library that are replaced, or deleted, while a daemon runs them, as an upgrade does: names and lines are
# those of what is mapped, never those of what lies there now.
import os
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
work = tempfile.mkdtemp()
LIBRARY = r"""
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) long NAME(long x) { return syscall(SYS_getppid) + x; }
long enter(long x) { return NAME(x) + 1; }
"""
PROGRAM = r"""
#include <stdio.h>
long enter(long x);
__attribute__((noinline)) long NAME(long x) { return enter(x) * 2; }
int main(void) {
  puts("ready");
  fflush(stdout);
  while (getchar() == '\n') NAME(1);
}
"""


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def build(version, lines, where):
    """The program and its library, whose functions have the version in their names; its code begins `lines` later."""
    os.makedirs(where, exist_ok=True)
    for name, source in (("lib.c", LIBRARY), ("daemon.c", PROGRAM)):
        with open(f"{where}/{name}", "w") as file:
            file.write("\n" * lines + source)
    words = ["gcc", "-O2", "-g", "-fno-optimize-sibling-calls"]
    subprocess.run([*words, "-shared", "-fPIC", "-Wl,-soname,libpart.so", f"-DNAME=library_{version}", "-o", "libpart.so", "lib.c"], check=True,
                   cwd=where)
    subprocess.run([*words, f"-DNAME=program_{version}", "-o", "daemon", "daemon.c", "libpart.so",
                    f"-Wl,-rpath,{work}/here"], check=True, cwd=where)


def frames(daemon):
    tracer = subprocess.Popen(
        [DTRACE, "-q", "-x", "lines", "-p", str(daemon.pid), "-n",
         'BEGIN { printf("live\\n"); } syscall::getppid:entry /pid == $target/ { ustack(4); if (n++ == 3) exit(0); }'],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(tracer.stdout.readline() == "live\n", tracer.poll())
    daemon.stdin.write("\n" * 4)
    daemon.stdin.flush()
    out, err = tracer.communicate(timeout=60)
    check(tracer.returncode == 0, out, err)
    return out, [line.split() for line in out.splitlines() if "daemon`" in line or "libpart.so`" in line]


if not shutil.which("gcc"):
    print("skipped: there is no gcc")
    sys.exit(77)
build("old", 0, f"{work}/here")
build("new", 7, f"{work}/next")


def replace():
    for name in ("daemon", "libpart.so"):
        os.rename(f"{work}/next/{name}", f"{work}/here/{name}")


def delete():
    for name in ("daemon", "libpart.so"):
        os.unlink(f"{work}/here/{name}")


daemon = subprocess.Popen([f"{work}/here/daemon"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    check(daemon.stdout.readline() == "ready\n", daemon.poll())
    for happens in (replace, delete):
        happens()
        out, found = frames(daemon)
        check("_new" not in out, out)
        names = [(line[0].split("+")[0], line[-1]) for line in found]
        for name in (("libpart.so`library_old", "lib.c:4"), ("libpart.so`enter", "lib.c:5"),
                     ("daemon`program_old", "daemon.c:4")):
            check(name in names, name, out)
finally:
    daemon.kill()
    daemon.wait()
shutil.rmtree(work)
