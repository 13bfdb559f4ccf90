"""-x zone and -x cgroup with what people call a container: its number, its name, its host name, a process in it."""
import atexit
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

SKIP = 77
LIMIT_S = 60
DTRACE = os.environ["DTRACE"]

if "DT_OWN_MOUNTS" not in os.environ:
    # Where a kubelet keeps the names of its containers; the tree of cgroups, if nobody has mounted it.
    made = "mount -t tmpfs tmpfs /var/log && mkdir /var/log/containers && " \
        '{ grep -q " cgroup2 " /proc/mounts || mount -t cgroup2 none /sys/fs/cgroup; } && exec "$0" "$@"'
    os.execvpe("unshare", ["unshare", "-m", "sh", "-c", made, sys.executable, __file__], {**os.environ, "DT_OWN_MOUNTS": "1"})

mounts = [line.split() for line in pathlib.Path("/proc/mounts").read_text().splitlines()]
tree = next((mount[1] for mount in mounts if mount[2] == "cgroup2"), None)
# The numbers of two containers begin alike, and with no other one's digits. A number without a letter could be a process.
BEGIN = f"a{os.getpid():07x}"
ONE, TWO = (BEGIN + digit * 56 for digit in "12")
THREE = f"f{BEGIN[1:]}{'3' * 56}"
# With crun, Podman's processes are in a group within the one that has the number.
CRUN, WITHIN = f"libpod-{THREE}.scope", f"libpod-{THREE}.scope/container"
DOCKER, PODMAN, SERVICE, HOST = f"docker-{ONE}.scope", f"libpod-{TWO}", f"dt-{os.getpid()}.service", f"dt-box-{os.getpid()}"
SHOP, TWICE = f"shop-{os.getpid()}", f"twice-{os.getpid()}"
for group in DOCKER, PODMAN, SERVICE, CRUN, WITHIN:
    try:
        os.mkdir(f"{tree}/{group}")
    except OSError as error:
        print(f"no cgroup2 that can be written: {error}")
        sys.exit(SKIP)
    atexit.register(os.rmdir, f"{tree}/{group}")
for pod, name, number in (SHOP, "only", ONE), (TWICE, "a", ONE), (TWICE, "b", TWO):
    pathlib.Path(f"/var/log/containers/{pod}_default_{name}-{number}.log").touch()


class Container:
    """A shell that sleeps for no time as often as it is told, in a control group or in namespaces, or both."""

    def __init__(self, group, *unshare, host=None):
        join = f"echo $$ > {tree}/{group}/cgroup.procs && " if group else ""
        named = f"hostname {host}; " if host else ""
        loop = named + 'echo $$; while read n; do for i in $(seq $n); do sleep 0; done; echo done; done'
        words = ["unshare", *unshare] if unshare else []
        self.process = subprocess.Popen(["sh", "-c", join + 'exec "$@"', "sh", *words, "sh", "-c", loop],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.end)
        if not self.process.stdout.readline():
            print("no namespaces here")
            sys.exit(SKIP)

    def pid(self):
        """As it is called outside: the shell is the child of unshare, or what was begun."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0]) if children else self.process.pid

    def sleeps(self, times):
        self.process.stdin.write(f"{times}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(LIMIT_S)


def traced(option):
    """How many of them were seen: 1 in Docker's, 2 in Podman's, 4 in the service, 8 in the sandbox, 16 in Podman's with crun."""
    program = 'BEGIN { printf("up\\n"); } proc:::exec-success /execname == "sleep"/ { @ = count(); } END { printa("%@d\\n", @); }'
    with tempfile.TemporaryFile("w+") as errors:
        dtrace = subprocess.Popen([DTRACE, "-q", "-x", option, "-x", "switchrate=100hz", "-n", program], stdout=subprocess.PIPE,
                                  stderr=errors, text=True)
        if dtrace.stdout.readline() == "up\n":
            for times, container in (1, docker), (2, podman), (4, service), (8, sandbox), (16, crun):
                container.sleeps(times)
            dtrace.send_signal(signal.SIGINT)
        out, _ = dtrace.communicate(timeout=LIMIT_S)
        errors.seek(0)
        return dtrace.returncode, out.strip(), errors.read()


def check(option, wanted):
    have = traced(option)
    if have != (0, str(wanted), ""):
        sys.exit(f"{option}: {have}, wanted {wanted}")


def refused(option, *said):
    status, _, errors = traced(option)
    if status != 1 or not all(re.search(one, errors) for one in said):
        sys.exit(f"{option}: {status}, {errors}, wanted {said}")


