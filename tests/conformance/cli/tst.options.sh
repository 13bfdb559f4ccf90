# @@host
. "$TESTS/lib.sh"
run "$DTRACE" -x wombats -n BEGIN
want 1
same err 'dtrace: failed to set -x wombats: Invalid option name\n'
run "$DTRACE" -x bufsiz=4m -n BEGIN
want 1
has err "did you mean 'bufsize'?"
run "$DTRACE" -x bufsize=lots -n BEGIN
want 1
same err 'dtrace: failed to set -x bufsize: Invalid value for specified option\nhint: it is a number of bytes, such as 4096, 64k or 4m\n'
run "$DTRACE" -b 1k -x strsize=16 -q -n 'BEGIN { x = "0123456789abcdefghij"; trace(x); exit(0); }'
want 0
same out '0123456789abcdef\n'
printf '#pragma D option quiet\n#pragma D option strsize=16\nBEGIN { x = "0123456789abcdefghij"; trace(x); exit(0); }\n' >"$work/x.d"
run "$DTRACE" -s "$work/x.d"
want 0
same out '0123456789abcdef\n'
run "$DTRACE" -x quiet= -n BEGIN
want 1
same err "dtrace: failed to set -x quiet: Invalid value for specified option\nhint: a value belongs behind '='\n"
run "$DTRACE" 'BEGIN { exit(0); }'
want 1
same err "dtrace: no probes specified\nhint: a program stands behind -n: dtrace -n 'BEGIN { exit(0); }'\n"
# The tree of the program, as read and as typed.
run "$DTRACE" -x tree=1 -en 'BEGIN { trace(1); }'
want 0
has out 'int 1:15-1:16 1'
run "$DTRACE" -x tree=2 -en 'BEGIN { trace(1); }'
want 0
has out '1 : int constant'
# What another kernel's option would do is said, or that it means nothing.
run "$DTRACE" -x grabanon -n BEGIN
want 1
same err 'dtrace: failed to set -x grabanon: this option is not supported\nhint: -a claims an anonymous enabling\n'
run "$DTRACE" -x modpath=/x -n BEGIN
want 1
same err 'dtrace: failed to set -x modpath: this option means nothing here\nhint: types of modules come from the kernel that runs\n'
run "$DTRACE" -x bufresize=zz -n BEGIN
want 1
same err 'dtrace: failed to set -x bufresize: Invalid value for specified option\nhint: it is one of auto, manual\n'
run "$DTRACE" -o '' -n BEGIN
want 2
has err 'dtrace: option -o needs the name of a file'
# An interpreter line with a DOS line end, as the kernel hands it over.
printf 'BEGIN { trace(1); exit(0); }\n' >"$work/dos.d"
run "$DTRACE" "$(printf -- '-qs\r')" "$work/dos.d"
want 0
same out '1\n'
# Of several descriptions, the one that matches nothing is marked.
run "$DTRACE" -e -n 'BEGIN, syscall::nosuch:entry, END { trace(1); }'
want 1
has err '
       ^~~~~~~~~~~~~~~~~~~~~
'
done_testing
