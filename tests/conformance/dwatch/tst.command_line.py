# @@host
"""What dwatch lists, and what it refuses."""
import os
import pathlib
import re
import tempfile

from watching import fail, run, same

same("probes of a word", run("-l", "openat")[0].splitlines(), ["syscall:vmlinux:openat:entry", "syscall:vmlinux:openat:return"])
providers = run("-l", "-P")[0].splitlines()
same("providers", {"syscall", "proc", "sched", "tcp"} <= set(providers) and providers == sorted(set(providers)), True)
same("a field", run("-l", "-n", "exec-success")[0].splitlines(), ["exec-success"])
same("a pattern", all("openat" in line for line in run("-l", "-r", "openat")[0].splitlines()), True)
profiles = dict(line.split(None, 1) for line in run("-Q")[0].splitlines())
same("profiles", {"execve", "open", "open-failed", "kill", "tcp-send", "systop"} <= set(profiles), True)
summaries = {line.index(profiles[line.split()[0]]) for line in run("-Q")[0].splitlines()}
same("one column of names", len(summaries), 1)
same("arguments", profiles["slow"], "system calls that take long [LEAST: only those that take at least this time, 10ms]")
same("variants", (profiles["open-failed"], profiles["tcp-send"]), ("open: only if errno", "tcp: only tcp:::send"))
same("variants of any name", (profiles["errno-*"], profiles["slow-syscall"]), ("errno: only if errno == $*", "slow: the same"))
same("names", run("-Q", "-q")[0].split(), list(profiles))
same("some profiles", run("-Qq", "-r", "^chm")[0].split(), ["chmod"])
if not re.fullmatch(r"dwatch \d+\.\d+\.\d+\n", run("-V")[0]) or not run("-h")[0].startswith("usage: dwatch"):
    fail("-V and -h")
script = run("-d", "-k", "cat", "openat")[0]
same("script", "syscall::openat:entry\n/(execname == \"cat\")/\n" in script, True)
same("compiled", run("-e", "openat"), ("", ""))
same("empty words", run("-d", "openat,,read ", "")[0], run("-d", "openat", "read")[0])
same("profiles of a word of their description", run("-Qq", "disks")[0].split(), ["io", "io-slow"])
same("profiles of a word", run("-Qq", "tcp-conn")[0].split(), [name for name in profiles if "tcp-conn" in name])
# Where the thread that gets the CPU does not run yet, its command line is not known.
for words in ["sched"], ["on-cpu"], ["-P", "io"], ["wait-done"], ["-R", "-X", "sched"], ["-P", "sched"]:
    same(f"{words}", run("-e", *words), ("", ""))
for options, status, said in (
        (["no-such-probe"], 1, "dwatch: no probe is called 'no-such-probe'\n"
         "hint: dwatch -l -r no-such-probe lists those whose description has the word; "
         "a function of a program is 'pid$target::no-such-probe:entry', with -c COMMAND or -p PID\n"),
        (["syscall::opne:entry"], 1, "dwatch: no probe is called 'syscall::opne:entry'\nhint: did you mean 'syscall::open:entry'?\n"),
        (["-X", "open", "-X", "kill"], 2, "dwatch: -X: 'kill' is a second profile, after 'open'\n"
         "hint: one dwatch watches one profile; several probes can be named\n"),
        (["-X", "opne"], 1, "dwatch: there is no profile 'opne'\nhint: did you mean 'open'?\n"),
        (["-u", "no-such-user", "openat"], 2, "dwatch: -u: there is no user 'no-such-user'\n"),
        (["-p", "1x", "openat"], 2, "dwatch: -p: '1x' is not the number of a process\nhint: several are '12|34'; -k chooses programs by their name\n"),
        (["-u", "root|no-such-user", "openat"], 2, "dwatch: -u: there is no user 'no-such-user'\n"),
        (["-g", "(", "openat"], 2, "dwatch: -g: '(' is no regular expression: Unmatched ( or \\(\n"),
        (["-u", "^6", "-X", "systop"], 2, "dwatch: -u: this profile prints tables, and no events\n"),
        (["-X", "errno-", "openat"], 1, "dwatch: there is no profile 'errno-'\nhint: did you mean 'errno'?\n"),
        (["-X", "errno-*"], 1, "dwatch: 'errno-*' stands for many names\n"
         "hint: write what the asterisk stands for: 'dwatch -Q errno' shows the condition in which it stands\n"),
        (["-X", "vop_mkdir"], 1, "dwatch: there is no profile 'vop_mkdir'\nhint: 'dwatch mkdir' watches the system calls\n"),
        (["-X", "jail"], 1, "dwatch: there is no profile 'jail'\n"
         "hint: 'dwatch setns' and 'dwatch unshare' watch who enters namespaces; -j NAME chooses a container\n"),
        (["-p", "999999999", "openat"], 2, "dwatch: -p: there is no process 999999999\n"),
        (["-r", "(", "openat"], 2, "dwatch: -r: '(' is no regular expression: Unmatched ( or \\(\n"),
        (["opn"], 1, "dwatch: no probe is called 'opn'\nhint: did you mean 'open'?\n"),
        (["systpo"], 1, "dwatch: no probe is called 'systpo'\nhint: did you mean 'dwatch -X systop'?\n"),
        (["rw"], 1, "dwatch: no probe is called 'rw'\nhint: 'dwatch -X rw' watches: " + profiles["rw"] + "\n"),
        (["-Q", "no-such-one"], 1, "dwatch: no profile has 'no-such-one' in its name or description\nhint: dwatch -Q lists all\n"),
        (["-Q", "sytop"], 1, "dwatch: no profile has 'sytop' in its name or description\nhint: did you mean 'systop'?\n"),
        (["-k", "", "openat"], 2, "dwatch: -k needs a value\n"),
        (["-t", "", "openat"], 2, "dwatch: -t needs a value\n"),
        (["-O", "", "openat"], 2, "dwatch: -O needs a value\n"),
        (["-k", "a*b", "openat"], 2, "dwatch: -k: 'a*b' has an asterisk between other characters\nhint: -z takes regular expressions: -z '^a.*b$'\n"),
        (["-F", "-X", "systop"], 2, "dwatch: -F: this profile prints tables, and no events\n"),
        (["-R", "-X", "systop"], 2, "dwatch: -R: this profile prints tables, and no events\n"),
        (["-z", "a", "-X", "systop"], 2, "dwatch: -z: this profile prints tables, and no events\nhint: -k NAME chooses programs\n"),
        (["-t", "arg1 >", "openat"], 1, "dwatch: failed to compile script dwatch -d openat: line 5: syntax error near \")\"\n"
         "dwatch -d openat:5:9: error: syntax error near \")\" [D_SYNTAX]\n/(arg1 >) && pid != $pid/\n        ^\n"),
        (["-N", "1", "-X", "systop"], 2, "dwatch: -N: this profile prints tables, and no events\nhint: -T ends it after a time\n"),
        (["-t", "-", "openat"], 2, "dwatch: -t -: there is nothing in standard input\n"),
        (["-E", "-", "openat"], 2, "dwatch: -E -: there is nothing in standard input\n"),
        ([""], 2, "dwatch: no probe or profile is named\nhint: name a probe, such as dwatch execve, or a profile, such as dwatch -X open\n"),
        ([" , "], 2, "dwatch: no probe or profile is named\nhint: name a probe, such as dwatch execve, or a profile, such as dwatch -X open\n"),
        (["-X", "open", "a"], 2, "dwatch: the profile 'open' takes 0 arguments\n"),
        ([], 2, "dwatch: no probe or profile is named\nhint: name a probe, such as dwatch execve, or a profile, such as dwatch -X open\n")):
    same(f"{options}", run(*options, status=status)[1], said)
