# @@host
# Lines that are typed into a bash that begins while it is traced: tools/bashreadline.d, and bcc's.
import os
import pty
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

LINES = ["echo one", "no-such-command two", "exit 5"]


def type_lines():
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv("/bin/bash", ["bash", "--norc", "-i"])
    for line in LINES:
        os.write(terminal, line.encode() + b"\n")
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass  # it has ended
    return pid, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


with toolkit.Both("bashreadline", live=None) as both:
    shell, status = type_lines()
    both.wait(rf" {shell} +exit 5", rf" {shell} .*exit 5")
toolkit.same("its end", status, 5)
toolkit.same("lines", re.findall(rf" {shell} +(.*)$", both.ours, re.M), LINES)
both.is_compared()
toolkit.same("bcc's", [line.strip() for line in re.findall(rf" {shell} +(.*)$", both.theirs, re.M)], LINES)
