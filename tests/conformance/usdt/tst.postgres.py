# @@timeout: 180
"""The probes of PostgreSQL, as its manual says them: texts of queries, transactions, a sort, what a checkpoint writes."""
import os
import pathlib
import pwd
import shutil
import subprocess
import sys
import tempfile
import time

DTRACE = os.environ["DTRACE"]
BIN = pathlib.Path("/usr/lib/postgresql/15/bin")
if not (BIN / "postgres").exists():
    print("postgresql-15 is not installed")
    sys.exit(77)
# It does not run as root.
user = pwd.getpwnam("postgres")
work = pathlib.Path(tempfile.mkdtemp())
os.chown(work, user.pw_uid, user.pw_gid)


def as_user(words, **how):
    return subprocess.Popen(words, user=user.pw_uid, group=user.pw_gid, extra_groups=[], cwd=work, **how)


def main():
    made = as_user([BIN / "initdb", "-N", "-D", work / "data", "-A", "trust"], stdout=subprocess.DEVNULL)
    if made.wait() != 0:
        return "initdb fails"
    # A server that is one process, and takes queries from its standard input.
    said = work / "said"
    with said.open("w") as out:
        server = as_user([BIN / "postgres", "--single", "-D", work / "data", "-c", "shared_buffers=16MB", "template1"],
                         stdin=subprocess.PIPE, stdout=out, stderr=subprocess.DEVNULL, text=True)
    # Its own transactions are done when it asks for queries.
    while "backend>" not in said.read_text() and server.poll() is None:
        time.sleep(0.01)
    program = """BEGIN { printf("goes\\n"); }
        postgresql$target:::query-start, postgresql$target:::query-done { printf("%s %s\\n", probename, copyinstr(arg0)); }
        postgresql$target:::query-plan-start, postgresql$target:::query-plan-done { @[probename] = count(); }
        postgresql$target:::transaction-commit, postgresql$target:::transaction-abort { @[probename] = count(); }
        postgresql$target:::sort-start { printf("sort %d columns\\n", arg2); }
        postgresql$target:::checkpoint-done { printf("checkpoint: %d buffers in all\\n", args[1]); }
        END { printa("%s %@d\\n", @); }"""
    tracer = subprocess.Popen([DTRACE, "-q", "-x", "aggsortkey", "-p", str(server.pid), "-n", program],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = []
    for line in tracer.stdout:
        lines.append(line)
        if line == "goes\n":
            break
    queries = ["create table t (n int, m int)", "insert into t select g, -g from generate_series(1, 100) g",
               "select n from t order by m, n", "select 1 / 0", "checkpoint"]
    server.stdin.write("".join(query + "\n" for query in queries))
    server.stdin.close()
    lines += tracer.communicate(timeout=90)[0].splitlines(keepends=True)
    server.wait(timeout=60)
    got = [line for line in (line.strip() for line in lines) if line and line != "goes"]
    # What fails has no end. Of five queries, three have a plan, and one of these fails while it is made.
    wanted = []
    for query in queries:
        wanted.append("query-start " + query)
        wanted += ["sort 2 columns"] if "order" in query else []
        wanted += ["checkpoint: 2048 buffers in all"] if query == "checkpoint" else []
        wanted += ["query-done " + query] if "/" not in query else []
    wanted.append("checkpoint: 2048 buffers in all")  # as it ends
    starts = [line.rstrip() for line in got]
    missing = [line for line in wanted if starts.count(line) != wanted.count(line)]
    wanted_counts = ["query-plan-done 2", "query-plan-start 3", "transaction-abort 1", "transaction-commit 4"]
    missing += [line for line in wanted_counts if line not in got]
    return f"missing {missing} in\n" + "".join(lines) if missing else ""


bad = main()
shutil.rmtree(work)
if bad:
    print(bad)
    sys.exit(1)
