# A program on one CPU, and then on each of all: tools/cpuwalk.d.
import os
import re
import subprocess
import sys

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

cpus = sorted(os.sched_getaffinity(0))


def cpus_of(text):
    """How often each CPU was seen."""
    return {int(cpu): int(count) for cpu, count in re.findall(r"^ +(\d+) \|@* +(\d+) *$", text, re.M) if int(count)}


def busy_on(cpu):
    os.sched_setaffinity(0, {cpu})  # which the program inherits
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    os.sched_setaffinity(0, cpus)
    return process


busy = {cpu: busy_on(cpu) for cpu in cpus}
try:
    for cpu, process in busy.items():
        with toolkit.Alone("cpuwalk", "-p", process.pid, "2") as one:
            toolkit.same("its end", one.script.process.wait(60), 0)
        toolkit.same(f"of the program on CPU {cpu}", list(cpus_of(one.ours)), [cpu])
    with toolkit.Alone("cpuwalk", "2") as all_programs, toolkit.Alone("cpuwalk", "-P", "2") as by_program:
        for one in all_programs, by_program:
            toolkit.same("its end", one.script.process.wait(60), 0)
finally:
    for process in busy.values():
        process.kill()
        process.wait()
toolkit.same("all CPUs", sorted(cpus_of(all_programs.ours)), cpus)
toolkit.same("one picture", all_programs.ours.count("Distribution"), 1)
toolkit.same("by program", re.findall(r"^  (python\S*)$", by_program.ours, re.M) != [], True)
