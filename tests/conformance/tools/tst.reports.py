# With COUNT, a tool makes so many reports and ends: what is left at its end is no further report. Without COUNT, it is.
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

# @@timeout: 60

# These need a process, or functions of the kernel.
OTHERS = {"memleak", "vfsstat"}


def reports(tool, *arguments):
    """The probes whose clauses printed something, other than BEGIN."""
    done = subprocess.run([toolkit.DTRACE, "-x", "oformat=jsonl", "-s", str(toolkit.TOOLS / f"{tool}.d"), *arguments], capture_output=True,
                          text=True, timeout=300, stdin=subprocess.DEVNULL)
    if done.returncode:
        if re.search("does not match any probes|mm_filemap_get_pages", done.stderr):
            return None
        sys.exit(f"{tool}: {done.returncode} {done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    names = [line["probe"]["name"] for line in lines
             if line["type"] == "record" and any(one["action"] in ("printf", "printa") for one in line["actions"]) and
             not line["actions"][0].get("text", "").startswith("\nNo program has reported ")]
    return [re.sub(r"-\d+ns$", "", name) for name in names if name != "BEGIN"]


counting = [path.stem for path in sorted(toolkit.TOOLS.glob("*.d"))
            if re.search(r"^#pragma D argument count ", path.read_text(), re.M) and path.stem not in OTHERS]
toolkit.same("tools with COUNT", len(counting) >= 20, True)
absent = 0
for name in counting:
    have = reports(name, "50ms", "2")
    absent += have is None
    if have is not None:
        toolkit.same(f"{name}: reports", have, ["tick", "tick"])
toolkit.same(f"tools that this kernel has not the probes for: {absent}", absent <= 3, True)
# The last interval is reported when the tool is ended before its time.
toolkit.same("softirqs that ends with its command", reports("softirqs", "365d", "-c", "true"), ["END"])
toolkit.same("and earlier than COUNT says", reports("softirqs", "365d", "3", "-c", "true"), ["END"])
