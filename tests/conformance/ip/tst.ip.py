#!/usr/bin/env python3
"""Packets between two network namespaces, over both families: each that ip's probes see is one that a
packet socket at the same interface has captured, with the same header, and none is missing."""
import collections
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
import network  # noqa: E402

DTRACE = os.environ["DTRACE"]
PAIR = network.Pair("i", {4: ("10.78.0.1", "10.78.0.2"), 6: ("fd78::1", "fd78::2")})
TCP, UDP, ICMP, ICMPV6 = 6, 17, 1, 58
NAMES = {TCP: "TCP", UDP: "UDP", ICMP: "ICMP", ICMPV6: "ICMPV6", 44: "44", 0: "0"}

# In the second namespace: answers datagrams, accepts a connection, and captures meanwhile what comes and goes.
FAR = r"""
import os, select, socket, sys, threading
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

COMMON = """
ip:::send, ip:::receive
/(args[3]->if_name == $$1 || args[3]->if_name == $$2) && args[2]->ip_ver == {version}/
{{
	printf("\\n%s %s %d %d %s %s ", probename, args[3]->if_name, args[2]->ip_ver, args[2]->ip_plength,
	    args[2]->ip_saddr, args[2]->ip_daddr);
	self->mine = 1;
}}
ip:::send, ip:::receive
/self->mine/
{{
	{own}
}}
ip:::send, ip:::receive
/self->mine/
{{
	printf(" %d %d %s %s", args[3]->if_local, args[1]->cs_addr == args[1]->cs_cid, {other});
	self->mine = 0;
}}
"""
# In clauses, and of one version at a time, for the verifier of Linux 6.1.
SCRIPTS = {
    4: COMMON.format(version=4, other="args[5]->ipv6_saddr, args[5]->ipv6_nextstr", own="""
	printf("%d %d %d %d %d %d %d %d %s %d %s %s", args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length,
	    args[4]->ipv4_ident, args[4]->ipv4_flags, args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protocol,
	    args[4]->ipv4_protostr, args[4]->ipv4_checksum, args[4]->ipv4_saddr, args[4]->ipv4_daddr);"""),
    6: COMMON.format(version=6, other="args[4]->ipv4_saddr, args[4]->ipv4_protostr", own="""
	printf("%d %d %d %d %s %d %s %s", args[5]->ipv6_tclass, args[5]->ipv6_flow, args[5]->ipv6_plen,
	    args[5]->ipv6_nexthdr, args[5]->ipv6_nextstr, args[5]->ipv6_hlim, args[5]->ipv6_saddr, args[5]->ipv6_daddr);"""),
}
REST = " 0 1 <null> <null>"


def shown(kind, packet):
    """What the script prints of a packet's bytes; None when it is not of IP."""
    if kind == "0800":
        _, tos, length, ident, fragment, ttl, protocol, checksum, source, target = struct.unpack_from(">BBHHHBBH4s4s", packet)
        size = (packet[0] & 15) * 4
        source, target = (socket.inet_ntop(socket.AF_INET, each) for each in (source, target))
        return (f"4 {length - size} {source} {target} {size} {tos} {length} {ident} {fragment >> 13 << 1} "
                f"{(fragment & 0x1fff) * 8} {ttl} {protocol} {NAMES[protocol]} {checksum} {source} {target}" + REST)
    if kind == "86dd":
        first, length, following, hops, source, target = struct.unpack_from(">IHBB16s16s", packet)
        source, target = (socket.inet_ntop(socket.AF_INET6, each) for each in (source, target))
        return (f"6 {length} {source} {target} {first >> 20 & 255} {first & 0xfffff} {length} {following} "
                f"{NAMES[following]} {hops} {source} {target}" + REST)
    return None


def work(far, version):
    print(version, file=far.stdin, flush=True)
    subprocess.run(["ip", "netns", "exec", PAIR.spaces[0], sys.executable, "-c", NEAR, str(version),
                    PAIR.addresses[version][1]], check=True, timeout=120)
    if far.stdout.readline() != "done\n":
        sys.exit("the far end failed")


def wait_for(process, file, word):
    end = time.monotonic() + 60
    while word not in open(file.name).read():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit(f"dtrace did not start: {process.stderr.read()}")
        time.sleep(0.02)


def trace(far, version):
    """The lines that the script prints while the two ends talk."""
    with tempfile.NamedTemporaryFile("w+") as out:
        process = subprocess.Popen([DTRACE, "-q", "-x", "switchrate=10ms", "-n",
                                    'BEGIN { printf("ready\\n"); }' + SCRIPTS[version], *PAIR.devices],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True)
        wait_for(process, out, "ready")
        work(far, version)
        time.sleep(0.5)  # what is still on its way, such as the last ACK
        process.terminate()
        said = process.communicate(timeout=60)[1]
        if process.returncode != 0 or said:
            sys.exit(f"exit status {process.returncode}: {said}")
        return open(out.name).read().splitlines()


def main():
    near_device, far_device = PAIR.devices
    far = subprocess.Popen(["ip", "netns", "exec", PAIR.spaces[1], sys.executable, "-c", FAR, far_device,
                            PAIR.addresses[4][1], PAIR.addresses[6][1]],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    if far.stdout.readline() != "ready\n":
        sys.exit("the far end did not start")
    traced = trace(far, 4) + trace(far, 6)
    captured = far.communicate(timeout=60)[0].splitlines()
    have, want = collections.Counter(), collections.Counter()
    for line in traced:
        probe, device, rest = (line.split(" ", 2) + ["", ""])[:3]
        if probe in ("send", "receive"):
            have[(probe, device, rest)] += 1
    for line in captured:
        way, kind, data = (line.split(" ") + [""])[:3]
        text = shown(kind, bytes.fromhex(data))
        if text is None:
            continue
        # What comes out of one end goes into the other.
        ways = (("send", near_device), ("receive", far_device)) if way == "in" else (("send", far_device), ("receive", near_device))
        for probe, device in ways:
            want[(probe, device, text)] += 1
    # Talk of neighbours may come before the capture begins, or after it has ended.
    for counter in (have, want):
        for key in [key for key in counter if re.search(rf" (fe80|ff02)::| {ICMPV6} ICMPV6 255 ", key[2])]:
            del counter[key]
    print(sum(have.values()), "packets seen,", sum(want.values()), "captured at both ends")
    for key in sorted((have | want).keys()):
        if have[key] != want[key]:
            print(f"seen {have[key]}, captured {want[key]}: {' '.join(key)}")
    if have != want:
        sys.exit("they differ")
    for text in (" 17 UDP ", " 6 TCP ", " 1 ICMP ", " 58 ICMPV6 ", " 1480 33 "):
        if not any(text in key[2] for key in have):
            sys.exit(f"no packet has '{text}'")


try:
    PAIR.make()
    main()
finally:
    PAIR.remove()
