#!/usr/bin/env python3
"""What tcpsinfo_t says of a connection is what the kernel tells its program: TCP_INFO, and the numbers of TCP_REPAIR."""
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from network import wait_for  # noqa: E402

DTRACE = os.environ["DTRACE"]
SKIP = 77
TCP_INFO, TCP_REPAIR, TCP_REPAIR_QUEUE, TCP_QUEUE_SEQ = 11, 19, 20, 21
REPAIR_ON, REPAIR_OFF_NO_PROBE, RECEIVED, SENT = 1, -1, 1, 2
LARGEST = 0x7fffffff
# In groups, for the verifier of Linux 6.1.
GROUPS = [["tcps_suna", "tcps_snxt", "tcps_rack", "tcps_rnxt", "tcps_sack_fack", "tcps_sack_snxt"],
          ["tcps_swnd", "tcps_rwnd", "tcps_snd_ws", "tcps_rcv_ws", "tcps_mss", "tcps_srtt", "tcps_rto"],
          ["tcps_cwnd", "tcps_cwnd_ssthresh", "tcps_local", "tcps_state", "tcps_lport", "tcps_rport"]]


def told(s):
    """What the kernel tells of the connection, by our names. All that was sent has been acknowledged."""
    info = s.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 256)
    scales, = struct.unpack_from("B", info, 6)
    rto, _, mss = struct.unpack_from("III", info, 8)
    rtt, _, threshold, window = struct.unpack_from("IIII", info, 68)
    s.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, REPAIR_ON)
    numbers = []
    for queue in (SENT, RECEIVED):
        s.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR_QUEUE, queue)
        numbers.append(s.getsockopt(socket.IPPROTO_TCP, TCP_QUEUE_SEQ) & 0xffffffff)
    _, sent_window, _, received_window, update = struct.unpack("5I", s.getsockopt(socket.IPPROTO_TCP, 29, 20))  # ..._WINDOW
    s.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, REPAIR_OFF_NO_PROBE)
    return {
        "tcps_suna": numbers[0], "tcps_snxt": numbers[0], "tcps_sack_fack": numbers[0], "tcps_sack_snxt": numbers[0],
        "tcps_rnxt": numbers[1], "tcps_rack": update, "tcps_swnd": sent_window, "tcps_rwnd": received_window,
        "tcps_snd_ws": scales & 15, "tcps_rcv_ws": scales >> 4, "tcps_mss": mss, "tcps_srtt": rtt, "tcps_rto": rto // 1000,
        "tcps_cwnd": window * mss, "tcps_cwnd_ssthresh": LARGEST if threshold >= LARGEST else threshold * mss,
        "tcps_local": 1, "tcps_state": 4, "tcps_lport": s.getsockname()[1], "tcps_rport": s.getpeername()[1],
    }


def is_idle(s):
    info = s.getsockopt(socket.IPPROTO_TCP, TCP_INFO, 256)
    return struct.unpack_from("I", info, 24)[0] == 0  # tcpi_unacked


def run(family, address):
    with socket.socket(family) as server, tempfile.NamedTemporaryFile("w+") as out:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 50000)
        server.bind((address, 0))
        server.listen()
        c = socket.socket(family)
        c.connect(server.getsockname())
        peer = server.accept()[0]
        for _ in range(30):
            c.sendall(b"x" * 3000)
            peer.recv(1 << 16)
            peer.sendall(b"y" * 70)
            c.recv(1 << 16)
        while not (is_idle(c) and is_idle(peer)):
            time.sleep(0.01)
        clauses = "".join(
            f"tcp:::state-change /args[3]->tcps_lport == {c.getsockname()[1]} && args[3]->tcps_state == 4/ "
            f'{{ printf("{" ".join(f"{name}=%d" for name in group)}\\n", {", ".join(f"args[3]->{name}" for name in group)}); }}'
            for group in GROUPS)
        dtrace = subprocess.Popen([DTRACE, "-q", "-n", 'BEGIN { printf("on\\n"); }' + clauses], stdout=out,
                                  stderr=subprocess.PIPE, text=True)
        try:
            wait_for(dtrace, out, "on")
            wanted = told(c)
            c.close()
            while peer.recv(100):
                pass
            peer.close()
        finally:
            dtrace.send_signal(signal.SIGINT)
            errors = dtrace.communicate(timeout=60)[1]
        text = open(out.name).read()
    if "drop" in errors:
        again(errors)
        return run(family, address)
    if errors:
        sys.exit(errors)
    seen = {name: int(value) for name, value in re.findall(r"(\w+)=(-?\d+)", text)}
    # The kernel rounds this time up to its next tick, of which there are 100 in a second at least.
    if 0 <= wanted["tcps_rto"] - seen.get("tcps_rto", 0) <= 10:
        seen["tcps_rto"] = wanted["tcps_rto"]
    if seen != wanted:
        sys.exit(f"seen {seen}\nwanted {wanted}")
    print(seen)


try:
    run(socket.AF_INET, "127.0.0.1")
except PermissionError as error:  # TCP_REPAIR
    print(f"the kernel does not tell the numbers of a connection: {error}")
    sys.exit(SKIP)
run(socket.AF_INET6, "::1")
