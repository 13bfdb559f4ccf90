# @@host
# @@timeout: 60
"""Which events dwatch shows, and what of them: filters, details, trees, counts and times."""
import os
import re
import signal
import subprocess
import tempfile

from watching import Watch, run, same

me = os.getpid()


def fork_and(work):
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    os.waitpid(child, 0)
    return child


def touch(path):
    try:
        os.stat(path)
    except OSError:
        pass


def other_user():
    os.setgid(65533)
    os.setuid(65534)
    touch("/of-another")


# A word is a system call; the processes of a filter, by each kind of filter.
STAT = 'printf("%S", copyinstr(probefunc == "newfstatat" ? arg1 : arg0));'
WHICH = "newfstatat,stat:entry"
with Watch("-p", me, "-E", STAT, WHICH) as by_pid, Watch("-u", 65534, "-E", STAT, WHICH) as by_user, \
     Watch("-g", 65533, "-E", STAT, WHICH) as by_group, Watch("-t", f"ppid == {me}", "-E", STAT, WHICH) as by_test, \
     Watch("-E", STAT, "-r", "/of-an(other|y)$", "-N", 2, WHICH) as by_text:
    touch("/of-me")
    other = fork_and(other_user)
    touch("/of-any")
    touch("/of-any")  # after the last one that is wanted
    by_pid.shows(r"(?s)of-any.*of-any")
    by_user.shows("of-another")
    by_group.shows("of-another")
    by_test.shows("of-another")
    by_text.ends()
mine = [("0", "0", str(me), path) for path in ("/of-me", "/of-any", "/of-any")]
theirs = [("65534", "65533", str(other), "/of-another")]


def values(rows):
    return [(uid, gid, pid, text) for uid, gid, _, pid, text in rows if text.startswith("/of-")]


same("by process", values(by_pid.rows), mine)
same("by user", values(by_user.rows), theirs)
same("by group", values(by_group.rows), theirs)
same("by test", values(by_test.rows), theirs)
same("by text", values(by_text.rows), theirs + mine[1:2])
same("what is watched", by_pid.said, "INFO Watching 'syscall::newfstatat:entry, syscall::stat:entry' ...\n")

# dwatch waits ten times a second, and writes what it shows: neither is an event, unless -k asks for it.
CALLS = ["syscall::epoll_wait:entry", "syscall::epoll_pwait:entry", "syscall::write:entry"]
with Watch(*CALLS) as others, Watch("-k", "dwatch", "-N", 3, *CALLS) as of_dwatch:
    of_dwatch.ends()
    subprocess.run(["dd", "if=/dev/zero", "of=/dev/null", "count=3"], stderr=subprocess.DEVNULL, check=True)
    others.shows(r" dd\[")
same("calls of itself", [row for row in others.rows if row[3] == str(others.process.pid)], [])
same("calls that -k asks for", {row[2] for row in of_dwatch.rows}, {"dwatch"})

# A program may be called as the line of another process would be: it is found by what it is, and by nothing else.
with tempfile.TemporaryDirectory() as work:
    os.symlink("/bin/true", f"{work}/liar[1]: x")
    with Watch("-z", "x$", "-p", "^[0-9]+$", "-X", "execve") as found, Watch("-p", "^1$", "-X", "execve") as by_number, \
         Watch("-z", "^liar$", "-X", "execve") as by_name:
        child = subprocess.Popen([f"{work}/liar[1]: x"])
        child.wait()
        found.shows("liar")
same("of a liar", [f"liar[1]: x[{child.pid}]: " in watch.text for watch in (found, by_number, by_name)], [True, False, False])
same("without marks", [character for character in found.text if character < " " and character != "\n"], [])

# The names of programs, and the command line with its first words.
with tempfile.TemporaryDirectory() as work:
    for name in ("dwatched-one", "other-dwatched"):
        os.symlink("/bin/true", f"{work}/{name}")
    with Watch("-k", "dwatched*", "-X", "execve") as begin, Watch("-k", "*dwatched", "-B", 2, "-X", "execve") as end, \
         Watch("-k", "*watched*", "-B", 0, "-X", "execve") as part, Watch("-z", "^oth.r-d", "-R", "-X", "execve") as tree:
        children = []
        for name in ("dwatched-one", "other-dwatched"):
            children.append(subprocess.Popen([f"{work}/{name}", "a", "b c"]))
            children[-1].wait()
        for watch in (end, part, tree):
            watch.shows("other-dwatched")
