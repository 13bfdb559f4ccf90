# @@host
# A handler that does something in the process of -c alone records nothing of others; what it does before it asks still happens.
. "$TESTS/lib.sh"
storm=$(copy_of getppid)
"$storm" 3000000 &
others=$!
run "$STAP" -e '
probe syscall.getppid {
  text = sprintf("%s %s", name, cmdline_str())
  if (text == "" || pid() != target()) next
  println(text)
}
probe syscall.getppid.return { if (pid() == target() && $return > 0) printf("%d\n", @entry(cpu()) >= 0) }
probe syscall.getppid if (target() == pid()) { println(execname()) }
' -c "$storm 1"
kill "$others" 2> /dev/null
want 0
[ "$(grep -c "^getppid $storm 1$" "$work/out") $(grep -c '^1$' "$work/out") $(grep -c '^getppid$' "$work/out")" = "1 1 1" ] || { fail "the process itself"; cat "$work/out"; }
[ ! -s "$work/err" ] || { fail "firings of other processes were recorded"; cat "$work/err"; }
# What counts everybody still does.
run "$STAP" -e 'global all, mine, calls
function count() { calls++ return 1 }
probe syscall.getppid {
  if (!(all++ >= 0) || pid() != target()) next
  mine++
}
probe syscall.getppid { if (count() && pid() == target()) println("mine") }
probe syscall.getppid { if (pid() == target()) next others = 1 }
probe end { printf("%d %d %d\n", all >= 201, mine >= 1 && mine < 10, calls >= 201) }
global others = 0
probe end { println(others) }
' -c "sh -c '$storm 200; exec $storm 1'"
want 0
has out '1 1 1'
has out 'mine'
done_testing
