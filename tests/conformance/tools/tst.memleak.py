# A program that keeps some of its memory, in C and in C++: tools/memleak.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import shutil
import tempfile

SOURCE = """
#include <stdlib.h>
#include <unistd.h>
void *volatile nothing;
/* realloc() of nothing jumps to malloc(), and to nothing it frees: what it returns then is not its own. */
__attribute__((noinline)) void *begins(void) { return realloc(nothing, 800); }
__attribute__((noinline)) void ends(void) { void *p = realloc(nothing, 900); nothing = NULL; p = realloc(p, 0); free(p); }
__attribute__((noinline)) void *aligned(void) { void *p; return posix_memalign(&p, 64, 2000) == 0 ? p : NULL; }
__attribute__((noinline)) void *leaks(void) { return malloc(1000); }
__attribute__((noinline)) void *grows(void) { return realloc(calloc(10, 30), 7000); }
__attribute__((noinline)) void gives_back(void) { free(malloc(5000)); free(NULL); free(realloc(NULL, 300)); }
#ifdef __cplusplus
__attribute__((noinline)) void *makes() { return new char[123]; }
struct alignas(64) Large { char bytes[256]; };
__attribute__((noinline)) void *makes_aligned() { return new Large; }
#else
void *makes(void) { return NULL; }
void *makes_aligned(void) { return NULL; }
#endif
int main(void) {
  void *volatile kept;
  char c;
  if (write(1, "d", 1) != 1) return 1;
  if (read(0, &c, 1) != 1) return 1;
  for (int i = 0; i < 7; ++i) {
    kept = leaks();
    gives_back();
    kept = begins();
    ends();
    kept = aligned();
    kept = makes_aligned();
  }
  kept = grows();
  for (int i = 0; i < 5; ++i) kept = makes();
  (void)kept;
  if (write(1, "d", 1) != 1) return 1;
  return read(0, &c, 1) != 1;
}
"""
if not shutil.which("gcc") or not shutil.which("g++"):
    print("there is no compiler")
    sys.exit(toolkit.SKIP)
with tempfile.TemporaryDirectory() as work:
    for compiler, ending in (("gcc", "c"), ("g++", "cc")):
        with open(f"{work}/keeps.{ending}", "w") as file:
            file.write(SOURCE)
        subprocess.run([compiler, "-O1", "-fno-optimize-sibling-calls", "-fno-builtin", "-o", f"{work}/keeps", file.name], check=True)
        program = subprocess.Popen([f"{work}/keeps"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        program.stdout.read(1)
        with toolkit.Alone("memleak", "-p", program.pid, "300ms") as one, toolkit.Alone("memleak", "-z", 700, "-p", program.pid, "300ms") as large, \
                toolkit.Alone("memleak", "-T", 1, "-p", program.pid, "300ms") as most:
            program.stdin.write(b"x")
            program.stdin.flush()
            program.stdout.read(1)
            one.shows(r"grows")
            most.shows(r"aligned")
        program.communicate(b"x", timeout=60)
        wanted = {"leaks": (7000, 7), "grows": (7000, 1), "begins": (5600, 7), "aligned": (14000, 7)} \
            | ({"makes": (615, 5), "makes_aligned": (1792, 7)} if ending == "cc" else {})
        for which, least in ((one, 0), (large, 700)):
            last = which.ours[which.ours.rindex("\n\n20"):]
            blocks = re.findall(r"((?:^\S+`\S+\n)+)(\d+) bytes, allocations: (\d+)$", last, re.M)
            rows = {re.search(r"keeps`(\w+)", stack)[1]: (int(size), int(pieces)) for stack, size, pieces in blocks if "keeps`main" in stack}
            toolkit.same(f"{compiler}, at least {least}\n{which.ours}", rows, {name: row for name, row in wanted.items() if row[0] // row[1] >= least})
        # With -T, the last report has the largest stacks alone.
        reports = [re.findall(r"^(\d+) bytes, allocations: \d+$", report, re.M) for report in most.ours.split("\n\n20")]
        toolkit.same(f"{compiler}, most\n{most.ours}", (reports[-1], max(map(len, reports)) > 1), (["14000"], True))
