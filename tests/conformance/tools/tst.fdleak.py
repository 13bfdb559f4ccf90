# A program that keeps some of its descriptors: tools/fdleak.d.
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

SOURCE = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#define STEP __attribute__((noinline, noclone))
static volatile int kept;
STEP void opens(void) { kept = open("/etc/passwd", O_RDONLY); }
STEP void gives_back(void) { close(open("/etc/passwd", O_RDONLY)); close(socket(AF_UNIX, SOCK_STREAM, 0)); close(-1); kept = open("/", O_WRONLY); }
STEP void pairs(void) { int two[2]; kept = socketpair(AF_UNIX, SOCK_STREAM, 0, two); close(two[1]); }
STEP void pipes(void) { int two[2]; kept = pipe(two); }
STEP void over(void) { int one = open("/etc/passwd", O_RDONLY); kept = dup2(0, one); kept = dup2(0, 0); }
STEP void copies(void) { kept = fcntl(0, F_DUPFD, 100); kept = fcntl(0, F_GETFL); }
STEP void before(void) { kept = dup(0); }
STEP void again(void) { kept = dup(0); }
STEP void polls(void) { kept = epoll_create1(0); }
int main(void) {
  char c;
  before();
  int old = kept;
  if (write(1, "d", 1) != 1 || read(0, &c, 1) != 1) return 1;
  for (volatile int i = 0; i < 7; ++i) { opens(); gives_back(); }
  for (volatile int i = 0; i < 3; ++i) pairs();
  pipes(); over(); copies(); again(); polls();
  close(old);
  if (write(1, "d", 1) != 1) return 1;
  return read(0, &c, 1) != 1;
}
"""
WANTED = {"opens": 7, "pairs": 3, "pipes": 2, "over": 1, "copies": 1, "again": 1, "polls": 1}
if not shutil.which("gcc"):
    print("there is no compiler")
    sys.exit(toolkit.SKIP)


def open_by_function(text):
    """The numbers of the last report, by the function of the program's that opened them."""
    last = re.split(r"(?m)^\d{4} \w{3} +\d+ [\d:]+\n", text)[-1]
    found = {}
    for stack, count in re.findall(r"((?:.*\n)*?)open: (-?\d+)\n", last):
        name = re.search(r"keeps`(\w+)\+", stack)
        found[name[1] if name else stack] = int(count)
    return found


with tempfile.TemporaryDirectory() as work:
    with open(f"{work}/keeps.c", "w") as file:
        file.write(SOURCE)
    subprocess.run(["gcc", "-O1", "-fno-optimize-sibling-calls", "-o", f"{work}/keeps", file.name], check=True)
    program = subprocess.Popen([f"{work}/keeps"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    program.stdout.read(1)
    with toolkit.Alone("fdleak", "-p", program.pid, "300ms") as one, \
            toolkit.Alone("fdleak", "-P", "-f", 2, "-T", 2, "-p", program.pid, "300ms") as paths:
        program.stdin.write(b"x")
        program.stdin.flush()
        program.stdout.read(1)
        one.shows(r"polls")
        paths.shows(r"epoll")
    program.communicate(b"x", timeout=60)
toolkit.same("what is open", open_by_function(one.ours), WANTED)
last = re.split(r"(?m)^\d{4} \w{3} +\d+ [\d:]+\n", paths.ours)[-1]
toolkit.same("the largest two, with paths", re.findall(r"(?m)^(\S+ ?\S*)\n(?:.*`.*\n){2}open: (\d+)", last),
             [("socketpair", "3"), ("openat /etc/passwd", "7")])
