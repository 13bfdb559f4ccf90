"""-x push: a collector of OTLP over HTTP and Carbon are given all that was counted, in order; one that is away for a moment
is tried again; what is lost is counted and said, and tracing goes on. The process that sends has no rights."""
import http.server
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.environ["TESTS"])
from disturbed import again  # noqa: E402
from exports import all_of, one  # noqa: E402
from soundness import DTRACE, workload  # noqa: E402

CALLS = 500
SCRIPT = """syscall::getppid:entry /pid == $target/ { @calls[execname] = count(); @sizes = quantize(3); @worst = max(++n); }
    tick-20ms { printa(@calls); clear(@calls); } END { printa(@sizes); }"""
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def run(url, *words):
    while True:
        done = subprocess.run([DTRACE, "-q", "-x", f"push={url}", "-n", SCRIPT, *words, "-c", f"{workload('getppid')} {CALLS}"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200)
        if "drops on CPU" not in done.stderr and "drop on CPU" not in done.stderr:
            return done
        again(done.stderr)


class Collector(http.server.BaseHTTPRequestHandler):
    """Answers with the first of `answers`, then 200; keeps what it has answered so."""
    answers, bodies, seen = [], [], []
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.seen.append((self.path, self.headers["Content-Type"], self.headers["Host"]))
        status = self.answers.pop(0) if self.answers else 200
        if status == 200:
            self.bodies.append(body)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def metrics(body):
    """By name: its points as (labels, fields)."""
    out = {}
    for resource in all_of(body, 1):
        for scope in all_of(resource, 2):
            for metric in all_of(scope, 2):
                name = one(metric, 1).decode()
                out[name] = [point for kind in (5, 7, 9) for data in all_of(metric, kind) for point in all_of(data, 1)]
    return out


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
threading.Thread(target=server.serve_forever, daemon=True).start()
port = server.server_address[1]


def otlp(answers):
    Collector.answers, Collector.bodies, Collector.seen = list(answers), [], []
    done = run(f"http://127.0.0.1:{port}")
    check(0, done.returncode, "the exit status")
    return done


def value(body, name):
    """What a point of a sum or gauge (as_int: 6) or of a histogram (count: 4) has."""
    names = metrics(body)
    name = next(known for known in names if known.endswith(name))
    point = names[name][0]
    return one(point, 4) if name.endswith("sizes") else one(point, 6)


done = otlp([])
check("", done.stderr, "messages")
check({("/v1/metrics", "application/x-protobuf", f"127.0.0.1:{port}")}, set(Collector.seen), "requests")
last = Collector.bodies[-1]
check(CALLS, value(last, "calls"), "calls")
check(CALLS, value(last, "sizes"), "sizes")
check(CALLS, value(last, "worst"), "worst")
counts = [value(body, "calls") for body in Collector.bodies if any(name.endswith("calls") and points
                                                                for name, points in metrics(body).items())]
check(sorted(counts), counts, "a counter that never falls")

# A moment's failure costs nothing; a refusal is said, and is no reason to end.
done = otlp([503, 429, 500])
check("", done.stderr, "messages after moments")
check(CALLS, value(Collector.bodies[-1], "calls"), "calls after moments")
done = otlp([400])
if not re.search(r"^(?:dtrace: push=http://127.0.0.1:\d+: it answers 400; tracing goes on\n)?"
                 r"dtrace: push=.*: 1 of \d+ messages were lost: it answers 400\n$", done.stderr):
    bad.append(f"a refusal: {done.stderr!r}")
server.shutdown()

# Nobody listens.
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    for scheme in ("http", "tcp"):
        done = run(f"{scheme}://127.0.0.1:{free.getsockname()[1]}")
        check(0, done.returncode, "the exit status without a collector")
        if not re.search(r": (\d+) of \1 messages were lost: Connection refused\n$", done.stderr):
            bad.append(f"without a collector: {done.stderr!r}")

# Carbon: lines of what was added, over one connection.
with socket.socket() as listener:
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    listener.settimeout(60)
    got = []

    def take():
        with listener.accept()[0] as connection:
            got.extend(iter(lambda: connection.recv(65536), b""))

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    done = run(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
    check("", done.stderr, "messages of Carbon's")
    thread.join(60)
    text = b"".join(got).decode()
    listener.settimeout(0)
    try:
        listener.accept()
        bad.append("Carbon has more than one connection")
    except BlockingIOError:
        pass
    check(CALLS, sum(int(found) for found in re.findall(r"^dtrace\.calls\.getppid (\d+) \d+$", text, re.M)), "calls of Carbon's")
    if re.search(r"^(?!dtrace\.[\w.-]+ -?\d+ \d+$).", text, re.M):
        bad.append(f"lines: {text!r}")

# A replay pushes, too; what cannot be pushed is refused before anything is traced.
with tempfile.TemporaryDirectory(prefix="push-") as directory:
    recording = os.path.join(directory, "x.dtr")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    done = run(f"http://127.0.0.1:{port}", "-x", f"record={recording}")
    check("", done.stderr, "messages while recording")
    live = value(Collector.bodies[-1], "calls")
    Collector.bodies = []
    done = subprocess.run([DTRACE, "-r", recording, "-x", f"push=http://localhost:{port}/v1/metrics"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=200)
    check((0, ""), (done.returncode, done.stderr), "a replay")
    check(live, value(Collector.bodies[-1], "calls"), "what a replay pushes")
    server.shutdown()

for url, program, message in (
        ("https://localhost", "BEGIN { @ = count(); }", "TLS is not spoken"),
        ("localhost:4318", "BEGIN { @ = count(); }", "it begins with neither http:// nor tcp://"),
        ("http://localhost", "syscall::read:entry { @[stack()] = count(); }", "push needs an aggregation without stacks")):
    done = subprocess.run([DTRACE, "-x", f"push={url}", "-n", program], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=100)
    if done.returncode == 0 or message not in done.stderr:
        bad.append(f"{url}: {done}")
done = subprocess.run([DTRACE, "-q", "-x", "push=http://no-such-host.invalid", "-n", "BEGIN { @ = count(); exit(0); }"],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
if "no-such-host.invalid: " not in done.stderr or "messages were lost" not in done.stderr or done.returncode != 0:
    bad.append(f"a host that is none: {done}")

# The process that sends is nobody's.
with socket.socket() as listener:
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    tracer = subprocess.Popen([DTRACE, "-q", "-x", f"push=tcp://127.0.0.1:{listener.getsockname()[1]}", "-n",
                               "tick-10ms { @ = count(); printa(@); }"],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    connection = listener.accept()[0]  # so it has given up its rights
    with open(f"/proc/{tracer.pid}/task/{tracer.pid}/children") as children:
        names = {}
        for pid in children.read().split():
            with open(f"/proc/{pid}/cmdline") as command, open(f"/proc/{pid}/status") as status:
                names[command.read().rstrip("\0")] = dict(line.rstrip("\n").split(":\t", 1) for line in status if ":\t" in line)
    status = names.get("dtrace-push", {})
    check(("0000000000000000", "1"), (status.get("CapEff"), status.get("NoNewPrivs")), "rights")
    if os.geteuid() == 0 and not os.environ.get("SUDO_UID"):
        check("65534\t65534\t65534\t65534", status.get("Uid"), "the user")
    tracer.terminate()
    connection.close()
    tracer.communicate(timeout=100)

if bad:
    sys.exit("\n".join(bad))
