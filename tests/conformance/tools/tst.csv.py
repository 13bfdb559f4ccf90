# In CSV, the columns of a table have the names of its heading, and each row has a value for each.
import csv
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

COMMAND = "sh -c 'cat /etc/passwd >/dev/null; cat /no-such-file 2>/dev/null; exit 3'"


def table(name, *words):
    """The first table: its header without `drops`, and its rows as dictionaries."""
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / f"{name}.d"), "--oformat=csv", *words, "--command", COMMAND],
                          capture_output=True, text=True, timeout=100)
    toolkit.same(f"{name}: {done.stderr}", done.returncode, 0)
    lines = done.stdout.split("\n\n")[0].splitlines()
    rows = list(csv.DictReader(lines))
    toolkit.same(f"{name}: rows of other columns", [row for row in rows if None in row or None in row.values()], [])
    return lines[0].split(",")[:-1], rows


HEADINGS = {
    ("exitsnoop",): "COMMAND PID PPID TID AGE(s) EXIT",
    ("fsslower", "0"): "TIME COMMAND PID TYPE T BYTES LAT(ms) FILE",
    ("syscost", "-f"): "US AVERAGE(ns) CALLS ERRORS CALL",
    ("syscost", "-f", "-P"): "US AVERAGE(ns) CALLS ERRORS COMMAND CALL",
    ("opensnoop", "-x"): "PID COMMAND FD ERR PATH",
}
tables = {}
for words, heading in HEADINGS.items():
    header, tables[words] = table(*words)
    toolkit.same(words, header, heading.split())

# Others may end meanwhile.
ends = [row for row in tables["exitsnoop",] if row["COMMAND"] == "sh" and row["EXIT"] == "3"]
toolkit.same("exitsnoop", any(0 <= float(row["AGE(s)"]) < 1000 for row in ends), True)
calls = {row["CALL"]: row for row in tables["syscost", "-f"]}
toolkit.same(f"syscost: {calls['execve']}", (int(calls["execve"]["CALLS"]) == 2, int(calls["execve"]["US"]) > 0), (True, True))
times = [float(row["LAT(ms)"]) for row in tables["fsslower", "0"]]
toolkit.same(f"fsslower: {times}", 0 <= min(times) < 1, True)

# No column has a name of the script's language, and no two columns of a table have one name.
PLAIN = {
    "argdist": ["syscall::write:entry", "2"], "biolatency": [], "capable": [], "cpudist": [], "cpudist -P": ["-P"], "cpuwalk": [],
    "filelife": [], "fsdist": [], "funccount": ["syscall::open*:entry"], "funclatency": ["-F", "syscall::read"], "hardirqs": [],
    "netqtop": [], "offcputime": [], "offwaketime": [], "pagefaults": [], "pagefaults -s": ["-s"], "perfstat": [], "pidpersec": ["200ms"], "profile": ["-i"],
    "profile -U": ["-U"], "runqlat": [], "runqlat -P": ["-P"], "runqlen": [], "runqlen -O": ["-O"], "syscount": [], "tcpconnect": ["-t"], "tcpconnect -L": ["-L"],
    "tcprtt": ["-b"], "tcpstates": [], "tcpsynbl": [], "tcptracer": ["-t"], "trace": ["syscall::openat:entry"], "wakeuptime": [], "wqlat": ["-F"],
}
CONNECTS = """
import os, socket, tempfile
for _ in range(2):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        with server.accept()[0] as peer:
            client.sendall(b"x")
            peer.recv(1)
            client.close()
            peer.recv(1)
with tempfile.NamedTemporaryFile() as file:
    file.write(b"x" * 5000)
    file.flush()
    os.fsync(file.fileno())
"""
with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
    program.write(CONNECTS)
    program.flush()
    shown = {}
    for name, words in PLAIN.items():
        done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / f"{name.split()[0]}.d"), "--oformat=csv", *words,
                               "--command", "sleep 1" if name == "pidpersec" else f"{sys.executable} {program.name}"], capture_output=True, text=True, timeout=100)
        toolkit.same(f"{name}: {done.stderr}", done.returncode, 0)
        shown[name] = [list(csv.reader(part.splitlines())) for part in done.stdout.strip().split("\n\n")]
        for columns in [rows[0] for rows in shown[name] if rows]:
            bad = [column for column in columns if any(part in column for part in ('"', "$", "@", "[", "->", "?"))]
            toolkit.same(f"{name}: {columns}", (bad, len(columns) - len(set(columns))), ([], 0))

EVENTS = "TIME(s) EVENT PID COMMAND IP LADDR LPORT RADDR RPORT drops".split()
toolkit.same("tcptracer: tables", [rows[0] for rows in shown["tcptracer"]], [EVENTS])
toolkit.same("tcptracer: events", {"connect", "accept", "close"} <= {row[1] for row in shown["tcptracer"][0]}, True)
toolkit.same("tcpconnect", [rows[0] for rows in shown["tcpconnect"]], ["TIME PID COMMAND IP LADDR RADDR RPORT drops".split()])
toolkit.same("tcpconnect -L", [rows[0] for rows in shown["tcpconnect -L"]], ["PID COMMAND IP LADDR RADDR RPORT LPORT drops".split()])
toolkit.same("perfstat", [rows[0] for rows in shown["perfstat"]], [["NUMBER", "OF", "drops"]])
toolkit.same("pidpersec", [rows[0] for rows in shown["pidpersec"]], [["TIME", "PROCESSES", "THREADS", "drops"]])
toolkit.same("runqlat", [rows[0] for rows in shown["runqlat"]], [["UNIT", "bucket", "count", "drops"]])
states = shown["tcpstates"][0]
toolkit.same(f"tcpstates: {states}", len(states) > 1 and all(row[0].startswith("0xffff") for row in states[1:]), True)
