# @@host
# Tools by name, and the list of them.
. "$TESTS/lib.sh"
run "$DTRACE" --tools
want 0
same err 'hint: dtrace -s argdist runs one; dtrace -s argdist -h prints its options and examples\nhint: dtrace --tools slow lists what answers a question with this word, too\n'
matches out '^  opensnoop +[A-Za-z]'
[ "$(grep -c '^  [a-z0-9_]* *  ' "$work/out")" = "$(ls "$TESTS/../tools/"*.d | wc -l)" ] || fail "not every tool is listed"
run "$DTRACE" --tools TCP
want 0
! grep -v tcp "$work/out" | grep -iv tcp | grep -q . || { fail "a tool without tcp"; cat "$work/out"; }
has out tcpconnect
run "$DTRACE" --tools nothingofthekind
want 1
same err "dtrace: no tool has 'nothingofthekind' in its name or in what it shows\nhint: dtrace --tools lists all of them\n"
same out ''
# Commands that people know: what answers their questions here.
run "$DTRACE" --tools lsof
want 1
same err "dtrace: no tool is called 'lsof'\nhint: /proc/PID/fd has the files that are open; dtrace -s opensnoop shows those that are opened\n"
for word in tcpdump ss iotop htop xfsslower iostat pidstat mpstat vmstat sar perf gdb ps bpftrace stap ping jstack py-spy dmesg free; do
	run "$DTRACE" --tools "$word"
	want 1
	has err "no tool is called '$word'"
	for tool in $(grep -o 'dtrace -s [a-z0-9_]*' "$work/err" | cut -d ' ' -f 3); do
		[ -e "$TESTS/../tools/$tool.d" ] || fail "$word: there is no tool $tool"
	done
done
run "$DTRACE" --tools memroy
want 1
has err 'hint: similar words that have tools: memory'
run "$DTRACE" --tools opensnop
want 1
has err 'hint: similar words that have tools: opensnoop'
# A word that only the descriptions have.
run "$DTRACE" --tools calloc
want 0
has err "no tool has 'calloc' in its name or in what it shows"
has err 'these have the word in their descriptions:'
has out memleak

# Questions, in one word or as a sentence; the tools stand before them.
run "$DTRACE" --tools script
want 0
matches out '^  What does a script wait for\?  +dtrace -s syscost -f -P -c COMMAND$'
run "$DTRACE" --tools packets
want 0
matches out '^  Who sends packets to this address\?  +dtrace -n .ip:::send '
first out '^  netqtop '
sed -n '/^$/,$p' "$work/out" | grep -q 'Who sends' || fail "the tools do not stand before the questions"
run "$DTRACE" --tools 'Which query is' slow?
want 0
matches out '^  Which query of a database is slow'
run "$DTRACE" --tools who opens
want 0
matches out '^  Who opens this file\?  +dtrace -s opensnoop -P /etc/passwd$'
run "$DTRACE" --tools why is my program slow
want 0
matches out '^  Why is a command slow: where does it wait\?  +dtrace -s offcputime -j -m 1000 -c COMMAND$'
run "$DTRACE" --tools wombat xyzzy
want 1
has err "no tool has 'wombat xyzzy' in its name"
# Of several words that nothing has together, what has the most of them, in any form.
run "$DTRACE" --tools wombat leaks memory
want 0
has err "no tool has all of 'wombat leaks memory' in its name"
has err 'these come nearest, the best first'
first out '^  memleak '
matches out '^  Who leaks memory'
run "$DTRACE" --tools wombat killed
want 0
matches out '^  killsnoop '

run "$DTRACE" -e -s opensnoop
want 0
run "$DTRACE" -e -s opensnop
want 1
same err 'dtrace: failed to open opensnop: No such file or directory\nhint: did you mean the tool opensnoop?\n'
run "$DTRACE" -s xyzzy
want 1
has err 'failed to open xyzzy: No such file or directory'
# A file comes first.
cd "$work" || exit 1
printf 'BEGIN { printf("mine\\n"); exit(0); }\n' >opensnoop
run "$DTRACE" -q -s opensnoop
want 0
same out 'mine\n\n'
matches err '^hint: opensnoop is the file in this directory; the tool of this name is /.*/opensnoop\.d$'
run "$DTRACE" -q -s ./opensnoop
want 0
same err ''
# But no program, and no script of another language: the sources of dtrace have a ./trace.
printf '#!/bin/sh\necho no\n' >syncsnoop
cp "$(command -v true)" killsnoop
for name in syncsnoop killsnoop; do
  run "$DTRACE" -e -s $name
  want 0
  same err ''
done
run "$DTRACE" -e -s ./syncsnoop
want 1
printf '#!/usr/sbin/dtrace -qs\nBEGIN { printf("mine\\n"); exit(0); }\n' >setuids
run "$DTRACE" -q -s setuids
same out 'mine\n\n'
mkdir execsnoop
run "$DTRACE" -e -s execsnoop
want 0
same err ''
# Other programs that people know.
run "$DTRACE" --tools strace
want 0
matches out '^  Which system calls take the time, as strace -c shows it\?  +dtrace -s syscost -f -c COMMAND$'
run "$DTRACE" --tools ltrace
want 0
has out 'pid$target:libc::entry'
# A tool about a process asks for it, without errors of a script.
run "$DTRACE" -s memleak
want 1
same err 'What is to be traced? -c COMMAND runs a command, -p PID traces a process.
usage: memleak [-f FRAMES] [-z SMALLEST] [-Z LARGEST] [-T TOP] [INTERVAL]
               [COUNT] -c COMMAND | -p PID
'
# A time that never comes is not one to be read.
run "$DTRACE" -s klockstat -h
want 0
has out 'the time between two reports (one at the end)'
! grep -q 365d "$work/out" || fail 'a year is shown'
done_testing
