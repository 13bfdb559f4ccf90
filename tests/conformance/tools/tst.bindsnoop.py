# Sockets that this process binds, one of them to a port that is in use: tools/bindsnoop.d.
import ctypes
import errno
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

LIBC = ctypes.CDLL(None)
truth = []
with socket.create_server(("127.0.0.1", 0)) as used, toolkit.Alone("bindsnoop", "-p", os.getpid(), "-t") as mine, \
        toolkit.Alone("bindsnoop", "-p", os.getpid(), "-U", "-x") as failed, \
        toolkit.Alone("bindsnoop", "-P", used.getsockname()[1]) as by_port:
    sockets = []
    used_port = used.getsockname()[1]

    def bind(family, kind, address):
        one = socket.socket(family, kind)
        sockets.append(one)
        result = 0
        try:
            one.bind(address)
        except OSError as error:
            result = -error.errno
        if family != socket.AF_UNIX:
            there, port = (one.getsockname() if result == 0 else address)[:2]
            truth.append((result, "TCP" if kind == socket.SOCK_STREAM else "UDP", port, there))
        return one.getsockname()

    first = bind(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
    bind(socket.AF_INET6, socket.SOCK_DGRAM, ("::1", 0))
    bind(socket.AF_UNIX, socket.SOCK_STREAM, f"\0dt-bind-{os.getpid()}")
    bind(socket.AF_INET, socket.SOCK_STREAM, first)
    bind(socket.AF_INET, socket.SOCK_STREAM, used.getsockname())
    bind(socket.AF_INET6, socket.SOCK_STREAM, ("2001:db8::7", 4711))  # no address of this machine
    # What is no address at all.
    short, bad = socket.socket(), socket.socket()
    LIBC.bind(short.fileno(), b"\2\0", 2)
    LIBC.bind(bad.fileno(), ctypes.c_void_p(1), 16)
    truth += [(-errno.EINVAL, "TCP", 0, "0.0.0.0"), (-errno.EFAULT, "TCP", 0, "0.0.0.0")]
    bind(socket.AF_INET, socket.SOCK_DGRAM, ("0.0.0.0", 0))
    mine.shows(rf" UDP +{truth[-1][2]} ")
    failed.shows(" -14 ")
    by_port.shows(" -98 ")


def rows(text):
    found = re.findall(rf"(?:^| ){os.getpid()} +\S+ +(-?\d+) +(\w+) +(\d+) (\S+)$", text, re.M)
    return [(int(result), kind, int(port), address) for result, kind, port, address in found]


toolkit.same("bound, with results and addresses", rows(mine.ours), truth)
toolkit.same("users", {row.split()[0] for row in toolkit.rows(failed.ours)}, {str(os.getuid())})
toolkit.same("heading", failed.ours.split()[:2], ["UID", "PID"])
toolkit.same("failed", rows(failed.ours), [event for event in truth if event[0]])
toolkit.same("of a port", rows(by_port.ours), [event for event in truth if event[2] == used_port])