# Makes a namespace of processes for its children, as unshare -p does, and stays outside. For each line from the
# standard input, it and the first process within call getpriority, and within, three processes exit. Nobody waits for
# them, so that they keep their numbers until they have left the CPU.
UNSHARED = """
import ctypes, os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_DFL)
if ctypes.CDLL(None).unshare(0x20000000) != 0:
    sys.exit(1)
inside, outside = os.pipe()
if os.fork() == 0:
    os.close(outside)
    while os.read(inside, 1):
        os.getpriority(os.PRIO_PROCESS, 0)
        for _ in range(3):
            os.fork() or os._exit(0)
    os._exit(0)
os.close(inside)
print("up", flush=True)
for line in sys.stdin:
    os.getpriority(os.PRIO_PROCESS, 0)
    os.write(outside, b"x")
"""


def check_own_namespace():
    """A thread's own namespace counts: not that of its children, and also when it has none of the others any more."""
    program = r"""BEGIN { printf("up\n"); } syscall::getpriority:entry { printf("calls %d\n", pid); }
                  sched:::off-cpu /curthread->nsproxy == 0/ { printf("leaves %d\n", tid); }
                  tick-60s { exit(1); }"""
    outside = subprocess.Popen([sys.executable, "-c", UNSHARED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    outside.stdout.readline()
    inside = pathlib.Path(f"/proc/{outside.pid}/task/{outside.pid}/children").read_text().split()[0]
    dtrace = subprocess.Popen([DTRACE, "-q", "-x", f"zone={inside}", "-x", "switchrate=100hz", "-n", program], stdout=subprocess.PIPE, text=True)
    lines = [dtrace.stdout.readline()]
    outside.stdin.write("go\n")
    outside.stdin.flush()
    # Without the threads that exit, this ends when dtrace does.
    while lines[-1] and len({line for line in lines if line.startswith("leaves ")}) < 3:
        lines.append(dtrace.stdout.readline())
    dtrace.send_signal(signal.SIGINT)
    lines += dtrace.communicate(timeout=LIMIT_S)[0].splitlines(keepends=True)
    outside.stdin.close()
    outside.wait(LIMIT_S)
    calls = {line for line in lines if line.startswith("calls ")}
    if lines[0] != "up\n" or calls != {f"calls {inside}\n"}:
        sys.exit(f"zone={inside}: {lines}, outside is {outside.pid}")
    if len({line for line in lines if line.startswith("leaves ")}) != 3:
        sys.exit(f"zone={inside}: of 3 threads that exit, {lines}")


docker = Container(DOCKER, "-C", "-p", "-f")
podman = Container(PODMAN, "-C", "-p", "-f")
service = Container(SERVICE)
crun = Container(WITHIN, "-C", "-p", "-f")
sandbox = Container(None, "-p", "-u", "-f", host=HOST)

# A name, a beginning of the number, the pod, a process; for a sandbox without a control group, also its namespace.
for name in DOCKER, ONE, ONE[:12], SHOP, f"{TWICE}/a", docker.pid():
    check(f"zone={name}", 1)
for name in PODMAN, TWO[:12], f"{TWICE}/b", podman.pid():
    check(f"zone={name}", 2)
for name in THREE, THREE[:12], crun.pid():
    check(f"zone={name}", 16)
check(f"cgroup={THREE[:12]}", 16)
space = os.readlink(f"/proc/{sandbox.pid()}/ns/pid")
for name in sandbox.pid(), HOST, space:
    check(f"zone={name}", 8)
for name in ONE[:12], SHOP, f"{SHOP}/only", docker.pid():
    check(f"cgroup={name}", 1)
for name in SERVICE, SERVICE.removesuffix(".service"), service.pid():
    check(f"cgroup={name}", 4)

# Several, none, and what is no container.
for name in BEGIN, TWICE:
    refused(f"zone={name}", f"'{name}' is the name of 2 containers", rf"hint: these are: \S+/\w+ {TWICE}/b\n")
    refused(f"cgroup={name}", f"'{name}' is the name of 2 control groups")
refused(f"zone={HOST}-no", f"there is no zone '{HOST}-no'", "with -Z it may come later")
refused(f"zone={SERVICE.removesuffix('.service')}", "there is no zone", f"hint: cgroup={SERVICE} is a control group")
refused(f"zone={service.pid()}", f"process {service.pid()} is in no container",
        f"hint: cgroup={service.pid()} is the control group that it is in")
# Nobody's namespace, and the one of all processes that are in no container.
for name in "pid:[0]", "pid:[4026531836]":
    refused(f"zone={name}", re.escape(f"'{name}' is no container's namespace"), "hint: zone=global is what is in no container")
# In the root of the tree and in no container: neither option is the other one's remedy.
root = Container(".")
for option, text in ("zone", "is in no container"), ("cgroup", "is in no control group of version 2 but the root"):
    refused(f"{option}={root.pid()}", f"process {root.pid()} {text}", f"hint: -p {root.pid()} traces the process")
check_own_namespace()
sandbox.end()
refused(f"zone={space}", re.escape(f"no process is in '{space}'"))
