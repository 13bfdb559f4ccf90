# Signals of this process and of the kernel: tools/sigsnoop.d, and bcc's.
import os
import re
import signal
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

LAST = signal.SIGTERM


def to(pid, text):
    """Who sends it, and which, but for the mark."""
    rows = re.findall(rf" (\d+) +\S+ +(\w+) +{pid} +(.*?)\s*$", text, re.M)
    # Ours shows a name, bcc's a number.
    numbers = [(int(by), int(word) if word.isdigit() else int(signal.Signals[word]), rest) for by, word, rest in rows]
    return [row for row in numbers if row[1] != signal.SIGURG]


child = subprocess.Popen(["sleep", "600"])
try:
    with toolkit.Both("sigsnoop", live=rf" {int(signal.SIGURG)} +{child.pid} ", meanwhile=lambda: child.send_signal(signal.SIGURG)) as both, \
            toolkit.Alone("sigsnoop", "-x", "-s", int(signal.SIGWINCH)) as chosen, \
            toolkit.Alone("sigsnoop", "-n", "python", "-T", child.pid) as to_child, toolkit.Alone("sigsnoop", "-n", "no-such") as by_none:
        child.send_signal(signal.SIGWINCH)
        # The kernel sends a signal to the process that writes to a pipe that nobody reads.
        writer = subprocess.Popen([sys.executable, "-S", "-c", "import os, signal\nsignal.signal(signal.SIGPIPE, signal.SIG_DFL)\n"
                                   "a, b = os.pipe()\nos.close(a)\nos.write(b, b'x')"])
        toolkit.same("the writer", writer.wait(), -signal.SIGPIPE)
        child.send_signal(LAST)
        to_child.shows(rf" {LAST.name} +{child.pid} ")
        both.wait(rf" {LAST.name} +{child.pid} ", rf" {int(LAST)} +{child.pid} ")
finally:
    child.kill()
    child.wait()
toolkit.same("sent by this process", [(by, number) for by, number, _ in to(child.pid, both.ours) if number == LAST], [(os.getpid(), LAST)])
toolkit.same("sent by the kernel", [(by, number) for by, number, _ in to(writer.pid, both.ours)], [(writer.pid, signal.SIGPIPE)])
toolkit.same("not discarded", [rest for *_, rest in to(writer.pid, both.ours)][0].endswith("sent"), True)
# That of a terminal's size is ignored, so it is discarded.
toolkit.same("discarded", [(by, rest.split()[-1]) for by, _, rest in to(child.pid, chosen.ours)], [(os.getpid(), "discarded")])
toolkit.same("to the child alone", {row.split()[7] for row in toolkit.rows(to_child.ours)}, {str(child.pid)})
toolkit.same("by no program", toolkit.rows(by_none.ours), [])
both.is_compared()
toolkit.same("bcc's", [(by, number) for by, number, _ in to(writer.pid, both.theirs)], [(writer.pid, signal.SIGPIPE)])
