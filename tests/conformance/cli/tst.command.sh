. "$TESTS/lib.sh"
# -c runs the command, follows its end, and misses nothing of it.
run "$DTRACE" -c "$BUILD/tests/workloads/getppid 7" -n 'syscall::getppid:entry /pid == $target/ { @ = count(); }'
want 0
has out '                7'
matches err '^dtrace: pid [0-9]+ has exited$'
run "$DTRACE" -q -c 'printf "%s|%s" "a b" c\ d' -n 'BEGIN { }'
want 0
has out 'a b|c d'
# Words for a shell are words of the command, which is said.
run "$DTRACE" -q -c 'printf "[%s]" a > /dev/null' -n 'BEGIN { }'
want 0
has out '[a][>][/dev/null]'
has err "dtrace: the command has '>' as a word of its own: no shell reads -c"
has err "hint: a pipe, a redirection, a list, a variable or a pattern takes a shell: -c \"sh -c '...'\""
run "$DTRACE" -q -c 'echo $HOME' -n 'BEGIN { }'
want 0
has out '$HOME'
has err "dtrace: the command has '\$HOME' as a word of its own: no shell reads -c"
run "$DTRACE" -q -c "sh -c 'echo \$0'" -n 'BEGIN { }'
want 0
same err ''
run "$DTRACE" -q -c "sh -c 'printf hidden > /dev/null'" -n 'BEGIN { }'
want 0
same err ''
run "$DTRACE" -c /nonexistent/command -n BEGIN
want 1
first err '^dtrace: failed to execute /nonexistent/command: No such file or directory$'
run "$DTRACE" -c 'sh -c "exit 3"' -n 'END { }'
want 0
matches err '^dtrace: pid [0-9]+ exited with status 3$'
run "$DTRACE" -c 'sh -c "kill -9 $$"' -n 'END { }'
want 0
matches err '^dtrace: pid [0-9]+ terminated by SIGKILL$'
# A command does not outlive us.
run "$DTRACE" -q -c 'sleep 300' -n 'tick-50ms { printf("%d\n", $target); exit(0); }'
want 0
pid=$(head -n 1 "$work/out")
until_true 5 sh -c "! kill -0 $pid 2>/dev/null"
done_testing
