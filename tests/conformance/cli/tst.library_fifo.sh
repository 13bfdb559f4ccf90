# @@host
. "$TESTS/lib.sh"
# What is no file in a directory of -L is left out, and not waited for.
mkdir "$work/lib"
mkfifo "$work/lib/pipe.d"
ln -s /dev/zero "$work/lib/zero.d"
echo 'inline int known = 7;' >"$work/lib/good.d"
run timeout 20 "$DTRACE" -L "$work/lib" -q -n 'BEGIN { exit(known); }'
want 7
has err "dtrace: $work/lib/pipe.d is not a regular file; this library is left out"
has err "dtrace: $work/lib/zero.d is not a regular file; this library is left out"
# Without a program the libraries are what is tested: one that cannot be used is an error then.
run timeout 20 "$DTRACE" -L "$work/lib" -e
want 1
has err 'dtrace: 2 of the D libraries cannot be used'
rm "$work/lib/pipe.d" "$work/lib/zero.d"
run "$DTRACE" -L "$work/lib" -e
want 0
same err ''
echo 'this is broken {' >"$work/lib/broken.d"
run "$DTRACE" -L "$work/lib" -e
want 1
has err "$work/lib/broken.d:1:16: error: syntax error"
has err 'dtrace: 1 of the D libraries cannot be used'
run "$DTRACE" -L "$work/none" -e
want 1
has err "failed to open library directory $work/none: No such file or directory"
# For a program the others serve.
run "$DTRACE" -L "$work/lib" -q -n 'BEGIN { exit(known); }'
want 7
done_testing