one, two = (str(child.pid) for child in children)
same("begin", [row[2:] for row in begin.rows], [("dwatched-one", one, f"{work}/dwatched-one a b c")])
same("end", [row[2:] for row in end.rows], [("other-dwatched", two, f"{work}/other-dwatched a")])
same("part", [row[2:] for row in part.rows], [("dwatched-one", one, ""), ("other-dwatched", two, "")])
same("tree", re.findall(r"^ +\\?-(\S+) (\d+) 0\.0 ", tree.text, re.M)[-2:], [("+=", f"{me:05}"), ("--=", f"{int(two):05}")])
if f"--= {int(two):05} 0.0 {work}/other-dwatched a b c\n" not in tree.text:
    same("tree", tree.text, "with the command line")

# Paths with their last directories.
with tempfile.TemporaryDirectory() as work:
    os.makedirs(f"{work}/one/two")
    with Watch("-K", 1, "-p", me, "-X", "open") as last, Watch("-K", 64, "-p", me, "-X", "open") as whole:
        os.close(os.open(f"{work}/one/two/file", os.O_CREAT))
        last.shows("file = ")
        whole.shows("file = ")
same("-K", [re.findall(r"(\S+)/two/file = ", watch.text) for watch in (last, whole)], [["..."], [f"{work}/one"]])

# It ends by itself, appends to a file, runs commands, and indents calls and returns.
with tempfile.NamedTemporaryFile("r") as file:
    out, said = run("-q", "-T", 1, "-o", file.name, "-X", "systop", "200ms", 3)
    same("quiet", (out, said), ("", ""))
    same("in the file", len(re.findall(r"^ +CALLS PROGRAM", file.read(), re.M)) >= 2, True)
with Watch("-p", me, "-O", "echo ran 100%", "-t", "arg0 == 77", "close") as command:
    for fd in (78, 77):
        try:
            os.close(fd)
        except OSError:
            pass
    command.shows("ran")
same("command", command.text.splitlines()[-1], "ran 100%")
# A command runs for events that are shown, and for no others.
with Watch("-p", me, "-O", "echo ran", "-E", 'printf("closes %d", (int)arg0)', "-r", "closes 7[78]$", "-N", 2, "close") as commands:
    for fd in (76, 77, 76, 78, 77, 77):
        try:
            os.close(fd)
        except OSError:
            pass
    commands.ends()
same("commands", re.findall(r"closes \d+|^ran$", commands.text, re.M), ["closes 77", "ran", "closes 78", "ran"])
# SIGTERM ends a command that runs, and no other one is run. What the user ignores, the command does, too.
with Watch("-p", me, "-O", "echo ran; exec sleep 600", "-t", "arg0 == 77", "close") as terminated:
    for _ in range(3):
        try:
            os.close(77)
        except OSError:
            pass
    terminated.shows("^ran$")
    terminated.process.terminate()
    terminated.ends()
same("ended while a command ran", len(re.findall("^ran$", terminated.text, re.M)), 1)
kept = signal.signal(signal.SIGHUP, signal.SIG_IGN)
with Watch("-p", me, "-O", "grep SigIgn /proc/self/status; ls -l /proc/self/fd", "-N", 1, "-t", "arg0 == 77", "close") as ignoring:
    try:
        os.close(77)
    except OSError:
        pass
    ignoring.ends()
signal.signal(signal.SIGHUP, kept)
same("ignored", int(re.search("SigIgn:\\s+(\\w+)", ignoring.text)[1], 16) & 1, 1)
same("descriptors", sorted(set(re.findall(r" (\d+) -> (?!/proc)", ignoring.text))), ["0", "1", "2"])
# -F shows which probe it is, for each event: with its number, its tree, and what the user's code prints.
with Watch("-F", "-p", me, "-N", 3, "getpgid,getsid") as flow, Watch("-F", "-x", "-R", "-p", me, "-N", 1, "getpgid") as tree, \
        Watch("-F", "-p", me, "-E", 'printf("of %d!", (int)arg0)', "-r", "of 7!", "-z", "^python", "getpgid") as searched:
    os.getpgid(0)
    os.getsid(0)
    os.getpgid(me)
    try:
        os.getpgid(7)
    except OSError:
        pass
    flow.ends()
    tree.ends()
    searched.shows("of 7!")
