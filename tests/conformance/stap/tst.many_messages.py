#!/usr/bin/env python3
# @@host
"""udp.* and socket.* of sendmmsg(), recvmmsg() and of sendmsg() with an address; functions of a socket that there is not."""
import os
import subprocess
import sys
import tempfile

PROGRAM = r"""
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
class Header(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("name_size", ctypes.c_uint), ("vector", ctypes.POINTER(Vector)), ("count", ctypes.c_size_t),
                ("control", ctypes.c_void_p), ("control_size", ctypes.c_size_t), ("flags", ctypes.c_int)]
class Message(ctypes.Structure):
    _fields_ = [("header", Header), ("done", ctypes.c_uint)]
kept = []
def messages(sizes, address=None):
    out = (Message * len(sizes))()
    for one, size in zip(out, sizes):
        data = ctypes.create_string_buffer(size)
        vector = (Vector * 1)(Vector(ctypes.cast(data, ctypes.c_void_p), size))
        kept.extend([data, vector])
        one.header.vector, one.header.count = vector, 1
        if address is not None:
            raw = ctypes.create_string_buffer(address, len(address))
            kept.append(raw)
            one.header.name, one.header.name_size = ctypes.cast(raw, ctypes.c_void_p), len(address)
    return out
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to.bind(("127.0.0.1", 0))
port = to.getsockname()[1]
free = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
address = (2).to_bytes(2, "little") + port.to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
assert libc.sendmmsg(free.fileno(), messages([10, 20, 30], address), 3, 0) == 3
assert libc.recvmmsg(to.fileno(), messages([100, 200, 300]), 3, 0, None) == 3
free.sendmsg([b"m" * 7], [], 0, ("127.0.0.1", port))
to.recvmsg(50)
# A segment to a port at which nobody listens is answered with a reset, which is of no socket.
closed = socket.socket()
closed.bind(("127.0.0.1", 0))
assert socket.socket().connect_ex(closed.getsockname()) != 0
os.write(1, b"port %d\n" % port)
"""
SCRIPT = """
global none
probe udp.sendmsg { if (pid() == target()) printf("%s %d %s %d\\n", name, size, daddr, dport) }
probe udp.recvmsg { if (pid() == target()) printf("%s %d\\n", name, size) }
probe socket.sendmsg, socket.recvmsg { if (pid() == target() && family == 2) printf("%s %d\\n", name, size) }
probe udp.sendmsg.return, udp.recvmsg.return { if (pid() == target()) printf("%s.return %d\\n", name, size) }
probe tcpmib.OutRsts {
  if (sk == 0)
    none[tcpmib_get_state(sk), tcpmib_local_addr(sk), tcpmib_local_port(sk), tcpmib_remote_addr(sk), tcpmib_remote_port(sk),
         inet_get_local_port(sk), inet_get_local_addr(sk), inet_get_ip_source(sk)]++
}
probe end { foreach ([a, b, c, d, e, f, s, t] in none) printf("none %d %d %d %d %d %d '%s' '%s'\\n", a, b, c, d, e, f, s, t) }
"""

with tempfile.TemporaryDirectory() as directory:
    program = os.path.join(directory, "program.py")
    with open(program, "w") as file:
        file.write(PROGRAM)
    run = subprocess.run([os.environ["STAP"], "-e", SCRIPT, "-c", f"{sys.executable} {program}"], capture_output=True, text=True)
lines = run.stdout.splitlines()
port = next((line.split()[1] for line in lines if line.startswith("port ")), "unknown")
wanted = {
    "udp.sendmsg": [f"60 127.0.0.1 {port}", f"7 127.0.0.1 {port}"],
    "udp.recvmsg": ["600", "50"],
    "socket.sendmsg": ["60", "7"],
    "socket.recvmsg": ["600", "50"],
    "udp.sendmsg.return": ["10", "20", "30", "7"],
    "udp.recvmsg.return": ["10", "20", "30", "7"],
    "none": ["0 0 0 0 0 0 '' ''"],
}
bad = []
for name, values in wanted.items():
    seen = [line.split(" ", 1)[1] for line in lines if line.split(" ", 1)[0] == name]
    if seen != values:
        bad.append(f"{name}: {seen}")
if run.returncode != 0 or run.stderr:
    bad.append(f"status {run.returncode}")
for one in bad:
    print(one)
if bad:
    print(run.stdout, run.stderr)
sys.exit(1 if bad else 0)
