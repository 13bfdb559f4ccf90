# Attributes of files, some of which do not exist: tools/statsnoop.d. bcc's shows nothing on newer kernels.
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402


def ask(call, path):
    try:
        call(path)
    except OSError as error:
        return -1, error.errno, path
    return 0, 0, path


def of_mine(text, work):
    events = re.findall(r"^(\d+) +\S+ +(-?\d+) +(\d+) (.*)$", text, re.M)
    return [(int(ret), int(err), path) for pid, ret, err, path in events
            if int(pid) == os.getpid() and path.startswith(work)]


with tempfile.TemporaryDirectory() as work:
    with toolkit.Alone("statsnoop") as plain:
        truth = [ask(call, f"{work}{name}") for name in ("", "/no-file", "/last")
                 for call in (os.stat, os.lstat, os.statvfs)]
        plain.shows(f"{work}/last")
    toolkit.same("asked", of_mine(plain.ours, work), truth)

    # Those that fail alone, with the time of day. A newline in a name makes no line.
    with toolkit.Alone("statsnoop", "-x", "-t", "-p", os.getpid()) as failed, \
            toolkit.Alone("statsnoop", "-n", "no-such-name") as of_another:
        for name in "", "/x\n1 forged", "/last":
            ask(os.stat, work + name)
        os.fstat(0)
        failed.shows(f"{work}/last")
    toolkit.same("failed", [line.split(work)[1] for line in toolkit.rows(failed.ours) if work in line],
                 ["/x\\n1 forged", "/last"])
    toolkit.same("of another", toolkit.rows(of_another.ours), [])
