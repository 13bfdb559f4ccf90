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


def of_mine(text, pattern):
    events = [(m[1], int(m[2]), int(m[3]), m[4].strip()) for m in re.finditer(pattern, text, re.M)]
    return [event for event in events if event[1] in processes]


toolkit.same("programs", of_mine(both.ours, r"^(\S+) +(\d+) +(\d+) +(.*)$"), truth)
toolkit.same("what could not be executed", "nonexistent" in both.ours.replace("exec /nonexistent", ""), False)
both.is_compared()
theirs = of_mine(both.theirs, r"^(\S+) +(\d+) +(\d+) +0 (.*)$")
toolkit.same("bcc's", [event[:3] for event in theirs], [event[:3] for event in truth])
toolkit.same("bcc's words", [event[3] for event in theirs if event[1] != processes[-2]],
             [event[3] for event in truth if event[1] != processes[-2]])
