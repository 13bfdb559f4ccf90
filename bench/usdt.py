"""What a probe that a program defines costs it (bench/usdt.c): while it is off, and while it is traced; made by dtrace -h,
by sys/sdt.h, and at run time.
"""
import shlex
import subprocess

from common import CALLS_IN_GUEST, ROUNDS, TOP, heading, in_guest

USDT_SITES = {"none": None, "ours": "site", "checked": "checked", "theirs": "theirs", "made": "made",
              "ours_fields": "fields", "theirs_fields": "theirs_fields"}


def build_usdt(tools):
    program = f"{tools.build}/usdt"
    subprocess.run([tools.dtrace, "-h", "-s", str(TOP / "bench/usdt.d"), "-o", f"{tools.build}/bench_usdt.h"], check=True)
    subprocess.run(["cc", "-O2", "-falign-functions=64", "-falign-loops=64", f"-I{tools.build}", f"-I{TOP}/include",
                    str(TOP / "bench/usdt.c"), f"{tools.build}/src/usdt/made/libdtrace-probes.a", "-pthread", "-o", program],
                   check=True)


def best_turns(tools, turns, rounds, action=None):
    """By kind, the least ns of a turn, while its probe runs the action."""
    best = dict.fromkeys(USDT_SITES, float("inf"))
    for _ in range(rounds):
        for kind, probe in USDT_SITES.items():
            argv = [f"{tools.build}/usdt", kind, str(turns)]
            if action and not probe:
                best[kind] = float("nan")
                continue
            if action:
                argv = [tools.dtrace, "-qZ", "-c", shlex.join(argv), "-n", "bench$target:::%s { %s; }" % (probe, action)]
            done = subprocess.run(argv, capture_output=True, text=True)
            if done.returncode == 0:
                best[kind] = min(best[kind], float(done.stdout.split()[0]))
    return best


def print_usdt(tools, off_turns, on_turns, rounds):
    print(f"{'':<22}{'none':>9}{'ours':>9}{'checked':>9}{'sdt.h':>9}{'made':>9}{'in memory: ours':>17}{'sdt.h':>9}")
    for action, base, bar in ((None, "none", "within noise of 1"), ("@ = count()", "theirs", "at most 1.0"),
                              ("@ = sum(arg0 + arg1)", "theirs", "at most 1.0")):
        ns = best_turns(tools, on_turns if action else off_turns, rounds, action)
        fields = ns["ours_fields"] / ns["theirs_fields"]
        print(f"{action or 'off':<22}{ns['none']:>9.2f}{ns['ours']:>9.2f}{ns['checked']:>9.2f}{ns['theirs']:>9.2f}{ns['made']:>9.2f}"
              f"{ns['ours_fields']:>17.2f}{ns['theirs_fields']:>9.2f}   ours/{base} {ns['ours'] / ns[base]:.3f}, "
              f"in memory ours/sdt.h {fields:.3f}  ({bar})", flush=True)


def bench(tools):
    heading("a probe of dtrace -h, off and on, and one that is made at run time: ns of a turn of a loop, three arguments")
    build_usdt(tools)
    print_usdt(tools, 30_000_000, 200_000, 3 * ROUNDS)
    print("the same in instructions, in a guest", flush=True)
    in_guest(tools, "usdt-guest", "6.12")


def bench_in_guest(tools):
    print_usdt(tools, 100_000, CALLS_IN_GUEST, 3)
