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
            toolkit.Alone("drsnoop", "-c", "-U") as users:
        reader = subprocess.Popen(["sh", "-c", f'{limit.join}; exec "$@"', "sh", sys.executable, "-S", "-c", READER, file.name])
        reader.wait(timeout=60)
        one.shows(rf" {reader.pid} .*cgroup")
        users.shows(rf"^{os.getuid()} .* {reader.pid} .*cgroup")
pages = sum(int(row) for row in re.findall(rf" {reader.pid} +{reader.pid} +cgroup +\d+\.\d{{3}} +(\d+)$", one.ours, re.M))
# 192 MiB were read, where 24 are allowed: at least 128 MiB had to go.
if pages < (128 << 20) / 4096:
    sys.exit(f"{pages} pages: {one.ours}")
toolkit.same("users", users.ours.split()[:2], ["UID", "COMMAND"])
toolkit.same("of another", toolkit.rows(of_another.ours), [])
