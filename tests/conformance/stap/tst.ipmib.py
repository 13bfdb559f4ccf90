#!/usr/bin/env python3
# @@host
# @@timeout: 120
"""ipmib.*: what the kernel counts of packets of IPv4 is what the points count, in two namespaces of the network."""
import os
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
from network import Pair, SKIP, ip

NAMES = ("InUnknownProtos", "InAddrErrors", "InNoRoutes")
PACKETS = {"InUnknownProtos": 5, "InAddrErrors": 3, "InNoRoutes": 4}


def packets(space, source, to, number, protocol):
    """Sends packets of IPv4 that the kernel takes as they are."""
    program = f"""
import socket, struct
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
for i in range({number}):
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 25, i + 1, 0, 64, {protocol}, 0, socket.inet_aton("{source}"), socket.inet_aton("{to}"))
    raw.sendto(head + b"hello", ("{to}", 0))
"""
    subprocess.run(["ip", "netns", "exec", space, sys.executable, "-c", program], check=True, timeout=60)


def counted(space):
    out = {}
    for file in ("/proc/net/snmp", "/proc/net/netstat"):
        rows = [line.split() for line in subprocess.run(["ip", "netns", "exec", space, "cat", file], capture_output=True,
                                                        text=True, check=True).stdout.splitlines()]
        for names, values in zip(rows[::2], rows[1::2]):
            out.update({name: int(value) for name, value in zip(names, values) if name in NAMES})
    return out


def main():
    for name in NAMES:
        if subprocess.run([os.environ["STAP"], "-l", f"ipmib.{name}"], capture_output=True, check=False).returncode != 0:
            print(f"this kernel gives no reason of drops for {name}")
            sys.exit(SKIP)
    pair = Pair("i", {4: ("10.123.9.1", "10.123.9.2"), 6: ("fd00:9::1", "fd00:9::2")})
    pair.make()
    try:
        here, there = pair.spaces
        ip("-n", here, "route", "add", "10.77.0.0/16", "via", "10.123.9.2")
        subprocess.run(["ip", "netns", "exec", there, "sh", "-c", "echo 0 > /proc/sys/net/ipv4/ip_forward"], check=True)
        before = counted(there)
        script = "global n " + " ".join(
            f'probe ipmib.{name} {{ if (ipmib_remote_addr(skb, 0) == 0x0a7b0901) n[name] += op }}'
            for name in NAMES) + ' probe begin { println("ready") } probe end { foreach (k+ in n) println(k, " ", n[k]) }'
        tracer = subprocess.Popen([os.environ["STAP"], "-e", script], stdout=subprocess.PIPE, text=True)
        if tracer.stdout.readline() != "ready\n":
            raise SystemExit("not ready")
        packets(here, "10.123.9.1", "10.123.9.2", PACKETS["InUnknownProtos"], 253)
        packets(here, "10.123.9.1", "10.77.1.1", PACKETS["InAddrErrors"], 17)
        subprocess.run(["ip", "netns", "exec", there, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"], check=True)
        packets(here, "10.123.9.1", "10.77.1.1", PACKETS["InNoRoutes"], 17)
        after = counted(there)
        kernel = {name: after[name] - before[name] for name in NAMES}
        tracer.terminate()
        said = dict(line.split() for line in tracer.communicate(timeout=60)[0].splitlines())
    finally:
        pair.remove()
    wanted = {f"ipmib.{name}": str(number) for name, number in kernel.items()}
    if kernel != PACKETS or said != wanted:
        raise SystemExit(f"sent {PACKETS}, the kernel counted {kernel}, the points {said}")


main()
