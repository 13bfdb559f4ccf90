# @@host
# Options that a script declares: their values, `-h`, and what is refused by name.
. "$TESTS/lib.sh"
cat >"$work/sees.d" <<'END'
/* For a test. */
#pragma D option quiet
#pragma D summary what was given
#pragma D flag p process int only this process
#pragma D flag n name string=none a name
#pragma D flag x failed bool only failures
#pragma D flag d duration time=2s how long
#pragma D flag b room size=64k how much
#pragma D argument interval time=500ms how often
#pragma D example sees -x -- failures
BEGIN
{
	printf("%d %s %d %d %d %d\n", $process, $name, $failed, $duration, $room, $interval);
	exit(0);
}
END
run "$DTRACE" -s "$work/sees.d"
want 0
same out '0 none 0 2000000000 65536 500000000\n\n'
run "$DTRACE" -s "$work/sees.d" -xp 12 -n 'a b' -d100ms 1m --room=1k
want 0
same out '12 a b 1 100000000 1024 60000000000\n\n'
run "$DTRACE" -s "$work/sees.d" --failed --process 5 -- 2
want 0
same out '5 none 1 2000000000 65536 2000000000\n\n'
# The process of -c, of which nobody knows the number before.
run "$DTRACE" -s "$work/sees.d" -p '$target' -c 'sleep 1000'
want 0
matches out '^[1-9][0-9]* none 0 2000000000 65536 500000000$'
run "$DTRACE" -s "$work/sees.d" -p '$target'
want 1
has err '$process is $target, and there is no process'
has err 'hint: give a process to trace with -p PID or -c COMMAND'
# What the script does not declare is dtrace's.
run "$DTRACE" -s "$work/sees.d" -o "$work/file" -p 3
want 0
same out ''
same file '3 none 0 2000000000 65536 500000000\n\n'

run "$DTRACE" -s "$work/sees.d" -h
want 0
same err ''
same out 'sees: what was given
usage: sees [-p PROCESS] [-n NAME] [-x] [-d DURATION] [-b ROOM] [INTERVAL]

  -p PROCESS   only this process
  -n NAME      a name (none)
  -x           only failures
  -d DURATION  how long (2s)
  -b ROOM      how much (64k)
  INTERVAL     how often (500ms)
  -h           print this text

examples:
  sees -x  failures

Other options are those of dtrace, such as -o FILE, -c COMMAND and
--OPTION=VALUE (--oformat=json).
With --cgroup NAME, only threads of this control group are traced, such as
nginx.service; with --zone NAME, of this container.
With -c COMMAND, -p '\''$target'\'' is its process.
'
usage='usage: sees [-p PROCESS] [-n NAME] [-x] [-d DURATION] [-b ROOM] [INTERVAL]\n'
refused() { # TEXT [SCRIPT] WORDS...
  text=$1
  shift
  script=$work/sees.d
  case $1 in *.d) script=$1; shift ;; esac
  run "$DTRACE" -s "$script" "$@"
  want 2
  same out ''
  same err "$text\n$usage"
}
refused "sees: option -p: 'me' is not a number" -p me
refused "sees: option --duration: '5q' is not a time, such as 5, 100ms or 2m" --duration=5q
refused "sees: interval: 'often' is not a time, such as 5, 100ms or 2m" often
refused "sees: option -z does not exist" -z
refused "sees: option -d needs a value" -d
refused "sees: there is one argument too many: '2'" 1 2
refused "sees: option --faild does not exist\nhint: did you mean --failed?" --faild

# Letters that the script has taken from dtrace have a long form.
refused "sees: there is one argument too many: 'oformat=json'
hint: -x is an option of sees here: write --oformat=json" 1 -x oformat=json
run "$DTRACE" -s "$work/sees.d" -x --oformat=jsonl
want 0
has out '"text":"0 none 1 '
run "$DTRACE" -s "$work/sees.d" --oformat jsonl --quiet
want 0
has out '"text":"0 none 0 '
run "$DTRACE" -s "$work/sees.d" --oformat=nothing
want 1
has err 'failed to set -x oformat: Invalid value for specified option'
cat >"$work/counts.d" <<'END'
#pragma D option quiet
#pragma D flag c count bool only the number
BEGIN { printf("%d %d\n", $count, $target); }
END
usage='usage: counts [-c] --command COMMAND | -p PID\n'
refused "counts: there is one argument too many: 'sleep 1'
hint: -c is an option of counts here: to run a command, write --command 'sleep 1'" "$work/counts.d" -c 'sleep 1'
run "$DTRACE" -s "$work/counts.d" -c --command true
want 0
matches out '^1 [1-9][0-9]*$'
run "$DTRACE" -s "$work/counts.d" -h
want 0
has out 'Other options are those of dtrace, such as -o FILE, --command COMMAND and'

