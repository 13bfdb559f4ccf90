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
        # A file that is renamed keeps its life, also over another, whose life ends; not one that was there before.
        for name in ("four", "five", "six"):
            open(name, "x").close()
        os.rename("four", f"{work}/moved")
        os.rename("moved", "moved", src_dir_fd=here, dst_dir_fd=here)
        os.unlink("moved")
        os.rename("six", "five")
        os.unlink("five")
        os.symlink("nothing", "link")
        os.rename("link", "elsewhere")
        os.unlink("elsewhere")
        os.mkdir("directory")
        os.rmdir("directory")
        open("last", "x").close()
        os.unlink("last")
        os.chdir("/")
        mine.shows("last")
paths = re.findall(rf" {os.getpid()} +\S+ +{os.getpid()} +\S+ +\d+\.\d{{3}} (.*)$", mine.ours, re.M)
toolkit.same("files", paths, [f"{work}/{name}" for name in ("one", "two", "three", "moved", "five", "five", "last")])
toolkit.same("of another", toolkit.rows(of_another.ours), [])
