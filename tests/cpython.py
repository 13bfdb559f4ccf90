"""The interpreter whose functions jstack() shows; where there are none to compare, the test is skipped."""
import os
import sys

SKIP = 77
PYTHON = "/usr/bin/python3.11"
if not os.path.exists(PYTHON):
    print(f"there is no {PYTHON}")
    sys.exit(SKIP)
if int(os.uname().release.split(".")[0]) >= 7:
    print("Linux 7 preempts threads as programs end that take as long as these do in a guest, and drops what fires until they go on")
    sys.exit(SKIP)
