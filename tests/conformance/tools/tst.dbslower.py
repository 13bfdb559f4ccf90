# @@host
# @@timeout: 120
# Queries of a server of PostgreSQL that is one process: tools/dbslower.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import pathlib
import pwd
import shutil
import tempfile
import time

BIN = pathlib.Path("/usr/lib/postgresql/15/bin")
if not (BIN / "postgres").exists():
    print("postgresql-15 is not installed")
    sys.exit(toolkit.SKIP)
user = pwd.getpwnam("postgres")  # it does not run as root
work = pathlib.Path(tempfile.mkdtemp())
os.chown(work, user.pw_uid, user.pw_gid)
how = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": work}
try:
    subprocess.run([BIN / "initdb", "-N", "-D", work / "data", "-A", "trust"], stdout=subprocess.DEVNULL, check=True, **how)
    said = work / "said"
    with said.open("w") as out:
        server = subprocess.Popen([BIN / "postgres", "--single", "-D", work / "data", "-c", "shared_buffers=16MB", "template1"],
                                  stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL, text=True, **how)
    while "backend>" not in said.read_text() and server.poll() is None:
        time.sleep(0.01)
    with toolkit.Alone("dbslower", "-m", 0, "-p", server.pid) as every, toolkit.Alone("dbslower", "-m", 200) as slow:
        server.stdin.write("select 1 as quick\nselect pg_sleep(0.3)\nselect 1 / 0\n")
        server.stdin.close()
        server.wait(timeout=60)
        every.shows("pg_sleep")
        slow.shows("pg_sleep")
finally:
    shutil.rmtree(work)
toolkit.same("queries", re.findall(rf" {server.pid} +postgres +\d+\.\d{{3}} (.*?)$", every.ours, re.M), [r"select 1 as quick\n", r"select pg_sleep(0.3)\n"])
slow_ones = re.findall(rf" {server.pid} +postgres +(\d+)\.\d{{3}} (.*?)$", slow.ours, re.M)
toolkit.same("slow ones", [(int(ms) >= 300, query) for ms, query in slow_ones], [(True, r"select pg_sleep(0.3)\n")])
