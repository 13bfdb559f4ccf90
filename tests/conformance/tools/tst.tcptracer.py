# A connection with both of its ends in this process, one that is refused, and one of IPv6: tools/tcptracer.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import socket


def talk(host):
    """Both ends of a connection: the client closes first."""
    server = socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    client = socket.create_connection(server.getsockname()[:2])
    peer = server.accept()[0]
    ours, theirs = client.getsockname(), client.getpeername()
    client.close()
    peer.recv(1)
    peer.close()
    server.close()
    ours, theirs = f"{ours[0]} {ours[1]}", f"{theirs[0]} {theirs[1]}"
    return [f"{event} {one} {other}" for event, one, other in (("connect", ours, theirs), ("accept", theirs, ours), ("close", ours, theirs),
                                                               ("close", theirs, ours))]


with toolkit.Alone("tcptracer", "-p", os.getpid()) as mine, toolkit.Alone("tcptracer", "-t", "-p", 1) as of_another:
    unused = socket.create_server(("127.0.0.1", 0))
    refused = unused.getsockname()
    unused.close()
    try:
        socket.create_connection(refused)
        sys.exit("it was not refused")
    except ConnectionRefusedError:
        pass
    wanted = talk("127.0.0.1")
    if os.path.exists("/proc/net/if_inet6") and "lo" in open("/proc/net/if_inet6").read():
        wanted += talk("::1")
    mine.shows(r"(?s)close.*" + re.escape(wanted[-1].split()[4]))
rows = [" ".join((row[0], *row[4:])) for row in map(str.split, toolkit.rows(mine.ours)) if row[1] == str(os.getpid())]
toolkit.same("events", sorted(rows), sorted(wanted))
toolkit.same("of another", toolkit.rows(of_another.ours), [])
