"""Ctrl-C and SIGTERM end a script whose handlers always take longer than their timers allow, so that one is always due."""
import os
import signal
import subprocess
import sys
import tempfile

PATIENCE_S = 60
SCRIPT = 'global x\nprobe timer.ms(1) { for (i = 0; i < 20000; i++) x[i % 400] = sprintf("%d", i) println("late") }\nprobe end { println("the end") }'
bad = []
with tempfile.TemporaryDirectory(prefix="behind-") as directory:
    stap = os.path.join(directory, "stap")
    os.symlink(os.environ["DTRACE"], stap)
    # A script of so many statements needs leave to run so long.
    options = ["-D", "MAXACTION=1000000", "-D", "MAXMAPENTRIES=1000"]
    for number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([stap, *options, "-e", SCRIPT], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            for _ in range(5):
                if process.stdout.readline() != "late\n":
                    sys.exit(f"it does not begin: {process.communicate()[1]}")
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE_S)
            if "the end" not in out:
                bad.append(f"{number.name}: {process.returncode} {out!r} {err!r}")
        except subprocess.TimeoutExpired:
            bad.append(f"{number.name} does not end it")
        finally:
            process.kill()
            process.wait()
if bad:
    sys.exit("\n".join(bad))
