# What the kernel itself counts in /proc/softirqs: tools/softirqs.d.
import os
import re
import socket
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def counts():
    with open("/proc/softirqs") as file:
        return {row.split(":")[0].strip().lower(): sum(map(int, row.split(":")[1].split())) for row in file.readlines()[1:]}


def work():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        receiver.bind(("127.0.0.1", 0))
        for _ in range(500):
            sender.sendto(b"x", receiver.getsockname())
            receiver.recv(1)


before = counts()
with toolkit.Alone("softirqs", "-C") as number:
    inner = counts()
    work()
    end = counts()
after = counts()
rows = {name: int(times) for name, times in re.findall(r"^(\w+) +(\d+)$", number.ours, re.M)}
for name, times in rows.items():
    # One that has begun before and ends after the first probe is attached is not counted.
    least, most = end[name] - inner[name], after[name] - before[name]
    toolkit.same(f"{name}: {times} of {least} to {most}", 0.98 * least - 2 <= times <= most, True)
toolkit.same(f"received {rows}", rows.get("net_rx", 0) >= 400, True)

with toolkit.Alone("softirqs") as time, toolkit.Alone("softirqs", "-d", "-T") as each:
    work()
toolkit.same("time", int(re.search(r"^net_rx +(\d+)$", time.ours, re.M)[1]) > 0, True)
toolkit.same("each", toolkit.counted(each.ours, "  net_rx, us") >= 400, True)
