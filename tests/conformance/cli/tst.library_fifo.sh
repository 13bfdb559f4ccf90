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
# What nothing uses is checked, too: inlines, translators, and the libraries that a file names.
rm "$work/lib/broken.d"
echo 'inline int unused = nosuch; inline int more[int a] = a + nosuch_either;' >"$work/lib/inlines.d"
run "$DTRACE" -L "$work/lib" -e
want 1
has err "dtrace: failed to compile script $work/lib/inlines.d: \"$work/lib/inlines.d\", line 1: failed to resolve nosuch: Unknown variable name"
has err "$work/lib/inlines.d:1:21: error: failed to resolve nosuch: Unknown variable name"
has err 'failed to resolve nosuch_either: Unknown variable name'
echo 'struct made { int y; }; translator struct made < int T > { y = nosuch; };' >"$work/lib/inlines.d"
run "$DTRACE" -L "$work/lib" -e
want 1
has err 'failed to resolve nosuch: Unknown variable name'
printf '#pragma D depends_on library nosuch.d\ninline int unused = 1;\n' >"$work/lib/inlines.d"
run "$DTRACE" -L "$work/lib" -e
want 1
has err 'error: the library nosuch.d is not there [D_PRAGMA_DEPEND]'
printf '#pragma D depends_on module nosuch\ninline int unused = 1;\n' >"$work/lib/inlines.d"
run "$DTRACE" -L "$work/lib" -e
want 0
same err ''
# For a program the others serve.
run "$DTRACE" -L "$work/lib" -q -n 'BEGIN { exit(known); }'
want 7
done_testing
