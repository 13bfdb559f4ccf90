# @@host
# @@timeout: 120
# Letters that bcc's commands have, and words of bcc that D spells in another way.
import os
import re
import socket
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

me = os.getpid()


def run(name, *words):
    done = subprocess.run([toolkit.DTRACE, "-s", str(toolkit.TOOLS / f"{name}.d"), *words], capture_output=True, text=True, timeout=60,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


# What is no option of a tool is not one of dtrace that means another thing; a tool without options has those of dtrace.
for wanted, name, *words in (
        ("sigsnoop: option -P does not exist\n", "sigsnoop", "-P", "1"), ("wqlat: option -i does not exist\n", "wqlat", "-i", "5"),
        ("memleak: option -a does not exist\n", "memleak", "-a", "-p", "1"),
        ("netqtop: option -i does not exist\nhint: the interval is an argument without a letter\n", "netqtop", "-i", "5"),
        ("sslsniff: option -n needs a value\n", "sslsniff", "-n"), ("oomkill: there is one argument too many: 'foo'\n", "oomkill", "foo"),
        ("hint: in D, this is 'pid*:libc:malloc:entry'; ", "funccount", "c:malloc"),
        ("hint: in D, this is 'pid*:libc:malloc:return'; ", "trace", "r:c:malloc"),
        ("hint: in D, this is 'pid*:libssl:SSL_read'; ", "funclatency", "p:libssl:SSL_read"),
        ("hint: in D, this is 'sdt:sched::sched_switch'\n", "stackcount", "t:sched:sched_switch"),
        ("hint: in D, this is 'syscall::openat:entry'\n", "stackcount", "t:syscalls:sys_enter_openat"),
        ("hint: in D, this is 'fbt::vfs_read:return'\n", "trace", "r::vfs_read"),
        ("hint: in D, this is 'PROVIDER*:libc::setjmp'\n", "stackcount", "u:c:setjmp"),
        ("hint: in D, this is 'fbt::vfs_read:entry'\n", "argdist", "p::vfs_read"),
        ("there is no terminal /dev/pts/99999\n", "ttysnoop", "99999")):
    status, out, err = run(name, *words)
    toolkit.same(f"{name} {words}: {status} {out}{err}", (status, out, wanted in err), (2, "", True))
toolkit.same("oomkill --oformat=csv", run("oomkill", "--oformat=csv", "-c", "true")[::2], (0, ""))
toolkit.same("oomkill --oformat csv -h", run("oomkill", "-h")[1].startswith("oomkill: processes that"), True)
toolkit.same("dbslower", run("dbslower", "foo")[:2], (2, "there is no foo here: there are mysql and postgres\n\n"))

# Stacks on one line each, values with commas, JSON.
status, out, err = run("profile", "-f", "-U", "-F", "499", "-c", "sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'")
lines = out.splitlines()
toolkit.same(f"profile -f: {out}{err}", (bool(lines), [line for line in lines if not re.fullmatch(r"[^;]+;\d+(;.*)? \d+", line)]), (True, []))
for name in "offcputime", "offwaketime", "wakeuptime":
    status, out, err = run(name, "-f", "-p", "$target", "-c", f"{sys.executable} -S -c 'import time; [time.sleep(0.01) for _ in range(20)]'")
    lines = out.splitlines()
    toolkit.same(f"{name} -f: {out}{err}", (bool(lines), [line for line in lines if not re.fullmatch(r".+ \d+", line)]), (True, []))
status, out, err = run("stackcount", "-f", "-D", "100ms", "syscall:::entry")
toolkit.same(f"stackcount -f -D: {status} {out}{err}", (status, re.match(r"all;.* \d+\n", out) is not None), (0, True))
toolkit.same("biolatency -j", run("biolatency", "-j", "100ms", "1")[1][:1], "{")
toolkit.same("ext4slower -j", run("ext4slower", "-j", "-c", "true")[1].partition("\n")[0], "TIME,COMMAND,PID,CALL,BYTES,LAT(ms),FILE,drops")


def serve_one():
    """A process that accepts a connection and closes it first: its port, its process, and the client's port."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        child = os.fork()
        if child == 0:
            peer = server.accept()[0]
            peer.recv(1)
            peer.close()
            os._exit(0)
        port = server.getsockname()[1]
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"x")
        client.recv(1)
        os.waitpid(child, 0)
        return port, child, client.getsockname()[1]


# The process that closes a connection first is the one of its end.
with toolkit.Alone("tcplife") as life, toolkit.Alone("tcpstates", "-t") as states, toolkit.Alone("tcpconnlat", "-L", "-p", me) as ports, \
        toolkit.Alone("tcpaccept", "-t", "-T") as accepted, toolkit.Alone("tcptop", "-S", "-p", me, "100ms") as top:
    port, child, own = serve_one()
    life.shows(rf" {own} 127.0.0.1 +{port} ")
    life.shows(rf" {port} 127.0.0.1 +{own} ")
    states.shows(rf" {port} 127.0.0.1 +{own} ")
    ports.shows(rf"\b{own}\b")
    accepted.shows(rf"\b{own}\b")
    top.shows(rf"\b{own}\b")
rows = [line.split() for line in toolkit.rows(life.ours)]
toolkit.same(f"tcplife: {rows}", sorted((row[3], int(row[0])) for row in rows if {row[3], row[5]} == {str(port), str(own)}),
             sorted([(str(own), me), (str(port), child)]))
toolkit.same("tcpstates -t", re.match(r"TIME\(s\) +SKADDR +PID ", states.ours) is not None, True)
for name in "tcplife", "tcpstates":
    toolkit.same(f"{name} -s", re.match("(SKADDR,)?PID,COMMAND,LADDR,", run(name, "-s", "-c", "true")[1]) is not None, True)
toolkit.same("tcpconnlat -L", re.search(rf"^PID +COMMAND +IP LADDR +LPORT RADDR +RPORT +LAT\(ms\) RESULT$[^$]*^{me} .* {own} +127.0.0.1 +{port} ", ports.ours,
                                        re.M) is not None, True)
toolkit.same("tcpaccept -t -T", re.search(rf"^\d+\.\d{{3}} +20\d\d .* {child} ", accepted.ours, re.M) is not None, True)
toolkit.same("tcptop -S", "load" in top.ours, False)

# Others that choose, or end.
with toolkit.Alone("execsnoop", "-P", me) as mine, toolkit.Alone("execsnoop", "-P", os.getppid()) as other, \
        toolkit.Alone("fsslower", "-m", 0, "-p", me) as all_of_them, toolkit.Alone("fsslower", "-m", 100000, "-p", me) as none:
    with open("/etc/passwd", "rb") as file:
        file.read()
    subprocess.run(["true"], check=True)
    mine.shows(r"\btrue$")
    all_of_them.shows(r" R .*/etc/passwd$")
toolkit.same("execsnoop -P", {line.split()[2] for line in toolkit.rows(mine.ours)}, {str(me)})
toolkit.same("execsnoop -P of another one", [line for line in toolkit.rows(other.ours) if line.split()[2] == str(me)], [])
toolkit.same("fsslower -m", toolkit.rows(none.ours), [])
toolkit.same("fsslower -d", run("fsslower", "-d", "50ms")[0], 0)
toolkit.same("argdist -n", run("argdist", "-n", "2", "-i", "50ms")[1].count("FUNCTION "), 2)
toolkit.same("funccount -T", re.search(r"\n20\d\d .*\nMODULE", run("funccount", "-T", "-i", "50ms", "-d", "120ms")[1]) is not None, True)
