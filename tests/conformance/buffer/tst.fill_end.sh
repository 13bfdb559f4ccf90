# @@host
. "$TESTS/lib.sh"
# The buffer holds what END records, however small it was asked for: nobody reads it meanwhile.
program='BEGIN { exit(0); }'
for i in $(seq 300); do program="$program END { printf(\"%s\\n\", strjoin(\"end \", execname)); }"; done
for policy in switch fill ring; do
  run "$DTRACE" -q -x bufpolicy=$policy -x bufsize=4k -n "$program"
  want 0
  same err ''
  lines=$(grep -c '^end dtrace' "$work/out")
  [ "$lines" = 300 ] || fail "bufpolicy=$policy: $lines lines of END, wanted 300"
done
done_testing