# Numbers that have names.
cat >"$work/names.d" <<'END'
#pragma D option quiet
#pragma D flag p process process of it
#pragma D flag u user user=-1 of whom
#pragma D flag s signal signal which
#pragma D flag e error error why
BEGIN { printf("%d %d %d %d\n", $process, $user, $signal, $error); exit(0); }
END
script=$work/names.d
run "$DTRACE" -s "$script"
want 0
same out '0 -1 0 0\n\n'
run "$DTRACE" -s "$script" -p $$ -u root -s kill -e ENOENT
want 0
same out "$$ 0 9 2\n\n"
run "$DTRACE" -s "$script" -p '$target' -u 12 -s SIGUSR1 -e 13 -c 'sleep 1000'
want 0
matches out '^[1-9][0-9]* 12 10 13$'
usage='usage: names [-p PROCESS] [-u USER] [-s SIGNAL] [-e ERROR]\n'
refused "names: option -p: '0' is not the number of a process" "$script" -p 0
refused "names: option -p: 'sleep' is not the number of a process: pgrep -n sleep prints it" "$script" -p sleep
refused "names: option -p: there is no process 4194305" "$script" -p 4194305
refused "names: option -u: there is no user 'no-such-user'" "$script" -u no-such-user
refused "names: option -s: 'SIG' is not a signal, such as 9 or SIGKILL" "$script" -s SIG
refused "names: option -e: 'NOENT' is not an error, such as 2 or ENOENT" "$script" -e NOENT
# As bcc's commands have them.
run "$DTRACE" -s "$script" --pid $$ --uid=root
want 0
same out "$$ 0 0 0\n\n"
refused 'names: option --tid does not exist' "$script" --tid 1
refused "names: option -d does not exist
hint: -c 'sleep 10' ends it after ten seconds" "$script" -d 10
refused "names: option -j does not exist
hint: --oformat=csv and --oformat=json print for other programs" "$script" -j
# Only tracing needs the process.
run "$DTRACE" -e -s "$script" -p 4194305
want 0
run "$DTRACE" -s "$script" -h
want 0
has out '  -u USER     of whom
'

# A script that declares nothing has $1 and its first comment.
printf '/* Adds\n * two numbers. */\nBEGIN { printf("%%d\\n", $1 + $2); exit(0); }\n' >"$work/adds.d"
run "$DTRACE" -s "$work/adds.d" -h
want 0
first out '^adds: Adds two numbers\.$'
has out 'usage: adds ARG1 ARG2'
run "$DTRACE" -qs "$work/adds.d" 1
want 1
has err 'D_MACRO_UNDEF'
has err 'usage: adds ARG1 ARG2'
run "$DTRACE" -qs "$work/adds.d" 1 2
want 0
same out '3\n\n'

# Code that the value excludes does not exist: without -x, no clause looks at errno.
cat >"$work/off.d" <<'END'
#pragma D flag x failed bool only failures
#pragma D flag n name string of this name
syscall::getppid:return /(!$failed || errno) && ($name == "" || execname == $name)/ { @ = count(); }
END
run "$DTRACE" -xdump=ir-opt -xstop=ir-opt -s "$work/off.d"
want 0
! grep -qE 'errno|execname' "$work/out" || { fail "an option that is off costs something"; cat "$work/out"; }
run "$DTRACE" -xdump=ir-opt -xstop=ir-opt -s "$work/off.d" --failed -n cat
want 0
has out errno
has out execname
# A description that is given for a macro may name the process of -c.
cat >"$work/calls.d" <<'END'
#pragma D option quiet
#pragma D argument calls string a description
$calls:entry { @ = count(); }
END { printa("%@d\n", @); }
END
run "$DTRACE" -s "$work/calls.d" -c date 'pid$target:libc:exit'
want 0
matches out '^1$'
run "$DTRACE" -qn '$1:entry { @ = count(); } END { printa("%@d\n", @); }' -c date 'pid$target:libc:exit'
want 0
matches out '^1$'
run "$DTRACE" -s "$work/calls.d" 'pid$target:libc:exit'
want 1
has err 'macro variable $target is not defined'
has err 'give a process to trace with -p PID or -c COMMAND'
# A script about a process says how that is given.
cat >"$work/about.d" <<'END'
#pragma D summary about a process
/* $targets are no $target of "$target". */
syscall:::entry /pid == $target/ { @ = count(); }
END
run "$DTRACE" -s "$work/about.d" -h
want 0
same out 'about: about a process
usage: about -c COMMAND | -p PID

  -c COMMAND  runs this command, and looks at it
  -p PID      looks at this process
  -h          print this text

