# @@host
# @@timeout: 60
"""Every example of docs/which-language.md runs, and shows what the page says; tests/pages.py says how."""
import os
import sys

sys.path.insert(0, os.environ["TESTS"])
import pages  # noqa: E402

sys.exit(pages.test("which-language.md", least=20))
