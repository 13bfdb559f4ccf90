# @@timeout: 120
# The scripts of tools/: each is short, says in its head what it shows and where its numbers come from, names its
# interpreter, explains its options, stands in the manual and has a test of its own.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

TESTS = toolkit.TOOLS.parent / "tests"
manual = (toolkit.TOOLS.parent / "docs/tools.md").read_text()
bad = []
for script in sorted(toolkit.TOOLS.glob("*.d")):
    name, text = script.stem, script.read_text()
    lines = text.splitlines()
    head = re.match(r"#!/usr/sbin/dtrace -s\n/\* ([A-Z].*?)\*/\n#pragma D summary \S", text, re.S)
    if not head or "Source: " not in " ".join(head[1].split()):
        bad.append(f"{name} does not begin with its interpreter, a comment with its source, and a summary")
    if len(lines) > 60 or max(map(len, lines)) > 120:
        bad.append(f"{name} has more than 60 lines, or a line of more than 120 characters")
    if not os.access(script, os.X_OK):
        bad.append(f"{name} cannot be executed")
    if f"\n| `tools/{name}.d` |" not in manual:
        bad.append(f"{name} is not in docs/tools.md")
    if not (TESTS / f"conformance/tools/tst.{name}.py").exists():
        bad.append(f"no test runs {name}")
    # Long options of dtrace that a name of the script would hide.
    hidden = {"command", "cgroup", "zone", "oformat"} & set(re.findall(r"^#pragma D flag \w (\w+) ", text, re.M))
    if hidden:
        bad.append(f"{name} hides --{' --'.join(hidden)} of dtrace")
    if re.search(r"^#pragma D flag \w (process|parent|thread) (?!process )", text, re.M):
        bad.append(f"{name} has a process or thread of another type than process")
    letters = set(re.findall(r"^#pragma D flag (\w) ", text, re.M))
    of_dtrace = {"c", "p"} if "$target" in text else set()
    examples = re.findall(rf"^#pragma D example {name}(.*) -- \S", text, re.M)
    if not examples:
        bad.append(f"{name} has no example")
    for letter in re.findall(r" -(\w)\b", " ".join(examples)):
        if letter not in letters | of_dtrace:
            bad.append(f"{name} has an example of -{letter}, which is not an option of it")
    done = subprocess.run([toolkit.DTRACE, "-s", str(script), "-h"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    wanted = [rf"^{name}: \S", rf"^usage: {name}\b", *(rf"^  -{letter}\b" for letter in letters), rf"^  {name}.*  \S"]
    if done.returncode != 0 or done.stderr or not all(re.search(pattern, done.stdout, re.M) for pattern in wanted):
        bad.append(f"{name} -h: {done.stdout}{done.stderr}")
    # Commands of examples are not broken.
    wide = [line for line in done.stdout.partition("\n\nexamples:")[0].splitlines()[1:] if len(line) > 80]
    if wide:
        bad.append(f"{name} -h has lines of more than 80 columns: {wide}")
# The words with which people look for a tool.
SOUGHT = {"dns": "gethostlatency", "crash": "exitsnoop", "leak": "memleak", "lock": "futexctn", "queries": "dbslower", "slow": "fileslower",
          "disk": "biotop", "connections": "tcpconnect", "latency": "biolatency", "signal": "killsnoop",
          "mutex": "futexctn", "heap": "memleak", "http": "sslsniff", "network": "tcptop", "boot": "svcstart"}
for word, name in SOUGHT.items():
    found = subprocess.run([toolkit.DTRACE, "--tools", word], capture_output=True, text=True).stdout
    if not re.search(rf"^ +{name} ", found, re.M):
        bad.append(f"--tools {word} does not find {name}: {found}")
# Words for what any tool can do, and a word that is only a part of another one.
for word, wanted in {"container": "--zone web", "docker": "--cgroup a service", "boot": "-A saves", "stuck": "/proc/PID/stack", "cript": "no tool has"}.items():
    said = subprocess.run([toolkit.DTRACE, "--tools", word], capture_output=True, text=True)
    if wanted not in said.stderr or "argdist" in said.stdout:
        bad.append(f"--tools {word} says {said.stdout}{said.stderr}")
if bad:
    sys.exit("\n".join(bad))
