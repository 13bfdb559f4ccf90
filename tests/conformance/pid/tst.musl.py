# @@host
# @@timeout: 120
"""Programs that use musl, dynamic, static and static-pie: functions, arguments, probes of sys/sdt.h, dlopen(), and stacks, which
have none but callers, also from within musl, which has no tables to unwind them by."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
INCLUDE = os.path.join(os.path.dirname(os.environ["TESTS"]), "include")
SOURCE = r"""
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dtrace/sdt.h>
static volatile int hits;
static int before(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void on(int s) { hits++; }
__attribute__((noinline)) int deep(int n, int *p) {
  if (n == 0) {
    raise(SIGUSR1);
    DTRACE_PROBE2(small, bottom, *p, p);
    qsort(p, 50, sizeof *p, before);
    char text[100];
    snprintf(text, sizeof text, "%d %s", p[0], "text");
    return atoi(text) + (int)strlen(text);
  }
  int below = deep(n - 1, p);
  __asm__ volatile("" : "+r"(below));
  return below + 1;
}
int main(int argc, char **argv) {
  int a[50], total = 0;
  signal(SIGUSR1, on);
  for (int i = 0; i < 20; i++) {
    for (int j = 0; j < 50; j++) a[j] = (j * 7919 + i) % 97;
    total += deep(i, a);
  }
  if (argc > 1) {
    void *library = dlopen(argv[1], RTLD_NOW);
    int (*twice)(int) = library ? (int (*)(int))dlsym(library, "twice") : 0;
    total += twice ? twice(21) : 1000000;
  }
  printf("%d %d\n", total, hits);
  return 0;
}
"""
OURS = ["deep", "main", "before", "on"]
failures = 0


def check(is_good, *what):
    global failures
    if not is_good:
        failures += 1
        print("FAILED:", *what)


def traced(command, script, *options):
    with tempfile.NamedTemporaryFile("r") as out:
        run = subprocess.run([DTRACE, "-q", *options, "-o", out.name, "-c", command, "-n", script],
                             capture_output=True, text=True, timeout=100)
        check(run.returncode == 0, command, script, run.stderr[:1000])
        return run.stdout, out.read()


def stacks_of(text):
    """Names of functions, innermost first; a frame of a file without them is ''."""
    return [[re.sub(r"\+0x.*", "", line.split("`")[-1]) for line in block.split()[:-1]]
            for block in text.split("\n\n") if "`" in block]


def look_at(program, library):
    command = f"{program} {library}".strip()
    plain = subprocess.run(command.split(), capture_output=True, text=True).stdout
    printed, text = traced(command, """
pid$target:a.out:deep:entry, pid$target:a.out:deep:return { @n[probename] = count(); }
pid$target:a.out:deep:entry { @s["depth"] = sum(arg0); }
small$target:::bottom { @n[args[0] == *(int *)copyin(arg1, 4) ? "bottom" : "wrong"] = count(); }
END { printa("%s %@d\\n", @n); printa("%s %@d\\n", @s); }""")
    check(printed == plain, program, "printed", printed)
    for line in ["entry 210", "return 210", "bottom 20", "depth 1330"]:
        check(line in text.splitlines(), program, line, "is not in", text)
    # From our own code stacks are whole, and each is one that there can be.
    _, text = traced(command, "pid$target:a.out:deep:entry /arg0 == 0/ { @[ustack(60)] = count(); }")
    wanted = [["deep"] * (n + 1) + ["main"] for n in range(20)]
    got = sorted((stack for stack in stacks_of(text)), key=len)
    check([stack[:n + 2] for n, stack in enumerate(got)] == wanted, program, "stacks", got)
    # Through musl nothing is invented: what stands behind it are our callers in their order, or nothing.
    functions = "pid$target:libc::entry" if library else "pid$target:a.out::entry"
    for probes in (functions, "profile-997 /pid == $target/"):
        _, text = traced(command, f"{probes} {{ @[ustack(60)] = count(); }}")
        stacks, whole = stacks_of(text), 0
        for stack in stacks:
            names = " ".join(name for name in stack if name in OURS)
            check(re.fullmatch(r"((on|before) ?)?(deep ?)*(main)?", names), program, "stack", stack)
            whole += names.endswith("main")
        if probes == functions:
            check(whole > 0.5 * len(stacks) > 1, program, "only", whole, "of", len(stacks), "come to main()", stacks[:3])
    # Callbacks, and what a signal interrupts.
    _, text = traced(command, "pid$target:a.out:before:entry, pid$target:a.out:on:entry { @[probefunc, ustack(60)] = count(); }")
    for stack in stacks_of(text):
        check("main" in stack, program, "stack", stack)
    # With all of its functions probed it does what it does.
    printed, _ = traced(command, "pid$target:::entry, pid$target:a.out::return { @ = count(); }")
    check(printed == plain, program, "with all functions, printed", printed)


def main():
    if shutil.which("musl-gcc") is None:
        print("skipped: no musl-gcc")
        sys.exit(77)
    home = tempfile.mkdtemp()
    try:
        with open(f"{home}/small.c", "w") as file:
            file.write(SOURCE)
        with open(f"{home}/twice.c", "w") as file:
            file.write("int twice(int n) { return 2 * n; }\n")
        made = {}
        for name, flags in (("dynamic", []), ("static", ["-static"]), ("pie", ["-static-pie"]), ("plain", ["-O0"])):
            made[name] = subprocess.run(["musl-gcc", "-O2", *flags, "-I", INCLUDE, "-o", f"{home}/{name}", f"{home}/small.c"],
                                        capture_output=True, text=True)
            check(made[name].returncode == 0, name, made[name].stderr)
        subprocess.run(["musl-gcc", "-shared", "-fPIC", "-O2", "-o", f"{home}/libtwice.so", f"{home}/twice.c"], check=True)
        look_at(f"{home}/dynamic", f"{home}/libtwice.so")
        look_at(f"{home}/plain", f"{home}/libtwice.so")
        look_at(f"{home}/static", "")
        look_at(f"{home}/pie", "")
        _, text = traced(f"{home}/dynamic {home}/libtwice.so", "pid$target:libtwice:twice:entry { printf(\"%d\\n\", arg0); } "
                         "pid$target:libtwice:twice:return { printf(\"%d\\n\", arg1); }", "-Z")
        check(text.split() == ["21", "42"], "dlopen()", text)
        for name in ("dynamic", "static"):
            run = subprocess.run([DTRACE, "-c", f"{home}/{name}", "-n", "plockstat$target:::mutex-acquire"],
                                 capture_output=True, text=True)
            check(run.returncode == 1 and "has no glibc, whose locks plockstat knows" in run.stderr, name, run.stderr)
    finally:
        shutil.rmtree(home)
    sys.exit(1 if failures else 0)


main()
