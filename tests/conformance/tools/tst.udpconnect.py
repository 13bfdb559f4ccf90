# Datagrams of this process, by each of the calls, over both families: tools/udpconnect.d.
import ctypes
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

libc = ctypes.CDLL(None, use_errno=True)


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("len", ctypes.c_size_t)]


class Header(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("namelen", ctypes.c_uint), ("vectors", ctypes.POINTER(Vector)),
                ("count", ctypes.c_size_t), ("control", ctypes.c_void_p), ("controllen", ctypes.c_size_t),
                ("flags", ctypes.c_int)]


class Message(ctypes.Structure):
    _fields_ = [("header", Header), ("sent", ctypes.c_uint)]


def send_many(sender, count):
    """sendmmsg(), which glibc's resolver uses."""
    vector = Vector(b"x", 1)
    messages = (Message * count)(*[Message(Header(vectors=ctypes.pointer(vector), count=1)) for _ in range(count)])
    toolkit.same("sendmmsg()", libc.sendmmsg(sender.fileno(), messages, count, 0), count)


servers = [socket.socket(family, socket.SOCK_DGRAM) for family in (socket.AF_INET, socket.AF_INET, socket.AF_INET6)]
for server, address in zip(servers, ("127.0.0.1", "127.0.0.1", "::1")):
    server.bind((address, 0))
first, second, third = (server.getsockname()[:2] for server in servers)
tcp = socket.socket()
tcp.bind(("127.0.0.1", 0))
tcp.listen()

me = os.getpid()
with toolkit.Alone("udpconnect", "-p", me) as mine, toolkit.Alone("udpconnect", "-p", me, "-C") as counted, \
        toolkit.Alone("udpconnect", "-u", os.getuid(), "-U", "-t", "-P", third[1]) as by_port, \
        toolkit.Alone("udpconnect", "-p", toolkit.another()) as none:
    connected = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    connected.connect(first)
    for _ in range(3):
        connected.send(b"x")
    send_many(connected, 5)
    free = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(4):
        free.sendto(b"x", second)
    free.sendmsg([b"x"], [], 0, second)
    v6 = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    v6.sendmsg([b"x"], [], 0, third)
    v6.sendto(b"x", third)
    # None of these is a datagram to an address: UNIX, TCP, and the end of a connection.
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    a.send(b"x")
    with socket.create_connection(tcp.getsockname()):
        pass
    libc.connect(connected.fileno(), b"\0" * 16, 16)
    for one in mine, by_port:
        one.shows(rf" ::1 +{third[1]}$")

toolkit.same("destinations", re.findall(rf"^{me} +\S+ +([46]) +(\w+) +(\S+) +(\d+)$", mine.ours, re.M),
             [("4", "connect", first[0], str(first[1])), ("4", "sendto", second[0], str(second[1])),
              ("6", "sendmsg", third[0], str(third[1]))])
toolkit.same("datagrams", sorted(re.findall(rf"^{me} +\S+ +([46]) +(\S+) +(\d+) +(\d+)$", counted.ours, re.M)),
             sorted([("4", first[0], str(first[1]), "8"), ("4", second[0], str(second[1]), "5"), ("6", third[0], str(third[1]), "2")]))
toolkit.same("by port", re.findall(rf"^\d{{4}} .{{15}} +{os.getuid()} +{me} +\S+ +6 +sendmsg +::1 +{third[1]}$", by_port.ours, re.M) != [], True)
toolkit.same("rows by port", len(toolkit.rows(by_port.ours)), 1)
toolkit.same("of another", toolkit.rows(none.ours), [])
