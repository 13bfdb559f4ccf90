# Tracing goes on while records arrive faster than they are put in order: a consumer that reads all the time is alive.
. "$TESTS/lib.sh"
cat > "$work/calls.py" <<'PYTHON'
import os, time
end = time.monotonic() + 10
while time.monotonic() < end:
    for _ in range(1000):
        os.getppid()
PYTHON
run "$DTRACE" -q -x temporal -x deadman=5s -x bufsize=64k -n 'syscall::getppid:entry { trace(1); } END { printf("\nended\n"); }' \
  -c "sh -c 'python3 $work/calls.py & python3 $work/calls.py; wait'"
[ "$status" = 0 ] || fail "exit status $status: $(cat "$work/err")"
grep -q 'processing aborted' "$work/err" && fail "$(cat "$work/err")"
tail -n 2 "$work/out" | grep -q '^ended$' || fail "END did not print"
done_testing
