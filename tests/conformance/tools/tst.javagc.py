# A program with the probes of OpenJDK, whose collections take a known time: tools/javagc.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with subprocess.Popen([os.environ["BUILD"] + "/tests/workloads/servers"], stdin=subprocess.PIPE) as program:
    with toolkit.Alone("javagc", "-p", program.pid) as mine, toolkit.Alone("javagc", "-p", program.pid, 60000000) as long_ones, \
            toolkit.Alone("javagc", "-p", os.getpid()) as of_another:
        program.stdin.write(b"xxx")
        program.stdin.close()
        mine.shows(r"(?s)(Old Gen.*){3}")
rows = re.findall(rf"^\S+ \S+ \S+ \S+ +{program.pid} +(\d+\.\d{{3}}) (.*)$", mine.ours, re.M)
toolkit.same("collections", [(20 <= float(ms) < 60000, pool) for ms, pool in rows], [(True, "Old Gen")] * 3)
toolkit.same("others", [toolkit.rows(one.ours) for one in (long_ones, of_another)], [[], []])
