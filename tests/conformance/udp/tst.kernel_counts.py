#!/usr/bin/env python3
"""Datagrams that a program sends to itself: as many as the kernel itself counts, and as many bytes as were sent."""
import os
import re
import socket
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import network  # noqa: E402
from disturbed import again  # noqa: E402

SIZES = (0, 1, 10, 1000, 1472, 8000, 65000)
EACH = 10
HEADER = 8
NOBODY = 9  # a port without a socket
SCRIPT = """
udp:::send /args[2]->ip_daddr == "{0}"/ {{ sent++; bytes += args[4]->udp_length; }}
udp:::receive /args[2]->ip_daddr == "{0}"/ {{ received++; came += args[4]->udp_length; }}
mib:::udpNoPorts /execname == "udp-counts"/ {{ unwanted++; }}
END {{ printf("traced %d %d %d %d %d\\n", sent, bytes, received, came, unwanted); }}
"""


def counts():
    with open("/proc/self/net/snmp") as snmp:
        names, values = (line.split()[1:] for line in snmp if line.startswith("Udp:"))
    return dict(zip(names, map(int, values)))


def work(address):
    """In a network of its own, whose counts are ours alone."""
    network.ip("link", "set", "lo", "up")
    with open("/proc/self/comm", "w") as name:
        name.write("udp-counts")
    begin = counts()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as reader, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        reader.bind((address, 0))
        for size in SIZES:
            for _ in range(EACH):
                sender.sendto(bytes(size), reader.getsockname())
                reader.recv(1 << 16)
        sender.sendto(b"x", (address, NOBODY))
    end = counts()
    print("counted", *(end[name] - begin[name] for name in ("OutDatagrams", "InDatagrams", "NoPorts")), flush=True)


if sys.argv[1:2] == ["work"]:
    work(sys.argv[2])
    sys.exit()

if subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode != 0:
    print("no network namespace can be made here")
    sys.exit(network.SKIP)
ADDRESS = f"127.79.{os.getpid() // 250 % 250}.{os.getpid() % 250 + 1}"
WANTED = EACH * len(SIZES) + 1
BYTES = EACH * sum(size + HEADER for size in SIZES) + 1 + HEADER
while True:
    done = subprocess.run([os.environ["DTRACE"], "-q", "-n", SCRIPT.format(ADDRESS), "-c",
                           f"unshare -n {sys.executable} {os.path.abspath(__file__)} work {ADDRESS}"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)
    print(done.stdout, done.stderr)
    traced = re.search(r"traced (\d+) (\d+) (\d+) (\d+) (\d+)", done.stdout)
    counted = re.search(r"counted (\d+) (\d+) (\d+)", done.stdout)
    if done.returncode != 0 or not traced or not counted:
        sys.exit(f"exit status {done.returncode}")
    sent, bytes_sent, received, bytes_received, unwanted = map(int, traced.groups())
    out, arrived, no_port = map(int, counted.groups())
    if (out, arrived, no_port) != (WANTED, WANTED - 1, 1):
        sys.exit("the kernel has counted other datagrams than were sent")
    if sent > out or received > out or unwanted > no_port:
        sys.exit("more than the kernel has counted")
    if (sent, received, unwanted) == (out, out, no_port):
        break
    again(f"{sent} and {received} of {out} datagrams were seen")
if (bytes_sent, bytes_received) != (BYTES, BYTES):
    sys.exit(f"{BYTES} bytes were sent")
