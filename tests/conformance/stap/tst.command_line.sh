# The command line of stap and staprun: what is kept and runs later, files of output, the background, warnings as errors,
# times, directories of aliases, and what is taken or refused.
. "$TESTS/lib.sh"
staprun=$(dirname "$STAP")/staprun
cd "$work" || exit 1
# -p4 prints the name of a file, which staprun runs with other values of globals.
"$STAP" -p4 -m mine -e 'global g = 1 probe begin { printf("%d %s\n", g, @1) exit() }' word >"$work/name" || fail "-p4"
same name 'mine.bo\n'
run "$staprun" mine.bo g=7
want 0
same out '7 word\n'
run "$staprun" -c 'true' -o said.%% mine.bo
want 0
[ "$(cat said.%)" = '1 word' ] || fail "-o with time"
echo broken >broken.bo
run "$staprun" broken.bo
want 1
has err "'broken.bo' is no module of stap -p4: it is damaged"
run "$staprun" /
want 1
first err '^ERROR: failed to open /: Is a directory$'
run "$STAP" /
want 1
first err "^ERROR: Input file '/' is missing or unreadable: failed to open /: Is a directory\.$"
run "$staprun" none.bo
want 1
has err "cannot open 'none.bo'"
[ "$("$STAP" -p4 -e 'probe begin { exit() }')" = "$("$STAP" -p4 -e 'probe begin { exit() }')" ] || fail "one script, two names"
# Options may stand behind the script and between its arguments; behind -- there are none.
echo 'probe begin { printdln(" ", @1, @2, $#, target() > 0) }' >behind.stp
run "$STAP" behind.stp -c true one -w -- -2
want 0
same out 'one -2 2 1\n'
run "$STAP" behind.stp -x $$ one -p2 -2
want 1
has err 'option -2 is not supported'
# A series of files, of which the last two are kept.
run "$STAP" -o series -S 1,2 -e 'probe begin {
  line = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
  for (i = 0; i < 9000; i++) printf("%s%s%s%s\n", line, line, line, line)
  exit()
}' -D MAXACTION_INTERRUPTIBLE=1000000
want 0
[ "$(ls series.* | tr '\n' ' ')" = 'series.2 series.3 ' ] || fail "series: $(ls series.*)"
# In the background; the file is complete when the process has gone.
pid=$("$STAP" -F -o behind -e 'probe begin { println("behind") exit() }')
until_true 20 sh -c "! kill -0 $pid 2>/dev/null"
[ "$(cat behind)" = behind ] || fail "-F: $(cat behind)"
run "$STAP" -F -e 'probe begin { exit() }'
want 1
has err 'a run in the background needs -o FILE'
# Warnings are errors; or nothing.
run "$STAP" -W -e 'probe begin { println(x + 1) exit() }'
want 1
has err "never-assigned local variable 'x'"
has err 'a warning is an error with -W'
same out ''
run "$STAP" -w -e 'probe begin { println(x + 1) exit() }'
want 0
same err ''
# Times of handlers, globals, errors, and the end of a command.
run "$STAP" -t -e 'probe begin { exit() }'
matches out '^begin, \(<input>:1:7\), hits: 1, ns: [0-9]+min/[0-9]+avg/[0-9]+max$'
run "$STAP" --no-global-var-display -e 'global g probe begin { g = 1 exit() }'
same out ''
run "$STAP" --suppress-handler-errors -e 'probe begin { println(1 / 0) } probe begin(1) { println("on") exit() }'
want 0
same out 'on\n'
run "$STAP" -e 'probe begin { }' -c 'sh -c "exit 3"'
want 0
has err 'WARNING: Child process exited with status 3'
# Directories of aliases and functions; what a pass has made.
mkdir more
echo 'probe mine.begin = begin { what = "mine" } function twice(n) { return 2 * n }' >more/own.stp
run "$STAP" -I more -e 'probe mine.begin { println(what, twice(2)) exit() }'
[ "$(cat "$work/out" "$work/err")" = mine4 ] || run "$STAP" -I more -e 'probe mine.begin { printf("%s%d\n", what, twice(2)) exit() }'
same out 'mine4\n'
run "$STAP" -k -e 'probe begin { exit() }'
kept=$(sed -n 's/^Keeping temporary directory "\(.*\)"$/\1/p' "$work/err")
[ -s "$kept/ast" ] && [ -s "$kept/typed" ] && rm -r "$kept" || fail "-k"
run "$STAP" --vp 01 -e 'probe begin { exit() }'
matches err '^Pass 2: analyzed script: 1 probe, 0 functions, 0 embeds, 0 globals using .*ms\.$'
grep -q '^Pass 5' "$work/err" && fail "--vp: pass 5"
run "$STAP" -v -e 'global n probe begin { n = 1 exit() } probe end { println(n) }'
matches err '^Pass 2: analyzed script: 2 probes, 0 functions, 0 embeds, 1 global using [0-9]+res kb, in .*ms\.$'
matches err '^Pass 5: run completed in [0-9]+usr/[0-9]+sys/[0-9]+real ms\.$'
# What is taken.
run "$STAP" -u -b -B CONFIG=y -a x86_64 -R /r -q --ldd --compatible 4.0 --disable-cache --rlimit-cpu=9 --color=auto \
  --privilege=stapdev --use-server -r "$(uname -r)" -e 'probe begin { println("ran") exit() }'
want 0
same out 'ran\n'
# Lines that a shell reads, and those that it does not.
touch "$work/one.known" "$work/two.known"
run "$STAP" -e 'probe end { println("end") }' -c "ls $work/*.known | wc -l"
want 0
same out '2\nend\n'
run "$STAP" -e 'probe process.end { if (pid() == target()) println(execname()) }' -c "echo \$((2 + 3)) >$work/made"
want 0
[ "$(cat "$work/made")" = 5 ] || fail "a redirection"
run "$STAP" -e 'probe end { println("end") }' -c "echo it\\'s '|' \"a b\" > $work/made"
want 0
[ "$(cat "$work/made")" = "it's | a b" ] || { cat "$work/made"; fail "quotes in a shell"; }
run "$STAP" -e 'probe end { println("end") }' -c "printf '%s.%s.' 'a | b' \"*\""
want 0
same out 'a | b.*.end\n'
# A pattern makes the shell become the command, so that target() is it.
run "$STAP" -e 'probe syscall.openat { if (pid() == target() && execname() == "cat") n++ } global n; probe end { println(n > 0) }' \
  -c "cat $work/one.kn*"
want 0
same out '1\n'
# What is refused.
refuses() {
  run "$STAP" "$@" -e 'probe begin { exit() }'
  want 1
}
refuses --remote=host
has err 'option --remote is not supported: run stap there'
refuses --privilege=stapusr
refuses -r 2.6.18
has err 'only the running kernel is traced'
refuses -S x
refuses -m 'a b'
refuses -c true -x 1
has err "You can't specify -c and -x options together."
refuses --nonsense
has err 'option --nonsense is not supported'
done_testing
