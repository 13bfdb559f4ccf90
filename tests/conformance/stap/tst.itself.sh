# The calls of stap itself are no events, unless the script names stp_pid().
. "$TESTS/lib.sh"
calls='probe syscall.* { if (execname() == "stap") seen[pid()]++ } probe end { foreach (one in seen) printf("stap %d\n", one) }'
run "$STAP" -e "global seen $calls" -c 'sh -c "echo by $PPID; ls / >/dev/null"'
want 0
itself=$(sed -n 's/^by //p' "$work/out")
[ -n "$itself" ] || fail "no parent"
grep -qx "stap $itself" "$work/out" && fail "its own calls"
run "$STAP" -e "global seen probe begin { printf(\"%d\\n\", stp_pid()) } $calls" -c 'sh -c "ls / >/dev/null"'
want 0
has out "stap $(head -n 1 "$work/out")"
done_testing
