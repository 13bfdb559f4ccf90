# @@host
# -x oformat=jsonl: records, aggregations, errors and the end, each as the schema says.
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, os.environ["TESTS"])
import jsonl

SCRIPT = r"""
struct moment { long s; unsigned ns : 30; };

BEGIN
{
	printf("%d %s\n", pid, "a\tb\x80");
	trace((uint64_t)0xffffffffffffffff);
	print(curthread->comm);
	stack(2);
	tracemem(curthread->comm, 16, 6);
	trace(probename);
	@calls["read", 1] = count();
	@calls["write", -2] = count();
}

BEGIN { @n = count(); @size["x"] = quantize(-3); @size["x"] = quantize(0); normalize(@n, 1); }
BEGIN { @lines = lquantize(120, 0, 100, 20); @deep = llquantize(150, 10, 0, 3, 20); }
BEGIN { printf("never: %d\n", *(int *)16); }
BEGIN { printa("%@d\n", @n); setopt("wombats"); }

syscall::clock_nanosleep:entry
/pid == $target/
{
	print(*(struct moment *)copyin(arg2, sizeof (struct moment)));
	ustack(1);
	exit(3);
}
"""

before = time.time_ns()
process = subprocess.run([os.environ["DTRACE"], "-x", "oformat=jsonl", "-n", SCRIPT, "-c", "sleep 0.25"],
                         stdin=subprocess.DEVNULL, capture_output=True)
after = time.time_ns()
assert process.returncode == 3, process
lines = jsonl.parse(process.stdout.decode())
records = [line for line in lines if line["type"] == "record"]
aggregations = [line for line in lines if line["type"] == "aggregation"]
errors = [line for line in lines if line["type"] == "error"]


def check(got, wanted):
    if got != wanted:
        sys.exit(f"got {got!r}\nnot {wanted!r}")


assert all(before <= record["time"] <= after for record in records), (before, after, records)
assert records[0]["time"] < records[-1]["time"]
check(records[0]["probe"], {"id": 1, "provider": "dtrace", "module": "", "function": "", "name": "BEGIN"})
printf, trace, shown, stack, memory, name = records[0]["actions"]
pid = printf["values"][0]["value"]
check(printf, {"action": "printf", "text": f"{pid} a\tb\ufffd\n", "values": [
    {"name": "pid", "type": "int32", "value": pid},
    {"name": '"a\\tb\\x80"', "type": "string", "value": "a\tb\ufffd", "bytes": "61096280"}]})
check(trace["values"], [{"name": "(uint64_t)0xffffffffffffffff", "type": "uint64", "value": 2 ** 64 - 1}])
check(shown["values"], [{"name": "curthread->comm", "type": "char [16]", "value": "dtrace"}])
check({"address"} <= stack["values"][0]["value"][0].keys(), True)
check(memory["values"], [{"name": "curthread->comm", "type": "bytes", "value": b"dtrace".hex()}])
check(name["values"], [{"name": "probename", "type": "string", "value": "BEGIN"}])

moment = records[-1]["actions"]
check(moment[0]["values"][0]["type"], "struct moment")
check(moment[0]["values"][0]["value"], {"s": 0, "ns": 250000000})
check(moment[1]["action"], "ustack")
check(moment[2], {"action": "exit", "values": [{"name": "3", "type": "int32", "value": 3}]})

check([(line["name"], line["function"], [key["value"] for key in line["keys"]],
        line.get("value", [(b.get("value"), b.get("below"), b.get("above"), b["count"]) for b in line.get("buckets", [])]))
       for line in aggregations],
      [("n", "count", [], 1),
       ("calls", "count", ["read", 1], 1), ("calls", "count", ["write", -2], 1),
       ("size", "quantize", ["x"], [(-2, None, None, 1), (0, None, None, 1)]),
       ("lines", "lquantize", [], [(100, None, True, 1)]),
       ("deep", "llquantize", [], [(150, None, None, 1)])])
check([key["name"] for key in aggregations[1]["keys"]], ['"read"', "1"])
check([error.get("fault") for error in errors], ["invalid address", None])
check(errors[0]["place"], "18:31")
check(errors[1]["message"], "error on enabled probe ID 5 (ID 1: dtrace:::BEGIN): "
                            "couldn't set option \"wombats\" to \"1\": Invalid option name")
check(lines[-1], {"v": 1, "type": "end", "status": 3})
