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
OURS = "syscall::getppid:entry /pid == $target"
SCRIPT = f"""int n; {OURS}/ {{ @calls[execname, n % 2] = count(); @sizes[n % 2] = quantize(n % 10); @most = max(n); @stacks[ustack(2)] = count(); n++; trace(n); }}
    syscall::getppid:return /pid == $target/ {{ trace(n); }}
    {OURS} && n % 10 == 0/ {{ ustack(9); }}
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
    # Up to its last one; lines of @calls, with their names, and of events, with parts of a second, may stand between them.
    for line in shown[title + 1:]:
        if re.match(r"(\d\d:\d\d:\d\d|end) ", line) and "@calls" not in line:
            columns.append(int(line.split()[-1]))
            if line.startswith("end "):
                break
    check(CALLS, sum(columns), f"columns of the heat map on a terminal: {columns}")


# The published fields of what is written, by their numbers and types: protos/perfetto/trace of Perfetto, and
# opentelemetry/proto of OpenTelemetry.
SCHEMAS = {
    "perfetto": """syntax = "proto2";
        message Trace { repeated Packet packet = 1; }
        message Packet { optional Clocks clock_snapshot = 6; optional uint64 timestamp = 8; optional uint32 trusted_packet_sequence_id = 10;
          optional Event track_event = 11; optional Interned interned_data = 12; optional uint32 sequence_flags = 13;
          optional uint32 timestamp_clock_id = 58; optional Descriptor track_descriptor = 60; optional Sample perf_sample = 66; }
        message Clocks { message Clock { optional uint32 clock_id = 1; optional uint64 timestamp = 2; } repeated Clock clocks = 1; }
        message Event { enum Type { TYPE_UNSPECIFIED = 0; TYPE_SLICE_BEGIN = 1; TYPE_SLICE_END = 2; TYPE_INSTANT = 3; TYPE_COUNTER = 4; }
          repeated Annotation debug_annotations = 4; optional Type type = 9; optional uint64 name_iid = 10; optional uint64 track_uuid = 11;
          optional string name = 23; optional int64 counter_value = 30; }
        message Annotation { optional uint64 name_iid = 1; optional bool bool_value = 2; optional uint64 uint_value = 3; optional int64 int_value = 4;
          optional double double_value = 5; optional string string_value = 6; optional string name = 10; }
        message Name { optional uint64 iid = 1; optional string name = 2; }
        message String { optional uint64 iid = 1; optional bytes str = 2; }
        message Mapping { optional uint64 iid = 1; optional uint64 build_id = 2; repeated uint64 path_string_ids = 7; }
        message Frame { optional uint64 iid = 1; optional uint64 function_name_id = 2; optional uint64 mapping_id = 3; optional uint64 rel_pc = 4; }
        message Callstack { optional uint64 iid = 1; repeated uint64 frame_ids = 2; }
        message Interned { repeated Name event_names = 2; repeated Name debug_annotation_names = 3; repeated String function_names = 5;
          repeated Frame frames = 6; repeated Callstack callstacks = 7; repeated String build_ids = 16; repeated String mapping_paths = 17;
          repeated Mapping mappings = 19; }
        message Process { optional int32 pid = 1; optional string process_name = 6; }
        message Thread { optional int32 pid = 1; optional int32 tid = 2; optional string thread_name = 5; }
        message Counter { optional string unit_name = 6; }
        message Descriptor { optional uint64 uuid = 1; optional string name = 2; optional Process process = 3; optional Thread thread = 4;
          optional uint64 parent_uuid = 5; optional Counter counter = 8; }
        message Sample { optional uint32 cpu = 1; optional uint32 pid = 2; optional uint32 tid = 3; optional uint64 callstack_iid = 4; }""",
    "otlp": """syntax = "proto3";
        message Request { repeated Resource resource_metrics = 1; }
        message Resource { message Attributes { repeated Pair attributes = 1; } Attributes resource = 1; repeated Scope scope_metrics = 2; }
        message Value { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
        message Pair { string key = 1; Value value = 2; }
        message Scope { message Instrument { string name = 1; string version = 2; } Instrument scope = 1; repeated Metric metrics = 2; }
        message Metric { string name = 1; string description = 2; string unit = 3;
          oneof data { Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; Exponential exponential_histogram = 10; } }
        enum Temporality { AGGREGATION_TEMPORALITY_UNSPECIFIED = 0; AGGREGATION_TEMPORALITY_DELTA = 1; AGGREGATION_TEMPORALITY_CUMULATIVE = 2; }
        message Gauge { repeated Number data_points = 1; }
        message Sum { repeated Number data_points = 1; Temporality aggregation_temporality = 2; bool is_monotonic = 3; }
        message Histogram { repeated Distribution data_points = 1; Temporality aggregation_temporality = 2; }
        message Exponential { repeated Exponents data_points = 1; Temporality aggregation_temporality = 2; }
        message Number { repeated Pair attributes = 7; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3;
          oneof value { double as_double = 4; sfixed64 as_int = 6; } uint32 flags = 8; }
        message Distribution { repeated Pair attributes = 9; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4;
          optional double sum = 5; repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7; uint32 flags = 10; }
        message Exponents { message Buckets { sint32 offset = 1; repeated uint64 bucket_counts = 2; }
          repeated Pair attributes = 1; fixed64 start_time_unix_nano = 2; fixed64 time_unix_nano = 3; fixed64 count = 4; optional double sum = 5;
          optional sint32 scale = 6; fixed64 zero_count = 7; Buckets positive = 8; Buckets negative = 9; uint32 flags = 10; }"""}


def messages(directory, recording):
    """Each field is of a wire type that the format allows, and each length fits: nothing is left over."""
    for form in ("perfetto", "otlp", "pprof"):
        content = replay(recording, "-x", f"oformat={form}").stdout
        if form == "pprof":
            content = subprocess.run(["gzip", "-dc"], input=content, capture_output=True, check=True).stdout
        done = subprocess.run(["protoc", "--decode_raw"], input=content, capture_output=True, timeout=100)
        check((0, True), (done.returncode, bool(done.stdout)), f"protoc, {form}: {done.stderr}")
    def decoded(form, message, *words):
        content = replay(recording, "-x", f"oformat={form}", *words).stdout
        done = subprocess.run(["protoc", f"--decode={message}", f"--proto_path={directory}", f"{form}.proto"], input=content, capture_output=True, timeout=100)
        text = done.stdout.decode()
        # A field that the format does not have, or has with another type, is shown by its number.
        check((0, []), (done.returncode, re.findall(r"^ *\d+[:{ ].*", text, re.M)[:3]), f"fields of {form} that are not in the format, {done.stderr}")
        return text

    for form, text in SCHEMAS.items():
        with open(os.path.join(directory, f"{form}.proto"), "w") as file:
            file.write(text)
    text = decoded("perfetto", "Trace")
    events = collections.Counter(re.findall(r"^ +type: TYPE_(\w+)$", text, re.M))
    check((CALLS, CALLS), (events["SLICE_BEGIN"], events["SLICE_END"]), "slices that begin and end")
    # What is numbered is there, and numbered once.
    for within, used in (("frames", "frame_ids"), ("callstacks", "callstack_iid"), ("mappings", "mapping_id"), ("event_names", "name_iid"),
                         ("function_names", "function_name_id")):
        numbers = re.findall(rf"{within} {{\n +iid: (\d+)", text)
        check((len(numbers), set()), (len(set(numbers)), set(re.findall(rf"^ +{used}: (\d+)", text, re.M)) - set(numbers)), f"numbers of {within}")
    # A thread begins where it began: the outermost frame is the first.
    names = dict(re.findall(r"function_names {\n +iid: (\d+)\n +str: \"(.*)\"", text))
    frames = {number: names[name] for number, name in re.findall(r"frames {\n +iid: (\d+)\n +function_name_id: (\d+)", text)}
    ends = {(frames[ids[0]], frames[ids[-1]]) for ids in (re.findall(r"frame_ids: (\d+)", one) for one in re.findall(r"callstacks {(.*?)\n  }", text, re.S)) if ids}
    check(True, bool(ends) and all("_start" in first and "_start" not in last for first, last in ends), f"the outermost and the innermost frames: {ends}")
    for words in ((), ("-x", "view=@sizes:hist,hist=native")):
        text = decoded("otlp", "Request", *words)
        check(True, "aggregation_temporality: AGGREGATION_TEMPORALITY_CUMULATIVE" in text and ("scale: 0" in text) == bool(words), "the histogram of OTLP")
        # Bounds rise, and there is one count more than there are bounds.
        for point in re.findall(r"^        data_points {(.*?)^        }", text, re.S | re.M):
            counts, bounds = re.findall(r"bucket_counts: (\d+)", point), [float(one) for one in re.findall(r"explicit_bounds: (\S+)", point)]
            if bounds:
                check((len(bounds) + 1, True), (len(counts), all(a < b for a, b in zip(bounds, bounds[1:]))), "counts and bounds")
                check(int(re.search(r" count: (\d+)", point)[1]), sum(map(int, counts)), "the count of a histogram")


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
