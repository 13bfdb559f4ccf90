. "$TESTS/lib.sh"
# speculate() of no speculation ends its clause: nothing is recorded, nothing behind it runs.
run "$DTRACE" -qn 'BEGIN { speculate(0); x = 1; } BEGIN /x/ { printf("ran"); } BEGIN { exit(0); }'
want 0
same out '\n'
same err ''
run "$DTRACE" -n 'BEGIN { i = speculation(); discard(i); } BEGIN { speculate(i); x = 1; trace(1); } BEGIN { printf("%d", x); exit(0); }'
want 0
sed -n 's/^  [0-9] *[0-9]* *//p' "$work/out" >"$work/rows"
same rows ':BEGIN 0\n'
# Of what was recorded in an if before it, nothing is lost.
run "$DTRACE" -qn 'BEGIN { if (pid != 0) printf("before\n"); if (pid != 0) speculate(0); printf("behind\n"); } BEGIN { exit(0); }'
want 0
same out 'before\n\n'
# An id above all that speculations have had, and above nspec, is a fault.
for clause in 'commit(7);' 'discard(7);' 'speculate(7);' 'commit(-1);' 'speculate(2); printf("a");'; do
    run "$DTRACE" -qn "BEGIN { $clause } BEGIN { exit(0); } ERROR { printf(\"kind %d\\n\", arg4); }"
    want 0
    same out 'kind 3\n\n'
    has err 'illegal operation in action #1'
done
# 0, and what nspec has room for, is no speculation.
for clause in 'commit(1);' 'discard(2);' 'speculate(2); printf("a");'; do
    run "$DTRACE" -qx nspec=2 -n "BEGIN { $clause } BEGIN { printf(\"behind\\n\"); exit(0); }"
    want 0
    same out 'behind\n\n'
    same err ''
done
run "$DTRACE" -qn 'BEGIN { commit(0); } BEGIN { discard(0); } BEGIN { i = speculation(); commit(i); } BEGIN { commit(i); discard(i); } BEGIN { exit(0); }'
want 0
same out '\n'
same err ''
done_testing
