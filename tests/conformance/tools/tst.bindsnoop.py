# Sockets that this process binds, one of them to a port that is in use: tools/bindsnoop.d.
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

truth = []
with toolkit.Alone("bindsnoop", "-p", os.getpid(), "-t") as mine, toolkit.Alone("bindsnoop", "-p", os.getpid(), "-x") as failed:
    sockets = []

    def bind(family, kind, address):
        one = socket.socket(family, kind)
        sockets.append(one)
        result = 0
        try:
            one.bind(address)
        except OSError as error:
            result = -error.errno
        if family != socket.AF_UNIX:
            there, port = one.getsockname()[:2]
            truth.append((result, "TCP" if kind == socket.SOCK_STREAM else "UDP", port, there))
        return one.getsockname()

    first = bind(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
    bind(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 0))
    bind(socket.AF_UNIX, socket.SOCK_STREAM, f"\0dt-bind-{os.getpid()}")
    bind(socket.AF_INET, socket.SOCK_STREAM, first)
    bind(socket.AF_INET, socket.SOCK_DGRAM, ("0.0.0.0", 0))
    mine.shows(rf" UDP +{truth[-1][2]} ")
    failed.shows(" -98 ")


def rows(text):
    found = re.findall(rf"\b{os.getpid()} +\S+ +(-?\d+) +(\w+) +(\d+) (\S+)$", text, re.M)
    return [(int(result), kind, int(port), address) for result, kind, port, address in found]


toolkit.same("bound, with results", [row[:2] for row in rows(mine.ours)], [event[:2] for event in truth])
toolkit.same("addresses", [row for row in rows(mine.ours) if row[0] == 0], [event for event in truth if event[0] == 0])
toolkit.same("failed", [row[:2] for row in rows(failed.ours)], [(-98, "TCP")])
