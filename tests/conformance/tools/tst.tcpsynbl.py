# Connections that nobody accepts: each finds one more in the queue than the one before. tools/tcpsynbl.d.
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

CONNECTIONS, MOST = 6, 11
with socket.socket() as server, socket.socket() as other:
    for each in server, other:
        each.bind(("127.0.0.1", 0))
        each.listen(MOST)
    ports = [each.getsockname()[1] for each in (server, other)]
    with toolkit.Alone("tcpsynbl") as every, toolkit.Alone("tcpsynbl", "-l", ports[0]) as one:
        clients = [socket.create_connection(server.getsockname()) for _ in range(CONNECTIONS)]
        clients.append(socket.create_connection(other.getsockname()))
        # Accepted at once: the queue is empty again.
        server.accept()[0].close()
    for each in clients:
        each.close()


def waiting(text, port):
    """How many connections found so many in the queue, by the lower end of the bucket."""
    block = re.search(rf"^port {port}, at most {MOST} may wait\n.*\n((?: +-?\d+ \|.*\n)+)", text, re.M)
    return {int(row.split()[0]): int(row.split()[-1]) for row in block[1].splitlines() if int(row.split()[-1])} if block else None


# 0, 1, 2 and 3, 4 and 5.
toolkit.same(every.ours, [waiting(every.ours, port) for port in ports], [{0: 1, 1: 1, 2: 2, 4: 2}, {0: 1}])
toolkit.same(one.ours, [waiting(one.ours, port) for port in ports], [{0: 1, 1: 1, 2: 2, 4: 2}, None])
