# @@host
# @@timeout: 120
# Letters of tools that choose what is shown, or add to it: each with events that it must show, and others that it must not.
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

me = os.getpid()


def of_user(uid, work):
    """Does it in a child that is this user."""
    child = os.fork()
    if child == 0:
        os.setuid(uid)
        work()
        os._exit(0)
    os.waitpid(child, 0)
    return child


def connect(family, address):
    with socket.create_server((address, 0), family=family) as server:
        port = server.getsockname()[1]
        with socket.create_connection(server.getsockname()[:2]) as client:
            peer = server.accept()[0]
            client.sendall(b"x")
            peer.recv(1)
            client.close()
            peer.recv(1)
            peer.close()
    return port


def both_families():
    return [connect(socket.AF_INET, "127.0.0.1"), connect(socket.AF_INET6, "::1")]


# Of IPv4, of IPv6, and of both.
for name in "tcplife", "tcpconnect", "tcpaccept", "tcpstates", "tcpconnlat", "tcptracer", "tcptop":
    with toolkit.Alone(name, "-4") as four, toolkit.Alone(name, "-6") as six, toolkit.Alone(name, "-4", "-6") as all_of_them:
        old, new = both_families()
        both_families()
        for one, port in (four, old), (six, new), (all_of_them, new):
            one.shows(rf"\b{port}\b")
    for what, one, wanted in ("-4", four, (True, False)), ("-6", six, (False, True)), ("-4 -6", all_of_them, (True, True)):
        lines = "\n".join(toolkit.rows(one.ours))
        toolkit.same(f"{name} {what}: {lines}", tuple(re.search(rf"\b{port}\b", lines) is not None for port in (old, new)), wanted)

with toolkit.Alone("tcprtt", "-4", "-B") as four, toolkit.Alone("tcprtt", "-6", "-B") as six:
    both_families()
toolkit.same("tcprtt", [(" 127.0.0.1," in one.ours, " ::1," in one.ours) for one in (four, six)], [(True, False), (False, True)])

# Seconds since the start.
with toolkit.Alone("execsnoop", "-t", "-p", me) as started, toolkit.Alone("tcplife", "-t") as ended:
    begin = time.monotonic()
    subprocess.run(["true"])
    port = connect(socket.AF_INET, "127.0.0.1")
    started.shows(r"^[\d.]+ +true ")
    ended.shows(rf"\b{port}\b")
    most = time.monotonic() - begin + 60
for one, line in (started, r"^(\d+\.\d{3}) +true +"), (ended, rf"^(\d+\.\d{{3}}) .*\b{port}\b"):
    toolkit.same(one.ours, 0 <= float(re.search(line, one.ours, re.M)[1]) <= most, True)
toolkit.same("heading", started.ours.split()[:2], ["TIME(s)", "COMMAND"])


def bind():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))


# Of a user.
with toolkit.Alone("bindsnoop", "-u", 65534) as bound:
    bind()
    child = of_user(65534, bind)
    bound.shows(rf"^{child} ")
toolkit.same("bindsnoop -u", {row.split()[0] for row in toolkit.rows(bound.ours)}, {str(child)})

# Of a process, of a thread; the units of a table.
with toolkit.Alone("gethostlatency", "-p", me) as mine, toolkit.Alone("gethostlatency", "-p", toolkit.another()) as of_another:
    socket.getaddrinfo("localhost", 80)
    mine.shows(rf" {me} .* localhost$")
toolkit.same("gethostlatency -p", toolkit.rows(of_another.ours), [])


def naps():
    for _ in range(3):
        time.sleep(0.05)


with toolkit.Alone("syscount", "-t", me) as mine, toolkit.Alone("syscount", "-L", "-p", me) as micro, \
        toolkit.Alone("syscount", "-L", "-m", "-p", me) as milli:
    for _ in range(5):
        os.getppid()
    thread = threading.Thread(target=lambda: [os.getpgid(0) for _ in range(50)])
    thread.start()
    thread.join()
    naps()
