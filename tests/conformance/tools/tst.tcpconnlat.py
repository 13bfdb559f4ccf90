# Connections that are established, and some that are refused: tools/tcpconnlat.d.
import os
import re
import socket
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def connect(family, address):
    with socket.socket(family) as client:
        started = time.monotonic()
        failed = client.connect_ex(address)
        return (6 if family == socket.AF_INET6 else 4, *address[:2][::-1], "refused" if failed else "established",
                (time.monotonic() - started) * 1000)


places = []
for family, address, listens in ((socket.AF_INET, "127.0.0.1", True), (socket.AF_INET6, "::1", True),
                                 (socket.AF_INET, "127.0.0.1", False), (socket.AF_INET6, "::1", False)):
    server = socket.socket(family)
    server.bind((address, 0))
    if listens:
        server.listen(64)
    places.append((family, server.getsockname()[:2], server))
with toolkit.Alone("tcpconnlat", "-t", "-p", os.getpid()) as mine, \
        toolkit.Alone("tcpconnlat", "-P", places[1][1][1]) as of_port, toolkit.Alone("tcpconnlat", "100000") as slow:
    truth = [connect(*place[:2]) for _ in range(5) for place in places]
    mine.shows(rf"(?s)( {places[-1][1][1]} .*){{5}}")
rows = re.findall(rf" {os.getpid()} +\S+ +([46]) +(\S+) +(\S+) +(\d+) +(\d+\.\d{{3}}) (\w+)$", mine.ours, re.M)
toolkit.same("connections", [(int(version), int(port), there, result) for version, _, there, port, _, result in rows],
             [event[:4] for event in truth])
for row, event in zip(rows, truth):
    toolkit.same(f"{row[4]} ms of {event[4]}", 0 < float(row[4]) <= event[4], True)
toolkit.same("to the port", len(toolkit.rows(of_port.ours)), 5)
toolkit.same("slow ones", toolkit.rows(slow.ours), [])
