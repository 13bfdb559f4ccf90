# A process that may change its root directory, and one that may not: tools/capable.d.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def change_root(user):
    child = os.fork()
    if child == 0:
        if user:
            os.setuid(user)
        try:
            os.chroot("/")
        except OSError:
            pass
        os._exit(0)
    os.waitpid(child, 0)
    return child


with toolkit.Alone("capable") as plain, toolkit.Alone("capable", "-x", "-K") as failed:
    granted, missing = change_root(0), change_root(65534)
    for one in plain, failed:
        one.shows(rf" {missing} +\S+ +18 +SYS_CHROOT +missing$")


def of(pid, text):
    return re.findall(rf" (\d+) +{pid} +\S+ +(\d+) +(\w+) +(\w+)$", text, re.M)


toolkit.same("granted", ("0", "18", "SYS_CHROOT", "granted") in of(granted, plain.ours), True)
toolkit.same("for another user", ("0", "7", "SETUID", "granted") in of(missing, plain.ours), True)
toolkit.same("missing", of(missing, failed.ours), [("65534", "18", "SYS_CHROOT", "missing")])
toolkit.same("granted, with -x", " granted\n" in failed.ours, False)
toolkit.same("stacks", "vmlinux`" in failed.ours, True)

# Of a process, each privilege once.
def change_twice():
    child = os.fork()
    if child == 0:
        for _ in range(3):
            os.chroot("/")
        os._exit(0)
    os.waitpid(child, 0)
    return child


with toolkit.Alone("capable") as plain, toolkit.Alone("capable", "-u") as unique:
    child = change_twice()
    end = change_root(65534)
    for one in plain, unique:
        one.shows(rf" {end} +\S+ +18 +SYS_CHROOT +missing$")
toolkit.same("-u", [len([row for row in of(child, one.ours) if row[2] == "SYS_CHROOT"]) for one in (plain, unique)], [3, 1])
