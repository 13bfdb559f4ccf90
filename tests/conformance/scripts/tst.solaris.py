#!/usr/bin/env python3
# @@host
"""Idioms of scripts for Solaris, under -x compat=solaris, about a program that does a known number of things."""
import os
import re
import sys
import tempfile

sys.path.insert(0, os.environ["TESTS"])
from tables import Case, check

directory = tempfile.TemporaryDirectory()
T = directory.name
with open(f"{T}/w.py", "w", encoding="utf-8") as file:
    file.write("""
import os, signal
os.chdir(os.path.dirname(__file__))
signal.signal(signal.SIGUSR1, lambda *_: None)
open("f", "w").write("x" * 1000)
fd = os.open("f", os.O_RDWR)
for i in range(10): os.read(fd, 100)
for i in range(5): os.write(fd, b"hello")
os.close(fd)
for i in range(3):
    try: os.open("../nowhere/x", 0)
    except OSError: pass
for i in range(6): os.kill(os.getpid(), signal.SIGUSR1)
for i in range(4):
    if os.fork() == 0: os._exit(0)
    os.wait()
for i in range(2):
    if os.fork() == 0: os.execv("/bin/true", ["true", "an", "argument"])
    os.wait()
""")
W = f"{sys.executable} {T}/w.py"
C = []


def t(script, wanted):
    # What a program has not touched yet cannot be read when its call begins: names of its loader's files, perhaps.
    C.append(Case(script, re.compile(wanted), ["-x", "compat=solaris", "-c", W], err=None if "copyinstr" in script else ""))


# A file's path as the program means it, at the return of the call.
t('''syscall::open:entry, syscall::open64:entry { self->pathp = arg0; self->ok = 1; }
syscall::open:return, syscall::open64:return /self->ok && pid == $target && (int)arg0 == -1 && errno == ENOENT/
{ this->path = copyinstr(self->pathp);
  this->path = substr(this->path, 0, 1) == "/" ? this->path : cleanpath(strjoin(strjoin(cwd, "/"), this->path));
  @num[this->path] = count(); }
syscall::open:return, syscall::open64:return { self->ok = 0; self->pathp = 0; }
END { printa("%@6d %s\\n", @num); }''', rf"(?s).* 3 {re.escape(os.path.dirname(T))}/nowhere/x\n.*")
# Reads and writes of all kinds, at their descriptors' files; nothing that is an option.
t('''inline int OPT_file = 1; inline int OPT_time = 0; inline string FILE = "f";
syscall::*read:entry, syscall::*write:entry /pid == $target && (OPT_file == 0 || fds[arg0].fi_name == FILE)/ { self->fd = arg0 + 1; }
syscall::*read:return, syscall::*write:return /self->fd/
{ self->rw = probefunc == "read" ? "R" : "W"; OPT_time ? printf("%d ", timestamp) : 1;
  @[self->rw, execname] = sum(arg0); @n[self->rw, execname] = count(); self->fd = 0; }
END { printa("%s %s %@d %@d\\n", @, @n); }''', r"(?s)(?=.*R python\S* 1000 10\n)(?=.*W python\S* 1025 6\n).*")
# Who signals whom, with the result.
t('''syscall::kill:entry /pid == $target/ { self->target = (int)arg0; self->signal = arg1; }
syscall::kill:return /self->signal/ { @[self->target == pid, self->signal, (int)arg0] = count(); self->signal = 0; }
END { printa("%d %d %d %@d\\n", @); }''', r"1 10 0 6\n\n")
t('''proc:::signal-send /pid == $target/ { @[execname, stringof(args[1]->pr_fname), args[2]] = count(); }
END { printa("%s %s %6d %6@d\\n", @); }''', r"(?s).*\bpython\S* python\S* +10 +6\n.*")
# Processes: who makes them, what they become, and how they end.
t('''syscall::fork*:return, syscall::vfork*:return /pid == $target && (int)arg0 > 0/ { @["forks"] = count(); }
sysinfo:::sysfork, sysinfo:::sysvfork /pid == $target/ { @["statistics"] = count(); }
syscall::exece:return /progenyof($target) && pid != $target/ { @[curpsinfo->pr_psargs] = count(); }
syscall::rexit:entry /progenyof($target) && pid != $target/ { @["exits"] = count(); }
END { printa("%s %@d\\n", @); }''', r"(?s)(?=.*\bforks 6\n)(?=.*\bstatistics 6\n)(?=.*\btrue an argument 2\n)(?=.*\bexits 6\n).*")
# Time and CPU of system calls, by name.
t('''self int ok; syscall:::entry /pid == $target/ { self->ok = 1; }
syscall:::entry /self->ok/ { @Counts[probefunc] = count(); @Counts["TOTAL:"] = count(); self->start = timestamp; self->vstart = vtimestamp; self->ok = 0; }
syscall:::return /self->start/ { this->elapsed = timestamp - self->start; @Elapsed[probefunc] = sum(this->elapsed); self->start = 0; }
syscall:::return /self->vstart/ { @CPU[probefunc] = sum(vtimestamp - self->vstart); self->vstart = 0; }
END { printa("%16s %@18d\\n", @Counts); trunc(@Elapsed); trunc(@CPU); }''', r"(?s)(?=.* kill +6\n)(?=.* forksys +6\n).* TOTAL: +\d+\n.*")
# Load averages and a rate, printed by a timer that counts down.
t('''BEGIN { secs = 1; total = 0; } syscall:::entry { @Name[probefunc] = count(); total++; }
profile:::tick-1sec { secs--; }
profile:::tick-1sec /secs == 0/
{ this->load1 = `hp_avenrun[0] / 65536; this->load1f = ((`hp_avenrun[0] % 65536) * 100) / 65536;
  printf("%Y, load: %d.%02d\\n", walltimestamp, this->load1, this->load1f); clear(@Name); secs = 1; }
END { printf("%s %d\\n", `utsname.sysname, total > 100); trunc(@Name); }''',
  r"(\d{4} \w{3} [ \d]\d \d\d:\d\d:\d\d, load: \d+\.\d\d\n)*Linux 1\n\n")
check(C)
