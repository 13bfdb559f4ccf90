# @@host
# @@timeout: 120
"""Every command of docs/tutorial.md runs, in its order, and shows what the page says; tests/pages.py says how."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
import pages  # noqa: E402

sys.exit(pages.test("tutorial.md", least=25))
