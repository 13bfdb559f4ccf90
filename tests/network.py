"""Two network namespaces that are joined by a pair of interfaces, for the tests of networks."""
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time

SKIP = 77


def ip(*words, ok=True):
    done = subprocess.run(["ip", *words], capture_output=True, text=True, timeout=60)
    if ok and done.returncode != 0:
        print(f"no network here: ip {' '.join(words)}: {done.stderr.strip()}")
        sys.exit(SKIP)
    return done.stdout


class Pair:
    """spaces[n] has the interface devices[n] with the addresses addresses[version][n]."""

    def __init__(self, letter, addresses):
        self.addresses = addresses
        self.spaces = tuple(f"dt-{letter}{end}-{os.getpid()}" for end in "ab")
        self.devices = tuple(f"dt{letter}{os.getpid() % 100000}{end}" for end in "ab")  # at most 15 bytes

    def make(self):
        for space in self.spaces:
            ip("netns", "add", space)
            ip("-n", space, "link", "set", "lo", "up")
        ip("link", "add", self.devices[0], "netns", self.spaces[0], "type", "veth",
           "peer", "name", self.devices[1], "netns", self.spaces[1])
        for end, (space, device) in enumerate(zip(self.spaces, self.devices)):
            ip("-n", space, "addr", "add", f"{self.addresses[4][end]}/24", "dev", device)
            ip("-n", space, "addr", "add", f"{self.addresses[6][end]}/64", "dev", device, "nodad")
            ip("-n", space, "link", "set", device, "up")

    def remove(self):
        for space in self.spaces:
            ip("netns", "del", space, ok=False)


# In the second namespace: answers datagrams, accepts a connection, and captures meanwhile what comes and goes.
FAR = r"""
import os, select, socket, sys, threading, time
device, here4, here6 = sys.argv[1:]
packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.ntohs(3))
packets.bind((device, 3))
packets.setsockopt(socket.SOL_SOCKET, 33, 8 << 20)  # SO_RCVBUFFORCE
one, other = os.pipe()
lines = []
def capture():
    while True:
        ready = select.select([packets, one], [], [])[0]
        if packets in ready:
            frame, where = packets.recvfrom(65536)
            lines.append("%s %04x %s" % ("out" if where[2] == 4 else "in", where[1], frame[14:].hex()))
        elif one in ready:
            return
capturing = threading.Thread(target=capture)
capturing.start()
echoes = []
for family, here in ((socket.AF_INET, here4), (socket.AF_INET6, here6)):
    echo = socket.socket(family, socket.SOCK_DGRAM)
    echo.bind((here, 5005))
    server = socket.socket(family)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((here, 5005))
    server.listen(8)
    echoes += [(echo, server)]
print("ready", flush=True)
for order in sys.stdin:
    echo, server = echoes[0 if order.strip() == "4" else 1]
    data, peer = echo.recvfrom(65536)
    echo.sendto(data, peer)
    peer = server.accept()[0]
    while peer.recv(65536):
        pass
    peer.close()
    # Until the last packet of the connection, which acknowledges our end of it, has come.
    end = time.monotonic() + 60
    while any(line.split()[3] not in ("06", "0A") for name in ("tcp", "tcp6")  # TIME_WAIT, LISTEN
              for line in open("/proc/self/net/" + name).readlines()[1:]):
        if time.monotonic() > end:
            sys.exit("the connection does not end")
        time.sleep(0.01)
    print("done", flush=True)
os.write(other, b"x")
capturing.join()
print("\n".join(lines))
"""

# In the first: datagrams of many kinds, and a connection.
NEAR = r"""
import socket, sys
version, there = sys.argv[1:]
family = socket.AF_INET if version == "4" else socket.AF_INET6
s = socket.socket(family, socket.SOCK_DGRAM)
if version == "4":
    s.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 33)
    s.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 0xb8)
    s.setsockopt(socket.IPPROTO_IP, 10, 0)  # IP_MTU_DISCOVER: may be fragmented
else:
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, 33)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, 0xb8)
s.sendto(b"a" * 4000, (there, 5005))  # in fragments
s.recvfrom(65536)
for size in (0, 1, 100, 1400):
    s.sendto(b"b" * size, (there, 5006))  # nobody is there
c = socket.create_connection((there, 5005))
c.sendall(b"c" * 30000)
c.close()
"""


def header_of(kind, data, protocol):
    """Of a captured packet of this protocol: version, where its header is, payload of IP in bytes, source and target as
    text; None for any other. Of one in fragments the first has it."""
    if kind == "0800":
        header = (data[0] & 15) * 4
        length, fragment, found = struct.unpack_from(">2xH2xHxB", data)
        version, family, length, source, target = 4, socket.AF_INET, length - header, data[12:16], data[16:20]
        found = None if fragment & 0x1fff else found
    elif kind == "86dd":
        version, header = 6, 40
        length, found = struct.unpack_from(">4xHB", data)
        family, source, target = socket.AF_INET6, data[8:24], data[24:40]
    else:
        return None
    if found != protocol:
        return None
    return version, header, length, socket.inet_ntop(family, source), socket.inet_ntop(family, target)


def wait_for(process, file, word):
    end = time.monotonic() + 60
    while word not in open(file.name).read():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"dtrace did not start: {process.stderr.read()}")
        time.sleep(0.02)


def work(pair, far, version):
    print(version, file=far.stdin, flush=True)
    subprocess.run(["ip", "netns", "exec", pair.spaces[0], sys.executable, "-c", NEAR, str(version),
                    pair.addresses[version][1]], check=True, timeout=120)
    if far.stdout.readline() != "done\n":
        sys.exit("the far end failed")


def joined(text):
    """Lines of what each CPU has printed: "CPU|send ..." begins one, and any other "CPU|..." goes on with that CPU's."""
    lines, last = [], {}
    for part in text.splitlines():
        cpu, bar, rest = part.partition("|")
        if not bar:
            continue
        if rest.startswith(("send ", "receive ")):
            last[cpu] = len(lines)
            lines.append(rest)
        else:
            lines[last[cpu]] += rest
    return lines


def trace(pair, dtrace, script, far, version):
    """The lines that the script prints while the two ends talk, as joined() puts them together."""
    with tempfile.NamedTemporaryFile("w+") as out:
        process = subprocess.Popen([dtrace, "-q", "-x", "switchrate=10ms", "-n",
                                    'BEGIN { printf("ready\\n"); }' + script,
                                    *(pair.devices if "$$1" in script else ())],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True)
        wait_for(process, out, "ready")
        work(pair, far, version)
        process.terminate()
        said = process.communicate(timeout=60)[1]
        if process.returncode != 0 or said:
            sys.exit(f"exit status {process.returncode}: {said}")
        return joined(open(out.name).read())


def talk(pair, dtrace, scripts):
    """What scripts[4] and scripts[6] print while the ends talk over IPv4 and IPv6, and what a packet socket at the
    far end has captured meanwhile: lines of its way (in, out), the protocol of its frame and its bytes."""
    far = subprocess.Popen(["ip", "netns", "exec", pair.spaces[1], sys.executable, "-c", FAR, pair.devices[1],
                            pair.addresses[4][1], pair.addresses[6][1]],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if far.stdout.readline() != "ready\n":
        sys.exit("the far end did not start")
    traced = [line for version in (4, 6) for line in trace(pair, dtrace, scripts[version], far, version)]
    return traced, far.communicate(timeout=60)[0].splitlines()
