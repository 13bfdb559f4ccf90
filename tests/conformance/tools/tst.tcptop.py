# Bytes that this process sends and receives over connections of both families: tools/tcptop.d.
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

truth = {}


def talk(family, address, size):
    with socket.socket(family) as server, socket.socket(family) as client:
        server.bind((address, 0))
        server.listen()
        client.connect(server.getsockname())
        with server.accept()[0] as peer:
            for _ in range(10):
                client.sendall(b"x" * size)
                left = size
                while left:
                    left -= len(peer.recv(left))
            os.write(peer.fileno(), b"answer")
            os.read(client.fileno(), 100)
            ends = client.getsockname()[:2], peer.getsockname()[:2]
    truth[ends] = (6, 10 * size)
    truth[ends[::-1]] = (10 * size, 6)


with toolkit.Alone("tcptop", "-p", os.getpid(), "600") as mine, toolkit.Alone("tcptop", "-p", toolkit.another(), "600") as none:
    talk(socket.AF_INET, "127.0.0.1", 1000)
    talk(socket.AF_INET6, "::1", 77)
    a, b = socket.socketpair()
    a.send(b"not of TCP")
    b.recv(100)


def rows(text):
    found = re.findall(rf"^{os.getpid()} +\S+ +(\S+) +(\d+) +(\S+) +(\d+) +(\d+) +(\d+)$", text, re.M)
    return {((laddr, int(lport)), (raddr, int(rport))): (int(received), int(sent))
            for laddr, lport, raddr, rport, received, sent in found}


toolkit.same("bytes", rows(mine.ours), truth)
toolkit.same("of another", rows(none.ours), {})
