# Programs that are derived of one (front/derivable.h): what view lines say of a program is put together as the page does it.
# A narrowed program counts what the row or the bucket has that it is narrowed to.
# @@timeout: 200
# @@host
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE  # noqa: E402

bad = []


def check(wanted, got, what):
    if wanted != got:
        bad.append(f"{what}: {got!r}, not {wanted!r}")


def run(*arguments, data=None):
    return subprocess.run([DTRACE, *arguments], input=data, stdin=None if data else subprocess.DEVNULL, capture_output=True, text=True, timeout=100)


def lines_of(program, *options):
    done = run("-x", "oformat=views", "-n", program, *options)
    check(0, done.returncode, f"status of {program}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def put_together(one, conditions="", by=""):
    """`conditions`: of a use its text."""
    out = one["pieces"][0]
    for use, piece in zip(one["uses"], one["pieces"][1:]):
        text = use["left"] + by + use["right"] if by else use["text"]
        out += ("if (" + conditions(use) + ") { " + text + " } else { }" if conditions else text) + piece
    return out


def aggregations(lines):
    return {one["name"]: one for one in lines[0]["aggregations"]}


def sums(lines, name):
    """By key: numbers, or of histograms counts by the bounds of buckets."""
    index = list(aggregations(lines)).index(name)
    keys = {line["id"]: tuple(line["values"]) for line in lines if line["type"] == "key" and line["aggregation"] == index}
    bounds = {b: (low, high) for line in lines if line["type"] == "buckets" and line["aggregation"] == index for b, low, high in line["buckets"]}
    out = {}
    for line in lines:
        if line["type"] != "column" or line["aggregation"] != index:
            continue
        for key, value in line["rows"]:
            for place, count in zip([bounds[b] for b in value[::2]], value[1::2]) if isinstance(value, list) else [(None, value)]:
                at = (keys.get(key, ()), place)
                out[at] = out.get(at, 0) + count
    return out


# An aggregation is added to in several ways: within an `if` without braces before an `else`, in the last statement of a clause
# that has no semicolon, beside texts and comments that look like statements.
PROGRAM = r'''#pragma D option quiet
/* @sizes["x", 1] = quantize(1); */
int n; self int odd;
BEGIN { printf("@sizes[1] = quantize(%d);", 7); this->c = '@'; }
tick-1ms /n < 40/ {
	n++; this->who = n % 4 == 0 ? "four's; \"@x\"" : n % 2 ? "odd" : "even"; // @sizes[1] = count();
	if (n % 3 == 0) @sizes[this->who, n % 5 - 2] = quantize(n * 10 - 100); else @sizes[strjoin(this->who, "]"), 7] = quantize((n > 3 ? n : -n) , 2)
	;
	@all = count(); @all = count();
	@[n % 2] = sum(n)
}
tick-1ms /n >= 40/ { exit(0); }'''
whole = lines_of(PROGRAM)
rows, one = sums(whole, "@sizes"), aggregations(whole)["@sizes"]
check(2, len(one["uses"]), "statements that add to @sizes")
check([["this->who", "n % 5 - 2"], ['strjoin(this->who, "]")', "7"]], [use["keys"] for use in one["uses"]], "keys")
check(PROGRAM, put_together(one), "the parts together")


def literal(value):
    return str(value) if isinstance(value, int) else '"' + "".join(chr(b) if chr(b).isalnum() else f"\\{b:03o}" for b in value.encode()) + '"'


for key in range(2):
    for value in {keys[key] for keys, _ in rows}:
        got = sums(lines_of(put_together(one, lambda use: f"({use['keys'][key]}) == {literal(value)}")), "@sizes")
        check({at: count for at, count in rows.items() if at[0][key] == value}, got, f"narrowed to key {key} == {value!r}")
for low, high in {place for _, place in rows}:
    got = sums(lines_of(put_together(one, lambda use: f"(int64_t)({use['value']}) >= {low} && (int64_t)({use['value']}) <= {high}")), "@sizes")
    check({at: count for at, count in rows.items() if at[1] == (low, high)}, got, f"narrowed to {low} to {high}")
got = sums(lines_of(put_together(one, by="n % 7")), "@sizes")
together = {}
for (keys, place), count in got.items():
    together[keys[:-1], place] = together.get((keys[:-1], place), 0) + count
check(rows, together, "by another key, added up")
check(True, len(got) > len(rows), "by another key")
for name, count in (("@all", 80), ("@", 820)):
    got = sums(lines_of(put_together(aggregations(whole)[name], by='n % 5')), name)
    check((5, count), (len({keys[-1] for keys, _ in got}), sum(got.values())), f"{name} by another key")

# What may not be evaluated twice, or is neither a number nor a text, has no expression.
for statement, keys, value in (("@[x++, 1] = quantize(x);", ["", ""], ""), ("@[x, stack()] = quantize(x = 3);", ["", ""], ""), ("@[x, stack()] = quantize(x);", ["x", ""], "x"), ("@[x == 3, x <= 2, x != 1] = count();", ["x == 3", "x <= 2", "x != 1"], ""),
                               ("@[x <<= 1] = count();", [""], ""), ("@[rand()] = count();", [""], ""), ('@[strtok("a,b", ",")] = count();', [""], ""), ("@[sym(x), probefunc] = count();", ["", "probefunc"], "")):
    found = aggregations(lines_of("tick-1ms { x = 2; " + statement + " exit(0); }"))["@"]
    check((keys, value), (found["uses"][0]["keys"], found["uses"][0]["value"]), statement)
# Of two programs, of what is printed together with another, and of what the preprocessor made there is less.
found = aggregations(lines_of("tick-1ms { @ = count(); exit(0); }", "-n", "tick-2ms { @ = count(); }"))["@"]
check(False, "pieces" in found, "two programs are cut")
found = aggregations(lines_of('tick-1ms { @a[1] = count(); @b[1] = count(); printa("%d %@d %@d\\n", @a, @b); exit(0); }'))["@a"]
check((True, False), ("pieces" in found, "left" in found["uses"][0]), "what is printed together")
found = aggregations(lines_of('tick-1ms { @a[1] = count(); @b[1] = count(); exit(0); } tick-1s { printa("%d", @a); printa ( "%d %@d %@d\\n" , @b , @a); }'))["@b"]
check(False, "left" in found["uses"][0], "what is printed together where nothing fires")
found = aggregations(lines_of("tick-1ms { @ = count(); exit(0); }", "-C"))["@"]
check(False, "pieces" in found, "what the preprocessor made is cut")

found = aggregations(lines_of("tick-1ms { " + " ".join(f"@a{i} = count();" for i in range(65)) + " exit(0); }"))
check([True] * 64 + [False], ["pieces" in found[f"@a{i}"] for i in range(65)], "which of many are cut")

# A recording says the same.
with tempfile.TemporaryDirectory() as directory:
    file = os.path.join(directory, "x.dtr")
    check(0, run("-q", "-x", "record=" + file, "-n", PROGRAM).returncode, "status of a recording")
    replayed = json.loads(run("-r", file, "-x", "oformat=views").stdout.splitlines()[0])
    check(whole[0]["aggregations"], replayed["aggregations"], "a recording's parts")

if bad:
    sys.exit("\n".join(bad))
