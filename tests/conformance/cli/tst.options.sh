. "$TESTS/lib.sh"
run "$DTRACE" -x wombats -n BEGIN
want 1
same err 'dtrace: failed to set -x wombats: Invalid option name\n'
run "$DTRACE" -x bufsiz=4m -n BEGIN
want 1
has err "did you mean 'bufsize'?"
run "$DTRACE" -x bufsize=lots -n BEGIN
want 1
same err 'dtrace: failed to set -x bufsize=lots: Invalid value for specified option\n'
run "$DTRACE" -b 1k -x strsize=16 -q -n 'BEGIN { x = "0123456789abcdefghij"; trace(x); exit(0); }'
want 0
same out '0123456789abcde\n'
printf '#pragma D option quiet\n#pragma D option strsize=16\nBEGIN { x = "0123456789abcdefghij"; trace(x); exit(0); }\n' >"$work/x.d"
run "$DTRACE" -s "$work/x.d"
want 0
same out '0123456789abcde\n'
run "$DTRACE" -x quiet= -n BEGIN
want 1
same err "dtrace: failed to set -x quiet=: Invalid value for specified option; a value belongs behind '='\n"
run "$DTRACE" -x bufresize=zz -n BEGIN
want 1
same err 'dtrace: failed to set -x bufresize=zz: Invalid value for specified option\n'
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
