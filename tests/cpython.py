"""The interpreter whose functions jstack() shows; where there are none to compare, the test is skipped."""
import os
import sys

SKIP = 77
PYTHON = "/usr/bin/python3.11"
if not os.path.exists(PYTHON):
    print(f"there is no {PYTHON}")
    sys.exit(SKIP)
if "DT_GUEST" in os.environ and int(os.uname().release.split(".")[0]) >= 7:
    print("Linux 7 may preempt a thread just behind a program, and drops what fires until it goes on: in a guest, not seldom")
    sys.exit(SKIP)
