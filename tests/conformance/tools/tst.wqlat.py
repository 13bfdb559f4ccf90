# A file of the kernel whose reading queues one piece of work for each CPU: tools/wqlat.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

READS = 5
REFRESH = "/proc/sys/vm/stat_refresh"
if not os.access(REFRESH, os.R_OK):
    print(f"there is no {REFRESH}")
    sys.exit(toolkit.SKIP)
with toolkit.Alone("wqlat", "-F") as one, toolkit.Alone("wqlat", "-w", "no-such-queue") as of_another:
    for _ in range(READS):
        with open(REFRESH) as file:
            file.read()
online = os.sysconf("SC_NPROCESSORS_ONLN")
toolkit.same(f"pieces of work\n{one.ours}", toolkit.counted(one.ours, "`refresh_vm_stats, us"), READS * online)
toolkit.same("of another queue", toolkit.rows(of_another.ours), [])
