# @@host
# -x oformat=json: the document that programs written for FreeBSD's dtrace read.
import json
import os
import subprocess
import sys

SCRIPT = r"""
BEGIN
{
	printf("%d and %s", 7, "text");
	trace(42);
	stack(1);
	print(curthread->comm);
	@a["x", 1] = count();
	@b["y"] = quantize(3);
	printa(@a);
	exit(0);
}
"""


def check(got, wanted):
    if got != wanted:
        sys.exit(f"got {got!r}\nnot {wanted!r}")


def run(script):
    done = subprocess.run([os.environ["DTRACE"], "-x", "oformat=json", "-n", script], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    check(done.returncode, 0)
    return json.loads(done.stdout)["dtrace"]["probes"]


begin, rest = run(SCRIPT)
check([begin[name] for name in ("id", "provider", "module", "function", "name")], [1, "dtrace", "", "", "BEGIN"])
message, seven, text, value, stack, shown, aggregation = begin["output"]
check([message, seven, text, value], [{"message": "7 and text"}, {"value": 7}, {"value": "text"}, {"value": 42}])
check(set(stack["stack-frames"][0]) >= {"symbol", "offset"}, True)
check(shown["type"][0]["name"], "char [16]")
check(shown["type"][0]["value"], '"dtrace"')
check(aggregation, {"aggregation-data": [{"keys": ["x", 1], "count": 1}], "aggregation-name": "a"})
check(rest["name"], "AGGREGATIONS")
check(rest["output"], [{"aggregation-data": [{"keys": ["y"], "buckets": [{"value": 2, "count": 1}]}],
                        "aggregation-name": "b"}])
check(run("BEGIN { exit(0); } END /0/ { }")[0]["output"], [])
