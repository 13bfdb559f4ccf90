# @@host
. "$TESTS/lib.sh"
# -o appends.
echo before >"$work/file"
run "$DTRACE" -q -o "$work/file" -n 'BEGIN { printf("traced\n"); exit(0); }'
want 0
[ "$(head -n 2 "$work/file")" = "before
traced" ] || { fail "-o did not append"; cat "$work/file"; }
run "$DTRACE" -o /nonexistent/file -n 'BEGIN { exit(0); }'
want 1
same err "dtrace: failed to open '/nonexistent/file': No such file or directory\n"
# A list, too.
for list in '-n BEGIN' '-n END' 'dtrace:::ERROR'; do
  run "$DTRACE" -l -o "$work/list" $list
  want 0
  same out ''
  same err ''
done
[ "$(awk '{ print $NF }' "$work/list" | tr '\n' ' ')" = "NAME BEGIN NAME END NAME ERROR " ] ||
  { fail "-l -o did not append the list"; cat "$work/list"; }
run "$DTRACE" -l -o /nonexistent/file -n BEGIN
want 1
same err "dtrace: failed to open '/nonexistent/file': No such file or directory\n"
run "$DTRACE" -l -o /dev/full -n BEGIN
want 1
same err "dtrace: failed to write to '/dev/full': No space left on device\n"
done_testing