same("calls and returns", [row[4] for row in flow.rows],
     [f"{mark} syscall:vmlinux:{call}:{name} ..." for mark, call, name in
      (("->", "getpgid", "entry"), ("<-", "getpgid", "return"), ("->", "getsid", "entry"))])
same("their number", re.fullmatch(r"<\d+> -> syscall:vmlinux:getpgid:entry \.\.\.", tree.rows[0][4]) is not None, True)
same("their tree", re.findall(r"^ +\\?-(\S+) (\d+) ", tree.text, re.M)[-1:], [("--=", f"{me:05}")])
same("events with a text", [row[4] for row in searched.rows], ["-> syscall:vmlinux:getpgid:entry of 7!"])
with Watch("-F", "-N", 1, "BEGIN") as begin:
    begin.ends()
same("no function", begin.rows[0][4], " | dtrace:::BEGIN ...")
# Lists and patterns of numbers; with -R, also of the processes above.
with Watch("-u", "65533|65534", "-E", STAT, WHICH) as by_list, Watch("-u", "^6553[0-9]$", "-E", STAT, WHICH) as by_pattern, \
        Watch("-p", f"^({me}|1)$", "-E", STAT, WHICH) as by_pids, Watch("-R", "-p", me, "-E", STAT, WHICH) as above, \
        Watch("-R", "-p", f"^{me}$", "-u", "^65534$", "-E", STAT, WHICH) as above_and_user:
    touch("/of-me")
    other = fork_and(other_user)
    by_list.shows("of-another")
    by_pattern.shows("of-another")
    by_pids.shows("of-me")
    above.shows("of-another")
    above_and_user.shows("of-another")
theirs = [("65534", "65533", str(other), "/of-another")]
same("by a list", values(by_list.rows), theirs)
same("by a pattern", values(by_pattern.rows), theirs)
same("by a pattern of processes", values(by_pids.rows), mine[:1])
same("by a process above", values(above.rows), mine[:1] + theirs)
same("by a pattern for one above, and by a user", values(above_and_user.rows), theirs)
# $target, and what a command of -O is told.
with Watch("-F", "pid$target:a.out:main:entry", "-c", os.path.join(os.environ["BUILD"], "tests/workloads/calls")) as target:
    target.ends()
same("of a command", [row[4].split(":", 1)[1] for row in target.rows], ["calls:main:entry ..."])
with Watch("-p", me, "-N", 1, "-O", 'echo "[$TAG] [$DETAILS]"', "-E", 'printf("a $(b) %d", (int)arg0)', "getpgid") as told:
    os.getpgid(0)
    told.ends()
same("told", told.text.splitlines()[-1], f"[0.0 {told.rows[0][2]}[{me}]] [a $(b) 0]")
# As for a terminal.
with Watch("-y", "-p", me, "-N", 1, "-E", 'printf("\\001")', "getpgid") as coloured:
    os.getpgid(0)
    coloured.ends()
same("coloured", re.fullmatch(rf"\x1b\[2m\d{{4}} [^\x1b]+\x1b\[m 0\.0 \x1b\[1m\S+\x1b\[m\[{me}\]: \\001\n", coloured.text) is not None, True)
with Watch("-N", 2, "sched:::on-cpu") as switched:
    switched.ends()
same("a thread that does not run yet", [re.fullmatch(r"on-cpu CPU \d+", row[4]) is not None for row in switched.rows], [True, True])
with Watch("-p", me, "open") as opened:
    os.close(os.open("/dev/null", os.O_RDONLY))
    opened.shows(rf"\[{me}\]: ")
same("a call by its old name", {row[3] for row in opened.rows}, {str(me)})
with Watch("-p", me, "-j", "global", "-E", "", "getpgid") as zone:
    os.getpgid(0)
    zone.shows(rf"\[{me}\]: ")
with Watch("-x", "-p", me, "-E", "", "getpgid") as numbered:
    os.getpgid(0)
    numbered.shows("<")
same("number", re.fullmatch(r"<\d+> ", numbered.rows[0][4]) is not None, True)
# In a description of probes, the process of -p is $target.
with Watch("-p", me, "-E", 'printf("%s %d", probefunc, (int)arg1);', "pid$target:libc:getpriority:entry") as target:
    try:
        os.getpriority(os.PRIO_USER, 4711)
    except OSError:
        pass
    target.shows("getpriority 4711")
same("the process of -p", [(row[3], row[4]) for row in target.rows], [(str(me), "getpriority 4711")])
