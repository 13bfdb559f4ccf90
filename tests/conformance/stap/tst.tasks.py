#!/usr/bin/env python3
# @@host
"""pid2task() finds processes and threads, in handlers of begin and of timers, and their structures are read."""
import os
import sys
import threading

sys.path.insert(0, os.environ["TESTS"])
from tables import Stap, check

pid = os.getpid()
with open("/proc/self/stat", encoding="ascii") as file:
    parent = file.read().rsplit(") ", 1)[1].split()[1]
with open("/proc/self/comm", encoding="ascii") as file:
    name = file.read().strip()
ended = threading.Event()
tid = []
known = threading.Event()


def wait():
    tid.append(threading.get_native_id())
    known.set()
    ended.wait()


thread = threading.Thread(target=wait)
thread.start()
known.wait()
try:
    check([
        Stap(f'probe begin {{ t = pid2task({pid}) printf("%s %d %d\\n", task_execname(t), task_pid(t), '
             f't->real_parent->tgid) exit() }}', f"{name} {pid} {parent}\n"),
        Stap(f'probe begin {{ t = pid2task({tid[0]}) printf("%d %d\\n", task_tid(t), task_pid(t)) exit() }}',
             f"{tid[0]} {pid}\n"),
        Stap(f'global n probe timer.ms(1) {{ println(task_pid(pid2task({pid})) == {pid}) if (++n == 3) exit() }}',
             "1\n1\n1\n"),
        # pid() and execname() of such handlers are those of stap, and so is the current task.
        Stap('probe begin { t = task_current() println(task_pid(t) == pid(), task_execname(t) == execname(), '
             't == pid2task(stp_pid())) exit() }', "111\n"),
        Stap('function me() { return @cast(task_current(), "task_struct")->tgid } '
             'probe timer.ms(1) { println(me() == pid()) exit() }', "1\n"),
        # A program's memory is not there; what is given in its place is.
        Stap('probe begin { println(user_string2(4096, "none"), user_string(4096, "too")) exit() }', "nonetoo\n"),
        # No such process; the idle tasks, of which each CPU has one.
        Stap('probe begin { println(pid2task(4194303), " ", pid2task(0), " ", pid2task(-1)) exit() }', "0 0 0\n"),
        Stap('probe begin { println(task_pid(pid2task(4194303))) exit() }', "", status=1,
             err="ERROR: kernel read fault [man error::fault] at 0x"),
        # What handlers of events read is recorded when the event fires, so a task must follow from the event.
        Stap('probe syscall.read { println(task_pid(pid2task(1))) }', "", status=1,
             err="memory is recorded when the probe fires, and this address follows from no value of the probe alone"),
    ])
finally:
    ended.set()
    thread.join()
