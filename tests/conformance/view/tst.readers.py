"""Programs that others have written read what we write: VictoriaMetrics has each value of Prometheus' text and of Graphite's lines, a
terminal emulator shows the columns of a heat map and nothing else, and protoc decodes every byte of Perfetto's and OTLP's messages."""
# @@host
# @@timeout: 200
import collections
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.insert(0, os.environ["TESTS"])
from exports import reader, replay, run  # noqa: E402

CALLS = 600
OURS = "syscall::getppid:entry /pid == $target/"
SCRIPT = f"""int n; {OURS} {{ @calls[execname, n % 2] = count(); @sizes[n % 2] = quantize(n % 10); @most = max(n); @stacks[ustack(2)] = count(); n++; trace(n); }}
    syscall::getppid:return /pid == $target/ {{ trace(n); }}
    tick-10ms {{ printa(@calls); clear(@calls); printa(@sizes); clear(@sizes); }}"""
bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {str(got)[:600]}, and not {str(wanted)[:600]}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Victoria:
    """VictoriaMetrics with a folder of its own."""

    def __init__(self, directory):
        self.http, self.graphite = free_port(), free_port()
        self.log = open(os.path.join(directory, "log"), "wb")
        self.process = subprocess.Popen(
            ["victoria-metrics", f"-storageDataPath={directory}/data", f"-httpListenAddr=127.0.0.1:{self.http}", "-retentionPeriod=100y",
             f"-graphiteListenAddr=127.0.0.1:{self.graphite}"], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.until(lambda: self.ask("/health") == b"OK")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def ask(self, path, data=None):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http}{path}", data, timeout=20) as answer:
                return answer.read()
        except OSError:
            return None

    def until(self, done):
        end = time.monotonic() + 60
        while not done():
            if time.monotonic() > end or self.process.poll() is not None:
                sys.exit("VictoriaMetrics does not answer")
            time.sleep(0.1)

    def stored(self):
        """What it has: by name and labels, sums of values and how many there are."""
        self.ask("/internal/force_flush")
        out = {}
        for line in (self.ask("/api/v1/export?match[]={__name__!=''}") or b"").splitlines():
            series = json.loads(line)
            out[tuple(sorted(series["metric"].items()))] = (sum(series["values"]), len(series["values"]))
        return out


def metrics(directory, recording):
    text = replay(recording, "-x", "oformat=prometheus").stdout
    lines = replay(recording, "-x", "oformat=graphite").stdout
    prometheus, graphite = {}, collections.defaultdict(lambda: [0, 0])
    for line in text.decode().splitlines():
        if found := re.fullmatch(r"(\w+)(?:\{(.*)\})? (-?\d+)", line):
            labels = dict(re.findall(r'(\w+)="([^"]*)"', found[2] or ""))
            prometheus[tuple(sorted({"__name__": found[1], **labels}.items()))] = (int(found[3]), 1)
    for path, value, _ in (line.split(" ") for line in lines.decode().splitlines()):
        at = graphite[(("__name__", path),)]
        at[0] += int(value)
        at[1] += 1
    graphite = {key: tuple(value) for key, value in graphite.items()}
    check(CALLS, sum(value for key, (value, _) in graphite.items() if key[0][1].startswith("dtrace.calls.")), "calls of Graphite")
    with Victoria(directory) as victoria:
        victoria.ask("/api/v1/import/prometheus", text)
        with socket.create_connection(("127.0.0.1", victoria.graphite)) as carbon:
            carbon.sendall(lines)
        wanted = {**prometheus, **graphite}
        victoria.until(lambda: len(victoria.stored()) >= len(wanted))
        stored = victoria.stored()
        check({}, {key: (value, stored.get(key)) for key, value in wanted.items() if stored.get(key) != value}, "what VictoriaMetrics has stored otherwise")
        check([], [key for key in stored if key not in wanted], "what it has besides")


def terminal(recording):
    try:
        import pyte
    except ImportError:
        print("not drawn by a terminal emulator: python3-pyte is not installed")
        return
    text = replay(recording, "-x", "oformat=term", "-x", "encoding=utf8").stdout.decode()
    screen = pyte.Screen(200, 2000)
    pyte.Stream(screen).feed(text.replace("\n", "\r\n"))
    shown = [line.rstrip() for line in screen.display]
    check([line.rstrip() for line in text.splitlines()], shown[:len(text.splitlines())], "what a terminal shows")
    title = next(i for i, line in enumerate(shown) if line.startswith("@sizes = "))
    columns = []
    for line in shown[title + 1:]:
        if not line and columns:
            break
        if re.match(r"\d\d:\d\d:\d\d|end ", line):
            columns.append(int(line.split()[-1]))
    # Other pictures may stand between its lines.
    if sum(columns) > CALLS or not columns:
        bad.append(f"columns of the heat map on a terminal: {columns}")


def messages(directory, recording):
    """Each field is of a wire type that the format allows, and each length fits: nothing is left over."""
    for form in ("perfetto", "otlp", "pprof"):
        content = replay(recording, "-x", f"oformat={form}").stdout
        if form == "pprof":
            content = subprocess.run(["gzip", "-dc"], input=content, capture_output=True, check=True).stdout
        done = subprocess.run(["protoc", "--decode_raw"], input=content, capture_output=True, timeout=100)
        check((0, True), (done.returncode, bool(done.stdout)), f"protoc, {form}: {done.stderr}")
    # Names of fields are those of perfetto's protos/perfetto/trace, as far as they are written.
    with open(os.path.join(directory, "trace.proto"), "w") as file:
        file.write("""syntax = "proto2";
            message Trace { repeated Packet packet = 1; }
            message Packet { optional uint64 timestamp = 8; optional uint32 trusted_packet_sequence_id = 10; optional Event track_event = 11;
              optional Interned interned_data = 12; optional uint32 sequence_flags = 13; optional uint32 timestamp_clock_id = 58;
              optional Defaults trace_packet_defaults = 59; optional Descriptor track_descriptor = 60; optional Sample perf_sample = 66; }
            message Defaults { optional uint32 timestamp_clock_id = 58; }
            message Event { optional int32 type = 9; optional uint64 track_uuid = 11; optional uint64 name_iid = 10; optional string name = 23;
              optional int64 counter_value = 30; }
            message Descriptor { optional uint64 uuid = 1; optional string name = 2; optional uint64 parent_uuid = 5; }
            message Interned { }
            message Sample { optional uint32 cpu = 1; optional uint32 pid = 2; optional uint32 tid = 3; optional uint64 callstack_iid = 4; }
            """)
    content = replay(recording, "-x", "oformat=perfetto").stdout
    done = subprocess.run(["protoc", "--decode=Trace", f"--proto_path={directory}", "trace.proto"], input=content, capture_output=True, timeout=100)
    text = done.stdout.decode()
    events = collections.Counter(re.findall(r"^ +type: (\d)$", text, re.M))
    check((0, CALLS, CALLS), (done.returncode, events["1"], events["2"]), f"slices that begin and end, {done.stderr}")


with tempfile.TemporaryDirectory(prefix="readers-") as directory_of_all:
    file_of_all = os.path.join(directory_of_all, "x.dtr")
    run("-q", "-x", "oformat=none", "-x", f"record={file_of_all}", "-x", "bufsize=4m", "-n", SCRIPT, calls=CALLS)
    if shutil.which("victoria-metrics"):
        metrics(directory_of_all, file_of_all)
    else:
        print("not stored by VictoriaMetrics: it is not installed")
    terminal(file_of_all)
    if reader("protoc"):
        messages(directory_of_all, file_of_all)
if bad:
    sys.exit("\n".join(bad))
