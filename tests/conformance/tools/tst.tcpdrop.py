# Segments for ports where nothing listens are dropped: tools/tcpdrop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import socket


def refused(host):
    """A port of this machine where nothing listens, after a segment has gone there."""
    server = socket.create_server((host, 0), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    port = server.getsockname()[1]
    server.close()
    try:
        socket.create_connection((host, port))
        sys.exit("it was not refused")
    except ConnectionRefusedError:
        return port


has_six = os.path.exists("/proc/net/if_inet6") and "lo" in open("/proc/net/if_inet6").read()
with toolkit.Alone("tcpdrop", "-s", "-4", "-6") as both, toolkit.Alone("tcpdrop", "-4") as four, toolkit.Alone("tcpdrop", "-6") as six:
    ports = [refused("127.0.0.1")] + ([refused("::1")] if has_six else [])
    both.shows(rf" {ports[-1]} .*NO_SOCKET")
    four.shows(rf" {ports[0]} .*NO_SOCKET")
WANTED = [rf" 4  127\.0\.0\.1 +\d+ 127\.0\.0\.1 +{ports[0]} \S+ +enum skb_drop_reason SKB_DROP_REASON_NO_SOCKET$"]
WANTED += [rf" 6  ::1 +\d+ ::1 +{ports[-1]} \S+ +enum skb_drop_reason SKB_DROP_REASON_NO_SOCKET$"] if has_six else []
toolkit.same(f"both\n{both.ours}", [len(re.findall(pattern, both.ours, re.M)) for pattern in WANTED], [1] * len(WANTED))
toolkit.same("of IPv4", [len(re.findall(pattern, four.ours, re.M)) for pattern in WANTED], [1, 0][:len(WANTED)])
toolkit.same("of IPv6", [len(re.findall(pattern, six.ours, re.M)) for pattern in WANTED], [0, 1][:len(WANTED)])
if "vmlinux`tcp_v4_rcv" not in both.ours:
    sys.exit(f"no stack: {both.ours}")
