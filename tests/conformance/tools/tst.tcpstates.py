# The states of one connection at both of its ends: tools/tcpstates.d, and bcc's.
import os
import re
import socket
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
port = server.getsockname()[1]
PAUSE_MS = 50


def talk(pause_ms=0):
    with socket.socket() as client:
        client.connect(server.getsockname())
        with server.accept()[0] as peer:
            time.sleep(pause_ms / 1000)
            mine = client.getsockname()[1]
            client.close()
            peer.recv(1)
    return mine


def changes(text, lport, rport):
    rows = re.findall(rf" 127\.0\.0\.1 +{lport} +127\.0\.0\.1 +{rport} +(\S+) +(?:-> )?(\S+) +([\d.]+)\s*$", text, re.M)
    return [(old.lower().replace("_", "-"), new.lower().replace("_", "-"), float(ms)) for old, new, ms in rows]


with toolkit.Both("tcpstates", live=f" {port} ", meanwhile=talk) as both, \
        toolkit.Alone("tcpstates", "-L", port, "-T") as local, toolkit.Alone("tcpstates", "-D", port) as remote:
    client = talk(PAUSE_MS)
    both.wait(*[rf"(?s)127.0.0.1 +{port} +127.0.0.1 +{client} +(last-ack|LAST_ACK)"] * 2)
    remote.shows(rf"{client} .* time-wait ")
    local.shows(rf"{client} +last-ack +closed ")
client_end = [("syn-sent", "established"), ("established", "fin-wait-1"), ("fin-wait-1", "fin-wait-2"),
              ("fin-wait-2", "time-wait")]
server_end = [("listen", "syn-received"), ("syn-received", "established"), ("established", "close-wait"),
              ("close-wait", "last-ack"), ("last-ack", "closed")]
for what, have, want in (("the client", changes(both.ours, client, port), client_end),
                         ("the server", changes(both.ours, port, client), server_end),
                         ("local", changes(local.ours, port, client), server_end),
                         ("remote", changes(remote.ours, client, port), client_end)):
    toolkit.same(what, [change[:2] for change in have], want)
    if what != "local":
        stay = [ms for old, _, ms in have if old == "established"]
        toolkit.same(f"{what} was established for {stay} ms", stay[0] >= PAUSE_MS, True)
toolkit.same("others", [row for row in toolkit.rows(remote.ours) if not re.search(rf" {port} +[\w-]+ +[\w-]+ +[\d.]+$", row)], [])
both.is_compared()
# The kernel's tracepoint says close for time-wait.
NAMES = {"close": "closed", "syn-recv": "syn-received", "fin-wait1": "fin-wait-1", "fin-wait2": "fin-wait-2"}
theirs = [(NAMES.get(old, old), NAMES.get(new, new)) for old, new, _ in changes(both.theirs, client, port)]
toolkit.same("bcc's", theirs, [*client_end[:-1], ("fin-wait-2", "closed")])
