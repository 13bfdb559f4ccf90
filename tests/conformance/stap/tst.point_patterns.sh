# @@host
# In a point, `*` is any text within a component, and `**` also over several; -l lists the points that were asked for.
. "$TESTS/lib.sh"
run "$STAP" -e '
probe mine.one = begin(1) { name = "one" }
probe mine.one.return = begin(2) { name = "one.return" }
probe mine.two = begin(3) { name = "two" }
probe mine.two.of.three = begin(4) { name = "two.of.three" }
probe mine.* { printf("*:%s ", name) }
probe mine.*.return { printf("*.return:%s ", name) }
probe mine.o** { printf("o**:%s ", name) }
probe mine.** { printf("**:%s ", name) }
probe *.two.** { printf("two.**:%s ", name) }
probe m*.t* { printf("t*:%s ", name) }
probe begin(9) { exit() }'
want 0
tr ' ' '\n' <"$work/out" | sort | sed '/^$/d' >"$work/sorted"
sort >"$work/wanted" <<'E2'
*:one
*:two
*.return:one.return
o**:one
o**:one.return
**:one
**:one.return
**:two
**:two.of.three
two.**:two.of.three
t*:two
E2
cmp -s "$work/sorted" "$work/wanted" || { fail "what patterns mean"; diff "$work/wanted" "$work/sorted"; }
for family in tcp udp socket vfs signal; do
  run "$STAP" -l "$family.*"
  want 0
  lines=$(grep -cvE "^$family\.[a-z_0-9]+\$" "$work/out")
  [ "$lines" = 0 ] || { fail "-l $family.*"; cat "$work/out"; }
  run "$STAP" -l "$family.**"
  want 0
  lines=$(grep -cvE "^$family\.(ipv[46]\.)?[a-z_0-9]+(\.return)?\$" "$work/out")
  [ "$lines" = 0 ] || { fail "-l $family.**"; cat "$work/out"; }
  [ "$family" = udp ] || grep -q '\.return$' "$work/out" || fail "-l $family.** lists no return"
done
run "$STAP" -l 'socket.*.return'
want 0
has out socket.close.return
[ "$(grep -cv '^socket\.[a-z_]*\.return$' "$work/out")" = 0 ] || { fail "-l socket.*.return"; cat "$work/out"; }
run "$STAP" -L socket.close.return
want 0
same out 'socket.close.return name:string $return:long\n'
run "$STAP" -p2 -e 'probe syscall.** { }'
want 1
has err "'**' means several components, and a system call is a single one"
has err 'hint: syscall.*, syscall.*.return'
# Of the programs that a pattern means, 32-bit ones are left out.
cp "$BUILD/tests/workloads/family" "$work/both-64"
printf '\177ELF\001' >"$work/both-32"
chmod +x "$work/both-32"
run "$STAP" -p2 -e 'probe process("'"$work"'/both-*").function("main") { }'
want 0
done_testing
