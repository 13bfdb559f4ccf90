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
done_testing
