# What a process receives from sockets of UNIX domain, with each system call, and from others, which is not shown: tools/undump.d.
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

TEXT = b"hello \0 there\x1b"
with toolkit.Alone("undump", "-p", os.getpid()) as mine, toolkit.Alone("undump", "-n", "of another") as others:
    one, other = socket.socketpair()
    one.send(TEXT)
    os.read(other.fileno(), 100)
    one.send(b"second")
    other.recv(4), other.recv(100)
    one.send(b"x" * 300)
    other.recvmsg(1000)
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.send(b"datagram")
    other.recvmsg_into([bytearray(3), bytearray(10)])
    reader, writer = os.pipe()
    os.write(writer, b"pipe")
    os.read(reader, 10)
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        client.connect(server.getsockname())
        peer = server.accept()[0]
        client.send(b"tcp")
        peer.recv(3)
    one.send(b"last")
    other.recv(4)
    mine.shows("6c 61 73 74")
blocks = re.split(rf"^\d{{4}} \w+ +\d+ [\d:]+ +\S+ +{os.getpid()} +", mine.ours, flags=re.M)[1:]
shown = [(int(block.split("\n")[0]), bytes.fromhex("".join(re.findall(r"^ +[0-9a-f]+: ((?:[0-9a-f]{2} )+)", block, re.M)))) for block in blocks]
toolkit.same(mine.ours, shown, [(14, TEXT), (4, b"seco"), (2, b"nd"), (300, b"x" * 128), (8, b"dat"), (4, b"last")])
toolkit.same("of another", toolkit.rows(others.ours), [])
