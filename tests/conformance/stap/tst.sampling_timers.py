#!/usr/bin/env python3
# @@host
"""A timer whose handler asks for the stack or the thread is a sample of what runs, one CPU each time."""
import os
import subprocess
import sys

STAP, SPIN = os.environ["STAP"], f"{sys.executable} -c 'import time; end = time.process_time() + 1\nwhile time.process_time() < end: pass'"
PERIOD = 5
SCRIPT = f"""
global all, here, stacks, began
probe begin {{ began = gettimeofday_ms() }}
probe timer.ms({PERIOD}) {{ all++ if (pid() == target()) here++ }}
function keep() {{ stacks[ubacktrace() != ""]++ }}
probe timer.ms({PERIOD}) {{ if (pid() == target()) keep() }}
probe timer.s(1) {{ if (pid() != stp_pid()) println("a report is made by stap") }}
probe end {{ printf("%d %d %d %d %d\\n", gettimeofday_ms() - began, all, here, stacks[1], stacks[0]) }}
"""
done = subprocess.run([STAP, "-e", SCRIPT, "-c", SPIN], capture_output=True, text=True, timeout=120)
if done.returncode != 0:
    sys.exit(done.stdout + done.stderr)
ms, count, here, with_stack, without = (int(word) for word in done.stdout.split())
# CPUs that have nothing to do are not sampled; of the second that the program has run, each CPU has its share of the samples.
wanted = 1000 / PERIOD / os.cpu_count()
if count > ms / PERIOD * 1.1 + 5:
    sys.exit(f"{count} samples of {ms} ms: {done.stdout}")
if not wanted * 0.5 < here < wanted * 1.8:
    sys.exit(f"{here} samples of the program, about {wanted} wanted: {done.stdout}")
if with_stack < without:
    sys.exit(f"stacks: {done.stdout}")
