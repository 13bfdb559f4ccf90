# @@host
"""-x refresh clears the screen before each report, once for a firing, and only on a terminal."""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from terminal import on_terminal  # noqa: E402

DTRACE = os.environ["DTRACE"]
CLEAR = b"\033[H\033[2J"
SCRIPT = """
BEGIN { @["x"] = count(); printf("begun\\n"); }
tick-10ms { n++; printf("report %d\\n", n); }
tick-10ms { printrow("A", n); }
tick-10ms { printa("%s %@d\\n", @); }
tick-10ms /n == 3/ { exit(0); }
END { printf("over\\n"); trunc(@); }
"""
PLAIN = "begun\n" + "".join(f"report {n}\n{'         A' + chr(10) if n == 1 else ''}{n:10}\nx 1\n" for n in (1, 2, 3)) + "over\n\n"
SHOWN = "begun\n" + "".join(f"\033[H\033[2Jreport {n}\n         A\n{n:10}\nx 1\n" for n in (1, 2, 3)) + "over\n\n"


def shown_on_terminal(*words):
    out, errors, status = on_terminal([DTRACE, *words])
    assert status == 0, errors
    return out.replace(b"\r\n", b"\n").decode()


def in_pipe(*words):
    return subprocess.run([DTRACE, *words], stdout=subprocess.PIPE, check=True, timeout=60).stdout.decode()


def toolkit_keeps():
    """-C of tools whose reports take the place of the last one."""
    tools = os.path.join(os.path.dirname(os.environ["TESTS"]), "tools")
    for name in ("biotop", "filetop", "netqtop", "slabratetop", "tcptop"):
        for words, wanted in (["100ms", "2"], 2), (["-C", "100ms", "2"], 0):
            assert shown_on_terminal("-s", f"{tools}/{name}.d", *words).count(CLEAR.decode()) == wanted, (name, words)


def main():
    toolkit_keeps()
    shown = shown_on_terminal("-x", "refresh", "-qn", SCRIPT)
    assert shown == SHOWN, shown
    assert shown_on_terminal("-qn", "#pragma D option refresh\n" + SCRIPT) == SHOWN
    assert shown_on_terminal("-qn", SCRIPT) == PLAIN
    assert shown_on_terminal("-x", "refresh", "-qn", 'BEGIN { setopt("refresh", "no"); }' + SCRIPT) == PLAIN
    assert shown_on_terminal("-qn", 'BEGIN { setopt("refresh"); }' + SCRIPT) == SHOWN
    assert in_pipe("-x", "refresh", "-qn", SCRIPT) == PLAIN
    assert in_pipe("-qn", '#pragma D option refresh\n' + SCRIPT) == PLAIN
    for form in ("jsonl", "csv"):
        assert CLEAR.decode() not in shown_on_terminal("-x", "refresh", "-x", f"oformat={form}", "-qn", SCRIPT), form
    with tempfile.TemporaryDirectory() as directory:
        file = os.path.join(directory, "out")
        shown_on_terminal("-x", "refresh", "-o", file, "-qn", SCRIPT)
        assert open(file).read() == PLAIN


main()
