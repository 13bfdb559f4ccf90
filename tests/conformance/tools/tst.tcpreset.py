# Connections that are refused, closed before all is read, and closed without a word: tools/tcpreset.d.
import os
import re
import socket
import struct
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def closed_by(server, how):
    """The port of a client whose connection the server ends like this, when the client has seen it."""
    client = socket.create_connection(server.getsockname())
    other, _ = server.accept()
    client.send(b"x")
    other.recv(1, socket.MSG_PEEK)
    if how == "linger":
        other.recv(1)
        other.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    other.close()
    try:
        sys.exit(f"not reset, but {client.recv(1)}")
    except ConnectionResetError:
        return client.getsockname()[1]


server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
port = server.getsockname()[1]
nobody = socket.socket()
nobody.bind(("127.0.0.1", 0))  # and no listen()
refusing = nobody.getsockname()[1]
with toolkit.Alone("tcpreset") as every, toolkit.Alone("tcpreset", "-s", "-L", port) as sent, \
        toolkit.Alone("tcpreset", "-r", "-D", port) as received, toolkit.Alone("tcpreset", "-c") as counts, \
        toolkit.Alone("tcpreset", "-s", "-K", "-L", port) as stacks:
    unread, lingered = closed_by(server, "unread"), closed_by(server, "linger")
    client = socket.socket()
    client.bind(("127.0.0.1", 0))
    last = client.getsockname()[1]
    toolkit.same("connect()", client.connect_ex(("127.0.0.1", refusing)), 111)
    mine = rf"{os.getpid()} +\S+ +"
    end = rf"receive +127\.0\.0\.1 +{last} 127\.0\.0\.1 +{refusing} "
    every.shows(end)
    sent.shows(rf" {lingered} ")
    received.shows(rf" {lingered} ")
    stacks.shows(rf" {lingered} (?:.*\n)+?\n.*`")


def ends(text):
    return re.findall(r"(send|receive) +127\.0\.0\.1 +(\d+) 127\.0\.0\.1 +(\d+) \S+$", text, re.M)


wanted = []
for one, other in (port, unread), (port, lingered), (refusing, last):
    wanted += [("send", str(one), str(other)), ("receive", str(other), str(one))]
ports = {str(port), str(refusing)}
toolkit.same("all", [one for one in ends(every.ours) if set(one) & ports], wanted)
toolkit.same("sent", ends(sent.ours), [wanted[0], wanted[2]])
toolkit.same("received", ends(received.ours), [wanted[1], wanted[3]])
toolkit.same("no connection", re.findall(rf" {refusing} 127\.0\.0\.1 +{last} (\S+)$", every.ours, re.M), ["-"])
toolkit.same("who closes", len(re.findall(rf"^.* {mine}send +127\.0\.0\.1 +{port} ", sent.ours, re.M)), 2)
# The kernel chooses ports of clients from those above these of servers, or below: one of both ends is left out.
toolkit.same("counted", sum(int(one) for one in re.findall(rf"^(?:send|receive) .*\b(?:{port}|{unread}|{lingered})\b.* (\d+)$",
                                                           counts.ours, re.M)), 4)
toolkit.same("the reason", "__tcp_close" in stacks.ours, True)
refused = subprocess.run([toolkit.DTRACE, "-s", "tcpreset", "-c", "-K"], capture_output=True, text=True)
toolkit.same("-c with -K", (refused.returncode, refused.stdout.splitlines()[0]),
             (2, "tcpreset: -c counts, and -K shows the stack of each"))
