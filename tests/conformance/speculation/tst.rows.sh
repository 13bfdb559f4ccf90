. "$TESTS/lib.sh"
# speculate() alone makes a row; commit() and discard() make none.
run "$DTRACE" -n 'BEGIN { x = speculation(); } BEGIN { speculate(x); } BEGIN { speculate(x); trace(7); } BEGIN { commit(x); } BEGIN { discard(x); } BEGIN { trace(8); exit(0); }'
want 0
sed 's/^  [0-9]/  0/' "$work/out" >"$work/rows"
same rows 'CPU     ID                    FUNCTION:NAME
  0      1                           :BEGIN 
  0      1                           :BEGIN         7
  0      1                           :BEGIN         8

'
# A speculation that is too large for specsize: counted.
run "$DTRACE" -q -x specsize=64 -n 'BEGIN { x = speculation(); } BEGIN { speculate(x); printf("%s", execname); } BEGIN { speculate(x); printf("%s", execname); } BEGIN { speculate(x); printf("%s", execname); } BEGIN { commit(x); } BEGIN { exit(0); }'
want 0
same out 'dtracedtrace\n'
same err 'dtrace: 1 speculative drop\n'
run "$DTRACE" -x nspec=0 -n BEGIN
want 1
same err 'dtrace: failed to set -x nspec: Invalid value for specified option\nhint: it must be at least 1\n'
done_testing
