# @@host
# -x oformat=json: the document that programs written for FreeBSD's dtrace read.
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

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


def text_of(script, *options):
    done = subprocess.run([os.environ["DTRACE"], *options, "-n", script], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True)
    check(done.returncode, 0)
    return re.sub(r"\b1[0-9]{18}\b", "TIME", done.stdout)


# Indented, and by the option that programs of FreeBSD have for this.
for options in (["-x", "oformat=json,pretty"], ["-O", "--libxo", "json,pretty"], ["--libxo=json,pretty"]):
    got = text_of(SCRIPT, *options)
    output = json.loads(got.replace("TIME", "1"))["dtrace"]["probes"][0]["output"]
    check(output[:4], [{"message": "7 and text"}, {"value": 7}, {"value": "text"}, {"value": 42}])
    check(got.splitlines()[:5], ["{", '  "dtrace": {', '    "probes": [', "      {", '        "timestamp": TIME,'])

# XML: an element for each member, and one for each value of an array.
SMALL = 'BEGIN { printf("<%s> & \\001", "x"); @a["k", 2] = sum(3); printa(@a); exit(0); }'
for options in (["-x", "oformat=xml"], ["--libxo", "xml"]):
    got = re.sub("<cpu>[0-9]+<", "<cpu>N<", text_of(SMALL, *options))
    check(got, "<dtrace><probes><timestamp>TIME</timestamp><cpu>N</cpu><id>1</id><provider>dtrace</provider>"
               "<module></module><function></function><name>BEGIN</name><output><message>&lt;x&gt; &amp; \\001</message>"
               "</output><output><value>x</value></output><output><aggregation-data><keys>k</keys><keys>2</keys>"
               "<sum>3</sum></aggregation-data><aggregation-name>a</aggregation-name></output></probes></dtrace>\n")
check(text_of("BEGIN { exit(0); }", "-x", "oformat=xml,pretty").splitlines()[:3],
      ["<dtrace>", "  <probes>", "    <timestamp>TIME</timestamp>"])
whole = xml.etree.ElementTree.fromstring(text_of(SCRIPT, "-x", "oformat=xml,pretty"))
check([one.findtext("name") for one in whole], ["BEGIN", "AGGREGATIONS"])
check(whole[0].find("output/type/value").text, '"dtrace"')

# What is lost: with its number in libdtrace, and how much of it in all.
ARRAY = "int a[int]; BEGIN { " + "".join(f"a[{i}] = 1; " for i in range(1, 20)) + "exit(0); }"
done = subprocess.run([os.environ["DTRACE"], "-x", "oformat=json", "-x", "dynvarsize=64", "-n", ARRAY],
                      stdin=subprocess.DEVNULL, capture_output=True, text=True)
drop = next(one for one in json.loads(done.stdout)["dtrace"]["probes"] if one["name"] == "DROP")
check([drop[name] for name in ("cpu", "id", "provider", "module", "kind")], [-1, -1, "dtrace", "INTERNAL", 2])
check(drop["total"], drop["count"])
check(drop["msg"], f"{drop['count']} dynamic variable drops\n")
