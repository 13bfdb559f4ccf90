# @@host
. "$TESTS/lib.sh"
# A script of the permitted depth compiles wherever; what is deeper is refused, on the smallest stack too.
nest() {
  python3 -c 'import sys; n = int(sys.argv[1]); print("BEGIN { trace(" + sys.argv[2] * n + "1" + sys.argv[3] * n + "); exit(0); }")' "$@"
}
for what in '( )' '~_' '1?_:0' '!_'; do
  open=${what%[ _]*} close=${what#*[ _]}
  nest 5000 "$open" "$close" >"$work/deep.d"
  nest 80 "$open" "$close" >"$work/shallow.d"
  for kilobytes in 100 128 256 1024; do
    run sh -c "ulimit -s $kilobytes && exec \"$DTRACE\" -e -s '$work/deep.d'"
    want 1
    has err 'levels deep'
    run sh -c "ulimit -s $kilobytes && exec \"$DTRACE\" -e -s '$work/shallow.d'"
    want 0
  done
done
run sh -c "ulimit -s 128 && exec \"$DTRACE\" -q -n 'BEGIN { trace(1); exit(3); }'"
want 3
same out '1\n'
done_testing
