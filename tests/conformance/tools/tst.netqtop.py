# Datagrams of known sizes by the loop-back device: tools/netqtop.d.
import os
import re
import socket
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

SIZE, MANY = 5000, 40
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
    one.bind(("127.0.0.1", 0))
    began = time.monotonic()
    with toolkit.Alone("netqtop", "-n", "lo", 1000) as loop, toolkit.Alone("netqtop", "-t", "-n", "lo", 1000) as rates, toolkit.Alone("netqtop", "-n", "no-such", "-Z", 1000) as none:
        for _ in range(MANY):
            other.sendto(b"x" * SIZE, one.getsockname())
            one.recv(SIZE)
took = time.monotonic() - began
rows = {row[0]: tuple(map(int, row[1:])) for row in re.findall(r"^lo +(send|receive) +0 +(\d+) +(\d+) +(\d+) +(\d+)$", loop.ours, re.M)}
if sorted(rows) != ["receive", "send"]:
    sys.exit(loop.ours)
for packets, size, average, largest in rows.values():  # others may use the device, too
    if packets < MANY or size < MANY * SIZE or largest < SIZE or not 0 < average <= largest:
        sys.exit(f"{rows}: {MANY} packets of {SIZE} bytes were sent")
# Per second of at most this time.
toolkit.same("headings", re.findall(r"\b(?:PACKETS|BYTES)\S*", rates.ours), ["PACKETS/s", "BYTES/s"])
for packets, size in re.findall(r"^lo +\w+ +0 +(\d+) +(\d+) ", rates.ours, re.M):
    if int(packets) < int(MANY / took) or int(size) < int(MANY * SIZE / took):
        sys.exit(f"{rates.ours}: {MANY} packets of {SIZE} bytes were sent in {took} s")
toolkit.same("of another", [row for row in toolkit.rows(none.ours) if row.startswith("lo ")], [])