toolkit.same("syscount -t", "getpgid" in mine.ours, False)
toolkit.same("syscount -t", re.search(r"^getppid +(\d+)$", mine.ours, re.M)[1], "5")
times = [int(re.search(r"^clock_nanosleep +(\d+) +\d+$", one.ours, re.M)[1]) for one in (micro, milli)]
toolkit.same(f"syscount -m: {times}", 150 <= times[1] <= times[0] // 1000 + 60000 and times[0] >= 150000, True)
toolkit.same("headings", [re.search(r"^CALL +(\S+)", one.ours, re.M)[1] for one in (micro, milli)], ["US", "MS"])

# Of two sleeps, the short one.
SLEEPS = "import sys, time\nsys.stdin.read(1)\nfor i in range(3): time.sleep(0.02)\nfor i in range(2): time.sleep(0.5)"
with subprocess.Popen([sys.executable, "-S", "-c", SLEEPS], stdin=subprocess.PIPE) as process:
    toolkit.until_asleep(process.pid)
    with toolkit.Alone("wakeuptime", "-m", 10000, "-M", 200000, "-p", process.pid) as short:
        process.communicate(b"x", timeout=60)
slept = sum(int(n) for n in re.findall(r"^\S+ is woken by .*\n(?:.+\n)*?(\d+) us$", short.ours, re.M))
toolkit.same(f"wakeuptime -M: {short.ours}", 60000 <= slept < 1000000, True)

# What a process keeps, of small allocations only.
KEEPS = "import ctypes; c = ctypes.CDLL(None); c.malloc.restype = ctypes.c_void_p; kept = [c.malloc(7777), c.malloc(77777)]"
with toolkit.Alone("memleak", "-Z", 20000, "-z", 7000, "-c", f"{sys.executable} -S -c '{KEEPS}'") as small:
    small.ends()
toolkit.same(f"memleak -Z: {small.ours}", ("7777 bytes, allocations: 1" in small.ours, "77777" in small.ours), (True, False))

# Stacks of programs; a disk's requests of nobody; an end.
# The table by which the first stack is unwound may not have been read yet.
with toolkit.Alone("capable", "-U", "-p", me) as program:
    for _ in range(20):
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) - 1)
        os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) + 1)
        time.sleep(0.05)
    program.shows(r"SYS_NICE +granted\n\n +\S+`setpriority\+")
with tempfile.NamedTemporaryFile(dir=".") as file, toolkit.Alone("biotop", "-p", toolkit.another(), "1s", 1) as of_another:
    os.write(file.fileno(), b"x" * 100000)
    os.fsync(file.fileno())
    of_another.ends()
toolkit.same(f"biotop -p: {of_another.ours}", re.findall(r"^\d+ .*[RW] ", of_another.ours, re.M), [])
with toolkit.Alone("shmsnoop", "-d", "1s") as timed:
    timed.ends()

# Interrupts in nanoseconds.
for name in "hardirqs", "softirqs":
    with toolkit.Alone(name, "-N") as nano, toolkit.Alone(name, "-N", "-d") as each:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            receiver.bind(("127.0.0.1", 0))
            for _ in range(200):
                sender.sendto(b"x", receiver.getsockname())
                receiver.recv(1)
        time.sleep(0.2)
    toolkit.same(f"{name} -N", re.search(r"^\w+ +(\w+)$", nano.ours, re.M)[1], "NS")
    if name == "softirqs":
        toolkit.same(f"{name} -N: {nano.ours}", int(re.search(r"^net_rx +(\d+)$", nano.ours, re.M)[1]) >= 200 * 50, True)
        toolkit.same(f"{name} -N -d", toolkit.counted(each.ours, "  net_rx, ns") >= 190, True)

# A thread that computes beside others.
PROGRAM = """
import sys, threading
def work():
    for _ in range(400): sum(range(100000))
print(threading.get_native_id(), flush=True)
thread = threading.Thread(target=work)
sys.stdin.read(1)
thread.start()
thread.join()
"""
with subprocess.Popen([sys.executable, "-S", "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
    first = int(process.stdout.readline())
    with toolkit.Alone("profile", "-F", 197, "-p", process.pid) as all_of_them, toolkit.Alone("profile", "-F", 197, "-L", first) as one, \
            toolkit.Alone("profile", "-i", "-F", 197, "-p", process.pid) as functions:
        process.communicate("x", timeout=60)


def samples(text):
    return sum(map(int, re.findall(r"^samples: (\d+)$", text, re.M)))


toolkit.same(f"profile -L: {samples(one.ours)} of {samples(all_of_them.ours)}", samples(one.ours) * 2 < samples(all_of_them.ours), True)
toolkit.same("profile -i", re.search(r"^COMMAND +FUNCTION +SAMPLES\n", functions.ours, re.M) is not None, True)
