# Single instructions: by offset, by address, and all of a function.
# @@timeout: 120
. "$TESTS/lib.sh"
calls=$BUILD/tests/workloads/calls
run "$DTRACE" -q -x aggsortkey -c "$calls" -n '
pid$target:a.out:two_returns: { @[probename, arg0] = count(); }
pid$target:a.out:two_returns:A { @["rax", uregs[R_RAX]] = count(); }
pid$target:a.out:patched:0xa { @["red zone", *(uint64_t *)copyin(uregs[R_SP] - 8, 8)] = count(); }
END { printa("%s %d %@d\n", @); }'
want 0
# Ten calls of its own and ten by onward(); arg0 of return is where it is.
for line in 'entry' '0 0 20' '3 0 20' '5 0 15' 'a 0 15' 'b 0 5' '10 0 5' 'return 10 15' 'return 16 5' 'rax 1 15' 'all is well'; do
  matches out "^$line"
done
for i in 0 1 2 3 4 5 6 7 8 9; do has out "red zone $i 1"; done
# None on what Linux takes for a nop and does not carry out.
run "$DTRACE" -q -c "$calls" -n 'pid$target:a.out:swapped:[0-9a-f]* { @[probename] = count(); } END { printa("%s %@d\n", @); }'
want 0
has out 'all is well'
sed '/well/d; /^$/d' "$work/out" | sort >"$work/places"
printf '2 10
6 10
' | cmp -s - "$work/places" || { fail 'swapped'; cat "$work/out"; }
# An address of the process, also of a function that nothing names.
cp "$calls" "$work/stripped" && strip "$work/stripped" 2>/dev/null || cp "$calls" "$work/stripped"
"$work/stripped" wait >/dev/null &
pid=$!
until_true 10 grep -q 'stripped' /proc/$pid/maps
base=$(sed -n 's/^\([0-9a-f]*\)-[0-9a-f]* r--p 00000000 .*stripped$/\1/p' /proc/$pid/maps | head -n 1)
for function in fib two_returns; do
  at=$(nm "$calls" 2>/dev/null | sed -n "s/^\([0-9a-f]*\) . $function\$/\1/p")
  [ -n "$at" ] || continue
  address=$(printf %x $((0x$base + 0x$at)))
  run timeout 20 "$DTRACE" -q -n "pid$pid:a.out:-:$address { printf(\"%s %d\\n\", probename, uregs[R_PC] == 0x$address); exit(0); }"
  if [ $function = fib ]; then # compiled, so that there is a table to unwind its stack
    want 0
    has out "$address 1"
  fi
  run "$DTRACE" -xerrtags -n "pid$pid:a.out:-:$(printf %x $((0x$address + 2)))"
  want 1
  has err '[D_PROC_ALIGN]'
done
kill $pid
done_testing
