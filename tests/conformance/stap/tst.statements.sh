# Lines of a program, and functions by the files that they stand in.
. "$TESTS/lib.sh"
family=$(copy_of family)
line_of() { grep -n "$1" "$TESTS/workloads/family.c" | cut -d: -f1; }
shorten=$(line_of 'return sign < 0')
lookup=$(line_of 'return first->next')
waits=$(line_of 'waitpid(child')
run_undisturbed "$STAP" -e 'global n
probe process("'"$family"'").statement("*@family.c:'"$shorten"'") { n["shorten", probefunc()]++ }
probe process("'"$family"'").statement("lookup@family.c+2") { n["lookup", pp()]++ }
probe process.statement("main@*/family.c:'"$waits"'") { n["main", usymname(uaddr())]++ println(usymline(uaddr())) }
probe process("'"$family"'").function("*@family.c:'"$lookup"'") { n["by line", probefunc()]++ }
probe process("'"$family"'").function("*@family.c") { if (probefunc() != "thread") n["by file", pp()]++ }
probe end { foreach ([what, where] in n) printf("%s %s %d\n", what, where, n[what, where]) }' -c "$family"
want 0
sed -i 's#"/[^"]*/family"#"/family"#; s#@/[^"]*/family.c#@family.c#' "$work/out"
LC_ALL=C sort -o "$work/out" "$work/out"
same out "$waits"'
by file process("/family").function("lookup") 2
by file process("/family").function("main") 1
by file process("/family").function("shorten") 4
by line lookup 2
lookup process("/family").statement("lookup@family.c:'"$lookup"'") 2
main main 1
shorten shorten 4\n'
# All lines of a function; one near to a line without code; what is not there.
run "$STAP" -l 'process("'"$family"'").statement("lookup@family.c:*")'
want 0
matches out "statement\\(\"lookup@.*/family.c:$lookup\"\\)\$"
run "$STAP" -l 'process("'"$family"'").statement("lookup@family.c:'"$((lookup + 1))"'").nearest'
want 0
matches out '^process.*statement\("lookup@.*/family.c:[0-9]+"\)$'
[ "$(grep -c '' "$work/out")" = 1 ] || { fail nearest; cat "$work/out"; }
run "$STAP" -e 'probe process("'"$family"'").statement("*@family.c:2") { }'
want 1
has err 'no line records for family.c:2'
matches err '^hint: try line [0-9]+$'
run "$STAP" -e 'probe process("'"$family"'").statement("*@none.c:2") { }'
has err "no debugging information of '*' in a file 'none.c'"
run "$STAP" -e 'probe process("'"$family"'").statement("main") { }'
has err 'expected "function@file:line"'
done_testing
