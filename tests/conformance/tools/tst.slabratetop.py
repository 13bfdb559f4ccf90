# A process that opens files takes a structure of the cache filp for each: tools/slabratetop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

FILES = 400
with toolkit.Alone("slabratetop", "-p", os.getpid(), "-r", 50, 100) as one, toolkit.Alone("slabratetop", "-p", toolkit.another(), 100) as of_another:
    for _ in range(FILES):
        os.close(os.open("/dev/null", os.O_RDONLY))
found = re.search(r"^(?:filp) +(\d+) +(\d+)$", one.ours, re.M)
if not found or int(found[2]) % int(found[1]) or int(found[2]) // int(found[1]) < FILES or int(found[2]) // int(found[1]) > FILES + 100:
    sys.exit(one.ours)
toolkit.same("of another", re.findall(r"^\S+ +\d+ +\d+$", of_another.ours, re.M), [])
