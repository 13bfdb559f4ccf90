# Sockets that begin to listen, and some that cannot: tools/solisten.d.
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

truth = []


def listen(family, address, backlog, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as one:
        one.bind(address)
        result = 0
        try:
            one.listen(backlog)
        except OSError as error:
            result = -error.errno
        if family != socket.AF_UNIX:
            truth.append((result, "TCPv6" if family == socket.AF_INET6 else "TCPv4", backlog, *one.getsockname()[:2][::-1]))


with toolkit.Alone("solisten", "-p", os.getpid()) as mine, toolkit.Alone("solisten", "-p", toolkit.another()) as of_another:
    listen(socket.AF_INET, ("127.0.0.1", 0), 5)
    listen(socket.AF_INET6, ("::1", 0), 77)
    listen(socket.AF_UNIX, f"\0dt-{os.getpid()}", 3)
    listen(socket.AF_INET, ("0.0.0.0", 0), 1)
    mine.shows(rf" {truth[-1][3]} ")
rows = re.findall(rf"^{os.getpid()} +\S+ +(-?\d+) +(\w+) +(\d+) +(\d+) (\S+)$", mine.ours, re.M)
toolkit.same("listening", [(int(result), kind, int(backlog), int(port), address) for result, kind, backlog, port, address in rows],
             [(result, kind, backlog, port, address) for result, kind, backlog, port, address in truth])
toolkit.same("of another", toolkit.rows(of_another.ours), [])
