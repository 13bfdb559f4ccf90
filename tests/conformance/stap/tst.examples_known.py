#!/usr/bin/env python3
# @@host
# @@timeout: 120
"""The scripts of examples/stap about files, sockets, processes and system calls: what they print about one program whose
bytes, calls and signals are known. Other programs that run meanwhile may have lines, too."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "examples/stap"
work = tempfile.TemporaryDirectory(dir="/var/tmp")  # a file system that is on a device
known = pathlib.Path(work.name, "known")
known.write_bytes(b"x" * 50_000)
status = known.stat()
device, inode = [str(os.major(status.st_dev)), str(os.minor(status.st_dev))], str(status.st_ino)
FILES = f"""
import os, time
def copy():
    begin, end = os.open("{known}", os.O_RDONLY), os.open("{known}.copy", os.O_WRONLY | os.O_CREAT)
    while data := os.read(begin, 1000):
        os.write(end, data)
    os.close(begin)
    os.close(end)
copy()
"""
LATE = FILES + "while True: time.sleep(0.001); copy()\n"  # until the script's time is over
CALLS = """
import os, select, signal, time
for i in range(25):
    select.select([], [], [], 0.001)
for i in range(20_000):
    os.getppid()
for i in range(400):
    try:
        os.rmdir("/nonexistent")
    except FileNotFoundError:
        pass
child = os.fork()
if child == 0:
    time.sleep(1000)
