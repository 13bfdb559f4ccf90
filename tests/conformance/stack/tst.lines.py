# @@host
# -x lines and -x inlines say of each frame what addr2line says of its address: for compilers, versions of DWARF, debug
# files, C++, calls that never return, handlers of signals, and programs that have ended and been deleted.
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

DTRACE = os.environ["DTRACE"]
SOURCE = r"""
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifndef __cplusplus
#define INLINE static inline __attribute__((always_inline))
#else
// Of static functions of C++ addr2line gives the name of another one.
#define INLINE inline __attribute__((always_inline))
namespace shop {
template <typename T> struct Till {
  T sum;
  __attribute__((always_inline)) T add(T more) { return sum + syscall(SYS_getppid) + more; }
};
}
#endif
INLINE long innermost(long x) {
#ifdef __cplusplus
  return shop::Till<long>{x}.add(1);
#else
  return syscall(SYS_getppid) + x;
#endif
}
INLINE long middle(long x) {
  long y = x * 3;
  return innermost(y) + 1;
}
__attribute__((noinline)) long holder(long x) {
  long y = middle(x);
  return y * 2;
}
static void handler(int number) {
  holder(number);
}
__attribute__((noinline, noreturn)) void never(long x) {
  holder(x);
  exit(0);
}
INLINE void ends(long x) { never(x); }
__attribute__((noinline)) void last(long x) {
  ends(x);
}
int main(int count, char** words) {
  signal(SIGUSR1, handler);
  holder(count);
  raise(SIGUSR1);
  last(count + 1);
}
"""
work = tempfile.mkdtemp()
program = f"{work}/inlined"


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def build(words, language="c"):
    """The program with its debugging information, at a path of its own."""
    with open(f"{work}/source.{language}", "w") as file:
        file.write(SOURCE)
    whole = f"{work}/whole"
    subprocess.run([*words, "-O2", "-no-pie", "-o", whole, f"source.{language}"], check=True, cwd=work)
    shutil.copy(whole, program)
    return whole


