# @@host
"""What a terminal is told is escaped: names of processes, of files and words of scripts."""
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from terminal import on_terminal  # noqa: E402

DTRACE = os.environ["DTRACE"]
ESCAPE = b"\x1b[31m"


def shown(*words):
    return on_terminal([DTRACE, *words], errors=subprocess.STDOUT)[0]


def check(out, wanted):
    if b"\x1b" in out or b"\x9b" in out or wanted not in out:
        sys.exit(f"FAILED: wanted {wanted}, got {out}")


ctypes.CDLL(None).prctl(15, ESCAPE + b"me\x9b", 0, 0, 0)  # PR_SET_NAME
PARENT = b"stringof(curthread->parent->comm)"
NAME = rb"\033[31mme\233"
check(shown(b"-qn", b"BEGIN { trace(" + PARENT + b"); exit(0); }"), NAME)
check(shown(b"-qn", b'BEGIN { printf("%s.", ' + PARENT + b"); exit(0); }"), NAME + b".")
check(shown(b"-qn", b"BEGIN { @[" + PARENT + b"] = count(); exit(0); }"), NAME)
WORD = rb"\033[31m"
check(shown(b"-s", b"/no" + ESCAPE), b"failed to open /no" + WORD)
check(shown(b"-x", ESCAPE), b"failed to set -x " + WORD)
check(shown(b"-c", b"/no" + ESCAPE, b"-n", b"BEGIN"), b"failed to execute /no" + WORD)
check(shown(b"-n", b"BEGIN { " + ESCAPE + b" }"), b"invalid probe specifier BEGIN { " + WORD)
check(shown(b"-n", b"BEGIN { trace($1); }", ESCAPE + b"x y", b"z"), b"argument 'z'")

# Names of files, of symbols and of types come from what is traced; so do the texts of -x and -S.
with tempfile.TemporaryDirectory() as work:
    program = os.fsencode(work) + b"/na" + ESCAPE + b"me\x9b"
    shutil.copy(os.environ["BUILD"] + "/tests/workloads/getppid", program)
    command = b"'" + program + b"' 1"
    names = b"pid$target:na*:main:entry"
    module = WORD + rb"me\233"
    check(shown(b"-l", b"-n", names, b"-c", command), module)
    check(shown(b"-lv", b"-n", names, b"-c", command), module)
    for words in (b"-e", b"-xdump=ecbs"), (b"-e", b"-xdump=typed"), (b"-xdump=records",), (b"-v",):
        check(shown(*words, b"-n", names + b' { trace("' + ESCAPE + b'"); exit(0); }', b"-c", command), WORD)
    check(shown(b"-qx", b"oformat=jsonl", b"-n", names + b"{ trace(execname); exit(0); }", b"-c", command),
          rb"\u001b[31mme")
    # In a file, too, which a terminal shows later: names and messages, whole lines of them.
    for words in (b"-l", b"-lv"), (b"-e", b"-xdump=ecbs"), (b"-xdump=records", b"-q"), (b"-F",), (b"-e", b"-S"):
        listed = b"-l" in words
        done = subprocess.run([DTRACE, *words, b"-n", names + (b"" if listed else b"{ trace(1); exit(0); }"), b"-c", command],
                              capture_output=True, stdin=subprocess.DEVNULL)
        for text in done.stdout, done.stderr:
            if b"\x1b" in text or b"\x9b" in text:
                sys.exit(f"FAILED: {words}: {text}")
        if done.returncode != 0 or (words[-1] != b"-S" and b"-F" not in words and module not in done.stdout):
            sys.exit(f"FAILED: {words}: {done}")
    forged = os.fsencode(work) + b"/na\n  999   forged"
    shutil.copy(os.environ["BUILD"] + "/tests/workloads/getppid", forged)
    names = b"pid$target:na*:main:entry"
    done = subprocess.run([DTRACE, b"-l", b"-n", names, b"-c", b"'" + forged + b"' 1"], capture_output=True)
    if done.returncode != 0 or len(done.stdout.splitlines()) != 2 or rb"na\012  999   forged" not in done.stdout:
        sys.exit(f"FAILED: a line is forged: {done}")
C1 = "\u009b\u202e\u2066".encode()
check(shown(b"-qx", b"oformat=jsonl", b"-n", b"BEGIN { trace($$1); exit(0); }", C1), rb"\u009b\u202e\u2066")
