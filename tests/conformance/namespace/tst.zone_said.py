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
# The numbers of two containers begin alike, and with no other one's digits.
BEGIN = f"{os.getpid():08x}"
ONE, TWO = (BEGIN + digit * 56 for digit in "12")
DOCKER, PODMAN, SERVICE, HOST = f"docker-{ONE}.scope", f"libpod-{TWO}", f"dt-{os.getpid()}.service", f"dt-box-{os.getpid()}"
SHOP, TWICE = f"shop-{os.getpid()}", f"twice-{os.getpid()}"
for group in DOCKER, PODMAN, SERVICE:
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
    """How many of them were seen: 1 in Docker's, 2 in Podman's, 4 in the service, 8 in the sandbox."""
    program = 'BEGIN { printf("up\\n"); } proc:::exec-success /execname == "sleep"/ { @ = count(); } END { printa("%@d\\n", @); }'
    with tempfile.TemporaryFile("w+") as errors:
        dtrace = subprocess.Popen([DTRACE, "-q", "-x", option, "-x", "switchrate=100hz", "-n", program], stdout=subprocess.PIPE,
                                  stderr=errors, text=True)
        if dtrace.stdout.readline() == "up\n":
            for times, container in (1, docker), (2, podman), (4, service), (8, sandbox):
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


docker = Container(DOCKER, "-C", "-p", "-f")
podman = Container(PODMAN, "-C", "-p", "-f")
service = Container(SERVICE)
sandbox = Container(None, "-p", "-u", "-f", host=HOST)

# A name, a beginning of the number, the pod, a process; for a sandbox without a control group, also its namespace.
for name in DOCKER, ONE, ONE[:12], SHOP, f"{TWICE}/a", docker.pid():
    check(f"zone={name}", 1)
for name in PODMAN, TWO[:12], f"{TWICE}/b", podman.pid():
    check(f"zone={name}", 2)
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
refused(f"zone={os.getpid()}", f"process {os.getpid()} is in no container")
sandbox.end()
refused(f"zone={space}", re.escape(f"no process is in '{space}'"))
