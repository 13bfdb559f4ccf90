# -x listen: who is answered and what the page process may do; a slow client loses no sums; when the page is killed,
# tracing goes on. Needs no browser.
# @@timeout: 200
# @@host
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE  # noqa: E402

PATIENCE_S = 100
SCRIPT = 'syscall::getpid:entry /pid == $target/ { @calls["calls"] = count(); @sizes = quantize(n++); printf("%d", n); } tick-100ms { @ticks = count(); }'
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def wait(condition, what):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            sys.exit("\n".join(bad + [f"not within {PATIENCE_S} s: {what}"]))
        time.sleep(0.02)


class Run:
    def __init__(self, *options, script=SCRIPT):
        self.target = subprocess.Popen([sys.executable, "-c", "import os,sys,ctypes\ng=ctypes.CDLL(None).syscall\n"
                                        "for line in sys.stdin:\n  for i in range(int(line)): g(39)\n  print('done', flush=True)"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.out, self.err = tempfile.NamedTemporaryFile("a"), tempfile.NamedTemporaryFile("a")
        self.process = subprocess.Popen([DTRACE, "-q", "-x", "aggrate=50ms", *options, "-p", str(self.target.pid), "-n", script],
                                        stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.err)

    def errors(self):
        return pathlib.Path(self.err.name).read_text()  # reading moves no position of the writer

    def address(self):
        wait(lambda: "token=" in self.errors(), "the address")
        found = re.search(r"http://[\w.]+:(\d+|PORT)/#token=([0-9a-f]{32})", self.errors())
        self.port, self.token = found[1], found[2]
        return self

    def live(self):
        """The address is told before tracing begins: what is called until then is not traced."""
        wait(lambda: counted(state(self), "@ticks") > 0, "a tick")
        return self

    def call(self, count):
        self.target.stdin.write(f"{count}\n")
        self.target.stdin.flush()
        self.target.stdout.readline()

    def page_process(self):
        children = open(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read().split()
        return next((int(one) for one in children if open(f"/proc/{one}/cmdline").read().startswith("dtrace-page")), None)

    def end(self, *signals):
        for number in signals or (signal.SIGTERM,):
            self.process.send_signal(number)
        status = self.process.wait(PATIENCE_S)
        self.target.stdin.close()
        self.target.wait(PATIENCE_S)
        return status


def ask(run, path, method="GET", host=None, token=None, **headers):
    connection = http.client.HTTPConnection("127.0.0.1", int(run.port), timeout=PATIENCE_S)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"localhost:{run.port}")
    if token:
        connection.putheader("Authorization", "Bearer " + token)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read(), answer


def lines_of(run):
    return ask(run, "/state", token=run.token)[1].decode().splitlines()


def state(run):
    return [json.loads(line) for line in lines_of(run) if '"type":"record"' not in line]


def counted(lines, name):
    if not lines:
        return 0
    plan = lines[0]
    index = [one["name"] for one in plan["aggregations"]].index(name)
    return sum(int(value) for line in lines if line["type"] == "column" and line["aggregation"] == index for _, value in line["rows"])


def access():
    run = Run("-x", "listen").address().live()
    own = f"localhost:{run.port}"
    wait(lambda: run.page_process() is not None, "the page process")
    page = run.page_process()
    for path in ("/", "/page.js", "/page.css", "/favicon.ico"):
        status, text, answer = ask(run, path)
        check((200, True), (status, len(text) > 100), path)
        policy = answer.getheader("Content-Security-Policy")
        check(True, "default-src 'none'" in policy and "unsafe" not in policy, f"policy of {path}")
        check(("nosniff", "no-referrer", "same-origin", None),
              tuple(answer.getheader(name) for name in ("X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Resource-Policy", "Access-Control-Allow-Origin")), path)
    for path in ("/state", "/lines", "/save", "/metrics"):
        check(401, ask(run, path)[0], f"{path} without a token")
        check(401, ask(run, path, token="0" * 32)[0], f"{path} with another token")
        check(401, ask(run, f"{path}?token={run.token}")[0], f"{path} with the token in its address")
    check(404, ask(run, "/../etc/passwd", token=run.token)[0], "another file")
    check(405, ask(run, "/", method="POST")[0], "POST")
    for host in ("evil.example", f"evil.example:{run.port}", "localhost:1", f"localhost.evil.example:{run.port}"):
        check(403, ask(run, "/state", host=host, token=run.token)[0], f"Host {host}")
    for origin in ("http://evil.example", "null", f"https://{own}"):
        check(403, ask(run, "/state", token=run.token, Origin=origin)[0], f"Origin {origin}")
    check(200, ask(run, "/state", token=run.token, Origin=f"http://{own}")[0], "its own origin")
    check(431, ask(run, "/", X="x" * 9000)[0], "a long header")
    with socket.create_connection(("127.0.0.1", int(run.port))) as one:
        one.sendall(b"\x16\x03\x01 no request\r\n\r\n")
        check(b"HTTP/1.1 400", one.recv(12), "what is no request")

    # Its rights.
    status = open(f"/proc/{page}/status").read()
    for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"):
        check("0000000000000000", re.search(rf"^{name}:\s+(\w+)", status, re.M)[1], name)
    check("1", re.search(r"^NoNewPrivs:\s+(\w+)", status, re.M)[1], "NoNewPrivs")
    wanted = os.environ.get("SUDO_UID", "65534") if os.geteuid() == 0 else str(os.geteuid())
    check([wanted] * 4, re.search(r"^Uid:\s+(.*)", status, re.M)[1].split(), "its user")
    check([], re.search(r"^Groups:[ \t]*(.*)", status, re.M)[1].split(), "its groups")
    others = {os.readlink(f"/proc/{page}/fd/{fd}").split(":")[0] for fd in os.listdir(f"/proc/{page}/fd") if int(fd) > 2}
    check({"socket"}, others, "its descriptors")
    check(["/dev/null"] * 2, [os.readlink(f"/proc/{page}/fd/{fd}") for fd in (0, 1)], "its input and output")
    limits = open(f"/proc/{page}/limits").read()
    check(str(512 << 20), re.search(r"^Max address space\s+(\w+)", limits, re.M)[1], "its memory")

    # What is counted comes, and a reader of lines gets the state, and then what is new.
    reader = http.client.HTTPConnection("127.0.0.1", int(run.port), timeout=PATIENCE_S)
    run.call(100)
    wait(lambda: counted(state(run), "@calls") == 100, "100 calls")
    reader.request("GET", "/lines", headers={"Host": own, "Authorization": "Bearer " + run.token})
    answer = reader.getresponse()
    check("event: state\n", answer.readline().decode(), "the first line")
    run.call(23)
    total, rows = 0, []
    index = None
    while total < 123:
        line = answer.readline().decode()
        if not line.startswith("data: "):
            continue
        value = json.loads(line[6:])
        if value["type"] == "plan":
            index = [one["name"] for one in value["aggregations"]].index("@calls")
        if value["type"] == "column" and value["aggregation"] == index:
            total += sum(number for _, number in value["rows"])
    check(123, total, "calls in the lines")
    saved = ask(run, "/save", token=run.token)[1].decode()
    check(True, saved.startswith("<!doctype html>") and 'id="data"' in saved, "the saved page")

    # Metrics, for Prometheus: as of one moment, and they do not fall where the script clears.
    def metrics():
        return ask(run, "/metrics", token=run.token)[1].decode()
    wait(lambda: re.search(r'^dtrace_calls_total\{calls="calls"\} 123$', metrics(), re.M), f"metrics: {metrics()}")
    for line in ('dtrace_sizes_count 123', 'dtrace_drops_total{kind="principal",cpu="0"} 0', "dtrace_series_dropped_total 0"):
        check(True, line in metrics().splitlines(), f"{line} in {metrics()}")
    if shutil.which("promtool"):
        flaws = subprocess.run(["promtool", "check", "metrics"], input=metrics().encode(), capture_output=True, timeout=PATIENCE_S)
        check(0, flaws.returncode, f"promtool: {flaws.stderr}")

    # 16 at a time; a client that says nothing is not waited for, and gives way.
    answer.close()
    reader.close()
    wait(lambda: len(os.listdir(f"/proc/{page}/fd")) <= 6, "the reader's end")
    silent = [socket.create_connection(("127.0.0.1", int(run.port))) for _ in range(16)]
    wait(lambda: len(os.listdir(f"/proc/{page}/fd")) >= 20, "16 clients")
    check(200, ask(run, "/")[0], "beside those that say nothing")
    wait(lambda: len(os.listdir(f"/proc/{page}/fd")) <= 6, "the end of those that say nothing")
    readers = [socket.create_connection(("127.0.0.1", int(run.port)), timeout=PATIENCE_S) for _ in range(16)]
    for one in readers:
        one.sendall(f"GET /lines HTTP/1.1\r\nHost: {own}\r\nAuthorization: Bearer {run.token}\r\n\r\n".encode())
    check([b"HTTP/1.1 200"] * 16, [one.recv(12) for one in readers], "16 pages")
    check(503, ask(run, "/")[0], "the 17th")
    for one in (*silent, *readers):
        one.close()
    wait(lambda: ask(run, "/")[0] == 200, "a page when the others are closed")

    # Killed: tracing goes on.
    os.kill(page, signal.SIGKILL)
    run.call(7)
    wait(lambda: "the page process has ended; tracing goes on" in run.errors(), "a message")
    check(None, run.process.poll(), "tracing has ended")
    check(0, run.end(signal.SIGINT), "status")
    check(True, re.search(r"^\s+calls\s+130$", pathlib.Path(run.out.name).read_text(), re.M) is not None, "what is printed")


def names():
    """Labels are exact, as those of oformat=prometheus: two keys that look alike when escaped are two series."""
    script = r'tick-50ms { @odd["x\n"] = count(); @odd["x\\012"] = count(); @odd["\377"] = count(); @odd["\342\200\256"] = count(); }'
    run = Run("-x", "listen", script=script).address()

    def series():
        return [line.partition("} ")[0] for line in ask(run, "/metrics", token=run.token)[1].decode().splitlines() if line.startswith("dtrace_odd_total{")]
    wait(series, "metrics")
    done = subprocess.run([DTRACE, "-q", "-x", "oformat=prometheus", "-n", script + " tick-100ms { exit(0); }"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=PATIENCE_S)
    written = [line.partition("} ")[0] for line in done.stdout.splitlines() if line.startswith("dtrace_odd_total{")]
    check((sorted(written), 4), (sorted(series()), len(set(written))), "labels")
    check(0, run.end(signal.SIGTERM), "status")


def slowly():
    """A page that is saved through a slow connection comes whole, however long it takes."""
    run = Run("-x", "listen").address().live()
    while sum(len(line) for line in lines_of(run)) < 2 * int(open("/proc/sys/net/ipv4/tcp_wmem").read().split()[2]) + (4 << 20):
        run.call(20_000)
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", int(run.port)))
    one.sendall(f"GET /state HTTP/1.1\r\nHost: localhost:{run.port}\r\nAuthorization: Bearer {run.token}\r\n\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        head += one.recv(1)
    length, got = int(re.search(rb"Content-Length: (\d+)", head)[1]), 0
    # Longer than a request without the token may take: one that has begun later is given up meanwhile.
    with socket.create_connection(("127.0.0.1", int(run.port)), timeout=PATIENCE_S) as other:
        other.sendall(b"GET / HTTP/1.1\r\n")
        while other.recv(1 << 16):
            pass
    while part := one.recv(1 << 20):
        got += len(part)
    check(length, got, "bytes of a state that is read slowly")
    one.close()
    check(0, run.end(signal.SIGTERM), "status")


def slow():
    """A client that does not read gets the whole state later, and all sums."""
    run = Run("-x", "listen").address().live()
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.connect(("127.0.0.1", int(run.port)))
    one.sendall(f"GET /lines HTTP/1.1\r\nHost: localhost:{run.port}\r\nAuthorization: Bearer {run.token}\r\n\r\n".encode())
    file, totals, index = one.makefile("r"), [], None
    while not totals:
        if file.readline().startswith("event: state"):
            totals.append(0)
    # More than the queue and the buffers of a connection hold.
    calls, most_sent = 0, int(open("/proc/sys/net/ipv4/tcp_wmem").read().split()[2])
    while calls == 0 or sum(len(line) for line in lines_of(run)) < (1 << 20) + 2 * most_sent:
        for _ in range(5):
            run.call(5000)
            calls += 5000
        wait(lambda: counted(state(run), "@calls") == calls, "all calls")
    while totals[-1] < calls:
        line = file.readline()
        if line.startswith("event: state"):
            totals.append(0)
        if line.startswith("data: "):
            value = json.loads(line[6:])
            if value["type"] == "plan":
                index = [entry["name"] for entry in value["aggregations"]].index("@calls")
            if value["type"] == "column" and value["aggregation"] == index:
                totals[-1] += sum(number for _, number in value["rows"])
    check(calls, totals[-1], "calls of a slow client")
    check(True, len(totals) > 1, f"how often it has begun anew: {len(totals) - 1}")
    one.close()
    check(0, run.end(signal.SIGTERM), "status")


def places():
    with tempfile.TemporaryDirectory(prefix="page-") as directory:
        path = os.path.join(directory, "x.sock")
        run = Run("-x", f"listen={path}").address()
        wait(lambda: os.path.exists(path), path)
        check(0o600, os.stat(path).st_mode & 0o777, "mode of the socket")
        one = socket.socket(socket.AF_UNIX)
        one.connect(path)
        one.sendall(f"GET /state HTTP/1.1\r\nHost: localhost:9000\r\nAuthorization: Bearer {run.token}\r\n\r\n".encode())
        check("HTTP/1.1 200 OK", one.makefile().readline().strip(), "at a Unix socket")
        check(0, run.end(signal.SIGTERM), "status")
        check(False, os.path.exists(path), "the socket is still there")
        busy = socket.create_server(("127.0.0.1", 0))
        port = busy.getsockname()[1]
        for where, message in ((str(port), f"failed to listen at 127.0.0.1:{port}: Address already in use"),
                               ("0.0.0.0:80", "listen=0.0.0.0:80 is neither a port nor a path"),
                               (directory, f"failed to listen at {directory}: Address already in use"),
                               ("/nowhere/x.sock", "failed to listen at /nowhere/x.sock: No such file or directory")):
            done = subprocess.run([DTRACE, "-x", f"listen={where}", "-n", "BEGIN { @ = count(); exit(0); }"], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=PATIENCE_S)
            check((1, True, ""), (done.returncode, message in done.stderr, done.stdout), f"{where}: {done.stderr}")
        # Tracing over: the page stays until Ctrl-C.
        run = Run("-x", "listen", script="BEGIN { @ = count(); exit(3); }").address()
        wait(lambda: "the page stays until Ctrl-C" in run.errors(), "the end of tracing")
        lines = state(run)
        check(("end", 3), (lines[-1]["type"], lines[-1]["status"]), "the end")
        check(3, run.end(signal.SIGINT), "status")


def many():
    """Sixteen pages that are sent a large state at once read all of it."""
    run = Run("-x", "listen", "-b", "32m").address().live()
    page, calls, kept = run.page_process(), 0, []
    while sum(len(line) for line in kept) < 24 << 20:
        run.call(60_000)
        calls += 60_000
        wait(lambda: f'dtrace_calls_total{{calls="calls"}} {calls}\n'.encode() in ask(run, "/metrics", token=run.token)[1], "all calls")
        kept = [line for line in lines_of(run) if '"type":"record"' in line]
    readers = []
    for _ in range(16):
        one = socket.create_connection(("127.0.0.1", int(run.port)), timeout=PATIENCE_S)
        one.sendall(f"GET /lines HTTP/1.1\r\nHost: localhost:{run.port}\r\nAuthorization: Bearer {run.token}\r\n\r\n".encode())
        readers.append(one.makefile("rb"))
    for reader in readers:
        while reader.readline() not in (b"event: state\n", b""):
            pass
    for reader in readers:
        records = 0
        for line in reader:
            if line == b"\n":
                break
            records += line.startswith(b'data: {"v":1,"type":"record"')
        check(True, records >= len(kept), f"{records} records of {len(kept)} in a state")
    check(page, run.page_process(), f"the page process, of {run.errors()}")
    check(0, run.end(signal.SIGTERM), "status")


access()
names()
slow()
slowly()
many()
places()
# A recording that another dtrace still writes into a pipe is shown while it comes.
writer = subprocess.Popen([DTRACE, "-q", "-x", "record=-", "-x", "aggrate=50ms", "-n", "tick-20ms { @ticks = count(); }"],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
with tempfile.NamedTemporaryFile("a") as told:
    shown = subprocess.Popen([DTRACE, "-r", "-", "-x", "listen"], stdin=writer.stdout, stdout=subprocess.DEVNULL, stderr=told)
    writer.stdout.close()

    def said():
        return pathlib.Path(told.name).read_text()

    wait(lambda: "token=" in said() or shown.poll() is not None, "the address of a replay")
    replay = Run.__new__(Run)
    found = re.search(r"http://[\w.]+:(\d+)/#token=([0-9a-f]{32})", said())
    if not found:
        sys.exit("\n".join(bad + [f"a replay has no page: {said()}"]))
    replay.port, replay.token = found[1], found[2]
    wait(lambda: counted(state(replay), "@ticks") > 0, "a tick of the replay")
    before = counted(state(replay), "@ticks")
    wait(lambda: counted(state(replay), "@ticks") > before, "another one while it is written")
    writer.terminate()
    writer.wait()
    wait(lambda: "tracing is over; the page stays" in said(), "the end of the replay")
    shown.send_signal(signal.SIGINT)
    check(0, shown.wait(PATIENCE_S), "the status of a replay")

if bad:
    sys.exit("\n".join(bad))
