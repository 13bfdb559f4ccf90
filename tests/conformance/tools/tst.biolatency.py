# A known number of requests to a loop device: tools/biolatency.d, and bcc's.
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

WRITES, READS = 40, 25


def dd(*words):
    subprocess.run(["dd", "status=none", "bs=4096", *words], check=True)


with tempfile.NamedTemporaryFile() as disk:
    disk.truncate(1 << 20)
    made = subprocess.run(["losetup", "-f", "--show", disk.name], capture_output=True, text=True)
    if made.returncode != 0:
        print(f"no loop device here: {made.stderr.strip()}")
        sys.exit(toolkit.SKIP)
    device = made.stdout.strip()
    name = os.path.basename(device)

    def work():
        dd("if=/dev/zero", f"of={device}", f"count={WRITES}", "oflag=direct", "conv=notrunc")
        dd(f"if={device}", "of=/dev/null", f"count={READS}", "iflag=direct")

    try:
        with toolkit.Both("biolatency", ours=[1], theirs=["-D"], live="Tracing") as both:
            work()
        with toolkit.Both("biolatency", live="Tracing") as of_all:
            work()
    finally:
        subprocess.run(["losetup", "-d", device], check=False)

# Of all disks, there may be more.
if toolkit.counted(of_all.ours) < WRITES + READS:
    sys.exit(f"of all disks: {of_all.ours}")
toolkit.same("requests", toolkit.counted(both.ours, f"disk {name},"), WRITES + READS)
both.is_compared()
toolkit.same("bcc's", toolkit.counted(both.theirs, f"disk = {name}"), WRITES + READS)
