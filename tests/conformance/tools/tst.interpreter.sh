# A script of tools/ by its name, as it is when it has been installed: its first line names the command.
. "$TESTS/lib.sh"
sed "1s,/usr/sbin/dtrace,$DTRACE," "$TESTS/../tools/tcpconnect.d" >"$work/tcpconnect.d"
chmod +x "$work/tcpconnect.d"
"$work/tcpconnect.d" >"$work/out" 2>"$work/err" </dev/null &
until_true 60 grep -q '^PID  *COMMAND' "$work/out" || cat "$work/err"
kill -INT $! 2>/dev/null
kill -TERM $! 2>/dev/null
wait $! || fail "exit status $?"
same err ''
done_testing
