. "$TESTS/lib.sh"
# Ctrl-C prints what is due: END, a newline, the aggregations.
"$DTRACE" -q -n 'BEGIN { printf("ready\n"); } tick-10ms { @t = count(); } END { printf("the end\n"); }' >"$work/out" 2>"$work/err" &
tracer=$!
until_true 10 grep -q ready "$work/out"
sleep 0.3
kill -INT $tracer
wait $tracer
status=$?
want 0
has out 'the end'
matches out '^ +[0-9]+$'
done_testing
