# Processes that end with a known status or signal, at a known age: tools/exitsnoop.d, and bcc's.
import os
import re
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.environ["TESTS"])
import toolkit  # noqa: E402

ENDS = ["exit 0", "exit 3", "exit 255", "kill -TERM $$", "kill -KILL $$", "sleep 0.3; exit 7"]


def end_of(code):
    return f"signal {-code}" if code < 0 else str(code)


def mark():
    subprocess.run(["/bin/sh", "-c", "exit 99"], check=False)


with toolkit.Both("exitsnoop", live=r" 99\s*$", meanwhile=mark) as both, \
        toolkit.Alone("exitsnoop", "-x", "-t", "-n", "sh") as failed, toolkit.Alone("exitsnoop", "-T", "-p", os.getpid()) as threads:
    mine_threads = []
    for _ in range(3):
        thread = threading.Thread(target=lambda: mine_threads.append(threading.get_native_id()))
        thread.start()
        thread.join()
    threads.shows(rf" {mine_threads[-1]} +[\d.]+ 0$")
    truth, took = {}, 0.0
    for command in ENDS:
        started = time.monotonic()
        process = subprocess.Popen(["/bin/sh", "-c", command])
        process.wait()
        took = time.monotonic() - started
        truth[process.pid] = end_of(process.returncode)
    both.wait(rf"^sh +{process.pid} ", rf"^sh +{process.pid} ")
    failed.shows(rf" {process.pid} ")
rows = {int(pid): (int(ppid), int(tid), float(age), end)
        for pid, ppid, tid, age, end in re.findall(r"^sh +(\d+) +(\d+) +(\d+) +([\d.]+) (.*)$", both.ours, re.M)}
toolkit.same("ends", {pid: rows[pid][3] for pid in truth}, truth)
toolkit.same("parents", {rows[pid][0] for pid in truth}, {os.getpid()})
toolkit.same("threads", [rows[pid][1] for pid in truth], list(truth))
age = rows[process.pid][2]
toolkit.same(f"age {age} of {took} s, to the nearest ms", 0.3 <= age <= took + 0.0005, True)
mine = re.findall(r"sh +(\d+) +\d+ +\d+ +[\d.]+ (.*)$", failed.ours, re.M)
toolkit.same("of threads", sorted(int(row.split()[3]) for row in toolkit.rows(threads.ours)), sorted(mine_threads))
toolkit.same("ages", [row for row in toolkit.rows(threads.ours) if float(row.split()[4]) >= 60], [])
toolkit.same("failed", {int(pid): end for pid, end in mine if int(pid) in truth},
             {pid: end for pid, end in truth.items() if end != "0"})
both.is_compared()
theirs = dict(re.findall(r"^sh +(\d+) +\d+ +\d+ +[\d.]+ +(.*?)\s*$", both.theirs, re.M))
for pid, end in truth.items():
    number = end.split()[-1]
    toolkit.same(f"bcc's {theirs.get(str(pid))} of {end}", number in re.findall(r"\d+", theirs.get(str(pid), "")), True)
