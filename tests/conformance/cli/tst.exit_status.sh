# @@host
. "$TESTS/lib.sh"
# The status is the low eight bits of what exit() was given, but what is not 0 never looks like success.
exits() {
  wanted=$1
  shift
  run "$DTRACE" -q "$@"
  want "$wanted"
}
exits 7 -n 'BEGIN { exit(7); }'
exits 255 -n 'BEGIN { exit(-1); }'
exits 1 -n 'BEGIN { exit(256); }'
exits 1 -n 'BEGIN { exit(-256); }'
exits 44 -n 'BEGIN { exit(300); }'
# exit() in END replaces it, whatever it was.
exits 5 -n 'BEGIN { exit(3); } END { exit(5); }'
exits 0 -n 'BEGIN { exit(3); } END { exit(0); }'
exits 3 -n 'BEGIN { exit(3); } END { trace(1); }'
exits 6 -c true -n 'END { exit(6); }'
# Structured output says the same.
for given in 0 7 -1 256; do
  run "$DTRACE" -q -x oformat=jsonl -n "BEGIN { exit($given); }"
  has out "\"status\":$status"
done
done_testing
