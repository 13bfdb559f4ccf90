# Files of macros (.stpm) of a directory of -I are for all files of the script; macros of a library file are of that file
# alone. A macro of the script comes before one of the library and before an operator of the same name.
. "$TESTS/lib.sh"
mkdir "$work/lib"
cat > "$work/lib/sizes.stpm" <<'EOF'
/* for everybody */
@define twice(x) %( ((@x) * 2) %)
@define four %( @twice(2) %)
@define keys(a) %( foreach (___k in @a) print(___k) %)
%( kernel_v >= "3.0" %? @define age %( "new" %) %: @define age %( "old" %) %)
EOF
cat > "$work/lib/own.stp" <<'EOF'
@define hidden %( 40 %)
function forty_two() { return @hidden + @twice(1) }
probe early = begin { word = @age }
EOF
prints() {
  wanted=$1
  shift
  run "$STAP" -I "$work/lib" -e "probe begin { $* exit() }"
  want 0
  [ "$(cat "$work/out")" = "$wanted" ] || { fail "$*"; cat "$work/out"; }
}
refuses() {
  wanted=$1
  shift
  run "$STAP" -I "$work/lib" "$@"
  want 1
  has err "$wanted"
}
prints 6 'println(@twice(3))'
prints 4 'println(@four)'
prints 42 'println(forty_two())'
run "$STAP" -I "$work/lib" -e 'probe early { println(word) exit() }'
same out 'new\n'
run "$STAP" -I "$work/lib" -e '@define four %( 5 %) probe begin { println(@four) exit() }'
same out '5\n'
run "$STAP" -e '@define min(a, b) %( ((@a) < (@b) ? (@a) : (@b)) %) probe begin { println(@min(4, 3)) exit() }'
same out '3\n'
run "$STAP" -I "$work/lib" -e 'global a, b probe begin { a["x"] = 1 b[5] = 1 @keys(a) @keys(b) @keys(a) exit() }'
same out x5x
run "$STAP" -e 'global ___total @define inc %( ___total++ %) probe begin { @inc @inc print(___total) exit() }'
same out 2
refuses "unknown operator @hidden" -e 'probe begin { println(@hidden) }'
run "$STAP" -e 'probe begin { println(@twice(3)) }'
want 1
has err "unknown operator @twice"
echo '@define four %( 4 %)' > "$work/lib/twice.stpm"
refuses "attempt to redefine macro '@four'" -e 'probe begin { exit() }'
echo 'probe begin { }' > "$work/lib/twice.stpm"
refuses "expected '@define': a file of macros has nothing else" -e 'probe begin { exit() }'
# What cannot be read is said; files are read in the order of their names.
rm "$work/lib"/*
ln -s nowhere "$work/lib/b.stpm"
ln -s nowhere "$work/lib/c.stp"
run "$STAP" -I "$work/lib" -I "$work/none" -e 'probe begin { println("runs") exit() }'
same out 'runs\n'
has err "WARNING: a file of -I is left out: failed to open $work/lib/b.stpm: No such file or directory"
has err "WARNING: a file of -I is left out: failed to open $work/lib/c.stp: No such file or directory"
has err "WARNING: -I $work/none: No such file or directory"
rm "$work/lib"/*
for one in z b k a; do echo 'probe begin { print("'$one'") }' > "$work/lib/$one.stp"; done
run "$STAP" -I "$work/lib" -e 'probe begin(1) { println("") exit() }'
same out 'abkz\n'
done_testing
