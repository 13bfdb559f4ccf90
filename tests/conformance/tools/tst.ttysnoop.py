# What a process writes to a terminal of its own, and to another one: tools/ttysnoop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import pty

one, terminal = pty.openpty()
other, another = pty.openpty()
TEXT = b"hello \x1b[1m\n"
with toolkit.Alone("ttysnoop", os.ttyname(terminal)) as mine, toolkit.Alone("ttysnoop") as everywhere:
    os.write(another, b"elsewhere")
    os.write(terminal, TEXT)
    os.write(terminal, b"x" * 1100)
    mine.shows("xxx")
    everywhere.shows("xxx")
wanted = [(os.ttyname(terminal), r"hello \033[1m\n"), (os.ttyname(terminal), "x" * 1024)]
for shown, rows in ((mine.ours, wanted), (everywhere.ours, [(os.ttyname(another), "elsewhere"), *wanted])):
    toolkit.same("texts", re.findall(rf"^(\S+) +{os.getpid()} +\S+ +(.*?)$", shown, re.M), rows)
