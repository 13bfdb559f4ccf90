# @@host
# @@timeout: 300
"""Programs whose symbols, notes, sections, call frame information and DWARF lie do what they do, with a breakpoint
wherever these say that there is code, and dtrace comes to its end with them. DT_SOAK=250: as many times more files."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
HERE = pathlib.Path(DTRACE).parents[2] / "tests/elf"
COUNT = 40 * int(os.environ.get("DT_SOAK", "1"))
# Entries, returns and each instruction of each function; the probes that it was built with; its stacks.
EVERYTHING = """
pid$target:a.out:: { @[probename == "entry" ? "entries" : "others"] = count(); }
checked$target::: { @[probename] = count(); }
syscall::write:entry /pid == $target/ { ustack(); }
syscall::exit_group:entry /pid == $target/ { printf("status %d\\n", arg0); }
"""
failures = []


def fail(text):
    failures.append(text)


def trace(program, *words):
    run = subprocess.run([DTRACE, "-q", "-x", "lines", "-x", "inlines", *words, "-c", program], capture_output=True,
                         text=True, errors="replace", timeout=120)
    if run.returncode not in (0, 1) or re.search("internal error|terminate called", run.stderr):
        fail(f"{program}: dtrace ends with {run.returncode}: {run.stderr}")
    return run


def check(program, plain):
    run = trace(program, "-Z", "-n", EVERYTHING)
    if run.returncode != 0 or plain.stdout.strip() not in run.stdout or f"status {plain.returncode}\n" not in run.stdout:
        fail(f"{program}: {run.returncode}: {run.stderr}\n{run.stdout}")
    # Without -Z something matches, or it is said what is wrong.
    for description in ["pid$target:a.out::entry", "pid$target:a.out:step:return", "checked$target:::step"]:
        run = trace(program, "-n", f"{description} {{ @ = count(); }}") if hash(program) % 4 == 0 else None
        if run is None or (run.returncode == 0 and plain.stdout.strip() in run.stdout):
            continue
        if run.returncode != 1 or not re.match(r"dtrace: invalid probe specifier .{40,}\n", run.stderr):
            fail(f"{program}: {description}: {run.returncode}: {run.stderr}")
    return run


def main():
    soak = HERE / "dt_elf_soak"
    if not soak.exists():
        print(f"skipped: no {soak}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        whole = str(HERE / "samples/live/checked")
        plain = subprocess.run([whole], capture_output=True, text=True)
        run = trace(whole, "-n", EVERYTHING)
        for wanted in [r"^status 2$", r"checked`print", r"checked\.c:\d+", r"step +10\n", r"sum-made +1\n", r"others +\d{4,}\n"]:
            if not re.search(wanted, run.stdout, re.M):
                fail(f"nothing damaged: no {wanted} in {run.stdout}{run.stderr}")
        subprocess.run([soak, "--seed", os.environ.get("DT_SEED", "1"), "--count", str(COUNT), "--write", work,
                        "--samples", HERE / "samples/live"], check=True)
        programs = sorted(str(path) for path in pathlib.Path(work).iterdir())
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for _ in pool.map(lambda program: check(program, plain), programs):
                pass
    for text in failures[:5]:
        print(text)
    sys.exit(1 if failures else 0)


main()
