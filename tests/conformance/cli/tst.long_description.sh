# @@host
. "$TESTS/lib.sh"
# A description of a megabyte is refused as soon as a short one; one of 16 KiB is the longest that there can be.
for text in 'print("a" * 1000000)' 'print("a" * 1000000 + ":::")' 'print(":::" + "*a" * 500000)' 'print("BEGIN" * 200000)'; do
  python3 -c "$text" | sed 's/$/ { exit(0); }/' >"$work/long.d"
  run timeout 60 "$DTRACE" -e -s "$work/long.d"
  want 1
done
python3 -c 'print("dtrace:::BEG" + "*" * 16000 + " { exit(4); }")' >"$work/stars.d"
run timeout 60 "$DTRACE" -q -s "$work/stars.d"
want 4
python3 -c 'print("dtrace:::BEG" + "*" * 1000000 + " { exit(4); }")' >"$work/stars.d"
run timeout 60 "$DTRACE" -q -s "$work/stars.d"
want 1
has err 'the limit is 16384'
run "$DTRACE" -l -n 'dtrace:::\**'
want 1
done_testing
