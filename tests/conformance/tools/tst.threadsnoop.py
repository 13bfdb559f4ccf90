# @@host
# Threads of a program that starts while it is traced: tools/threadsnoop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

THREADS = 7
PROGRAM = f"""
import os, sys, threading
for _ in range({THREADS}):
    one = threading.Thread(target=lambda: None)
    one.start()
    one.join()
os.write(1, b"d")
os.read(0, 1)
"""
with toolkit.Alone("threadsnoop") as plain, toolkit.Alone("threadsnoop", "-n", "no-such") as of_another:
    process = subprocess.Popen([sys.executable, "-S", "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdout.read(1)
    plain.shows(rf"(?s)( {process.pid} .*){{{THREADS}}}")
process.communicate(timeout=60)
functions = re.findall(rf" {process.pid} +\S+ +(\S+)$", plain.ours, re.M)
toolkit.same("threads", len(functions), THREADS)
toolkit.same(f"functions {functions}", (len(set(functions)), "python" in functions[0]), (1, True))
toolkit.same("of another", toolkit.rows(of_another.ours), [])
