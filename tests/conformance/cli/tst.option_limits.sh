# @@timeout: 120
. "$TESTS/lib.sh"
# Options of size take every size: small ones are rounded up, and what is too large is
# lowered, which is reported, or refused with bufresize=manual.
program='BEGIN { s = "abc"; @[s] = count(); a[s] = 1; self->x = 1; exit(0); }'
for option in bufsize=1 bufsize=16 bufsize=32 bufsize=40 bufsize=50 strsize=1 strsize=6 dynvarsize=0 dynvarsize=15 \
  aggsize=1 specsize=1 pcapsize=1 scratchsize=1 stackframes=0 aggsortpos=5000 stackindent=1000 bufsize=010k; do
  run "$DTRACE" -q -x $option -n "$program"
  want 0
  same err ''
done
for option in bufsize=2g bufsize=1t bufsize=100t aggsize=100t dynvarsize=100t specsize=0xffffffffffffffff; do
  run "$DTRACE" -q -x $option -n "$program syscall::write:entry { trace(1); }"
  want 0
done
run "$DTRACE" -b 100t -n 'BEGIN { exit(0); } syscall::getppid:entry { trace(1); }'
want 0
has err 'dtrace: buffer size lowered to '
run "$DTRACE" -q -x strsize=1m -n 'BEGIN { exit(0); }'
want 0
same err 'dtrace: strsize lowered to 64k\n'
run "$DTRACE" -q -x strsize=1m -x quietresize -n 'BEGIN { exit(0); }'
want 0
same err ''
run "$DTRACE" -q -x strsize=1m -x bufresize=manual -n 'BEGIN { exit(0); }'
want 1
same err 'dtrace: could not enable tracing: strsize is 1048576, and may be 65536 at most\nhint: with bufresize=auto it is lowered\n'
run "$DTRACE" -q -b 100t -x bufresize=manual -n 'BEGIN { exit(0); } syscall::getppid:entry { trace(1); }'
want 1
has err 'buffer size 100t is more than the '
for option in bufsize=0 strsize=0 bufsize=-1 bufsize=18446744073709551616 bufsize=99999999999t; do
  run "$DTRACE" -q -x $option -n 'BEGIN { exit(0); }'
  want 1
  has err 'Invalid value for specified option'
done
# A buffer that holds a single record still gives all of them.
run "$DTRACE" -q -b 16 -n 'BEGIN { printf("%s", "0123456789"); printf("%s", "0123456789"); } END { printf("."); } tick-10ms { exit(0); }'
want 0
same out '01234567890123456789.\n'

# Flags take the words of other DTraces in any case, and numbers.
for word in yes YES on Enabled enable set TRUE 1 4; do
  run "$DTRACE" -x quiet=$word -n 'BEGIN { trace(1); exit(0); }'
  want 0
  same out '1\n'
  run "$DTRACE" -n "#pragma D option quiet=$word
BEGIN { trace(1); exit(0); }"
  same out '1\n'
  run "$DTRACE" -q -n "BEGIN { setopt(\"quiet\", \"$word\"); } BEGIN { trace(1); exit(0); }"
  want 0
  same err ''
done
for word in no NO off Disabled disable unset FALSE 0; do
  run "$DTRACE" -q -x quiet=$word -n 'BEGIN { exit(0); }'
  want 0
  has out 'FUNCTION:NAME'
done
run "$DTRACE" -q -n 'BEGIN { @[1] = sum(1); @[2] = sum(2); setopt("aggsortrev", "4"); exit(0); }'
want 0
same err ''
same out '\n        2                2\n        1                1\n'

# Names that came later than the version are free.
run "$DTRACE" -q -x version=1.0 -n 'int strstr; int ucaller; BEGIN { strstr = 3; printf("%d", strstr); exit(0); }'
want 0
same out '3\n'
run "$DTRACE" -q -x version=1.1 -n 'int strstr; BEGIN { exit(0); }'
want 1
# Addresses of programs without names.
run "$DTRACE" -q -x noresolve -n 'syscall::exit_group:entry /pid == $target/ { ustack(1); printf("%A", ucaller); }' -c /bin/true
want 0
matches out '^ +0x[0-9a-f]+$'
grep -q libc "$work/out" && fail "a name in spite of noresolve"
# Libraries alone.
for words in '-b 1k -e' "-L $work -e" '-e'; do
  run "$DTRACE" $words
  want 0
  same out ''
  same err ''
done
echo 'inline int a = ;' >"$work/a.d"
run "$DTRACE" -L "$work" -e
has err 'syntax error near ";"'
run "$DTRACE" -b 1k
want 1
first err '^dtrace: no probes specified$'
run "$DTRACE" -q -p " $$" -n 'BEGIN { exit(0); }'
want 0
run "$DTRACE" -q -p "$$ " -n 'BEGIN { exit(0); }'
want 1
has err 'invalid pid'
done_testing
