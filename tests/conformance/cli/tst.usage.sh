# @@host
. "$TESTS/lib.sh"
run "$DTRACE"
want 2
first err '^Usage: dtrace '
# What to type first, of which every line is a command that there is.
same out ''
for words in "-n 'syscall:::entry" "--tools file" "-s opensnoop" "-l tcp" "--help"; do
  has err "dtrace $words"
done
run "$DTRACE" -e -s opensnoop
want 0
run "$DTRACE" --tools file
want 0
run "$DTRACE" -y
want 2
first err "^dtrace: invalid option -- 'y'$"
run "$DTRACE" -n
want 2
first err "^dtrace: option requires an argument -- 'n'$"
run "$DTRACE" -lV
want 2
same err 'dtrace: only one of the [-AGhlV] options can be specified at a time\n'
run "$DTRACE" -V
want 0
same out 'dtrace: Sun D 1.14\n'
run "$DTRACE" --version
want 0
matches out '^dtrace [0-9]+\.[0-9]+\.[0-9]+ \(D 1\.14, Linux [^ ]+, x86-64\)$'
run "$DTRACE" --help
want 0
has out examples
has out '-x cgroup=NAME'
has out '-x zone=NAME'
# Every letter is explained, and no line is too long for a wide terminal.
for letter in n s P m f i c p Z w l V q o F B x v b C D U I L A a h G e S; do
  grep -qE -- "-$letter\\b" "$work/out" || fail "-$letter is not in --help"
done
awk 'length > 120 { print; bad = 1 } END { exit bad }' "$work/out" || fail "long lines"
run "$DTRACE" -q
want 1
same err 'dtrace: no probes specified\nhint: -n PROGRAM or -s SCRIPT says what to trace; dtrace --tools lists scripts\n'
# What newcomers try.
hinted() {
  hint=$1; shift
  run "$DTRACE" "$@"
  [ "$status" != 0 ] || fail "$*: it is accepted"
  has err "hint: $hint"
}
hinted '-x zone=NAME' --zone web.scope -n BEGIN
hinted '-l lists probes, and --tools scripts' --list
hinted 'did you mean --version?' --verison
hinted 'opensnoop is a tool: dtrace -s opensnoop' -n opensnoop
hinted "did you mean 'syscall::mkdirat:entry'?" -n mkdirat
hinted "a function of a program is 'pid\$target::malloc:entry', under -p or -c" -n 'malloc:entry { trace(arg0); }'
hinted "a function of a program is 'pid\$target::malloc:entry', under -p or -c" -s funccount malloc -c /bin/true
hinted "a function of a program is 'pid\$target:a.out:main:entry', under -p or -c" -s trace a.out:main -c /bin/true
# A command, a path, a process or a name that stands where the options of a tool should.
hinted "-c 'ls' runs this command" -s syscost -f ls
hinted "quote a command with its options: -c 'ls -l'; to list probes, write -l before -s" -s syscost -f -c ls -l
hinted "quote a command with its arguments: -c 'ls /tmp'" -s syscost -f -c ls /tmp
hinted "-c '/bin/ls' runs this command" -s memleak /bin/ls
hinted "-c 'sleep' runs this command; -n sleep chooses programs of this name" -s execsnoop sleep
hinted 'did you mean -P /etc/passwd?' -s opensnoop /etc/passwd
hinted 'did you mean -p 1? -d 1 ends after so many seconds' -s opensnoop 1
hinted "did you mean -p 1? -c 'sleep 1' ends after so many seconds" -s tcplife 1
hinted 'did you mean -p 5? -d 5 ends after so many seconds' -s funclatency 5
hinted 'did you mean -p 5? -d 5 ends after so many seconds' -s funccount 5
hinted "to run it, write --command 'sleep 1'" -s bitesize -c 'sleep 1'
hinted "to run it, write --command '/bin/ls'" -s bitesize -c/bin/ls
hinted "did you mean '::openat:entry'" -n 'opennat:entry { trace(arg0); }'
run "$DTRACE" -l -s syscost -c ls
want 0
matches out '^ +ID +PROVIDER'
done_testing
