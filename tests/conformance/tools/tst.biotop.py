# Programs that use a loop device: tools/biotop.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

with toolkit.LoopDisk() as disk:
    def dd(size, number, *words):
        process = subprocess.Popen(["dd", "status=none", f"bs={size}k", f"count={number}", *words])
        process.wait()
        return process.pid

    with toolkit.Alone("biotop", "-d", disk.name, "600") as one, toolkit.Alone("biotop", "-d", "nosuch", "-Z", "600") as none, \
            toolkit.Alone("biotop", "100ms", "2") as short:
        truth = [
            (dd(64, 9, "if=/dev/zero", f"of={disk.path}", "oflag=direct", "conv=notrunc"), "dd", "W", 576, 9),
            (dd(4, 30, f"if={disk.path}", "of=/dev/null", "iflag=direct"), "dd", "R", 120, 30),
            (dd(8, 2, f"if={disk.path}", "of=/dev/null", "iflag=direct"), "dd", "R", 16, 2)]
        toolkit.same("its end", short.script.process.wait(60), 0)
rows = re.findall(rf"^(\d+) +(\S+) +([RW]) +{disk.name} +(\d+) +(\d+) +(\d+)$", one.ours, re.M)
toolkit.same("requests, the most KiB first", [(int(pid), name, kind, int(kib), int(requests))
                                              for pid, name, kind, kib, requests, _ in rows], truth)
toolkit.same("times", all(0 < int(us) < 60000000 for *_, us in rows), True)
toolkit.same("of another disk", f" {disk.name} " in none.ours, False)
toolkit.same("reports", short.ours.count("AVG(us)"), 2)
