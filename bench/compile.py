"""How the time that dtrace -e takes grows with the number of clauses.
"""
import resource
import subprocess
import tempfile
import time

from common import ROUNDS, heading


def bench(tools):
    heading("compile time of N clauses (dtrace -e)")
    for clauses in (1000, 2000, 5000, 10000):
        with tempfile.NamedTemporaryFile("w", suffix=".d") as script:
            for i in range(clauses):
                script.write(f"syscall::read:entry /pid == {i + 10}/ {{ @a[execname] = count(); self->x{i % 50} = timestamp; }}\n")
            script.flush()
            wall, cpu, done = float("inf"), float("inf"), None
            for _ in range(ROUNDS if clauses == 1000 else 1):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                started = time.perf_counter()
                done = subprocess.run([tools.dtrace, "-e", "-s", script.name], capture_output=True)
                wall = min(wall, time.perf_counter() - started)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                cpu = min(cpu, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            print(f"{clauses:>6} clauses: {wall * 1e3:8.1f} ms, {wall / clauses * 1e6:6.1f} us each, CPU {cpu * 1e3:7.1f} ms"
                  f"{'  (at most 100 ms)' if clauses == 1000 else ''}"
                  f"{'' if done.returncode == 0 else '  FAILED ' + done.stderr.decode()[:200]}", flush=True)
