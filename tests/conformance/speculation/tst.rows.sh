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
# Without buffers there is no speculation, which is counted; what belongs to none is nothing.
run "$DTRACE" -q -x nspec=0 -n 'BEGIN { x = speculation(); trace(x); } BEGIN { speculate(x); trace(7); } BEGIN { commit(x); } BEGIN { discard(x); exit(0); }'
want 0
same out '0\n'
same err 'dtrace: 1 failed speculation (no speculative buffer available)\n'
run "$DTRACE" -q -x nspec=0 -n 'BEGIN { commit(1); } BEGIN { exit(0); }'
want 0
has err 'illegal operation'
done_testing
