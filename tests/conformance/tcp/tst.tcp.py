# Connections between two network namespaces, over both families: one that is made, used and closed,
# and one that is refused. What the two ends say must agree with each other and with the sockets.
import os
import re
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
import network  # noqa: E402

DTRACE = os.environ["DTRACE"]
PORT, CLOSED, FROM, FROM_REFUSED = 5001, 5002, 40001, 40002
ADDRESSES = {4: ("10.77.0.1", "10.77.0.2"), 6: ("fd77::1", "fd77::2")}
PAIR = network.Pair("t", ADDRESSES)
SPACES = PAIR.spaces

# One end: reads its orders, and says what its socket knows.
END = r"""
import socket, struct, sys
family = {4: socket.AF_INET, 6: socket.AF_INET6}
def know(s):
    info = s.getsockopt(socket.IPPROTO_TCP, 11, 104)  # TCP_INFO
    rto, _, snd_mss = struct.unpack_from("<III", info, 8)
    cwnd, = struct.unpack_from("<I", info, 80)
    wscale = info[6]
    print("knows", rto, snd_mss, cwnd, wscale & 15, wscale >> 4, flush=True)
for line in sys.stdin:
    order, version, address, port, local = line.split()
    s = socket.socket(family[int(version)])
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if order == "serve":
        s.bind((address, int(port)))
        s.listen(8)
        print("listening", flush=True)
        peer = s.accept()[0]
        while peer.recv(4096):
            peer.sendall(b"y")
        peer.close()
        s.close()
        print("served", flush=True)
    elif order == "connect":
        s.bind((local.split(",")[0], int(local.split(",")[1])))
        try:
            s.connect((address, int(port)))
            s.sendall(b"x" * 1000)
            s.recv(1)
            know(s)
            s.close()
        except ConnectionRefusedError:
            print("refused", flush=True)
"""

PROBES = ("connect-request", "connect-established", "connect-refused", "accept-established", "accept-refused")
WHICH = "/args[3]->tcps_lport >= 5001 && args[3]->tcps_lport <= 40002/"
SEGMENT = ('printf("%s ver %d length %d from %s to %s sport %d dport %d seq %u ack %u offset %d flags %x state %s cid %x '
           'active %d local %d ", probename, args[2]->ip_ver, args[2]->ip_plength, args[2]->ip_saddr, args[2]->ip_daddr, '
           'args[4]->tcp_sport, args[4]->tcp_dport, args[4]->tcp_seq, args[4]->tcp_ack, args[4]->tcp_offset, '
           'args[4]->tcp_flags, tcp_state_string[args[3]->tcps_state], args[1]->cs_cid, '
           'args[3]->tcps_active, args[3]->tcps_local);')
SOCKET = ('printf("laddr %s lport %d raddr %s rport %d suna %u snxt %u rack %u rnxt %u mss %d cwnd %d sndws %d '
          'rcvws %d\\n", {0}laddr, {0}lport, {0}raddr, {0}rport, {0}suna, {0}snxt, {0}rack, {0}rnxt, {0}mss, '
          '{0}cwnd, {0}snd_ws, {0}rcv_ws);').format("args[3]->tcps_")
BEGIN = 'BEGIN { printf("ready\\n"); }\n'


def script(probes):
    """A line for each; in two clauses, for the verifier of Linux 6.1."""
    return BEGIN + CHANGE + "\n".join(
        f"tcp:::{probe} {WHICH} {{ {SEGMENT} }}\ntcp:::{probe} {WHICH} {{ {SOCKET} }}" for probe in probes)


CHANGE = r"""
tcp:::state-change
/args[3]->tcps_lport == 5001 || args[3]->tcps_rport == 5001 || args[3]->tcps_lport == 40001/
{
	printf("state-change cid %x from %s to %s laddr %s raddr %s lport %d rport %d rto %d cwnd %d\n", args[1]->cs_cid,
	    tcp_state_string[args[5]->tcps_state], tcp_state_string[args[3]->tcps_state], args[3]->tcps_laddr,
	    args[3]->tcps_raddr, args[3]->tcps_lport, args[3]->tcps_rport, args[3]->tcps_rto,
	    args[3]->tcps_cwnd);
}
"""


class End:
    def __init__(self, space):
        self.process = subprocess.Popen(["ip", "netns", "exec", space, sys.executable, "-c", END],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def order(self, *words):
        print(*words, file=self.process.stdin, flush=True)

    def says(self):
        return self.process.stdout.readline().split()

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)


