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

Other options are those of dtrace, such as -o FILE, -c COMMAND and -x OPTION.
With --cgroup NAME, only threads of this control group are traced, such as nginx.service; with
--zone NAME, of this container.
With -c COMMAND, -p '\''$target'\'' is its process.
'
usage='usage: sees [-p PROCESS] [-n NAME] [-x] [-d DURATION] [-b ROOM] [INTERVAL]\n'
refused() { # TEXT WORDS...
  text=$1
  shift
  run "$DTRACE" -s "$work/sees.d" "$@"
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
With --cgroup NAME, only threads of this control group are traced, such as nginx.service; with
--zone NAME, of this container.
'
sed -i 's/summary.*/&\n#pragma D flag p port int only this port/; s/== $target/== $port/' "$work/about.d"
run "$DTRACE" -s "$work/about.d" -h
want 0
same out 'about: about a process
usage: about [-p PORT]

  -p PORT  only this port
  -h       print this text

Other options are those of dtrace, such as -o FILE, -c COMMAND and -x OPTION.
With --cgroup NAME, only threads of this control group are traced, such as nginx.service; with
--zone NAME, of this container.
'
done_testing
