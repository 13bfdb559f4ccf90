#!/usr/bin/env python3
"""tcps_retransmit at tcp:::send: the bytes of the segments that have it are those that the kernel says it has sent again."""
import os
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from network import Pair, ip, wait_for  # noqa: E402

DTRACE = os.environ["DTRACE"]
PORT, SILENT = 5011, 5012
PAIR = Pair("g", {4: ("10.83.0.1", "10.83.0.2"), 6: ("fd83::1", "fd83::2")})
FAR = r"""
import socket, sys
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind((sys.argv[1], int(sys.argv[2])))
server.listen()
print("ready", flush=True)
peer = server.accept()[0]
while peer.recv(1 << 16):
    pass
"""
# Sends to what is there, to what has gone for a while, and asks for a connection to what never was there.
NEAR = r"""
import fcntl, socket, struct, sys, time
there, port, silent = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def told(s):  # tcpi_bytes_retrans, tcpi_total_retrans
    info = s.getsockopt(socket.IPPROTO_TCP, 11, 256)
    return struct.unpack_from("Q", info, 208)[0], struct.unpack_from("I", info, 100)[0]
def until(condition):
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            sys.exit("what was wanted has not come")
        time.sleep(0.02)
def is_sent(s):
    return fcntl.ioctl(s, 0x5411, b"1234") == b"\0\0\0\0"  # SIOCOUTQ
c = socket.create_connection((there, port))
for i in range(20):
    c.sendall(b"a" * 3000)
until(lambda: is_sent(c))
before = told(c)
print("cut", flush=True)
sys.stdin.readline()
c.sendall(b"c" * 30000)
until(lambda: told(c)[1] >= 3)
print("mend", flush=True)
sys.stdin.readline()
until(lambda: is_sent(c))
s = socket.socket()
s.setblocking(False)
s.connect_ex((there.rsplit(".", 1)[0] + ".77", silent))
until(lambda: told(s)[1] >= 1)
again = told(s)[1]
s.close()
print("told", *before, told(c)[0], again, flush=True)
sys.stdin.readline()
"""
SCRIPT = f"""
BEGIN {{ printf("on\\n"); }}
tcp:::send
/args[3]->tcps_rport == {PORT} && args[3]->tcps_laddr == "{PAIR.addresses[4][0]}"/
{{
	this->data = args[2]->ip_plength - args[4]->tcp_offset;
	@bytes[args[3]->tcps_retransmit] = sum(this->data);
}}
tcp:::send
/args[3]->tcps_rport == {SILENT}/
{{
	@asked[args[3]->tcps_retransmit] = count();
}}
tcp:::receive
/args[3]->tcps_lport == {PORT}/
{{
	@received = max(args[3]->tcps_retransmit);
}}
END {{ printa("bytes %d %@d\\n", @bytes); printa("asked %d %@d\\n", @asked); printa("received %@d\\n", @received); }}
"""


def inside(space, *words):
    return subprocess.Popen(["ip", "netns", "exec", space, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def traffic():
    """What the near end's kernel tells: bytes sent again, SYNs sent again."""
    address = PAIR.addresses[4][1]
    far = inside(PAIR.spaces[1], sys.executable, "-c", FAR, address, str(PORT))
    try:
        far.stdout.readline()
        # Nobody need ask who this one is, which is not there.
        ip("-n", PAIR.spaces[0], "neigh", "replace", address.rsplit(".", 1)[0] + ".77", "lladdr", "02:00:00:00:00:01",
           "dev", PAIR.devices[0])
        near = inside(PAIR.spaces[0], sys.executable, "-c", NEAR, address, str(PORT), str(SILENT))
        for line in near.stdout:
            if line.startswith("told"):
                near.communicate("\n", timeout=60)
                return [int(word) for word in line.split()[1:]]
            change = "del" if line.strip() == "cut" else "add"
            ip("-n", PAIR.spaces[1], "addr", change, f"{address}/24", "dev", PAIR.devices[1])
            print(file=near.stdin, flush=True)
        sys.exit("the near end has failed")
    finally:
        far.kill()
        far.wait()


def run():
    """What was seen and what is wanted, and what dtrace says."""
    with tempfile.NamedTemporaryFile("w+") as out:
        dtrace = subprocess.Popen([DTRACE, "-q", "-x", "aggsortkey", "-n", SCRIPT], stdout=out, stderr=subprocess.PIPE, text=True)
        try:
            wait_for(dtrace, out, "on")
            bytes_before, segments_before, bytes_again, asked_again = traffic()
        finally:
            dtrace.send_signal(signal.SIGINT)
            errors = dtrace.communicate(timeout=60)[1]
        seen = {tuple(line.split()[:-1]): int(line.split()[-1]) for line in open(out.name).read().splitlines() if " " in line}
    if (bytes_before, segments_before) != (0, 0) or bytes_again == 0:
        sys.exit(f"sent again: {bytes_before} {segments_before} {bytes_again}")
    wanted = {("bytes", "0"): 90000, ("bytes", "1"): bytes_again, ("asked", "0"): 1, ("asked", "1"): asked_again, ("received",): 0}
    return seen, wanted, errors


while True:
    try:
        PAIR.make()
        seen, wanted, errors = run()
    finally:
        PAIR.remove()
    if "drop" not in errors:
        break
    again(errors)
print(seen, wanted, errors)
if seen != wanted or errors:
    sys.exit("not what the kernel tells")
