# Programs that are started with known words, by a known process: tools/execsnoop.d, and bcc's.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

LONG = ["/bin/true", *(f"word-{i}" for i in range(400))]  # bcc shows its first words
COMMANDS = [["/bin/true", f"number-{i}", "and", "more" * i] for i in range(1, 20)] + [LONG, ["/bin/echo", "last-one"]]

with toolkit.Both("execsnoop", live="mark-of-the-test",
                  meanwhile=lambda: subprocess.run(["/bin/true", "mark-of-the-test"], check=True)) as both:
    processes = []
    for words in COMMANDS:
        one = subprocess.Popen(words, stdout=subprocess.DEVNULL)
        one.wait()
        processes.append(one.pid)
    # One that cannot be executed starts nothing.
    subprocess.run(["/bin/sh", "-c", "exec /nonexistent"], stderr=subprocess.DEVNULL, check=False)
    both.wait("last-one", "last-one")

truth = [(os.path.basename(words[0]), pid, os.getpid(), " ".join(words)) for words, pid in zip(COMMANDS, processes)]
PATTERN = r"^(\S+) +(\d+) +(\d+) +0 (.*)$"


def of_mine(text, pattern):
    events = [(m[1], int(m[2]), int(m[3]), m[4].strip()) for m in re.finditer(pattern, text, re.M)]
    return [event for event in events if event[1] in processes]


toolkit.same("programs", of_mine(both.ours, PATTERN), truth)
toolkit.same("what could not be executed", "nonexistent" in both.ours.replace("exec /nonexistent", ""), False)

# The options: what could not be started, too; by parent, name and words. A newline in a word makes no line.
FORGED = f"x\n{'forged':16} 1        1           0 forged"
with toolkit.Alone("execsnoop", "-x", "-U", "-T", "-p", os.getpid()) as failed, \
        toolkit.Alone("execsnoop", "-n", "echo", "-l", "select-") as chosen, \
        toolkit.Alone("execsnoop", "-u", os.getuid() + 1, "-p", os.getpid()) as of_another:
    missing = subprocess.Popen(["/bin/sh", "-c", "exec /nonexistent/program"], stderr=subprocess.DEVNULL)
    missing.wait()
    # The shell is a child of this process, and so is what it becomes.
    subprocess.run(["/bin/true", "select-other"], check=True)
    subprocess.run(["/bin/echo", "ignored"], stdout=subprocess.DEVNULL, check=True)
    subprocess.run(["/bin/echo", "select-this", FORGED], stdout=subprocess.DEVNULL, check=True)
    failed.shows("select-this")
    chosen.shows("select-this")
lines = [re.sub(r"^.{20}", "", line) for line in failed.ours.splitlines()]
toolkit.same("what failed", [line for line in lines if "/nonexistent/program" in line and " 2 " in line],
             [f" {os.getuid():<6} {'sh':16} {missing.pid:<8} {os.getpid():<8} {2:4} /nonexistent/program"])
toolkit.same("chosen", [line[:4] for line in toolkit.rows(chosen.ours)], ["echo"])
toolkit.same("a line that a word made", [line for line in chosen.ours.splitlines() if line.startswith("forged")], [])
toolkit.same("of another user", toolkit.rows(of_another.ours), [])
both.is_compared()
# From a buffer for each CPU: not always in the order in which they were started.
theirs = sorted(of_mine(both.theirs, PATTERN), key=lambda event: processes.index(event[1]))
toolkit.same("bcc's", [event[:3] for event in theirs], [event[:3] for event in truth])
toolkit.same("bcc's words", [event[3] for event in theirs if event[1] != processes[-2]],
             [event[3] for event in truth if event[1] != processes[-2]])
