#!/usr/bin/env python3
"""Datagrams between two network namespaces, over both families: each that udp's probes see is one that a packet
socket at the same interface has captured, with the same header, and none is missing."""
import collections
import os
import struct
import sys

sys.path.insert(0, os.environ["TESTS"])
import network  # noqa: E402

DTRACE = os.environ["DTRACE"]
PAIR = network.Pair("u", {4: ("10.79.0.1", "10.79.0.2"), 6: ("fd79::1", "fd79::2")})
UDP = 17
# Ours are the addresses; in clauses, for the verifier of Linux 6.1.
SCRIPT = """
udp:::send, udp:::receive
/args[2]->ip_saddr == "{near}" || args[2]->ip_saddr == "{far}"/
{{
	printf("\\n%d|%s %d %d %s %s %d %d %d %d", cpu, probename, args[2]->ip_ver, args[2]->ip_plength, args[2]->ip_saddr,
	    args[2]->ip_daddr, args[4]->udp_sport, args[4]->udp_dport, args[4]->udp_length, args[4]->udp_checksum);
	self->mine = 1;
}}
udp:::send, udp:::receive
/self->mine/
{{
	printf("\\n%d| %s %d %s %d", cpu, args[3]->udps_laddr, args[3]->udps_lport, args[3]->udps_raddr, args[3]->udps_rport);
	self->mine = 0;
}}
udp:::send
/args[1]->cs_addr != args[3]->udps_addr/
{{
	printf("\\n%d|, not the socket of the datagram", cpu);
}}
"""


def shown(probe, kind, data):
    """What the script prints of a packet's bytes; None when it does not begin a datagram of UDP."""
    found = network.header_of(kind, data, UDP)
    if found is None:
        return None
    version, header, length, source, target = found
    here, there, size, checksum = struct.unpack_from(">HHHH", data, header)
    own, other = (source, here), (target, there)
    if probe == "receive":
        own, other = other, own
    return (f"{probe} {version} {length} {source} {target} {here} {there} {size} {checksum} "
            f"{own[0]} {own[1]} {other[0]} {other[1]}")


def main():
    scripts = {version: SCRIPT.format(near=near, far=far) for version, (near, far) in PAIR.addresses.items()}
    traced, captured = network.talk(PAIR, DTRACE, scripts)
    have = collections.Counter(traced)
    want = collections.Counter()
    for line in captured:
        kind, data = (line.split(" ") + [""])[1:3]
        # What goes out of one end comes into the other.
        for probe in ("send", "receive"):
            text = shown(probe, kind, bytes.fromhex(data))
            if text is not None:
                want[text] += 1
    print(sum(have.values()), "datagrams seen,", sum(want.values()), "captured at both ends")
    for key in sorted((have | want).keys()):
        if have[key] != want[key]:
            print(f"seen {have[key]}, captured {want[key]}: {key}")
    if have != want or len(have) < 20:
        sys.exit("they differ")


try:
    PAIR.make()
    main()
finally:
    PAIR.remove()