Other options are those of dtrace, such as -o FILE, -c COMMAND and -x OPTION.
With --cgroup NAME, only threads of this control group are traced, such as
nginx.service; with --zone NAME, of this container.
'
sed -i 's/summary.*/&\n#pragma D flag p port int only this port/; s/== $target/== $port/' "$work/about.d"
run "$DTRACE" -s "$work/about.d" -h
want 0
same out 'about: about a process
usage: about [-p PORT]

  -p PORT  only this port
  -h       print this text

Other options are those of dtrace, such as -o FILE, -c COMMAND and -x OPTION.
With --cgroup NAME, only threads of this control group are traced, such as
nginx.service; with --zone NAME, of this container.
'
# The process of a tool's own -p is $target in its arguments, also beside a command that only says how long.
cat >"$work/process.d" <<'END'
#pragma D option quiet
#pragma D flag p process process only this process
#pragma D argument which string a process
BEGIN { printf("%d %s %d\n", $process, $which, $target); }
END
run "$DTRACE" -s "$work/process.d" -p $$ 'pid$target:$target' -c true
want 0
matches out "^$$ pid$$:$$ [0-9]+\$"
[ "$(cut -d ' ' -f 3 "$work/out" | head -n 1)" != $$ ] || fail "the command is no target"
run "$DTRACE" -s "$work/process.d" -p '$target' 'pid$target' -c true
want 0
matches out '^([1-9][0-9]*) pid\$target \1$'
# Where there is only one target, two cannot be given.
sed -i 's/^#pragma D flag.*/#pragma D flag f follow bool more/; s/== $port/== $target/' "$work/about.d"
run "$DTRACE" -s "$work/about.d" -p $$ -c true
want 2
same err "about: -c and -p each say which process is looked at: only one can be given
hint: 'timeout -s INT 10 dtrace -s about -p $$' ends after ten seconds
usage: about [-f] -c COMMAND | -p PID
"
run "$DTRACE" -s memleak
want 1
has err 'What is to be traced? -c COMMAND runs a command, -p PID traces a process.
usage: memleak [-f FRAMES]'
# A program is no name: options of dtrace stand before the script.
run "$DTRACE" -s "$work/sees.d" -n 'BEGIN { exit(0); }'
want 2
same err "sees: option -n: 'BEGIN { exit(0); }' is a program, and -n is the name here
hint: programs stand before the script: dtrace -n '...' -s sees
usage: sees [-p PROCESS] [-n NAME] [-x] [-d DURATION] [-b ROOM] [INTERVAL]
"
run "$DTRACE" -s "$work/sees.d" -n 'syscall:::entry'
want 2
has err "'syscall:::entry' is a program"
run "$DTRACE" -qn 'BEGIN { printf("first\n"); }' -s "$work/sees.d" -n kworker/0:1
want 0
same out 'first\n0 kworker/0:1 0 2000000000 65536 500000000\n\n'
# A name that no program can have.
run "$DTRACE" -s opensnoop -n systemd-journald
want 2
first err "^opensnoop: option -n: Linux keeps 15 characters of the name of a program: 'systemd-journal'\$"
run "$DTRACE" -s "$work/sees.d" -n a-name-of-something-else
want 0
# The description of a function may have the name of its probe.
cat >"$work/function.d" <<'END'
#pragma D option quiet
#pragma D argument function string a description
$function:entry { @ = count(); }
END { printa("%@d\n", @); }
END
run "$DTRACE" -s "$work/function.d" -c date 'pid$target:libc:exit:entry'
want 0
matches out '^1$'
done_testing
