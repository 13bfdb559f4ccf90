# @@host
"""What bash completes behind dwatch; zsh and fish read their files without an error."""
import os
import pathlib
import shutil
import subprocess

from watching import DWATCH, fail, same

FILES = pathlib.Path(os.environ["TESTS"]).parent / "completions"
environment = {**os.environ, "PATH": os.path.dirname(DWATCH) + ":" + os.environ["PATH"]}


def completed(*words):
    line = " ".join(f"'{word}'" for word in words)
    script = f"source {FILES}/dwatch.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _dwatch; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=60).stdout.split()


same("profiles", completed("dwatch", "-X", "chm"), ["chmod"])
same("variants", completed("dwatch", "-q", "-X", "tcp-conn"), sorted(completed("dwatch", "-X", "tcp-conn")))
same("probes", "exec-success" in completed("dwatch", "exec-s"), True)
same("calls", "openat" in completed("dwatch", "open"), True)
same("users", completed("dwatch", "-u", "nobod"), ["nobody"])
same("options", {"-X", "-k", "-R", "-N"} <= set(completed("dwatch", "-")), True)
same("words", {"--cgroup", "--zone"} <= set(completed("dwatch", "--")), True)
with open("/proc/self/cgroup") as file:
    mine = [line.rstrip("\n").rsplit("/", 1)[1] for line in file if line.startswith("0::")]
same("control groups", [name for name in mine if name and name not in completed("dwatch", "--cgroup", "")], [])
same("nothing behind a number", completed("dwatch", "-N", ""), [])
# Every option of the command is one that each shell knows.
for letter in "1BdeEfFghjklmnNoOpPqQrRtTuvVwxXz":
    for name in "_dwatch", "dwatch.fish":
        if letter not in (FILES / name).read_text():
            fail(f"{name}: -{letter}")
for shell, name in (("zsh", "_dwatch"), ("fish", "dwatch.fish")):
    if shutil.which(shell):
        same(name, subprocess.run([shell, "-n", FILES / name], capture_output=True, text=True).stderr, "")
