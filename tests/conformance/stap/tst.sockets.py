#!/usr/bin/env python3
# @@host
"""socket.*, tcp.*, udp.* and tcpmib.*: what a program asks of its sockets, against what it did and what the kernel counted."""
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = r"""
import os, socket, struct
a, b = socket.socketpair()
a.send(b"x" * 55)
b.recv(100)
os.write(a.fileno(), b"y" * 11)
os.read(b.fileno(), 77)
os.writev(a.fileno(), [b"a" * 3, b"b" * 4])
os.readv(b.fileno(), [bytearray(5), bytearray(6)])
a.sendmsg([b"1" * 9, b"2" * 10])
b.recvmsg(500)
os.write(1, b"no socket\n")
a.close()
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    listening = socket.socket(family)
    listening.bind((address, 0))
    listening.listen(1)
    client = socket.socket(family)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.connect(listening.getsockname())
    server, _ = listening.accept()
    client.send(b"x" * 123)
    server.recv(1000)
    os.write(client.fileno(), b"12345")
    try:
        client.setsockopt(socket.IPPROTO_TCP, 999, 1)
    except OSError:
        pass
    to = socket.socket(family, socket.SOCK_DGRAM)
    to.bind((address, 0))
    free = socket.socket(family, socket.SOCK_DGRAM)
    free.sendto(b"z" * 77, to.getsockname())
    to.recv(100)
    free.connect(to.getsockname())
    free.send(b"q" * 5)
    ports = client, listening, to, free
    # In one piece, as stap writes to the same pipe.
    os.write(1, f"ports {address} {' '.join(str(one.getsockname()[1]) for one in ports)}\n".encode())
server.close()
client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
for _ in range(2):
    try:
        socket.create_connection(("127.77.0.1", 1))  # no other test does that
    except OSError:
        pass
client = socket.create_connection(listening.getsockname()[:2])
server, _ = listening.accept()
client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
client.close()
"""
SCRIPT = """
probe socket.{sendmsg,recvmsg,aio_write,write_iter,writev,aio_read,read_iter,readv}, socket.{aio_write,write_iter,writev,aio_read,read_iter,readv}.return,
      socket.{send,receive,sendmsg.return,recvmsg.return} {
  if (pid() == target() && family == 1) printf("local %s %d %d %d %d\\n", name, size, type, protocol, state)
}
probe socket.close { if (pid() == target() && family == 1) printf("close %s %d %d\\n", name, type, state) }
probe socket.close.return { if (pid() == target()) closed++ }
probe socket.create.return { if (pid() == target()) printf("made %d %d %d\\n", family, type, success) }
probe tcp.{sendmsg,recvmsg}, tcp.{sendmsg,recvmsg}.return, udp.{sendmsg,recvmsg} {
  if (pid() == target()) printf("%s %d %d %s %d %s %d\\n", name, size, family, saddr, sport, daddr, dport)
}
probe tcp.setsockopt { if (pid() == target()) printf("%s %d %d %s %d %d\\n", name, level, optname, optstr, optlen, sock != 0) }
probe tcp.setsockopt.return { if (pid() == target()) printf("set %d\\n", ret) }
probe tcpmib.{ActiveOpens,AttemptFails,CurrEstab,EstabResets} {
  if (tcpmib_filter_key(sk, op)) counts[name, op, ip_ntop(htonl(tcpmib_remote_addr(sk))), tcpmib_remote_port(sk), tcpmib_get_state(sk) > 0]++
}
probe kernel.trace("netif_receive_skb") {
  if (ntohs($skb->protocol) == 0x800 && ipmib_get_proto($skb) == 6)
    packets[ip_ntop(htonl(ipmib_local_addr($skb, 0))), ipmib_tcp_local_port($skb, 0), ip_ntop(htonl(ipmib_remote_addr($skb, 0))), ipmib_tcp_remote_port($skb, 0)]++
}
global counts, packets, closed
probe end {
  println(closed > 3)
  foreach ([name, op, to, port, state] in counts) printf("count %s %d %s %d %d %d\\n", name, op, to, port, state, counts[name, op, to, port, state])
  foreach ([a, p, b, q] in packets) printf("packet %s %d %s %d\\n", a, p, b, q)
}
"""

with tempfile.TemporaryDirectory() as directory:
    program = os.path.join(directory, "program.py")
    with open(program, "w") as file:
        file.write(PROGRAM)
    run = subprocess.run([os.environ["STAP"], "-e", SCRIPT, "-c", f"{sys.executable} {program}"], capture_output=True, text=True)
lines = run.stdout.splitlines()
bad = []
local = [line.split(" ", 1)[1] for line in lines if line.startswith("local ")]
for name, sizes in {"socket.sendmsg": [55, 11, 7, 19], "socket.recvmsg": [100, 77, 11, 500], "socket.send": [55, 11, 7, 19],
                    "socket.receive": [55, 11, 7, 19], "socket.sendmsg.return": [55, 11, 7, 19], "socket.recvmsg.return": [55, 11, 7, 19],
                    "socket.aio_write": [11, 11, 7, 7], "socket.write_iter": [11, 11, 7, 7], "socket.writev": [7, 7],
                    "socket.aio_read": [77, 11, 11, 7], "socket.read_iter": [77, 11, 11, 7], "socket.readv": [11, 7]}.items():
    seen = [one.split()[1:] for one in local if one.split()[0] == name]
    # The kernel 7.2 leaves the state of a local socket as it was when it was made.
    state = "1" if seen and seen[0][3] == "1" else "3"
    if seen != [[str(size), "1", "0", state] for size in sizes]:
        bad.append(f"{name}: {seen}")
wanted = [f"close socket.close 1 {state}", "made 2 1 1", "made 10 2 1", "tcp.setsockopt 6 1 TCP_NODELAY 4 1", "set 0", "set -92", "1",
          "tcp.setsockopt 6 999 UNKNOWN(999) 4 1", "count tcpmib.ActiveOpens 1 127.77.0.1 1 1 2", "count tcpmib.AttemptFails 1 127.77.0.1 1 1 2"]
ports = [line.split()[1:] for line in lines if line.startswith("ports ")]
for address, client, listening, to, free in ports:
    family = 2 if "." in address else 10
    any_address = "0.0.0.0" if family == 2 else "::"
    wanted += [f"tcp.sendmsg 123 {family} {address} {client} {address} {listening}", f"tcp.sendmsg 5 {family} {address} {client} {address} {listening}",
               f"tcp.recvmsg 1000 {family} {address} {listening} {address} {client}", f"tcp.recvmsg 123 {family} {address} {listening} {address} {client}",
               f"udp.sendmsg 77 {family} {any_address} 0 {address} {to}", f"udp.sendmsg 5 {family} {address} {free} {address} {to}",
               f"udp.recvmsg 100 {family} {address} {to} {any_address} 0"]
    if family == 2:
        wanted += [f"packet {address} {listening} {address} {client}", f"packet {address} {client} {address} {listening}"]
        wanted += [f"count tcpmib.ActiveOpens 1 {address} {listening} 1 1"]
bad += [f"not seen: {one}" for one in wanted if one not in lines]
if len(ports) != 2:
    bad.append("two families")
if any("sock" in line and "tcp.setsockopt 1 " in line for line in lines):
    bad.append("SOL_SOCKET is no option of TCP")
if not any(re.match("count tcpmib.EstabResets 1 ", line) for line in lines) or not any(re.match("count tcpmib.CurrEstab -1 ", line) for line in lines):
    bad.append("resets")
for one in bad:
    print(one)
if bad:
    print(run.stdout, run.stderr)
sys.exit(1 if bad else 0)
