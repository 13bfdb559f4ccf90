# A program that reads more than its cgroup may use frees pages itself: tools/drsnoop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

import tempfile

READER = "import sys\nfor _ in range(3):\n    with open(sys.argv[1], 'rb') as file:\n        while file.read(1 << 20):\n            pass\n"
with tempfile.NamedTemporaryFile(dir="/var/tmp") as file, toolkit.MemoryLimit(24 << 20) as limit:
    for _ in range(64):
        file.write(os.urandom(1 << 20))
    file.flush()
    os.fsync(file.fileno())
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    with toolkit.Alone("drsnoop", "-c") as one, toolkit.Alone("drsnoop", "-c", "-n", "no-such") as of_another, \
            toolkit.Alone("drsnoop", "-c", "-U", "-e") as users:
        reader = subprocess.Popen(["sh", "-c", f'{limit.join}; exec "$@"', "sh", sys.executable, "-S", "-c", READER, file.name])
        reader.wait(timeout=60)
        one.shows(rf" {reader.pid} .*cgroup")
        users.shows(rf"^{os.getuid()} .* {reader.pid} .*cgroup.* \d+$")
pages = sum(int(row) for row in re.findall(rf" {reader.pid} +{reader.pid} +cgroup +\d+\.\d{{3}} +(\d+)$", one.ours, re.M))
# 192 MiB were read, where 24 are allowed: at least 128 MiB had to go.
if pages < (128 << 20) / 4096:
    sys.exit(f"{pages} pages: {one.ours}")
toolkit.same("users", users.ours.split()[:2], ["UID", "COMMAND"])
# What programs could get: not more than there is, and not nothing.
total = int(re.search(r"MemTotal: +(\d+) kB", open("/proc/meminfo").read())[1])
available = [int(row.split()[-1]) for row in toolkit.rows(users.ours)]
toolkit.same(f"memory: {available}", [one for one in available if not 0 < one < total], [])
toolkit.same("heading", users.ours.splitlines()[0].split()[-1], "MEM(KiB)")
toolkit.same("of another", toolkit.rows(of_another.ours), [])
