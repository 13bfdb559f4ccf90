# Connections over both families, made and refused: tools/tcpconnect.d, and bcc's (where the kernel has kprobes).
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

COMMAND = open("/proc/self/comm").read().strip()


def connect(family, address, port):
    with socket.socket(family) as s:
        s.connect_ex((address, port))


servers = []
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    server = socket.socket(family)
    server.bind((address, 0))
    server.listen(64)
    servers.append((family, address, server))
# Bound and not listening: nobody else is there either.
closed = socket.socket()
closed.bind(("127.0.0.1", 0))
mark, last = (socket.socket() for _ in range(2))
for one in mark, last:
    one.bind(("127.0.0.1", 0))
    one.listen(64)


def mark_it():
    connect(socket.AF_INET, *mark.getsockname())


with toolkit.Both("tcpconnect", live=rf"{mark.getsockname()[1]}\s*$", meanwhile=mark_it) as both:
    truth = []
    for i in range(10):
        for family, address, server in servers:
            connect(family, address, server.getsockname()[1])
            truth.append((4 if family == socket.AF_INET else 6, address, address, server.getsockname()[1]))
        connect(socket.AF_INET, *closed.getsockname())
        truth.append((4, "127.0.0.1", "127.0.0.1", closed.getsockname()[1]))
    connect(socket.AF_INET, *last.getsockname())
    both.wait(*[rf"{last.getsockname()[1]}\s*$"] * 2)


def of_mine(text):
    events = re.finditer(r"^(\d+) +(.*?) +([46]) +(\S+) +(\S+) +(\d+)\s*$", text, re.M)
    return [(int(m[3]), m[4], m[5], int(m[6])) for m in events
            if int(m[1]) == os.getpid() and m[2] == COMMAND[:12]
            and int(m[6]) not in (mark.getsockname()[1], last.getsockname()[1])]


toolkit.same("connections", of_mine(both.ours), truth)

# The options: one port; the user; counts by ends.
port = servers[0][2].getsockname()[1]
with toolkit.Alone("tcpconnect", "-P", port, "-p", os.getpid(), "-U", "-t") as chosen, \
        toolkit.Alone("tcpconnect", "-c", "-u", os.getuid()) as sums, \
        toolkit.Alone("tcpconnect", "-u", os.getuid() + 1) as of_another:
    for _ in range(3):
        connect(socket.AF_INET, "127.0.0.1", port)
        connect(socket.AF_INET, *closed.getsockname())
    chosen.shows(rf"(?s)( {port}\n.*){{3}}")
rows = re.findall(r"^\d{4} \w{3} .{11} +(\d+) +(\d+) +\S+ +4 .* (\d+)$", chosen.ours, re.M)
toolkit.same("chosen", rows, [(str(os.getuid()), str(os.getpid()), str(port))] * 3)
counts = re.findall(r"^127\.0\.0\.1 +127\.0\.0\.1 +(\d+) +(\d+)$", sums.ours, re.M)
for one in port, closed.getsockname()[1]:
    toolkit.same(f"count of {one} in\n{sums.ours}", (str(one), "3") in counts, True)
toolkit.same("of another", of_another.ours.count(f" {port}\n"), 0)
both.is_compared()
toolkit.same("bcc's", of_mine(both.theirs), truth)
