# @@host
# Tools by name, and the list of them.
. "$TESTS/lib.sh"
run "$DTRACE" --tools
want 0
same err ''
matches out '^  opensnoop +[A-Za-z]'
[ "$(grep -c '^  [a-z0-9_]* *  ' "$work/out")" = "$(ls "$TESTS/../tools/"*.d | wc -l)" ] || fail "not every tool is listed"
run "$DTRACE" --tools TCP
want 0
! grep -v tcp "$work/out" | grep -qiv tcp || { fail "a tool without tcp"; cat "$work/out"; }
has out tcpconnect
run "$DTRACE" --tools nothingofthekind
want 1
has err "no tool has 'nothingofthekind'"

run "$DTRACE" -e -s opensnoop
want 0
run "$DTRACE" -e -s opensnop
want 1
same err 'dtrace: failed to open opensnop: No such file or directory\nhint: did you mean the tool opensnoop?\n'
run "$DTRACE" -s xyzzy
want 1
has err 'failed to open xyzzy: No such file or directory'
# A file comes first.
cd "$work" || exit 1
printf 'BEGIN { printf("mine\\n"); exit(0); }\n' >opensnoop
run "$DTRACE" -q -s opensnoop
want 0
same out 'mine\n\n'
done_testing