def same(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, wanted {want}")


def fields(line):
    words = line.split()
    return {"probe": words[0], **dict(zip(words[1::2], words[2::2]))}


def work(version):
    """Both connections; what the client's socket knew."""
    client, server = End(SPACES[0]), End(SPACES[1])
    here, there = ADDRESSES[version]
    server.order("serve", version, there, PORT, "-")
    same("server", server.says(), ["listening"])
    client.order("connect", version, there, PORT, f"{here},{FROM}")
    knows = client.says()
    same("server", server.says(), ["served"])
    client.order("connect", version, there, CLOSED, f"{here},{FROM_REFUSED}")
    same("client", client.says(), ["refused"])
    client.close()
    server.close()
    return [int(word) for word in knows[1:]]


def trace(version, probes):
    with tempfile.NamedTemporaryFile("w+") as out:
        process = subprocess.Popen([DTRACE, "-q", "-x", "switchrate=10ms", "-n", script(probes)],
                                   stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, text=True)
        end = time.monotonic() + 120
        while "ready" not in open(out.name).read():
            if process.poll() is not None or time.monotonic() > end:
                sys.exit(f"dtrace did not start: {process.stderr.read()}")
            time.sleep(0.02)
        knows = work(version)
        process.terminate()
        said = process.communicate(timeout=60)[1]
        text = open(out.name).read()
    print(text)
    if said or process.returncode != 0:
        sys.exit(f"dtrace: exit status {process.returncode}: {said}")
    return [fields(line) for line in text.splitlines() if line and line != "ready"], knows


def check(version, lists_refusal):
    here, there = ADDRESSES[version]
    events, (rto, mss, cwnd, snd_ws, rcv_ws) = trace(version, [p for p in PROBES if p != "accept-refused" or lists_refusal])
    one = {}
    for probe, want in {
            # from, to, sport, dport, flags, state, active
            "connect-request": [(here, there, FROM, PORT, 0x02, "state-syn-sent", 1),
                                (here, there, FROM_REFUSED, CLOSED, 0x02, "state-syn-sent", 1)],
            "connect-established": [(there, here, PORT, FROM, 0x12, "state-established", 1)],
            "accept-established": [(here, there, FROM, PORT, 0x10, "state-established", 0)],
            "connect-refused": [(there, here, CLOSED, FROM_REFUSED, 0x14, "state-syn-sent", 1)],
            "accept-refused": [(there, here, CLOSED, FROM_REFUSED, 0x14, "state-closed", 0)] if lists_refusal else []}.items():
        found = [e for e in events if e["probe"] == probe and {e["from"], e["to"]} == {here, there}]
        same(probe, [(e["from"], e["to"], int(e["sport"]), int(e["dport"]), int(e["flags"], 16), e["state"],
                      int(e["active"])) for e in found], want)
        for e in found:
            same("ip_ver", e["ver"], str(version))
            same("tcps_local", e["local"], "0")
            one[probe, int(e["dport"])] = e
    client, server = one["connect-established", FROM], one["accept-established", PORT]
    same("cs_cid", one["connect-request", PORT]["cid"], client["cid"])
    for mine, its in (("seq", "suna"), ("ack", "rnxt"), ("rnxt", "snxt"), ("suna", "rack")):
        same(f"the server's {mine} and the client's {its}", server[mine], client[its])
    same("the segment's numbers", ((int(client["seq"]) + 1) % 2**32, client["ack"]), (int(client["rnxt"]), client["suna"]))
    same("scales", (client["sndws"], client["rcvws"]), (server["rcvws"], server["sndws"]))
    same("what the socket knows", (int(client["sndws"]), int(client["rcvws"]), int(client["mss"])), (snd_ws, rcv_ws, mss))
    if lists_refusal:
        reset = one["accept-refused", FROM_REFUSED]
        same("a reset", (reset["length"], reset["offset"], reset["seq"], reset["cid"]), ("20", "20", "0", "0"))
        same("its ends", (reset["laddr"], reset["lport"], reset["raddr"], reset["rport"]),
             (there, str(CLOSED), here, str(FROM_REFUSED)))
        same("what it answers", reset["ack"], one["connect-refused", FROM_REFUSED]["snxt"])

    changes = [e for e in events if e["probe"] == "state-change"]
    ends = {}
    for e in changes:
        ends.setdefault(e["cid"], []).append((e["from"].removeprefix("state-"), e["to"].removeprefix("state-")))
    same("the client's states", ends[client["cid"]],
         [("closed", "syn-sent"), ("syn-sent", "established"), ("established", "fin-wait-1"), ("fin-wait-1", "fin-wait-2"),
          ("fin-wait-2", "time-wait")])
    same("the server's states", ends[server["cid"]],
         [("listen", "syn-received"), ("syn-received", "established"), ("established", "close-wait"),
          ("close-wait", "last-ack"), ("last-ack", "closed")])
    # A segment that was sent twice, on a busy machine, opens a connection that comes to nothing.
    twice = [("listen", "syn-received"), ("syn-received", "closed")]
    (listener,) = [states for cid, states in ends.items() if cid not in (client["cid"], server["cid"]) and states != twice]
    same("the listener's states", listener, [("closed", "listen"), ("listen", "closed")])
    for e in changes:
        if e["cid"] == client["cid"]:
            same("ends", (e["laddr"], e["raddr"], e["lport"], e["rport"]), (here, there, str(FROM), str(PORT)))
        if e["cid"] == client["cid"] and e["to"] == "state-fin-wait-1":
            same("tcps_cwnd", int(e["cwnd"]), cwnd * mss)
            if abs(int(e["rto"]) - rto / 1000) > 12:  # it knows it in ticks of its clock
                sys.exit(f"tcps_rto {e['rto']} ms, the socket says {rto} us")


try:
    PAIR.make()
    listed = subprocess.run([DTRACE, "-l", "-P", "tcp"], capture_output=True, text=True, timeout=60).stdout
    for family in (4, 6):
        check(family, "accept-refused" in listed)
finally:
    PAIR.remove()