os.kill(child, signal.SIGUSR1)
os.waitpid(child, 0)
os.write(1, f"child {child}\\n".encode())
"""
SOCKETS = """
import os
import socket
listening = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listening.getsockname())
server, _ = listening.accept()
client.sendall(b"x" * 1234)
server.recv(1234, socket.MSG_WAITALL)
# In one piece, as the script prints to the same pipe.
os.write(1, f"ports {client.getsockname()[1]} {listening.getsockname()[1]}\\n".encode())
client.close()
server.close()
"""
bad = []


def lines_of(script, program, *arguments):
    """What the script prints while Python runs the program."""
    path = pathlib.Path(work.name, "program.py")
    path.write_text(program)
    run = subprocess.run([os.environ["STAP"], "-s", "64", "-c", f"{sys.executable} {path}", str(EXAMPLES / script), *arguments],
                         capture_output=True, text=True, timeout=100)
    if run.returncode != 0 or "ERROR" in run.stderr:
        bad.append(f"{script}: status {run.returncode}: {run.stderr}")
    return run.stdout.splitlines()


def wants(script, lines, *patterns):
    for pattern in patterns:
        if not any(re.search(pattern, line) for line in lines):
            bad.append(f"{script}: no line is '{pattern}':\n" + "\n".join(lines[:40]))


def numbers(lines, pattern):
    return [int(found.group(1)) for found in (re.search(pattern, line) for line in lines) if found]


python = os.path.basename(sys.executable)[:15]
# Long enough for Python to start on a busy machine. What is written goes to the copy alone; what is read is also Python itself.
lines = lines_of("disktop.stp", LATE, "4", "1")
written = numbers(lines, rf"^{re.escape(python)} +\d+ \S+ +vfs\.write +(\d+)$")
if len(written) != 1 or written[0] % 1000 != 0 or written[0] == 0:
    bad.append(f"disktop.stp: {lines}")
wants("totals.stp", lines_of("totals.stp", LATE, "4"), rf"^{re.escape(python)} +\d+ read +\d+ KiB, written +[1-9]\d* KiB$")
lines = lines_of("device.stp", FILES, *device)
if sum(line.endswith("vfs.read known = 1000") for line in lines) != 50 or \
        sum(line.endswith("vfs.write known.copy = 1000") for line in lines) != 50:
    bad.append(f"device.stp: {len(lines)} lines: {lines[-5:]}")
lines = lines_of("inode.stp", FILES, *device, inode)
if [re.sub(r".*\) ", "", line) for line in lines] != ["vfs.read 1000 bytes"] * 50 + ["vfs.read 0 bytes"]:
    bad.append(f"inode.stp: {len(lines)} lines: {lines[-3:]}")
wants("iotime.stp", lines_of("iotime.stp", FILES),
      rf'"{re.escape(str(known))}": read 50000 bytes in \d+ us, wrote 0 bytes in 0 us$',
      rf'"{re.escape(str(known))}\.copy": read 0 bytes in 0 us, wrote 50000 bytes in \d+ us$')
wants("modes.stp", lines_of("modes.stp", f"import os\nos.chmod('{known}', 0o640)\n"),
      rf'^{re.escape(python)}\(\d+\) uid 0: f?chmod(at)?\(.*"{re.escape(str(known))}", 0640\)$')

wants("timeouts.stp", lines_of("timeouts.stp", CALLS), rf"^{re.escape(python)} +\d+ +p?select6? +25$")
count = max(numbers(lines_of("by_process.stp", CALLS), rf"^{re.escape(python)} +\d+ +(\d+)$"), default=0)
if count < 20_000:
    bad.append(f"by_process.stp: {count}")
wants("failures.stp", lines_of("failures.stp", CALLS), rf"^{re.escape(python)} +rmdir +ENOENT +400$")
lines = lines_of("failures.stp", CALLS, "ENOENT")
wants("failures.stp", lines, rf"^{re.escape(python)} +rmdir +ENOENT +400$")
if any(" ENOENT " not in line for line in lines if not line.startswith("child")):
    bad.append("failures.stp: other errors than ENOENT")
lines = lines_of("signals.stp", CALLS, "SIGUSR1")
child = numbers(lines, r"^child (\d+)$")
wants("signals.stp", lines, rf"^{re.escape(python)}\(\d+\) sends SIGUSR1 to {re.escape(python)}\({child[0] if child else 0}\)$")
lines = lines_of("starts.stp", "import subprocess\nsubprocess.run(['/bin/sleep', '0.05'])\n")
wants("starts.stp", lines, r"^\d+ /bin/sleep 0\.05$")
if max(numbers(lines, r"^\d+ sleep ended after (\d+) ms$"), default=0) < 50:
    bad.append(f"starts.stp: {lines}")

lines = lines_of("sockets.stp", SOCKETS)
wants("sockets.stp", lines, r"\) socket\.send 1234 bytes, INET TCP$", r"\) socket\.receive 1234 bytes, INET TCP$")
lines = lines_of("accepted.stp", SOCKETS)
ports = [line.split()[1:] for line in lines if line.startswith("ports ")]
client, server = ports[0] if ports else ("no", "no")
wants("accepted.stp", lines, rf" {server} 127\.0\.0\.1 +{client}$")
lines = lines_of("segments.stp", SOCKETS)
ports = [line.split()[1:] for line in lines if line.startswith("ports ")]
client, server = ports[0] if ports else ("no", "no")
wants("segments.stp", lines, rf"^127\.0\.0\.1:{client} -> 127\.0\.0\.1:{server} syn$",
      rf"^127\.0\.0\.1:{server} -> 127\.0\.0\.1:{client} ack syn$", rf"^127\.0\.0\.1:{client} -> 127\.0\.0\.1:{server}.* ack psh$")
# A datagram that is more than the receiver has room for.
lines = lines_of("drops.stp", """
import socket, time
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
to.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2304)
to.bind(("127.0.0.1", 0))
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
end = time.monotonic() + 2
while time.monotonic() < end:
    out.sendto(b"y" * 1000, to.getsockname())
    time.sleep(0.001)
""", "1")
if max(numbers(lines, r"^ *(\d+) at \S*udp\S*"), default=0) == 0:
    bad.append(f"drops.stp: {lines}")
lines = lines_of("threads.stp", "while True: pass\n", "1")
shares = [float(found.group(1)) for found in (re.search(rf"^{re.escape(python)} +\d+ user +(\d+\.\d\d) %$", line) for line in lines) if found]
if not shares or max(shares) <= 0:
    bad.append(f"threads.stp: {lines}")
print("\n".join(bad) or "all examples are right")
sys.exit(bool(bad))
