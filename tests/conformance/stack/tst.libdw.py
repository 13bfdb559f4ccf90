# Stacks of Debian's programs are those that libdw makes of the stopped process, frame by frame: of a thousand at most
# one is another. Not counted among these are as many as dtrace itself says ended early, as a file's table was not there
# yet: few of a program that is at work.
# @@timeout: 600
#
# DT_STACKS is how many, over all programs that are installed; where few are wanted of a program, they are of one kind,
# which is another one for the next program. DT_PROGRAMS names some of them; DT_SHOW is how many mismatches of each are
# shown; DT_LOG names a file to add all of them to. With DT_WARM=SECONDS dtrace comes to programs that have run for so
# long (-p), 0.3 if it is not set; with 0 it starts most of them (-c) and learns of their libraries as they are mapped.
import concurrent.futures
import os
import re
import shutil
import sys
import tempfile
import time

sys.path[:0] = [os.environ["TESTS"], os.path.join(os.environ["TESTS"], "stacks")]
import programs  # noqa: E402
from sampler import TOGETHER, Libdw, samples_of  # noqa: E402
from soundness import workload  # noqa: E402

WANTED = 0.999
WHOLE = 0.98
ENOUGH = 0.75  # of the stacks that are wanted
STACKS = int(os.environ.get("DT_STACKS", "360"))
FEW = 50  # of a program: of one kind
AT_ONCE = 2  # programs
MOST_S = 30  # for the stacks of one kind; they are there far sooner, or there are no more
SHOWN = int(os.environ.get("DT_SHOW", "2"))
ONLY = os.environ.get("DT_PROGRAMS", "").split()


class Results:
    """Of one program, or of all: samples that were compared, and how many of those that are different are said to have
    ended early."""

    def __init__(self, samples=(), early=0):
        self.samples = [sample for sample in samples if sample.is_compared]
        self.different = [sample for sample in self.samples if not sample.is_identical]
        self.early = min(early, sum(sample.is_cut for sample in self.different))

    def add(self, other):
        self.samples += other.samples
        self.different += other.different
        self.early += other.early

    @property
    def is_good(self):
        compared, different = len(self.samples), len(self.different)
        return different - self.early <= (1 - WANTED) * compared and different <= (1 - WHOLE) * compared

    def __str__(self):
        def count(name, is_one):
            number = sum(is_one(sample) for sample in self.samples)
            return f", {number} {name}" if number else ""

        stacks = {tuple(sample.addresses) for sample in self.samples}
        depth = sum(len(stack) for stack in stacks) / max(len(stacks), 1)
        return (f"{len(self.samples) - len(self.different)} of {len(self.samples)} identical, {self.early} ended early; "
                f"{len(stacks)} unlike each other, of {depth:.0f} frames"
                + count("with signals", lambda sample: any("s" in frame for frame in sample.theirs))
                + count("in the loader", lambda sample: sample.is_in("ld-linux"))
                + count("in the vDSO", lambda sample: sample.is_in("[vdso]"))
                + count("with code that no .eh_frame describes", lambda sample: not sample.is_described)
                + count("that libdw does not follow to their end", lambda sample: sample.failed))


def kinds_for(program, index, count):
    """(kinds that are taken together, their share of what is left)."""
    if count >= FEW or program.is_hard:
        return [(kinds, 1 / (len(TOGETHER) - i)) for i, kinds in enumerate(TOGETHER)]
    return [(TOGETHER[index % len(TOGETHER)], 1), (TOGETHER[-1], 1)]  # of which there are always some


def look_at(make, index, count, home):
    """Results, having said so; None where it is not installed."""
    program = make(home)
    if program.command[0] is None:
        print(f"skipped {program.name}, which is not installed")
        return None
    begun = time.monotonic()
    samples, errors = [], ""
    libdw = Libdw(workload("libdw_stacks"))
    for kinds, share in kinds_for(program, index, count):
        left = count - len(samples)
        if left > 0:
            more, err = samples_of(program, kinds, max(round(left * share), 1), libdw, MOST_S + count / 100)
            samples += more
            errors += err
    libdw.end()
    results = Results(samples, sum(map(int, re.findall(r"(\d+) user stacks? (?:is|are) cut short: code", errors))))
    states = [f"{sample.kind} {sample.state}" for sample in samples]
    lines = [f"{program.name}: {results}; " + ", ".join(f"{states.count(one)} {one}" for one in sorted(set(states)))
             + f"; {time.monotonic() - begun:.1f} s"]
    lines += [str(sample) for sample in results.different[:SHOWN]]
    if len(results.samples) < count * ENOUGH:
        lines.append(f"{program.name}: too few stacks; dtrace said: {errors[:1000]}")
    print("\n".join(lines), flush=True)
    if results.different and "DT_LOG" in os.environ:
        with open(os.environ["DT_LOG"], "a") as log:
            log.writelines(f"{program.name}\n{sample}\n" for sample in results.different)
    return results


def look_at_all(home):
    """Results of each program."""
    chosen = [make for make in programs.ALL if not ONLY or make.__name__ in ONLY]
    each = -(-STACKS // len(chosen))
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        numbers = range(len(chosen))
        found = list(pool.map(look_at, chosen, numbers, [each] * len(chosen), [home] * len(chosen)))
    missing = [make.__name__ for make, one in zip(chosen, found) if one is not None and not one.samples]
    return [one for one in found if one is not None], each, missing


def main():
    if "DT_GUEST" in os.environ:
        print("skipped: a guest is too slow to look at hundreds of stacks of programs")
        sys.exit(77)
    if not os.path.exists(workload("libdw_stacks")):
        print("skipped: libdw_stacks was not built, as there is no libdw-dev")
        sys.exit(77)
    home = tempfile.mkdtemp()
    os.chmod(home, 0o755)  # postgres is another user
    try:
        results, each, missing = look_at_all(home)
    finally:
        shutil.rmtree(home)
    total = Results()
    for one in results:
        total.add(one)
    print(f"{len(results)} programs: {total}")
    if not total.is_good:
        sys.exit("too many stacks differ from libdw's")
    wanted = ENOUGH * each * len(results)
    if len(total.samples) < wanted or missing:
        sys.exit(f"too few stacks were compared: {len(total.samples)}, where {wanted:.0f} are wanted; "
                 f"none of: {' '.join(missing) or 'no program'}")


main()
