# Processes that change their user, and one that may not: tools/setuids.d.
import os
import re
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

CALLS = [(os.setresuid, (-1, 4711, -1)), (os.setreuid, (-1, 0)), (os.setuid, (65534,)), (os.setuid, (0,))]
read, write = os.pipe()
child = os.fork()
if child == 0:
    os.read(read, 1)
    for call, users in CALLS:
        try:
            call(*users)
        except PermissionError:
            pass
    os._exit(0)
with toolkit.Alone("setuids", "-p", child) as every, toolkit.Alone("setuids", "-x") as failed, \
        toolkit.Alone("setuids", "-n", "no-such-name") as of_another:
    os.write(write, b"x")
    os.waitpid(child, 0)
    for one in every, failed:
        one.shows(rf" {child} .* -1 0\n")
rows = [re.findall(rf"^\S+ \S+ \S+ \S+ +{child} +\S+ +(\d+) +(\w+) +(-?\d+)((?: -?\d+)+)$", one.ours, re.M) for one in (every, failed)]
toolkit.same("calls", rows[0], [("0", "setresuid", "0", " -1 4711 -1"), ("0", "setreuid", "0", " -1 0"),
                                ("0", "setuid", "0", " 65534"), ("65534", "setuid", "-1", " 0")])
toolkit.same("failed", rows[1], rows[0][3:])
toolkit.same("of another", toolkit.rows(of_another.ours), [])
