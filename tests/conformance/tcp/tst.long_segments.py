"""Segments that are longer than an IP header can say, before they are cut and after they were put together: the bytes that
tcp:::send, tcp:::receive and ip:::send see are those that a program has sent."""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402

DTRACE = os.environ["DTRACE"]
SKIP = 77
BYTES = 8_000_000
WORK = r"""
import socket, subprocess, threading
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
print("long", subprocess.run(["ip", "link", "set", "lo", "gso_max_size", "180000", "gro_max_size", "180000"],
                             stderr=subprocess.DEVNULL).returncode)
for family, here in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    server = socket.socket(family)
    server.bind((here, 0))
    server.listen(1)
    def drain():
        peer = server.accept()[0]
        while peer.recv(1 << 20):
            pass
        peer.close()
    thread = threading.Thread(target=drain)
    thread.start()
    c = socket.create_connection(server.getsockname()[:2])
    c.sendall(b"x" * BYTES)
    print("port", here, c.getsockname()[1], flush=True)
    c.shutdown(socket.SHUT_WR)
    thread.join()
    # tcpi_bytes_retrans
    print("again", here, int.from_bytes(c.getsockopt(socket.IPPROTO_TCP, 11, 256)[208:216], "little"), flush=True)
""".replace("BYTES", str(BYTES))
SCRIPT = """
tcp:::send, tcp:::receive /args[2]->ip_saddr == "127.0.0.1" || args[2]->ip_saddr == "::1"/
{
	@bytes[probename, args[2]->ip_saddr, args[4]->tcp_sport] = sum(args[2]->ip_plength - args[4]->tcp_offset);
	@longest[probename, args[2]->ip_saddr] = max(args[2]->ip_plength);
}
ip:::send, ip:::receive /args[3]->if_local/ { @ip[probename, args[2]->ip_saddr] = max(args[2]->ip_plength); }
END { printa("bytes %s %s %d %@d\\n", @bytes); printa("longest %s %s %@d\\n", @longest); printa("ip %s %s %@d\\n", @ip); }
"""
while True:
    done = subprocess.run([DTRACE, "-q", "-n", SCRIPT, "-c", f"unshare -n {sys.executable} -c '{WORK}'"],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    if "drop" not in done.stderr:
        break
    again(done.stderr)
print(done.stdout)
if "unshare: " in done.stderr:
    print("no network namespace here")
    sys.exit(SKIP)
if done.returncode != 0 or done.stderr:
    sys.exit(f"exit status {done.returncode}: {done.stderr}")
ports = dict(re.findall(r"^port (\S+) (\d+)$", done.stdout, re.M))
sent = {address: BYTES + int(repeated) for address, repeated in re.findall(r"^again (\S+) (\d+)$", done.stdout, re.M)}
for probe, address, port, total in re.findall(r"^bytes (\S+) (\S+) (\d+) (\d+)$", done.stdout, re.M):
    if ports[address] == port and int(total) != sent[address]:
        sys.exit(f"{probe} of {address}: {total} bytes, sent were {sent[address]}")
longest = {(probe, address): int(value) for probe, address, value in
           re.findall(r"^longest (\S+) (\S+) (\d+)$", done.stdout, re.M)}
if len(longest) != 4:
    sys.exit("not both ends of both families were seen")
if "long 0" in done.stdout and longest["send", "::1"] <= 65535:
    sys.exit(f"no segment was longer than 65,535 bytes: {longest}")
