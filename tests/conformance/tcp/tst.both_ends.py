# Who has asked for a connection: a socket that connects to itself has asked from both ends, and one
# whose SYN brings data (TCP Fast Open) is there for its server before it is established.
import os
import re
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
SKIP = 77
SPACE = f"dt-c-{os.getpid()}"
WORK = r"""
import socket
itself = socket.socket()
itself.bind(("127.0.0.1", 5004))
itself.connect(("127.0.0.1", 5004))
itself.sendall(b"x")
assert itself.recv(1) == b"x"
itself.close()

server = socket.socket()
server.setsockopt(socket.IPPROTO_TCP, 23, 8)  # TCP_FASTOPEN
server.bind(("127.0.0.1", 5003))
server.listen(8)
client = socket.socket()
client.sendto(b"early", 0x20000000, ("127.0.0.1", 5003))  # MSG_FASTOPEN
peer = server.accept()[0]
assert peer.recv(5) == b"early"
with open("/proc/net/netstat") as f:
    lines = [line.split() for line in f if line.startswith("TcpExt")]
print("early", dict(zip(*lines))["TCPFastOpenPassive"])
"""
SCRIPT = """
tcp:::connect-established, tcp:::accept-established
/args[3]->tcps_lport == 5003 || args[3]->tcps_rport == 5003 || args[3]->tcps_lport == 5004/
{
	@[probename, args[3]->tcps_lport == 5004 ? "itself" : "early"] = count();
}
END { printa("%s %s %@d\\n", @); }
"""


def sh(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        print(f"no network here: {' '.join(words)}: {done.stderr.strip()}")
        sys.exit(SKIP)


try:
    sh("ip", "netns", "add", SPACE)
    sh("ip", "-n", SPACE, "link", "set", "lo", "up")
    # Client, server, data without a cookie on both sides, every listener.
    sh("ip", "netns", "exec", SPACE, "sh", "-c", "echo 1543 >/proc/sys/net/ipv4/tcp_fastopen")
    with tempfile.NamedTemporaryFile("w", suffix=".py") as work:
        work.write(WORK)
        work.flush()
        done = subprocess.run([DTRACE, "-q", "-x", "aggsortkey", "-n", SCRIPT,
                               "-c", f"ip netns exec {SPACE} {sys.executable} {work.name}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
finally:
    subprocess.run(["ip", "netns", "del", SPACE], capture_output=True, check=False)
print(done.stdout, done.stderr)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}")
if re.findall(r"^early (\d+)$", done.stdout, re.M) != ["1"]:
    sys.exit("the SYN did not bring data")
if re.findall(r"^(\S+-established \w+ \d+)$", done.stdout, re.M) != [
        "accept-established early 1", "connect-established early 1", "connect-established itself 1"]:
    sys.exit("the ends are not told apart")
