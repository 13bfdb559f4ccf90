# Stacks of Debian's programs are those that libdw makes of the stopped process, frame by frame. At most one of a
# thousand has another frame; some end early, where a file's table is not there yet, which dtrace says, or where the
# CFA is in another register than rsp and rbp, as in the loader's _dl_runtime_resolve: few of a program that is at work.
# @@timeout: 240
#
# DT_STACKS is how many, over all programs that are installed; DT_PROGRAMS names some of them; DT_SHOW is how many
# mismatches of each are shown; DT_LOG names a file to add all of them to. With DT_WARM=SECONDS dtrace comes to
# programs that have run for so long (-p), 0.3 if it is not set; with 0 it starts most of them (-c) and learns of their
# libraries as they are mapped.
import os
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
STACKS = int(os.environ.get("DT_STACKS", "1000"))
SHOWN = int(os.environ.get("DT_SHOW", "2"))
ONLY = os.environ.get("DT_PROGRAMS", "").split()


def look_at(program, count, libdw):
    """(compared, identical, end early), having said so; and whether there were enough."""
    begun = time.monotonic()
    samples, errors = [], ""
    for i, kinds in enumerate(TOGETHER):
        some = (count - len(samples)) // (len(TOGETHER) - i)  # the last has what others could not
        more, err = samples_of(program, kinds, max(some, 1), libdw, seconds=3 + count / 100)
        samples += more
        errors += err
    compared = [sample for sample in samples if sample.is_compared]
    different = [sample for sample in compared if not sample.is_identical]
    states = {}
    for sample in samples:
        key = f"{sample.kind} {sample.state}"
        states[key] = states.get(key, 0) + 1
    outside = [sample for sample in compared if not sample.is_described]
    cut = sum(sample.is_cut for sample in different)
    signals = sum(any("s" in frame for frame in sample.theirs) for sample in compared)
    depth = sum(len(sample.theirs) for sample in compared) / max(len(compared), 1)
    print(f"{program.name}: {len(compared)} compared, {len(compared) - len(different)} identical, "
          f"{cut} end too soon; {depth:.0f} frames each; {signals} with signals; {len(outside)} not all described by .eh_frame, of which "
          f"{sum(sample.is_identical for sample in outside)} identical; {time.monotonic() - begun:.1f} s; "
          + ", ".join(f"{states[key]} {key}" for key in sorted(states)), flush=True)
    for sample in different[:SHOWN]:
        print(sample, flush=True)
    if different and "DT_LOG" in os.environ:
        with open(os.environ["DT_LOG"], "a") as log:
            log.writelines(f"{program.name}\n{sample}\n" for sample in different)
    if len(compared) < count * 0.8:
        print(f"{program.name}: too few stacks; dtrace said: {errors[:1000]}")
    return len(compared), len(compared) - len(different), cut, len(compared) >= count / 2


def main():
    if "DT_GUEST" in os.environ:
        print("skipped: a guest is too slow to look at a thousand stacks of programs")
        sys.exit(77)
    if not os.path.exists(workload("libdw_stacks")):
        print("skipped: libdw_stacks was not built, as there is no libdw-dev")
        sys.exit(77)
    home = tempfile.mkdtemp()
    os.chmod(home, 0o755)  # postgres is another user
    libdw = Libdw(workload("libdw_stacks"))
    try:
        found = []
        for make in programs.ALL:
            program = make(home) if not ONLY or make.__name__ in ONLY else None
            if program and program.command[0] is None:
                print(f"skipped {program.name}, which is not installed")
            elif program:
                found.append(program)
        results = [look_at(program, max(STACKS // len(found), 1), libdw) for program in found]
        libdw.end()
    finally:
        shutil.rmtree(home)
    compared, identical, early = (sum(result[i] for result in results) for i in range(3))
    print(f"{identical} of {compared} stacks of {len(found)} programs are identical; {early} end early")
    if (compared - identical - early > (1 - WANTED) * compared or identical < WHOLE * compared
            or not all(result[3] for result in results)):
        sys.exit(1)


main()
