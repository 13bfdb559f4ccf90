# pcap(): packets as a capture in a file of freopen()'s, and as a dump elsewhere.
import json
import os
import struct
import subprocess
import sys
import tempfile
import time

DTRACE = os.environ["DTRACE"]
# An interrupt may send what others have to send, while the program runs.
PROBE = 'sdt:net::net_dev_queue /pid == $target && stringof(args[0]->dev->name) == "lo"/'
home = tempfile.mkdtemp()
# Four packets with payloads of 12 to 1200 bytes, from the program to itself.
SEND = f"{home}/send.py"
PAYLOADS = [bytes([65 + i]) * size for i, size in enumerate((12, 100, 600, 1200))]
with open(SEND, "w") as file:
    file.write("import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\ns.bind(('127.0.0.1', 0))\n"
               f"for payload in {PAYLOADS!r}:\n    s.sendto(payload, s.getsockname())\n")


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def run(script, *options):
    done = subprocess.run([DTRACE, "-q", "-w", *options, "-n", script, "-c", f"{sys.executable} {SEND}"],
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    check(done.returncode == 0, done)
    return done


def packets(data, link_type=1):
    magic, major, minor, zero, most, link = struct.unpack_from("<IHHQII", data)
    check((magic, major, minor, zero, link) == (0xa1b23c4d, 2, 4, 0, link_type), data[:24])
    at, found = 24, []
    while at < len(data):
        s, ns, here, whole = struct.unpack_from("<IIII", data, at)
        check(here <= most and here <= whole and at + 16 + here <= len(data), here, most, whole)
        found.append((s * 10 ** 9 + ns, data[at + 16:at + 16 + here], whole))
        at += 16 + here
    return found


def is_sent(found, size):
    """Ethernet, IP and UDP headers of 42 bytes, then the payloads."""
    check([whole for _, _, whole in found] == [42 + len(payload) for payload in PAYLOADS], found)
    for (_, got, whole), payload in zip(found, PAYLOADS):
        check(got[12:14] == b"\x08\x00" and got[23] == 17, got)
        check(len(got) <= size and payload.startswith(got[42:]), got, payload)
        check(whole > 200 or len(got) == min(whole, size), len(got), whole)


# The file is opened for each packet, and printing goes on where it went.
before = time.time_ns()
out = run(PROBE + f' {{ freopen("{home}/a.pcap"); pcap((void *)arg0, 1); freopen(""); printf("p\\n"); }}').stdout
check(out.startswith(b"p\np\np\np\n"), out)
found = packets(open(f"{home}/a.pcap", "rb").read())
is_sent(found, 256)
check(before <= found[0][0] <= found[-1][0] <= time.time_ns(), found)

# A capture that there is gets longer; one that is emptied begins anew.
run(f'BEGIN {{ freopen("{home}/a.pcap"); }} {PROBE} {{ pcap((void *)arg0, 1); }} END {{ freopen(""); }}')
found = packets(open(f"{home}/a.pcap", "rb").read())
check(len(found) == 8, len(found))
run(f'BEGIN {{ freopen("{home}/a.pcap"); ftruncate(); }} {PROBE} {{ pcap((void *)arg0, 1); }} END {{ freopen(""); }}',
    "-x", "pcapsize=2k")
is_sent(packets(open(f"{home}/a.pcap", "rb").read()), 2048)

# pcapsize cuts packets off, and they still say how long they were.
run(f'BEGIN {{ freopen("{home}/b.pcap"); }} {PROBE} {{ pcap((void *)arg0, 1); }} END {{ freopen(""); }}', "-x", "pcapsize=50")
found = packets(open(f"{home}/b.pcap", "rb").read())
is_sent(found, 50)
check([len(got) for _, got, _ in found] == [50] * 4, found)

# A pipe, from its beginning.
os.mkfifo(f"{home}/fifo")
# freopen() does not wait for a reader, so that there is one before; all of it fits into the pipe.
reader = open(os.open(f"{home}/fifo", os.O_RDONLY | os.O_NONBLOCK), "rb")
run(f'BEGIN {{ freopen("{home}/fifo"); }} {PROBE} {{ pcap((void *)arg0, 1); }} END {{ freopen(""); }}')
is_sent(packets(reader.read()), 256)

# Without freopen() a dump; as JSON its bytes.
out = run(PROBE + " { pcap((void *)arg0, 1); }").stdout.decode()
check(out.count("0123456789abcdef") == 4 and "AAAAAA" in out and "DDDDDDDDDDDDDDDD" in out, out)
lines = [json.loads(line) for line in run(PROBE + " { pcap((void *)arg0, 1); }", "-x", "oformat=jsonl").stdout.splitlines()]
shown = [bytes.fromhex(action["values"][0]["value"]) for line in lines for action in line.get("actions", [])
         if action["action"] == "pcap"]
check([one[42:54] for one in shown] == [payload[:12] for payload in PAYLOADS], shown)

# What is no packet is a fault.
done = subprocess.run([DTRACE, "-q", "-n", 'BEGIN { pcap((void *)8, 1); } ERROR { printf("kind %d\\n", arg4); exit(0); }'],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30)
check(done.stdout == "kind 1\n\n", done)
