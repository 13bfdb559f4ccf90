# What takes more than a second is said on a terminal, and only there; the line goes before anything else comes.
# @@host
import os
import pty
import subprocess
import sys

DTRACE = os.environ["DTRACE"]


def on_terminal(program, *options):
    """All that arrives at a terminal, which is standard error only."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([DTRACE, "-q", *options, "-s", "/dev/fd/0"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    process.stdin.write(program.encode())
    process.stdin.close()
    out = process.stdout.read()
    process.wait(timeout=100)
    text = b""
    while True:
        try:
            got = os.read(ours, 65536)
        except OSError:  # EIO: the other side is closed
            break
        if not got:
            break
        text += got
    os.close(ours)
    return process.returncode, out, text.decode()


def check(condition, *shown):
    if not condition:
        sys.exit(f"{shown}")


status, out, text = on_terminal("BEGIN { exit(0); }")
check((status, out, text) == (0, b"\n", ""), status, out, text)

for clauses in (1500, 2500, 6000):
    program = "".join(f'BEGIN {{ printf("%d %s\\n", {i}, strjoin(execname, "{i}")); }}\n' for i in range(clauses))
    status, out, text = on_terminal(program + "BEGIN { exit(0); }")
    check(status == 0 and len(out.splitlines()) == clauses + 1, status, len(out), text)
    if text:
        break
check("\rdtrace: " in text and " s\x1b[K" in text, text)
check(text.endswith("\r\x1b[K"), text)
check("loading programs" in text or "generating code" in text or "compiling" in text, text)

# An error takes the line's place.
status, out, text = on_terminal(program + "BEGIN { trace(nothing); exit(0); }", "-x", "defaultargs")
check(status == 1 and "failed to resolve nothing" in text, status, text)
check("\rdtrace: " not in text or "\r\x1b[Kdtrace: failed to compile" in text, text)

# No terminal, no line.
done = subprocess.run([DTRACE, "-q", "-s", "/dev/fd/0"], input=(program + "BEGIN { exit(0); }").encode(),
                      capture_output=True, timeout=100)
check(done.returncode == 0 and done.stderr == b"", done.stderr)
