#!/usr/bin/env python3
# @@host
"""tcp.* and udp.* where no function is traced: the segments of two connections, and how many bytes are sent and received."""
import os
import subprocess
import sys

SERVER = """
import socket
for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    listening = socket.socket(family)
    listening.bind((address, 0))
    listening.listen(1)
    client = socket.socket(family)
    client.connect(listening.getsockname())
    server, _ = listening.accept()
    client.sendall(b"x" * 123)
    server.recv(1000)
    print(address, client.getsockname()[1], listening.getsockname()[1], flush=True)
    client.close()
    server.recv(1)
    server.close()
    listening.close()
a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
a.send(b"z" * 55)
b.recv(55)
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to.bind(("127.0.0.1", 0))
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"y" * 77, to.getsockname())
to.recv(100)
"""
SCRIPT = """
probe tcp.receive { printf("segment %s %d %s %d %d%d%d%d %s\\n", saddr, sport, daddr, dport, ack, rst, syn, fin, name) }
probe tcp.sendmsg.return, tcp.recvmsg.return, udp.sendmsg.return, udp.recvmsg.return {
  if (pid() == target()) printf("%s %d\\n", name, size)
}
probe tcp.state {
  if (newstate == 1) printf("open %s %d %s %d\\n", saddr, sport, daddr, dport)
}
probe kernel.trace("inet_sock_set_state") {
  if ($newstate == 1) printf("port %d %s\\n", inet_get_local_port($sk), inet_get_ip_source($sk))
}
"""

run = subprocess.run([os.environ["STAP"], "-e", SCRIPT, "-c", f"{sys.executable} -c '{SERVER}'"], capture_output=True, text=True)
lines = run.stdout.splitlines()
bad = []
connections = [line.split() for line in lines if line.startswith(("127.0.0.1 ", "::1 "))]
if len(connections) != 2:
    bad.append("two connections")
for address, client, server in connections:
    mine = [line.split() for line in lines if line.startswith("segment") and client in line.split() and server in line.split()]
    flags = [(one[2], one[5]) for one in mine]
    wanted = [(client, "0010"), (server, "1010"), (client, "1000")]
    if flags[:3] != wanted:
        bad.append(f"the handshake of {address}: {flags}")
    for end in (client, server):
        if (end, "1001") not in flags:
            bad.append(f"no end by {end}")
    if any(one[1] != address or one[3] != address or one[6] != "tcp.receive" for one in mine):
        bad.append(f"addresses: {mine}")
    if f"open {address} {client} {address} {server}" not in lines:
        bad.append(f"it is not opened: {client}")
    if f"port {client} {address}" not in lines:
        bad.append(f"no local port {client}")
sizes = [line for line in lines if "msg" in line.split()[0]]
if sizes != ["tcp.sendmsg 123", "tcp.recvmsg 123", "tcp.recvmsg 0"] * 2 + ["udp.sendmsg 77", "udp.recvmsg 77"]:
    bad.append(f"sizes: {sizes}")
for one in bad:
    print(one)
if bad:
    print(run.stdout, run.stderr)
sys.exit(1 if bad else 0)
