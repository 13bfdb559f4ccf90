# @@host
. "$TESTS/lib.sh"
run "$DTRACE" -n 'syscall::opennat:entry'
want 1
first err '^dtrace: invalid probe specifier syscall::opennat:entry: probe description syscall::opennat:entry does not match any probes$'
has err "did you mean 'syscall::openat:entry'"
run "$DTRACE" -n 'foo:::'
want 1
first err '^dtrace: invalid probe specifier foo:::: probe description foo::: does not match any probes$'
has err "there is no provider 'foo' here; there are: dtrace, syscall, profile"
run "$DTRACE" -Z -q -n 'foo::: { }' -n 'BEGIN { exit(4); }'
want 4
# With -Z it waits for what may come.
run timeout -s TERM 1 "$DTRACE" -Z -q -n 'foo::: { }'
want 124
same err ''
# What comes later has no types now.
run "$DTRACE" -Z -q -n 'foo:::x { trace(args[0]); }'
want 1
has err 'note: -Z lets a probe come later, but args[] has types only where it is there; arg0 to arg9 have none'
run "$DTRACE" -n 'int x;'
want 1
same err 'dtrace: no probes matched\n'
done_testing
