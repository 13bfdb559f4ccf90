# @@host
# @@timeout: 300
"""Every line of docs/one-liners.md compiles, attaches, prints something and ends; tests/pages.py says how."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
import pages  # noqa: E402

sys.exit(pages.test("one-liners.md", least=80, at_once=3))
