# printm() shows memory as text where it is text, otherwise as a dump.
. "$TESTS/lib.sh"
run "$DTRACE" -q -n 'BEGIN { printm(8, curthread->comm); exit(0); }'
want 0
same out 'dtrace\n'
run "$DTRACE" -n 'BEGIN { printm(8, curthread->comm); exit(0); }'
want 0
matches out ':BEGIN   dtrace {44}$'
run "$DTRACE" -q -c "sleep 1.0000000965" -n 'syscall::clock_nanosleep:entry /pid == $target/ { printm(16, copyin(arg2, 16)); exit(0); }'
want 0
same out '
             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef
         0: 01 00 00 00 00 00 00 00 61 00 00 00 00 00 00 00  ........a.......

'
done_testing
