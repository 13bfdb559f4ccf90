# A program that forks in both ways, and makes threads, which are no processes.
import os
import re
import subprocess
import sys
import tempfile

DTRACE = os.environ["DTRACE"]
PROGRAM = """
import os, threading
for i in range(4):
    if os.fork() == 0:
        os._exit(0)
    os.wait()
for i in range(3):
    os.posix_spawn("/bin/true", ["true"], {})
    os.wait()
for i in range(2):
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
"""
with tempfile.NamedTemporaryFile("w", suffix=".py") as program:
    program.write(PROGRAM)
    program.flush()
    done = subprocess.run(
        [DTRACE, "-qn", r"""sysinfo:::sysfork, sysinfo:::sysvfork /pid == $target/
         { @[probename] = sum(args[0]); @n[probename] = count(); @o[probename] = sum(arg1); }
         END { printa("%s %@d %@d %@d\n", @, @n, @o); }""", "-c", f"{sys.executable} {program.name}"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
print(done.stdout, done.stderr)
have = {name: (int(total), int(count), int(other))
        for name, total, count, other in re.findall(r"^(\w+) (\d+) (\d+) (\d+)$", done.stdout, re.M)}
if done.returncode != 0 or have != {"sysfork": (4, 4, 0), "sysvfork": (3, 3, 0)}:
    sys.exit(f"wanted 4 forks and 3 of posix_spawn(): {have}")
