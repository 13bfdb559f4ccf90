# Names of a command's code: of libraries that it maps later, and of what it executes.
. "$TESTS/lib.sh"

for command in '/bin/sleep 0.5' "sh -c 'exec /bin/sleep 0.5'"; do
  run "$DTRACE" -q -c "$command" -n 'syscall::clock_nanosleep:entry /pid == $target/ { ustack(1); @[ustack(1)] = count(); }'
  want 0
  [ "$(grep -c 'libc.so.6`clock_nanosleep+0x' "$work/out")" = 2 ] || { fail "of $command"; cat "$work/out"; }
done
done_testing
