# Files that are created and deleted while it runs, and others that are not: tools/filelife.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import tempfile

with tempfile.TemporaryDirectory() as work:
    work = os.path.realpath(work)
    old = f"{work}/old"
    open(old, "w").close()
    with toolkit.Alone("filelife", "-p", os.getpid()) as mine, toolkit.Alone("filelife", "-p", 1) as of_another:
        for name in ("one", "two"):
            os.close(os.open(f"{work}/{name}", os.O_CREAT | os.O_WRONLY))
        os.close(os.open(f"{work}/one", os.O_CREAT | os.O_WRONLY))  # it exists already
        os.unlink(f"{work}/one")
        here = os.open(work, os.O_RDONLY)
        os.unlink("two", dir_fd=here)
        os.unlink(old)  # it was there before
        os.chdir(work)
        open("three", "x").close()
        os.unlink("../" + os.path.basename(work) + "/./three")
        os.chdir("/")
        mine.shows("three")
paths = re.findall(rf" {os.getpid()} +\S+ +{os.getpid()} +\S+ +\d+\.\d{{3}} (.*)$", mine.ours, re.M)
toolkit.same("files", paths, [f"{work}/{name}" for name in ("one", "two", "three")])
toolkit.same("of another", toolkit.rows(of_another.ours), [])