for options in ["-j", "no-such-zone"], ["-j", "global", "-j", "no-such-zone"]:
    same(f"{options}", run(*options, "openat", status=1)[1].splitlines()[0],
         "dwatch: could not enable tracing: there is no zone 'no-such-zone'")
# An error of a script names the command that prints it.
for options in ["-X", "slow", "soon"], ["-t", "nosuch == 1", "openat"]:
    said = run(*options, status=1)[1]
    shown = "dwatch -d -X slow" if "slow" in options else "dwatch -d openat"
    same(f"{options}: {said}", said.startswith(f"dwatch: failed to compile script {shown}: line "), True)
# An old call stands for those that programs make instead, unless code names its arguments.
OPENS = ["syscall::open:entry", "syscall::openat:entry", "syscall::openat2:entry"]
same("relatives", ", ".join(OPENS) + "\n/pid != $pid/\n{" in run("-d", "open")[0], True)
same("relatives of an end", ", ".join(OPENS).replace("entry", "return") + "\n" in run("-d", "open:return")[0], True)
same("relatives twice", run("-d", "open,openat")[0], run("-d", "open")[0])
same("relatives in a list", [line.split(":")[2] for line in run("-l", "open:entry")[0].splitlines()], ["open", "openat2", "openat"])
for options in ["-t", "arg0", "open"], ["-E", "trace(arg0);", "open"], ["syscall::open:entry"], ["-f", "syscall::open:entry"]:
    same(f"{options}", [one for one in OPENS if f"{one}\n" in run("-d", *options)[0] or f"{one}," in run("-d", *options)[0]], OPENS[:1])
same("what is left out", "INFO programs also call openat and openat2, whose" in run("-T", 1, "-t", "arg0 == 77", "open")[1], True)
# Of a call that has the name of a profile, the profile may have been meant.
same("hint", "INFO 'dwatch -X kill' watches: " in run("-T", 1, "kill")[1], True)
# A profile of the user, which hides the one of this name.
with tempfile.TemporaryDirectory() as work:
    pathlib.Path(work, "open").write_text("summary: mine\nprobe: syscall::openat:entry\ndetails:\n\ttrace(arg0);\n")
    pathlib.Path(work, "bad").write_text("summary: bad\nprobes: x\n")
    environment = {**os.environ, "DWATCH_PROFILES_PATH": f"/no-such:{work}"}
    rows = dict(line.split(None, 1) for line in run("-Q", env=environment)[0].splitlines())
    same("own profiles", (rows["open"], rows["bad"], "kill" in rows), ("mine", "bad:2: 'probes: x' is nothing that a profile says", True))
    same("own profile", "\ttrace(arg0);\n" in run("-d", "-X", "open", env=environment)[0], True)
    same("bad profile", run("-X", "bad", env=environment, status=1)[1], "dwatch: bad:2: 'probes: x' is nothing that a profile says\n")
