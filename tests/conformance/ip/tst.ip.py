#!/usr/bin/env python3
"""Packets between two network namespaces, over both families: each that ip's probes see is one that a
packet socket at the same interface has captured, with the same header, and none is missing."""
import collections
import os
import re
import socket
import struct
import sys

sys.path.insert(0, os.environ["TESTS"])
import network  # noqa: E402

DTRACE = os.environ["DTRACE"]
PAIR = network.Pair("i", {4: ("10.78.0.1", "10.78.0.2"), 6: ("fd78::1", "fd78::2")})
TCP, UDP, ICMP, ICMPV6 = 6, 17, 1, 58
NAMES = {TCP: "TCP", UDP: "UDP", ICMP: "ICMP", ICMPV6: "ICMPV6", 44: "44", 0: "0"}

COMMON = """
ip:::send, ip:::receive
/(args[3]->if_name == $$1 || args[3]->if_name == $$2) && args[2]->ip_ver == {version}/
{{
	printf("\\n%d|%s %s %d %d %s %s ", cpu, probename, args[3]->if_name, args[2]->ip_ver, args[2]->ip_plength,
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
	printf("\\n%d| %d %d %s %s", cpu, args[3]->if_local, args[1]->cs_addr == args[1]->cs_cid, {other});
	self->mine = 0;
}}
"""
# In clauses, and of one version at a time, for the verifier of Linux 6.1.
SCRIPTS = {
    4: COMMON.format(version=4, other="args[5]->ipv6_saddr, args[5]->ipv6_nextstr", own="""
	printf("\\n%d|%d %d %d %d %d %d %d %d %s %d %s %s", cpu, args[4]->ipv4_ihl, args[4]->ipv4_tos, args[4]->ipv4_length,
	    args[4]->ipv4_ident, args[4]->ipv4_flags, args[4]->ipv4_offset, args[4]->ipv4_ttl, args[4]->ipv4_protocol,
	    args[4]->ipv4_protostr, args[4]->ipv4_checksum, args[4]->ipv4_saddr, args[4]->ipv4_daddr);"""),
    6: COMMON.format(version=6, other="args[4]->ipv4_saddr, args[4]->ipv4_protostr", own="""
	printf("\\n%d|%d %d %d %d %s %d %s %s", cpu, args[5]->ipv6_tclass, args[5]->ipv6_flow, args[5]->ipv6_plen,
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


def main():
    near_device, far_device = PAIR.devices
    traced, captured = network.talk(PAIR, DTRACE, SCRIPTS)
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
