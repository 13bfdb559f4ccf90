# Connections that this process accepts, of both families, and others that are not of TCP: tools/tcpaccept.d.
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def accept_one(family, address):
    with socket.socket(family) as server, socket.socket(family) as client:
        server.bind(address)
        server.listen()
        client.connect(server.getsockname())
        peer, ends = server.accept()
        with peer:
            return (6 if family == socket.AF_INET6 else 4, *ends[:2], *peer.getsockname()[:2]) if ends else None


def of_mine(text):
    events = re.findall(r"^.*?(\d+) +\S+ +([46]) +(\S+) +(\d+) +(\S+) +(\d+)$", text, re.M)
    return [(int(version), raddr, int(rport), laddr, int(lport)) for pid, version, raddr, rport, laddr, lport in events
            if int(pid) == os.getpid()]


INET, INET6 = (socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_INET6, ("::1", 0))
with toolkit.Alone("tcpaccept") as plain, toolkit.Alone("tcpaccept", "-t", "-T", "-p", os.getpid()) as mine, \
        toolkit.Alone("tcpaccept", "-P", 1) as of_port:
    truth = [accept_one(*INET), accept_one(*INET6)]
    accept_one(socket.AF_UNIX, f"\0dt-{os.getpid()}")
    truth += [accept_one(*INET), accept_one(*INET6)]
    for one in plain, mine:
        one.shows(f" {truth[-1][2]} ")
for one in plain, mine:
    toolkit.same("accepted", of_mine(one.ours), truth)
toolkit.same("to another port", toolkit.rows(of_port.ours), [])
