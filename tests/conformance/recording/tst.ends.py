"""Whatever ends a recording, what was written can be replayed: a dtrace that is killed, and a disk that is full. Where it
ends is said, records are in order and none is missing before the end. DT_KILLS says at how many moments it is killed."""
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE  # noqa: E402

bad = []
COUNTS = "BEGIN { printf(\"%d\\n\", n++); } tick-1000hz { printf(\"%d\\n\", n++); @ = count(); }"


def replay(file):
    done = subprocess.run([DTRACE, "-r", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    if done.returncode != 1:
        bad.append(f"exit status {done.returncode}: {done.stderr}")
    if not re.search(r"ends at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d: it is cut off there", done.stderr):
        bad.append(f"its end is not said: {done.stderr}")
    *numbers, _, _ = done.stdout.split() if "@" in done.stdout else done.stdout.split() + ["", ""]
    return done, [int(number) for number in numbers]


with tempfile.TemporaryDirectory(prefix="recording-") as directory:
    # Killed when it has written something behind the program.
    file = os.path.join(directory, "killed")
    with subprocess.Popen([DTRACE, "-qn", COUNTS, "-x", f"record={file}", "-x", "switchrate=1000hz"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if int(line) >= 300:  # 200 ms later at the latest it is in the file
                break
        # A replay of what is there so far says so.
        early = [subprocess.run([DTRACE, "-r", file, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100) for words in ((), ("-l",))]
        process.send_signal(signal.SIGKILL)
        process.stdout.read()
    for done in early:
        if done.returncode != 1 or ": it is still being written" not in done.stderr:
            bad.append(f"while it is written: {done.returncode}, {done.stderr}")
    done, numbers = replay(file)
    # The last one is the aggregation's.
    counts = numbers[:-1]
    if not counts or counts != list(range(len(counts))):
        bad.append(f"killed: {done.stdout}")

    # Killed at any moment of a run: there is no recording, or none of a program yet, or its records are all to its end.
    some = random.Random(2)
    for moment in range(int(os.environ.get("DT_KILLS", "15"))):
        file = os.path.join(directory, f"killed-{moment}")
        process = subprocess.Popen([DTRACE, "-qn", COUNTS, "-x", f"record={file}", "-x", "switchrate=1000hz"], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(some.uniform(0, 1.2))
        except subprocess.TimeoutExpired:
            process.kill()
        process.wait()
        if not os.path.exists(file):
            continue
        done = subprocess.run([DTRACE, "-r", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
        lines = [int(line) for line in done.stdout.split()]
        # Behind the records comes the aggregation as it was read last.
        if lines and lines[:-1] == list(range(len(lines) - 1)) and lines[-1] <= len(lines) - 1:
            del lines[-1]
        if done.returncode != 1 or not done.stderr or lines != list(range(len(lines))):
            bad.append(f"killed at a moment: status {done.returncode}, {lines[-5:]}: {done.stderr}")

    # A file that may not grow beyond a part of what there is to write: zstd makes little less of the second numbers.
    file = os.path.join(directory, "full")
    script = ("BEGIN { printf(\"%d\\n\", n++); } tick-5000hz { printf(\"%d %d\\n\", n++, timestamp * 0x9e3779b97f4a7c15); } "
              "tick-5000hz /n > 12000/ { exit(0); }")
    live = subprocess.run([DTRACE, "-qn", script, "-x", f"record={file}"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=100, restore_signals=False,  # Python ignores SIGXFSZ, and so does what it runs
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)))
    if live.returncode != 1 or "File too large: the recording ends here" not in live.stderr:
        bad.append(f"full: exit status {live.returncode}: {live.stderr}")
    printed = [int(line.split()[0]) for line in live.stdout.splitlines() if line]
    if printed != list(range(len(printed))) or len(printed) < 12_000:
        bad.append("full: tracing does not go on")
    done, _ = replay(file)
    numbers = [int(line.split()[0]) for line in done.stdout.splitlines() if line]
    if not 0 < len(numbers) < len(printed) or numbers != list(range(len(numbers))):
        bad.append(f"full: {done.stdout}")

    # Full before anything was written: nothing is left that looks like a recording, and the same name can be taken again.
    file = os.path.join(directory, "none.dtr")
    for limit, status in ((0, 1), (60_000, 0)):
        live = subprocess.run([DTRACE, "-qn", "BEGIN { exit(0); }", "-x", f"record={file}"], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=100, restore_signals=False,
                              preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        if live.returncode != status or os.path.exists(file) != (status == 0) or ("File too large" in live.stderr) != (status == 1):
            bad.append(f"full at once: {live}")
    # An empty file may be replaced, as mktemp(1) makes them.
    file = os.path.join(directory, "made.dtr")
    open(file, "w").close()
    live = subprocess.run([DTRACE, "-qn", "BEGIN { trace(42); exit(0); }", "-x", f"record={file}"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=100)
    again = subprocess.run([DTRACE, "-r", file], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
    if live.returncode != 0 or again.stdout != live.stdout:
        bad.append(f"an empty file: {live}{again}")
    # It does not take the place of an older recording. Nor does a run that does not begin, of the last one.
    os.rename(file, file + ".old")
    open(file, "w").close()
    for words in ("-n", "BEGIN { trace(43); exit(0); }"), *[("-x", "zone=nosuchzone", "-n", "BEGIN { exit(0); }")] * 2:
        live = subprocess.run([DTRACE, "-q", "-x", f"record={file}", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100)
        if live.returncode != (words[0] != "-n"):
            bad.append(f"{words}: {live}")
    kept = [subprocess.run([DTRACE, "-qr", one], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100).stdout.strip()
            for one in (file, file + ".old")]
    if kept != ["43", "42"]:
        bad.append(f"recordings that are kept: {kept}")

if bad:
    sys.exit("\n".join(bad))
