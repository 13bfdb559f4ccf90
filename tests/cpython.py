"""The interpreter whose functions jstack() shows; where there are none to compare, the test is skipped."""
import os
import sys

SKIP = 77
PYTHON = "/usr/bin/python3.11"
if not os.path.exists(PYTHON):
    print(f"there is no {PYTHON}")
    sys.exit(SKIP)
