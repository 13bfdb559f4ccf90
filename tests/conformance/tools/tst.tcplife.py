# Connections between two processes that carry known numbers of bytes: tools/tcplife.d, and bcc's.
import os
import re
import signal
import socket
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def serve(server):
    """Answers each byte with three, until the other end closes; then it closes, too."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        peer = server.accept()[0]
        with peer:
            while got := peer.recv(65536):
                peer.sendall(b"y" * (3 * len(got)))


def talk(server, size, pause=0.0):
    """The client's port, and how long the connection was there at least, in us."""
    with socket.socket(server.family) as s:
        s.connect(server.getsockname()[:2])
        started = time.monotonic()
        s.sendall(b"x" * size)
        left = 3 * size
        while left:
            left -= len(s.recv(left))
        time.sleep(pause)
        return s.getsockname()[1], int((time.monotonic() - started) * 1e6)


servers, children = [], []
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    server = socket.socket(family)
    server.bind((address, 0))
    server.listen(64)
    child = os.fork()
    if child == 0:
        serve(server)
    servers.append((address, server, child))
try:
    ports = [server.getsockname()[1] for _, server, _ in servers]
    # The options: by port of either end, and by process.
    with toolkit.Alone("tcplife", "-L", ports[1], "-T") as local, toolkit.Alone("tcplife", "-D", ports[1]) as remote, \
            toolkit.Alone("tcplife", "-p", os.getpid()) as of_process:
        client_of_options, _ = talk(servers[1][1], 10)
        talk(servers[0][1], 10)
        for one in local, remote, of_process:
            one.shows(rf"\b{client_of_options}\b")
    with toolkit.Both("tcplife", live=rf"{ports[0]}", meanwhile=lambda: talk(servers[0][1], 1)) as both:
        truth, least, client = set(), {}, 0
        for i in range(1, 11):
            for address, server, child in servers:
                client, us = talk(server, 100 * i, pause=0.02 if i == 7 else 0)
                port = server.getsockname()[1]
                truth.add((os.getpid(), address, client, address, port, 100 * i, 300 * i))
                truth.add((child, address, port, address, client, 300 * i, 100 * i))
                least[client] = us
        # Both ends of the last one.
        both.wait(*[rf"(?s)(\b{client}\b.*){{2}}"] * 2)
finally:
    for _, _, child in servers:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)


def of_mine(text, number):
    """By its ends and its process: (sent, received, how long)."""
    events = re.finditer(rf"^(\d+) +(.*?) +(\S+) +(\d+) +(\S+) +(\d+) +({number}) +({number}) +({number})\s*$", text, re.M)
    return {(int(m[1]), m[3], int(m[4]), m[5], int(m[6])): tuple(float(m[i]) for i in (7, 8, 9)) for m in events}


toolkit.same("local", [line.split()[6:8] for line in toolkit.rows(local.ours)], [["::1", str(ports[1])]])
toolkit.same("remote", [line.split()[2:6] for line in toolkit.rows(remote.ours)],
             [["::1", str(client_of_options), "::1", str(ports[1])]])
toolkit.same("of this process", {line.split()[0] for line in toolkit.rows(of_process.ours)}, {str(os.getpid())})
ours = of_mine(both.ours, r"\d+")
for event in truth:
    if event[:5] not in ours:
        sys.exit(f"no {event}:\n{both.ours}")
    sent, received, us = ours[event[:5]]
    # Without the SYN and the FIN, which the kernel's counters have as a byte each.
    toolkit.same(f"bytes of {event}", (sent, received), event[5:7])
    client = event[2] if event[0] == os.getpid() else event[4]
    toolkit.same(f"time of {event}, {us} of {least[client]} us", us >= least[client] * 0.9, True)
both.is_compared()
theirs = of_mine(both.theirs, r"[\d.]+")
for event in truth:
    if event[:5] not in theirs:
        sys.exit(f"bcc has no {event}:\n{both.theirs}")
    (sent, received, us), (kb_sent, kb_received, ms) = ours[event[:5]], theirs[event[:5]]
    for what, one, other, slack in (("sent", sent / 1024, kb_sent, 0.01), ("received", received / 1024, kb_received, 0.01),
                                    ("time", us / 1000, ms, 2 + ms / 4)):
        toolkit.same(f"{what} of {event}, {one}, bcc {other}", abs(one - other) <= slack, True)
