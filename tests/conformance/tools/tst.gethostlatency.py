# @@host
# Names that this process looks up: tools/gethostlatency.d, and bcc's.
import os
import re
import socket
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

took = []


def look_up(name):
    started = time.monotonic()
    try:
        socket.getaddrinfo(name, 80, family=socket.AF_INET)
    except OSError:
        pass
    took.append((time.monotonic() - started) * 1000)


NAMES = ["localhost", "127.0.0.1", "localhost"]
with toolkit.Both("gethostlatency", live=None) as both, toolkit.Alone("gethostlatency", "-n", "no-such") as of_another:
    for name in NAMES:
        look_up(name)
    both.wait(*[rf"(?s)( {os.getpid()} .*){{3}}"] * 2)
rows = re.findall(rf" {os.getpid()} +\S+ +(\d+\.\d{{3}}) (.*)$", both.ours, re.M)
toolkit.same("names", [name for _, name in rows], NAMES)
for (ms, _), most in zip(rows, took):
    toolkit.same(f"{ms} of {most} ms", 0 <= float(ms) <= most, True)
toolkit.same("of another", toolkit.rows(of_another.ours), [])
both.is_compared()
theirs = re.findall(rf"^\S+ +{os.getpid()} +\S+ +[\d.]+ +(\S+)\s*$", both.theirs, re.M)
toolkit.same("bcc's", theirs, NAMES)
