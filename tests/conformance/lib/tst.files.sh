# Where libraries are looked for, and what a broken one costs.
. "$TESTS/lib.sh"

mkdir "$work/lib"
echo 'inline int MINE = 42;' >"$work/lib/mine.d"
echo 'inline int MINE_TOO = = ;' >"$work/lib/broken.d"

run "$DTRACE" -L "$work/lib" -qn 'BEGIN { trace(MINE); trace(ENOENT); exit(0); }'
want 0
same out '422\n'
run "$DTRACE" -x libdir="$work/lib" -qn 'BEGIN { trace(MINE); exit(0); }'
want 0
same out '42\n'
run "$DTRACE" -x syslibdir="$work/lib" -en 'BEGIN { trace(ENOENT); }'
want 1
run "$DTRACE" -x nolibs -en 'BEGIN { trace(ENOENT); }'
want 1

# A broken file is named; the program runs if it needs none of its names.
run "$DTRACE" -L "$work/lib" -en 'BEGIN { trace(MINE_TOO); }'
want 1
has err "dtrace: failed to compile script $work/lib/broken.d: \"$work/lib/broken.d\", line 1: syntax error near \"=\""
has err "dtrace: the library $work/lib/broken.d is left out"
run "$DTRACE" -x errtags -L "$work/lib" -en 'BEGIN { trace(MINE_TOO); }'
want 1
has err "dtrace: failed to compile script $work/lib/broken.d: [D_SYNTAX] \"$work/lib/broken.d\", line 1: syntax error near \"=\""
run "$DTRACE" -L "$work/lib" -qn 'BEGIN { trace(MINE); exit(0); }'
want 0
same out '42\n'
run "$DTRACE" -L /nonexistent -qn 'BEGIN { trace(ENOENT); exit(0); }'
want 0
same out '2\n'
has err "dtrace: failed to open library directory /nonexistent: No such file or directory"

# A program that was copied without them says so, where they are asked for.
cp "$DTRACE" "$work/alone"
run "$work/alone" -en 'BEGIN { trace(ENOENT); }'
want 1
has err 'dtrace: the D libraries that belong to this program are not in ../lib/dtrace beside it'
run "$work/alone" -x nolibs -en 'BEGIN { trace(ENOENT); }'
want 1
! grep -q 'D libraries' "$work/err" || fail 'it misses what it was told of'
run "$work/alone" -x syslibdir="$work/lib" -qn 'BEGIN { trace(MINE); exit(0); }'
want 0
! grep -q 'D libraries' "$work/err" || fail 'it misses what it was told of'
done_testing
