# @@host
# @@timeout: 120
"""Every profile: it compiles, and shows what a workload does that knows the truth."""
import ctypes
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from watching import Watch, fail, run, same

me = os.getpid()
libc = ctypes.CDLL(None)


def failed(call, *arguments):
    try:
        call(*arguments)
    except OSError:
        pass


def open_files():
    os.close(os.open("/etc/hostname", os.O_RDONLY))
    os.close(libc.creat(b"/dev/null", 0o600))
    failed(os.open, "/no-such-file", os.O_RDONLY)


def kill_child():
    child = subprocess.Popen(["sleep", "60"])
    os.kill(child.pid, signal.SIGUSR1)
    child.wait()


def change_mode():
    with tempfile.NamedTemporaryFile() as file:
        os.chmod(file.name, 0o640)
        os.fchmod(file.fileno(), 0o604)
    failed(os.chmod, "/no-such-file", 0o600)


def read_and_write():
    with tempfile.NamedTemporaryFile() as file:
        os.write(file.fileno(), b"x" * 77)
        os.lseek(file.fileno(), 0, os.SEEK_SET)
        os.read(file.fileno(), 55)


def talk():
    one, other = socket.socketpair()
    one.sendmsg([b"x" * 33])
    other.recv(11)
    other.recv(99)
    failed(other.recv, 99, socket.MSG_DONTWAIT)


def connect():
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    peer = server.accept()[0]
    client.sendall(b"x" * 44)
    peer.recv(100)
    client.close()
    peer.close()
    server.close()


def datagram():
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.sendto(b"x" * 22, server.getsockname())
    server.recv(100)


ENDS = r"127\.0\.0\.1:\d+ -> 127\.0\.0\.1:\d+"
# Of each: the workload, patterns of what it shows of this process, and one of what it does not.
CASES = {
    "open": (open_files, ["/etc/hostname = \\d+", "/dev/null = \\d+", "/no-such-file: ENOENT"], None),
    "open-failed": (open_files, ["/no-such-file: ENOENT"], "hostname"),
    "chmod": (change_mode, ["0640 /tmp/.*", "0604 /tmp/.*", "0600 /no-such-file: ENOENT"], None),
    "errno": (open_files, ["openat: 2 \\(ENOENT\\)"], "close"),
    "errno-ENOENT": (open_files, ["openat: 2 \\(ENOENT\\)"], "EACCES"),
    "errno-9": (lambda: failed(os.close, 999), ["close: 9 \\(EBADF\\)"], "ENOENT"),
    "rw": (read_and_write, ["write /tmp/\\S+ 77 bytes", "read /tmp/\\S+ 55 bytes"], None),
    "rw-read": (read_and_write, ["read /tmp/\\S+ 55 bytes"], "write"),
    "kill": (kill_child, ["signal 10 \\(SIGUSR1\\) to \\S+\\[\\d+\\]"], None),
    "namei": (open_files, ["openat /etc/hostname", "openat /no-such-file: ENOENT"], None),
    "namei-enoent": (open_files, ["openat /no-such-file: ENOENT"], "hostname"),
    "proc-signal": (kill_child, ["SIGUSR1 to \\S+\\[\\d+\\]"], None),
    "nanosleep": (lambda: time.sleep(0.9), ["0\\.[1-9]\\d{8} s"], None),
    "sendrecv": (talk, ["sendmsg socket \\d+ 33 bytes", "recvfrom socket \\d+ 11 bytes", "recvfrom socket \\d+ EAGAIN"], None),
    "recv": (talk, ["recvfrom socket \\d+ 11 bytes"], "sendmsg"),
    "slow": (lambda: time.sleep(0.05), ["clock_nanosleep took [5-9]\\d{4} us|clock_nanosleep took \\d{6,} us"], "close"),
    "tcp": (connect, [f"send {ENDS} 44 bytes"], None),
    "tcp-receive": (connect, [f"receive {ENDS} 44 bytes"], " send "),
    "tcp-connect": (connect, ["connect-request ", f"connect-established {ENDS}", f"accept-established {ENDS}"], None),
    "tcp-state-change": (connect, [f"{ENDS} state-syn-sent -> state-established"], None),
    "udp": (datagram, [f"send {ENDS} 22 bytes", f"receive {ENDS} 22 bytes"], None),
    "ip": (datagram, ["send IPv4 127\\.0\\.0\\.1 -> 127\\.0\\.0\\.1 30 bytes"], None),
    "slow-syscall": (lambda: time.sleep(0.05), ["clock_nanosleep took \\d+ us"], "close"),
    "sched-on-cpu": (lambda: time.sleep(0.01), ["on-cpu CPU \\d+ priority \\d+"], "off-cpu"),
}
for name, (work, patterns, absent) in CASES.items():
    with Watch("-p", me, "-X", name) as watch:
        work()
        for pattern in patterns:
            watch.shows(rf"\[{me}\]: (?:{pattern})$" if not pattern.endswith(" ") else pattern)
    others = [row for row in watch.rows if row[3] != str(me)]
    same(f"{name}: of others", others, [])
    if absent and any(absent in row[4] for row in watch.rows):
        fail(f"{name} shows {absent}: {watch.text}")
with Watch("-X", "coredump") as ended, Watch("-t", f"ppid == {me}", "-X", "proc") as process:
    child = subprocess.Popen(["sleep", "60"])
    process.shows(r"exec-success sleep 60$")
    child.kill()
    child.wait()
    ended.shows(rf"^.* sleep\[{child.pid}\]: killed sleep 60$")
    process.shows(r"exit sleep 60$")
# Signals that end a process, and how often. A thread waits for a CPU: for any time.
with Watch("-X", "proc-signal-fatal") as fatal, Watch("-X", "coredump-top", "200ms") as top, Watch("-p", me, "-X", "sched-latency", 0) as waits:
    child = subprocess.Popen(["sleep", "60"])
    while os.readlink(f"/proc/{child.pid}/exe") != os.path.realpath(shutil.which("sleep")):
        time.sleep(0.01)
    child.send_signal(signal.SIGSTOP)
    child.kill()
    child.wait()
    fatal.shows(rf"SIGKILL to sleep\[{child.pid}\]$")
    top.shows(r"^ +\d+ sleep +SIGKILL +killed$")
    waits.shows(rf"\[{me}\]: waited for \d+ us$")
# Threads of the kernel that wait for work are not ended by signals either, but hang no more than those of programs do.
# This one never waits for another thing (rcu_tasks_trace does, for tasks to pass a quiescent state).
with Watch("-X", "hang", "-k", "rcu_preempt", 0) as hang, Watch("-k", "rcu_preempt", "-N", 20, "sched:::on-cpu") as ran:
    ran.ends()
same("a thread that waits for work", hang.rows, [])
same("not fatal", "SIGSTOP" in fatal.text, False)
# Those that the machine itself may or may not show.
for name in run("-Q", "-q")[0].split():
    if name not in CASES:
        run("-e", "-X", name.replace("*", "EPERM"))
