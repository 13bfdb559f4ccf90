# A SYN that no queue has room for, and a SYN-ACK whose answer the server waits for: tools/tcpretrans.d.
import os
import re
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

TOTAL_RETRANS = 100  # the place of tcpi_total_retrans in struct tcp_info: linux/tcp.h


def again(client):
    info = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
    return int.from_bytes(info[TOTAL_RETRANS:TOTAL_RETRANS + 4], "little")


def server(backlog):
    one = socket.socket()
    one.bind(("127.0.0.1", 0))
    one.listen(backlog)
    return one


full, waits = server(0), server(8)
waits.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, 1)
ports = [one.getsockname()[1] for one in (full, waits)]
with toolkit.Alone("tcpretrans") as plain, toolkit.Alone("tcpretrans", "-c") as sums, \
        toolkit.Alone("tcpretrans", "-P", ports[0]) as of_port, toolkit.Alone("tcpretrans", "-l", "-s") as why:
    first = socket.create_connection(full.getsockname())
    late = socket.socket()
    late.setblocking(False)
    late.connect_ex(full.getsockname())
    silent = socket.create_connection(waits.getsockname())
    mine = late.getsockname()[1]
    syn = rf"^.* 127\.0\.0\.1 +{mine} 127\.0\.0\.1 +{ports[0]} state-syn-sent$"
    syn_ack = rf"^.* 127\.0\.0\.1 +{ports[1]} 127\.0\.0\.1 +{silent.getsockname()[1]} state-syn-received$"
    for one, pattern in (plain, syn), (plain, syn_ack), (of_port, syn):
        one.shows(pattern)
    wanted = again(late)
    # The time until the next one doubles.
    end = time.monotonic() + 60
    while len(re.findall(syn, plain.script.text(), re.M)) < wanted and time.monotonic() < end:
        time.sleep(0.05)
    for pattern in syn, syn_ack:
        why.shows(pattern.replace("$", r" +\d+ timeout$"))
# A segment that is sent again keeps its number.
numbers = re.findall(syn.replace("$", r" +(\d+) timeout$"), why.ours, re.M)
toolkit.same("columns", len({row.rindex(" ") for row in why.ours.splitlines() if row}), 1)
toolkit.same(f"sequence numbers {numbers}", (numbers != [], len(set(numbers)), numbers[0] != "0"), (True, 1, True))
toolkit.same("SYNs", len(re.findall(syn, plain.ours, re.M)), wanted)
toolkit.same("SYNs to the port", len(re.findall(syn, of_port.ours, re.M)), wanted)
toolkit.same("others to the port", [row for row in toolkit.rows(of_port.ours) if f" {ports[0]} state" not in row], [])
toolkit.same("counts", re.findall(rf" {mine} 127\.0\.0\.1 +{ports[0]} state-syn-sent +(\d+)$", sums.ours, re.M), [str(wanted)])

# Counts are of connections, and have no reason or number of a segment.
refused = subprocess.run([toolkit.DTRACE, "-s", "tcpretrans", "-c", "-l"], capture_output=True, text=True)
toolkit.same("-c with -l", (refused.returncode, refused.stdout.splitlines()[0]),
             (2, "tcpretrans: -c shows connections, and -l and -s single segments"))