def stacks(options):
    """Of each firing the frames of our program."""
    command = subprocess.run(
        [DTRACE, "-q", "-x", "oformat=jsonl", "-x", "demangle=none", *options, "-c", program,
         "-n", "syscall::getppid:entry /pid == $target/ { ustack(); }"],
        capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    check(command.returncode == 0 and command.stderr == "", command.stderr)
    found = []
    for line in command.stdout.splitlines():
        for action in json.loads(line).get("actions", []):
            found += [value["value"] for value in action["values"]]
    check(len(found) == 3, command.stdout)
    return found


def of_addr2line(whole, address):
    out = subprocess.run(["addr2line", "-i", "-f", "-e", whole, hex(address)], capture_output=True, text=True,
                         check=True).stdout.splitlines()
    return [(name, place.split(" (discriminator")[0]) for name, place in zip(out[::2], out[1::2])]


def compare(whole, options=("-x", "lines", "-x", "inlines")):
    """How many frames were inlined."""
    inlined = 0
    for stack in stacks(options):
        own = [frame for frame in stack if frame.get("module") == "inlined"]
        at = 0
        while at < len(own) and own[at]["symbol"] != "_start":
            end = at
            while own[end].get("inlined"):
                end += 1
            group = own[at:end + 1]
            ours = [(frame["symbol"], f"{frame['file']}:{frame['line']}") for frame in group]
            # All of them have called something.
            check(ours == of_addr2line(whole, int(group[0]["address"], 16) - 1), ours,
                  of_addr2line(whole, int(group[0]["address"], 16) - 1))
            check(all(frame["address"] == group[0]["address"] for frame in group), group)
            inlined += end - at
            at = end + 1
    return inlined


for tool in ("gcc", "addr2line", "objcopy", "strip"):
    if not shutil.which(tool):
        print(f"skipped: there is no {tool}")
        sys.exit(77)
# Stacks of holder(): of main, of the handler, of last(), which inlines ends().
for words in (["gcc", "-g"], ["gcc", "-gdwarf-4"], ["gcc", "-gdwarf-3", "-gstrict-dwarf"], ["gcc", "-g", "-gz=zlib"],
              ["gcc", "-g", "-ffunction-sections", "-Wl,--gc-sections"], ["clang", "-g"], ["clang", "-gdwarf-4"]):
    if shutil.which(words[0]):
        count = compare(build(words))
        check(count == 7, words, count)
if shutil.which("g++"):
    count = compare(build(["g++", "-g"], "cc"))
    check(count == 10, count)

# What was stripped off, with the compressed sections of Debian's packages.
whole = build(["gcc", "-g"])
debug = f"{work}/inlined.debug"
subprocess.run(["objcopy", "--only-keep-debug", "--compress-debug-sections", whole, debug], check=True)
subprocess.run(["strip", program], check=True)
subprocess.run(["objcopy", f"--add-gnu-debuglink={debug}", program], check=True)
check(compare(whole) == 7, "debug file")
if shutil.which("dwz"):
    # What two programs share is in a third file, which addr2line does not find.
    for name in ("one", "two"):
        subprocess.run(["gcc", "-g", "-O2", "-no-pie", "-o", f"{work}/{name}", "source.c"], check=True, cwd=work)
    shutil.copy(f"{work}/one", f"{work}/before")
    subprocess.run(["dwz", "-m", f"{work}/shared", f"{work}/one", f"{work}/two"], check=True)
    shutil.copy(f"{work}/one", program)
    check(compare(f"{work}/before") == 7, "dwz")

# As text; one without the other; and neither. Where there is no DWARF at all, that is said.
build(["gcc", "-g"])


def text(*options, told=""):
    command = subprocess.run([DTRACE, "-q", *options, "-c", program, "-n",
                              "syscall::getppid:entry /pid == $target && !n++/ { ustack(4); }"],
                             capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    check(command.returncode == 0 and command.stderr == told, command.stderr)
    return [line.strip() for line in command.stdout.splitlines() if "inlined`" in line]


def line_of(what):
    return next(number for number, line in enumerate(SOURCE.splitlines(), 1) if what in line)


place = {name: f"source.c:{line_of(what)}" for name, what in
         (("innermost", "  return syscall(SYS_getppid) + x"), ("middle", "return innermost(y)"), ("holder", "= middle(x)"),
          ("main", "  holder(count);"))}
plain = text()
check([line.split("+")[0] for line in plain[:2]] == ["inlined`holder", "inlined`main"], plain)
check(text("-x", "inlines")[:4] == ["inlined`innermost (inlined)", "inlined`middle (inlined)", *plain[:2]], plain)
check(text("-x", "lines")[:2] == [f"{plain[0]} at {place['innermost']}", f"{plain[1]} at {place['main']}"], plain)
check(text("-x", "lines", "-x", "inlines")[:4] ==
      [f"inlined`innermost (inlined) at {place['innermost']}", f"inlined`middle (inlined) at {place['middle']}",
       f"{plain[0]} at {place['holder']}", f"{plain[1]} at {place['main']}"], plain)

build(["gcc", "-static"])
without = text("-x", "lines", told="dtrace: nothing is known of the source: there is no DWARF for inlined; it comes "
               "with -g, a debug package or DEBUGINFOD_URLS\n")
check([line.split("+")[0] for line in without[1:3]] == ["inlined`holder", "inlined`main"], without)
build(["gcc", "-g"])

# Names are looked for when the program has ended, and its file is gone.
tracer = subprocess.Popen([DTRACE, "-q", "-x", "lines", "-n", "BEGIN { printf(\"live\\n\"); } syscall::getppid:entry "
                           "/execname == \"inlined\"/ { @[ustack(3)] = count(); } syscall::getppid:entry "
                           "/execname == \"inlined\" && ustackdepth > 2/ { printf(\"whole\\n\"); }"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
check(tracer.stdout.readline() == "live\n", tracer.poll())
# The first ones may come before its table to unwind stacks.
until = time.monotonic() + 60
while not (ready := select.select([tracer.stdout], [], [], 0.1)[0]) and time.monotonic() < until:
    subprocess.run([program], check=True, timeout=20)
check(ready and tracer.stdout.readline() == "whole\n", tracer.poll())
# Files that were seen are held for seconds, until they are read.
os.unlink(program)
os.unlink(f"{work}/whole")
tracer.send_signal(2)
out, err = tracer.communicate(timeout=60)
check(f" at {place['innermost']}\n" in out, out, err)
shutil.rmtree(work)
