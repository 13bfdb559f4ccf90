"""How connections end after FIN-WAIT-2: in TIME-WAIT, or at once where an end aborts them."""
import os
import re
import subprocess
import sys

DTRACE = os.environ["DTRACE"]
WORK = r"""
import socket, struct, time
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen(8)
def pair():
    c = socket.create_connection(server.getsockname())
    return c, server.accept()[0]
def abort(s):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    s.close()
def half_close(c, s):
    c.shutdown(socket.SHUT_WR)
    while s.recv(1):
        pass
    end = time.monotonic() + 30
    while c.getsockopt(socket.IPPROTO_TCP, 11, 1) != b"\x05" and time.monotonic() < end:  # TCP_INFO: FIN-WAIT-2
        time.sleep(0.01)
def closed(c, s):
    c.close()
    while s.recv(1):
        pass
    s.close()
def shut(c, s):
    half_close(c, s)
    s.close()
    while c.recv(1):
        pass
def aborted_here(c, s):
    half_close(c, s)
    abort(c)
def aborted_there(c, s):
    half_close(c, s)
    abort(s)
    try:
        c.recv(1)
    except ConnectionResetError:
        pass
for one in (closed, shut, aborted_here, aborted_there):
    c, s = pair()
    print(one.__name__, c.getsockname()[1], flush=True)
    one(c, s)
"""
SCRIPT = """
tcp:::state-change /tcp_state_string[args[5]->tcps_state] == "state-fin-wait-2" && args[3]->tcps_raddr == "127.0.0.1"/
{ printf("%d becomes %s\\n", args[3]->tcps_lport, tcp_state_string[args[3]->tcps_state]); }
"""
done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", f"{sys.executable} -c '{WORK}'"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
print(done.stdout)
became = re.findall(r"^(\d+) becomes state-(\S+)$", done.stdout, re.M)
have = {name: [state for of, state in became if of == port] for name, port in re.findall(r"^(\w+) (\d+)$", done.stdout, re.M)}
want = {"closed": ["time-wait"], "shut": ["time-wait"], "aborted_here": ["closed"], "aborted_there": ["closed"]}
if have != want:
    sys.exit(f"{have}, wanted {want}")
