# A known number of requests to a loop device: tools/biolatency.d, and bcc's.
import os
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

WRITES, READS = 40, 25


def dd(*words):
    subprocess.run(["dd", "status=none", "bs=4096", *words], check=True)


with toolkit.LoopDisk() as disk:
    device, name = disk.path, disk.name

    def work():
        dd("if=/dev/zero", f"of={device}", f"count={WRITES}", "oflag=direct", "conv=notrunc")
        dd(f"if={device}", "of=/dev/null", f"count={READS}", "iflag=direct")

    with toolkit.Both("biolatency", ours=["-D"], theirs=["-D"], live="Tracing") as both:
        work()
    with toolkit.Both("biolatency", live="Tracing") as of_all:
        work()
    # With the time in the queue, by operation, of this disk alone; and of a disk that does not exist.
    with toolkit.Alone("biolatency", "-Q", "-F", "-m", "-d", name) as by_operation, \
            toolkit.Alone("biolatency", "-d", "nosuch", "-Z") as none:
        work()

# Of all disks, there may be more.
if toolkit.counted(of_all.ours) < WRITES + READS:
    sys.exit(f"of all disks: {of_all.ours}")
toolkit.same("requests", toolkit.counted(both.ours, f"  {name}, all requests, us"), WRITES + READS)
for operation, want in ("reads", READS), ("writes", WRITES):
    toolkit.same(operation, toolkit.counted(by_operation.ours, f"  all disks, {operation}, ms"), want)
toolkit.same("of another disk", toolkit.counted(none.ours), 0)
both.is_compared()
toolkit.same("bcc's", toolkit.counted(both.theirs, f"disk = {name}"), WRITES + READS)
