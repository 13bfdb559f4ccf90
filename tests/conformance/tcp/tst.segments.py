#!/usr/bin/env python3
"""Segments between two network namespaces, over both families: each that tcp:::send and tcp:::receive see is one that a
packet socket at the same interface has captured, with the same header, and none is missing; and what sends a connection's
segments is that connection."""
import collections
import os
import struct
import sys

sys.path.insert(0, os.environ["TESTS"])
import network  # noqa: E402

DTRACE = os.environ["DTRACE"]
PAIR = network.Pair("s", {4: ("10.80.0.1", "10.80.0.2"), 6: ("fd80::1", "fd80::2")})
TCP = 6
ESTABLISHED = 1
# Ours are the addresses; in clauses, for the verifier of Linux 6.1.
SCRIPT = """
tcp:::send, tcp:::receive
/args[2]->ip_saddr == "{near}" || args[2]->ip_saddr == "{far}"/
{{
	printf("\\n%d|%s %d %d %s %s %d %d %u %u", cpu, probename, args[2]->ip_ver, args[2]->ip_plength, args[2]->ip_saddr,
	    args[2]->ip_daddr, args[4]->tcp_sport, args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack);
	self->mine = 1;
}}
tcp:::send, tcp:::receive
/self->mine/
{{
	printf("\\n%d| %d %x %d %d %d %s %d %s %d", cpu, args[4]->tcp_offset, args[4]->tcp_flags, args[4]->tcp_window,
	    args[4]->tcp_checksum, args[4]->tcp_urgent, args[3]->tcps_laddr, args[3]->tcps_lport, args[3]->tcps_raddr,
	    args[3]->tcps_rport);
}}
tcp:::send, tcp:::receive
/self->mine/
{{
	printf("\\n%d|/%d %d %d %d", cpu, args[1]->cs_addr != 0, args[3]->tcps_addr == args[1]->cs_addr, args[3]->tcps_state,
	    args[3]->tcps_mss);
	self->mine = 0;
}}
"""


def shown(probe, kind, data):
    """What the script prints of a packet's bytes; None when it is no segment of TCP."""
    found = network.header_of(kind, data, TCP)
    if found is None:
        return None
    version, header, length, source, target = found
    here, there, seq, ack, offset, flags, window, checksum, urgent = struct.unpack_from(">HHIIBBHHH", data, header)
    own, other = (source, here), (target, there)
    if probe == "receive":
        own, other = other, own
    return (f"{probe} {version} {length} {source} {target} {here} {there} {seq} {ack} "
            f"{(offset >> 4) * 4} {flags:x} {window} {checksum} {urgent} {own[0]} {own[1]} {other[0]} {other[1]}")


def check_socket(line, text):
    """Of a segment with data, and of an answer to one, the sender is the connection."""
    known, same, state, mss = (int(word) for word in text.split())
    words = line.split()
    payload = int(words[2]) - int(words[9])
    if words[0] == "receive":
        return (known, same, state, mss) == (0, 1, 0, 0)
    if payload > 0:
        # The end may be in the same segment as the last data: then it is on its way out of that state.
        return known == 1 and same == 1 and state in (ESTABLISHED, 4, 8) and mss > 0
    return same == 1 and (known == 1) == (state != 0) == (mss > 0)


def main():
    scripts = {version: SCRIPT.format(near=near, far=far) for version, (near, far) in PAIR.addresses.items()}
    traced, captured = network.talk(PAIR, DTRACE, scripts)
    parts = [line.split("/") for line in traced]
    wrong = [line for line, text in parts if not check_socket(line, text)]
    have = collections.Counter(line for line, _ in parts)
    want = collections.Counter()
    for line in captured:
        kind, data = (line.split(" ") + [""])[1:3]
        # What goes out of one end comes into the other.
        for probe in ("send", "receive"):
            text = shown(probe, kind, bytes.fromhex(data))
            if text is not None:
                want[text] += 1
    print(sum(have.values()), "segments seen,", sum(want.values()), "captured at both ends")
    for key in sorted((have | want).keys()):
        if have[key] != want[key]:
            print(f"seen {have[key]}, captured {want[key]}: {key}")
    for line in traced:
        if line.split("/")[0] in wrong:
            print("not its connection:", line)
    sent = sum(1 for line, text in parts if line.startswith("send") and text.startswith("1"))
    if have != want or wrong or len(have) < 20 or sent < 10:
        sys.exit("they differ")


try:
    PAIR.make()
    main()
finally:
    PAIR.remove()
