# A service that starts, which executes a program, looks for a file that is not there and fails: tools/svcstart.d. It
# is started twice, as systemd does it: with a control group of its own each time.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

tree = next((line.split()[1] for line in open("/proc/mounts") if line.split()[2] == "cgroup2"), None)
name = f"dt-{os.getpid()}.service"
group = f"{tree}/{name}"
work = f"/tmp/dt-svcstart-{os.getpid()}"
try:
    os.mkdir(group or "")
    os.rmdir(group)
except OSError as error:
    print(f"no cgroup2 that can be written: {error}")
    sys.exit(toolkit.SKIP)


def start():
    """The process of the service; its command is executed within the group."""
    os.mkdir(group)
    script = f"cat {work}-1 2>&-; cat /dev/null; sh -c 'kill -9 $$'; exit 3"
    service = subprocess.Popen(["sh", "-c", f"echo $$ >{group}/cgroup.procs && exec sh -c \"$0\"", script])
    toolkit.same("the service ends", service.wait(60), 3)
    os.rmdir(group)


with toolkit.Alone("svcstart", name) as mine, toolkit.Alone("svcstart", "-a", name) as opened, \
        toolkit.Alone("svcstart", "-x", name) as programs, toolkit.Alone("svcstart", "-x") as every, \
        toolkit.Alone("svcstart", "no-such.service") as none:
    subprocess.run(["cat", f"{work}-0"], stderr=subprocess.DEVNULL, check=False)  # not of the service
    start()
    start()
    for one in mine, opened, programs, every:
        one.shows(r"(?s)status 3\n.*status 3\n")


def events(text, service=""):
    """Without the dynamic linker's files, which depend on the machine."""
    found = re.findall(rf"^{service} *([\d.]+) +\d+ +(\S+) +(exec|exit|open) +(.*)$", text, re.M)
    return [(command, event, what) for _, command, event, what in found if event != "open" or what.endswith((work + "-1", "/null"))]


wanted = [("cat", "exec", f"cat {work}-1"), ("cat", "open", f"ENOENT {work}-1"), ("cat", "exit", "status 1"),
          ("cat", "exec", "cat /dev/null"), ("cat", "open", "0 /dev/null"), ("cat", "exit", "status 0"),
          ("sh", "exec", "sh -c kill -9 $$"), ("sh", "exit", "signal 9"), ("sh", "exit", "status 3")]


def without_first(found):
    """Each start begins with the service's own program."""
    toolkit.same("the first program", found[:1] and found[0][:2], ("sh", "exec"))
    half = len(found) // 2
    toolkit.same("the second start", found[half:], found[:half])
    return found[1:half]


toolkit.same("all events", without_first(events(opened.ours)), wanted)
toolkit.same("without files that were opened", without_first(events(mine.ours)), [one for one in wanted if one[2] != "0 /dev/null"])
toolkit.same("programs", without_first(events(programs.ours)), [one for one in wanted if one[1] != "open"])
toolkit.same("of all services", [one for one in events(every.ours, name)], events(programs.ours))
toolkit.same("times begin with each start", len(re.findall(r"^ +0\.000 +\d+ +sh +exec ", mine.ours, re.M)), 2)
toolkit.same("of another", toolkit.rows(none.ours), [])
