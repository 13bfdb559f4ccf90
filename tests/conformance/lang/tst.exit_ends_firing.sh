. "$TESTS/lib.sh"
# exit() ends the firing behind its clause, whose other statements still run. END runs, and ERROR.
run "$DTRACE" -qn 'BEGIN { exit(3); printf("same"); } BEGIN { printf("later"); } END { printf(" end"); } END { printf(" too\n"); }'
want 3
same out 'same end too\n\n'
run "$DTRACE" -qn 'BEGIN { n = 1; exit(0); n = 2; } BEGIN { n = 3; } END { printf("%d\n", n); }'
want 0
same out '2\n\n'
# Behind an if that may call it, and behind a fault whose ERROR clause does.
run "$DTRACE" -qn 'BEGIN { if (pid == 0) exit(1); else printf("a"); } BEGIN { if (pid != 0) exit(0); } BEGIN { printf("later"); } END { printf("b\n"); }'
want 0
same out 'ab\n\n'
run "$DTRACE" -qn 'BEGIN { printf("%d", *(int *)0); } BEGIN { printf("later"); } ERROR { exit(4); } ERROR { printf("error\n"); }'
want 4
same out 'error\n\n'
# What stands between two ifs, and each branch, runs to its end; nothing behind it does, but in END and ERROR.
run "$DTRACE" -qn 'BEGIN { if (pid) { exit(4); printf("a"); if (pid) printf("b"); } printf("c"); } END { if (pid) exit(5); printf("d\n"); }'
want 5
same out 'ad\n\n'
run "$DTRACE" -qn 'BEGIN { exit(4); printf("a"); if (pid) printf("b"); else x = 1; printf("c"); } END { printf("d\n"); }'
want 4
same out 'ad\n\n'
run "$DTRACE" -qn 'BEGIN { if (1) { exit(4); printf("a"); } printf("c"); } ERROR { if (pid) exit(1); printf("e"); } END { printf("%d", *(int *)0); } END { printf("d\n"); }'
want 1
same out 'aed\n\n'
run "$DTRACE" -qn 'int n; tick-10ms { if (n == 3) exit(0); n++; printf("%d\n", n); }'
want 0
same out '1\n2\n3\n\n'
# Probes of processes, and clauses that are divided into several functions.
run "$DTRACE" -qn 'syscall:::entry /pid == $pid/ { exit(0); } syscall:::entry /pid == $pid/ { printf("later"); }'
want 0
same out '\n'
many=
for i in $(seq 1 150); do
    many="$many tick-10ms { s = strjoin(s, substr(execname, 1)); @[s, $i] = count(); }"
done
run "$DTRACE" -qn "tick-10ms { s = \"a\"; } $many tick-10ms { exit(0); } $many tick-10ms { printf(\"later\"); } END { trunc(@); printf(\"%d\\n\", strlen(s)); }"
want 0
same out '256\n\n'
done_testing
