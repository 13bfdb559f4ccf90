# The scripts of tools/: each is short, says in its head what it shows and where its numbers come from, names its
# interpreter, explains its options, and has a test of its own.
. "$TESTS/lib.sh"
for script in "$TESTS"/../tools/*.d; do
  name=$(basename "$script" .d)
  [ "$(wc -l <"$script")" -le 60 ] || fail "$name has more than 60 lines"
  ! grep -qE '.{121}' "$script" || fail "$name has lines of more than 120 characters"
  [ -x "$script" ] || fail "$name cannot be executed"
  [ "$(head -n 1 "$script")" = '#!/usr/sbin/dtrace -s' ] || fail "the first line of $name names no interpreter"
  sed -n 2p "$script" | grep -q '^/\* [A-Z].' || fail "$name does not say what it shows"
  sed -n '2,/\*\//p' "$script" | grep -q 'Source: ' || fail "$name does not say where its numbers come from"
  run "$DTRACE" -s "$script" -h
  want 0
  matches out "^$name: ."
  matches out "^usage: $name"
  matches out "^  $name.*  [^ ]" # an example
  # The letters of the examples are those of the script, or dtrace's -c, -o and -x.
  for letter in $(sed -n "s/^#pragma D example $name\(.*\) -- .*/\1/p" "$script" | grep -oE ' -[a-zA-Z]' | sort -u); do
    [ "$letter" = -c ] || grep -q "^#pragma D flag ${letter#-} " "$script" || fail "$name has an example of $letter"
  done
  grep -q "^| \[*\`tools/$name.d\`" "$TESTS/../docs/tools.md" || fail "$name is not in docs/tools.md"
  [ -f "$TESTS/conformance/tools/tst.$name.py" ] || fail "no test runs $name"
done
done_testing
