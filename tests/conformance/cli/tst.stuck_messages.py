# A standard error that nobody reads does not hold tracing up.
# @@host
import os
import subprocess
import sys

reader, writer = os.pipe()
process = subprocess.Popen([os.environ["DTRACE"], "-q", "-n",
                            "tick-1ms { setopt(\"wombats\"); } tick-1ms /n++ >= 1500/ { printf(\"end\\n\"); exit(0); }"],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=writer)
os.close(writer)
line = process.stdout.readline()
if line != b"end\n":
    sys.exit(f"{line!r}")
messages = b""
while part := os.read(reader, 65536):
    messages += part
out, _ = process.communicate()
if process.returncode != 0 or messages.count(b"couldn't set option") < 1500:
    sys.exit(f"status {process.returncode}, {messages.count(b'set option')} messages")
