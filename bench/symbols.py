"""What naming the addresses of many processes costs (bench/symbols.cc): CPU time and memory, with and without lines.
"""
import os
import subprocess
import time

from common import ROUNDS, heading, start


def bench(tools):
    heading("100,000 places in the code of 50 processes: CPU time and peak memory to name them")
    programs = [["python3", "-c", "import ssl, sqlite3, decimal, ctypes; input()"], ["bash", "-c", "read x; :"],
                ["perl", "-e", "<STDIN>"], ["cat"], ["python3", "-c", "input()"]]
    processes = [start(programs[i % len(programs)]) for i in range(50)]
    try:
        time.sleep(2)  # they map their libraries
        for what in ("PLAIN", "LINES"):
            best, most = float("inf"), 0.0
            for _ in range(ROUNDS):
                argv = [tools.symbols, "2000", what, *(str(process.pid) for process in processes)]
                named = subprocess.Popen(argv, stdout=subprocess.PIPE)
                frames, names, lines = (int(word) for word in named.stdout.read().split())
                _, status, used = os.wait4(named.pid, 0)
                named.returncode = status
                best = min(best, used.ru_utime + used.ru_stime)
                most = max(most, used.ru_maxrss / 1024)
            print(f"{'names, lines, inlined functions' if lines else 'names':<34}{frames:>8} places, {names:>6} named, {lines:>6} "
                  f"with lines:{best:>7.2f} s (at most 1) {most:>6.1f} MB (at most 150)", flush=True)
    finally:
        for process in processes:
            process.kill()
            process.wait()
