# Stacks of programs that keep no frame pointers are whole, whatever their frames are like: of the size that
# the compiler knows or not, of signals, of other threads, of code that was made at run time, and of functions
# whose returns somebody else notices.
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.environ["TESTS"])
from soundness import DTRACE, drops, workload  # noqa: E402

program = workload("unwind")
start = ["__libc_start_call_main", "__libc_start_main", "_start"]
main = ["main", *start]


def check(condition, *shown):
    if not condition:
        sys.exit(f"line {sys._getframe(1).f_lineno}: {shown}")


def trace(clauses, arguments, *options):
    for _ in range(10):
        result = subprocess.run(
            [DTRACE, "-q", *options, "-n", f"syscall::getppid:entry /pid == $target/ {{ {clauses} }}",
             "-c", f"{program} {arguments}"], capture_output=True, text=True, timeout=60)
        if drops(result.stderr) == 0:  # as where the kernel may preempt a probe
            break
    check(result.returncode == 0 and result.stderr == "", arguments, result.returncode, result.stderr)
    return result.stdout


def names(text):
    """Of the functions; those without a name are hexadecimal."""
    return [a or b for a, b in re.findall(r"^ +(?:\S+`(\w+?)(?:\+0x[0-9a-f]+)?|(0x[0-9a-f]+))$", text, re.M)]


def is_sort(stack):
    return stack[:2] == ["leaf", "compare"] and stack[-6:] == ["qsort_r", "with_sort", *main]


expected = {
    "deep 5": ["leaf", *5 * ["deep"], *main],
    "alloca": ["leaf", "with_alloca", *main],
    "aligned": ["leaf", "with_alignment", *main],
    "signal": ["leaf", "handler", "__restore_rt", "kill", "with_signal", *main],
    "altstack": ["leaf", "handler", "__restore_rt", "kill", "with_signal", *main],
    "thread": ["leaf", "worker", "start_thread", "clone3"],
    "rbx": ["leaf", "without_rbx", "in_rbx", "again", "in_rbx", "with_rbx", *main],
    "rbxsignal": ["leaf", "handler", "__restore_rt", "interrupted", "in_rbx", "with_rbx_and_signal", *main],
    "returns": ["leaf", *3 * ["deep"], "with_returns", *main],
}
for arguments, functions in expected.items():
    stack = names(trace("ustack();", arguments))
    check(stack == functions, arguments, stack)
check(is_sort(names(trace("ustack();", "sort"))))
made = names(trace("ustack();", "made"))
check(made[0] == "leaf" and made[1].startswith("0x") and made[2:] == ["with_made", *main], made)

# As a key, in part, and what is made of stacks.
out = trace("@[ustack(3)] = count(); printf(\"%d %A\", ustackdepth, ucaller);", "deep 5")
check(re.match(r"10 unwind`deep\+0x\w+\n", out), out)
check(names(out)[-3:] == ["leaf", "deep", "deep"], out)
# Deeper than the kernel looks at stacks.
out = trace("ustack(127); printf(\"%d\", ustackdepth);", "deep 200")
check(names(out) == ["leaf", *126 * ["deep"]] and out.endswith("\n205\n"), out[-40:])

# A program that nobody has seen before begins while it is traced: what its first stack lacks is said, and
# later ones are whole.
home = tempfile.mkdtemp()
fresh = f"{home}/w{os.getpid()}"
shutil.copy(program, fresh)
tracer = subprocess.Popen(
    [DTRACE, "-q", "-x", "switchrate=10ms", "-n", 'BEGIN { printf("live\\n"); } syscall::getppid:entry '
     f'/execname == "w{os.getpid()}"/ {{ printf("%d\\n", ustackdepth); @[ustack()] = count(); }}'],
    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
check(tracer.stdout.readline() == "live\n")
runs, depth = 0, 0
until = time.monotonic() + 30
while (runs < 20 or depth < 7) and time.monotonic() < until:
    subprocess.run([fresh, "deep", "2"], check=True, timeout=20)
    depth = int(tracer.stdout.readline())
    runs += 1
tracer.send_signal(signal.SIGINT)
out, err = tracer.communicate(timeout=60)
shutil.rmtree(home)
check(tracer.returncode == 0, tracer.returncode, err)
stacks = [(names(text), int(count)) for text, count in re.findall(r"((?:^ +\S+`\S+\n)+) +(\d+)\n", out, re.M)]
expected = ["leaf", "deep", "deep", *main]
whole = sum(count for stack, count in stacks if stack == expected)
cut = sum(count for stack, count in stacks if stack == expected[:len(stack)]) - whole
check(whole + cut == runs and whole > 0, stacks, out)
said = re.findall(r"^dtrace: (\d+) user stacks? (?:is|are) cut short: code had just been loaded", err, re.M)
check(said == ([str(2 * cut)] if cut > 0 else []), cut, err)  # each was looked at twice
