# @@timeout: 180
"""Points of PostgreSQL, as its manual says them: texts of queries, transactions, a sort, blocks, what a checkpoint writes."""
import os
import pathlib
import pwd
import subprocess
import sys
import tempfile
import time

from programs import STAP, must_list

BIN = pathlib.Path("/usr/lib/postgresql/15/bin")
if not (BIN / "postgres").exists():
    print("postgresql-15 is not installed")
    sys.exit(77)
for family in "postgres", "postgresql":
    must_list(f"{family}.*", [f"{family}.query__start name:string query:string", f"{family}.transaction__commit name:string xid:long",
                              f"{family}.lwlock__acquire name:string tranche:string mode:long"])
SCRIPT = """
global goes, n
probe timer.ms(10) { if (!goes) println("goes") goes = 1 }
probe postgres.query__start, postgresql.query__done { if (pid() == target()) printf("%s %s\\n", name, query) }
probe postgres.query__plan__start, postgres.query__plan__done, postgres.transaction__start, postgres.transaction__commit,
  postgres.transaction__abort { if (pid() == target()) n[name]++ }
probe postgres.sort__start { if (pid() == target()) printf("sort %d columns\\n", columns) }
probe postgres.sort__done { if (pid() == target()) printf("sorted %s\\n", is_external ? "on disk" : "in memory") }
probe postgres.buffer__read__done { if (pid() == target()) n[hit == 0 || hit == 1 ? "a read" : "wrong"]++ }
probe postgres.statement__status { if (pid() == target()) n["status"]++ }
probe postgres.checkpoint__done { if (pid() == target()) printf("checkpoint: %d buffers in all\\n", buffers_total) }
probe end { foreach (a in n) printf("%s %d\\n", a, n[a]) }"""
QUERIES = ["create table t (n int, m int)", "insert into t select g, -g from generate_series(1, 100) g",
           "select n from t order by m, n", "select 1 / 0", "checkpoint"]
# It does not run as root.
user = pwd.getpwnam("postgres")


def as_user(work, words, **how):
    return subprocess.Popen(words, user=user.pw_uid, group=user.pw_gid, extra_groups=[], cwd=work, **how)


def main(work):
    os.chown(work, user.pw_uid, user.pw_gid)
    if as_user(work, [BIN / "initdb", "-N", "-D", work / "data", "-A", "trust"], stdout=subprocess.DEVNULL).wait() != 0:
        return "initdb fails"
    # A server that is one process, and takes queries from its standard input.
    said = work / "said"
    with said.open("w") as out:
        server = as_user(work, [BIN / "postgres", "--single", "-D", work / "data", "-c", "shared_buffers=16MB", "template1"],
                         stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL, text=True)
    # Its own transactions are done when it asks for queries.
    while "backend>" not in said.read_text() and server.poll() is None:
        time.sleep(0.01)
    tracer = subprocess.Popen([STAP, "-s", "32", "-x", str(server.pid), "-e", SCRIPT], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    if tracer.stdout.readline() != "goes\n":
        server.kill()
        return tracer.communicate()[0]
    server.stdin.write("".join(query + "\n" for query in QUERIES))
    server.stdin.close()
    got = tracer.communicate(timeout=120)[0].splitlines()
    server.wait(timeout=60)
    # What fails has no end. Of five queries, three have a plan, and one of these fails while it is made.
    wanted = ["checkpoint: 2048 buffers in all"]  # as it ends
    for query in QUERIES:
        wanted.append("query__start " + query)
        wanted += ["sort 2 columns", "sorted in memory"] if "order" in query else []
        wanted += ["checkpoint: 2048 buffers in all"] if query == "checkpoint" else []
        wanted += ["query__done " + query] if "/" not in query else []
    wanted += ["query__plan__done 2", "query__plan__start 3", "transaction__abort 1", "transaction__commit 4", "transaction__start 5"]
    missing = [line for line in wanted if got.count(line) != wanted.count(line)]
    is_good = tracer.returncode == 0 and not missing and any(line.startswith("a read ") for line in got)
    wrong = [line for line in got if line.startswith("wrong")]
    return "" if is_good and not wrong else f"exit status {tracer.returncode}, missing {missing} in\n" + "\n".join(got)


with tempfile.TemporaryDirectory() as directory:
    bad = main(pathlib.Path(directory))
if bad:
    print(bad)
    sys.exit(1)
