# The scripts of tools/: each is short, says in its head what it shows, names its interpreter, and compiles.
. "$TESTS/lib.sh"
for script in "$TESTS"/../tools/*.d; do
  name=$(basename "$script")
  [ "$(wc -l <"$script")" -lt 20 ] || fail "$name has 20 lines or more"
  [ -x "$script" ] || fail "$name cannot be executed"
  [ "$(head -n 1 "$script")" = '#!/usr/sbin/dtrace -s' ] || fail "the first line of $name names no interpreter"
  sed -n 2p "$script" | grep -q '^/\* [A-Z].' || fail "$name does not say what it shows"
  run "$DTRACE" -e -s "$script"
  [ "$status" = 0 ] || grep -q 'does not let its functions be traced' "$work/err" || { fail "$name"; cat "$work/err"; }
done
done_testing
