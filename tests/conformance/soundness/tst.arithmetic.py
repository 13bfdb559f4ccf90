# Every aggregating function, of random values of every magnitude from two CPUs, against integers without bounds.
# @@timeout: 120
# @@host
import collections
import json
import math
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
import soundness  # noqa: E402

CALLS = 25_000  # of each of two threads
STREAMS = 4 * soundness.SCALE
MASK = 2 ** 64 - 1
# Squares of the largest values would pass 128 bits when added up.
SMALLER = 6
SCRIPT = f"""
syscall::lseek:entry
/pid == $target && (int)arg0 == -1/
{{
	@count[arg2] = count();
	@sum[arg2] = sum((int64_t)arg1);
	@avg[arg2] = avg((int64_t)arg1);
	@min[arg2] = min((int64_t)arg1);
	@max[arg2] = max((int64_t)arg1);
	@stddev[arg2] = stddev((int64_t)arg1 >> {SMALLER});
	@quantize[arg2] = quantize((int64_t)arg1);
	@weighed[arg2] = quantize((int64_t)arg1, (int64_t)arg1 >> 8);
	@lquantize[arg2] = lquantize((int64_t)arg1, -1000, 1000, 7);
	@llquantize[arg2] = llquantize((int64_t)arg1, 10, 0, 9, 20);
	@whole = avg((int64_t)arg1);
}}
"""


def signed(value, bits=64):
    value &= 2 ** bits - 1
    return value - 2 ** bits if value >> (bits - 1) else value


def stream(seed, number):
    state = (seed * 2 + number) & MASK

    def draw():
        nonlocal state
        state = (state + 0x9e3779b97f4a7c15) & MASK
        z = ((state ^ (state >> 30)) * 0xbf58476d1ce4e5b9) & MASK
        z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & MASK
        return z ^ (z >> 31)
    for _ in range(CALLS):
        how = draw()
        yield (how >> 8) % 5, signed(draw()) >> (how % 64)


def divide(a, b):  # towards 0
    return abs(a) // b * (1 if a >= 0 else -1)


def deviation(values):
    mean = divide(sum(values), len(values))
    return math.isqrt(max(0, sum(v * v for v in values) // len(values) - mean * mean))


def power(value):  # the bucket of quantize()
    return 0 if value == 0 else int(math.copysign(1, value)) * 2 ** (abs(value).bit_length() - 1)


def linear(value, low=-1000, high=1000, step=7):
    if value < low:
        return "below"
    levels = (high - low) // step
    return "above" if value >= low + levels * step else low + (value - low) // step * step


def loglinear(value, factor=10, low=0, high=9, steps=20):
    if value < factor ** low:
        return "below"
    if value >= factor ** (high + 1):
        return "above"
    size = 1
    while size * factor <= value:
        size *= factor
    step = size * factor // steps if size * factor > steps else 1
    return value // step * step


def buckets(line):
    """By label; what is below and above is not told apart by its value."""
    return {"below" if "below" in b else "above" if "above" in b else b["value"]: b["count"] for b in line["buckets"]}


def tally(values, bucket, weight=lambda value: 1):
    counts = collections.Counter()
    for value in values:
        counts[bucket(value)] += weight(value)
    return {where: signed(count) for where, count in counts.items() if signed(count) != 0}


mismatches = compared = 0
for seed in range(1, STREAMS + 1):
    out, err = soundness.trace(["-x", "oformat=jsonl", "-q", "-c", f"{soundness.workload('stream')} {seed} {CALLS}",
                                "-n", SCRIPT])
    if soundness.drops(err) or soundness.aggregation_drops(err):
        print(f"seed {seed}: drops, so there is nothing to compare: {err}")
        continue
    by_key = collections.defaultdict(list)
    for number in (0, 1):
        for key, value in stream(seed, number):
            by_key[key].append(value)
    whole = [value for values in by_key.values() for value in values]
    for line in map(json.loads, out.splitlines()):
        if line["type"] != "aggregation":
            continue
        values = by_key[line["keys"][0]["value"]] if line["keys"] else whole
        wanted = {
            "count": lambda: len(values), "sum": lambda: signed(sum(values)),
            "avg": lambda: divide(sum(values), len(values)), "whole": lambda: divide(sum(values), len(values)),
            "min": lambda: min(values), "max": lambda: max(values),
            "stddev": lambda: deviation([value >> SMALLER for value in values]),
            "quantize": lambda: tally(values, power),
            "weighed": lambda: tally(values, power, lambda value: value >> 8),
            "lquantize": lambda: tally(values, linear),
            "llquantize": lambda: tally(values, loglinear),
        }[line["name"]]()
        got = buckets(line) if "buckets" in line else line["value"]
        compared += 1
        if got != wanted:
            mismatches += 1
            print(f"seed {seed}, {line['name']}[{line['keys']}]: got {got}\nwanted {wanted}")
print(f"{compared} values compared, {mismatches} are others")
if mismatches or compared < 51 * STREAMS // 2:
    sys.exit("the arithmetic is not exact, or too little was compared")
