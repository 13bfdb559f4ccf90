# A conversation over TCP: each segment that arrives gives a sample near what the kernel itself reports. tools/tcprtt.d.
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

RTT, MESSAGES = 68, 200  # the place of tcpi_rtt in struct tcp_info: linux/tcp.h
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
port = server.getsockname()[1]
with toolkit.Alone("tcprtt", "-p", port) as local, toolkit.Alone("tcprtt", "-P", port, "-B") as remote, \
        toolkit.Alone("tcprtt", "-p", 1) as of_another, \
        toolkit.Alone("tcprtt", "-p", port, "-a", "127.0.0.1", "-A", "127.0.0.1") as between, \
        toolkit.Alone("tcprtt", "-p", port, "-a", "127.0.0.2") as from_another, \
        toolkit.Alone("tcprtt", "-p", port, "-A", "127.0.0.2") as to_another:
    with socket.socket() as client:
        client.connect(server.getsockname())
        with server.accept()[0] as peer:
            for _ in range(MESSAGES):
                client.send(b"x")
                peer.recv(1)
                peer.send(b"y")
                client.recv(1)
            info = peer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
rtt = int.from_bytes(info[RTT:RTT + 4], "little")
for one, name in (local, "all addresses, us"), (between, "all addresses, us"), (remote, "127.0.0.1, us"):
    # Each message, and perhaps an acknowledgement alone and what ends the connection.
    toolkit.same(f"samples {toolkit.counted(one.ours, name)}", MESSAGES <= toolkit.counted(one.ours, name) <= 3 * MESSAGES, True)
buckets = [int(value) for value, count in re.findall(r"^ +(\d+) \|.* (\d+) *$", local.ours, re.M) if int(count)]
toolkit.same(f"{rtt} us in {buckets}", min(buckets) <= rtt < 2 * max(buckets), True)
for one in of_another, from_another, to_another:
    toolkit.same("of another", toolkit.counted(one.ours), 0)
