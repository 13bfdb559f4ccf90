# print() shows structures, unions, arrays and bit-fields as they lie in memory.
. "$TESTS/lib.sh"
cat >"$work/x.d" <<'D'
struct parts { uint8_t a : 3; uint8_t b : 5; uint8_t rest[7]; };
union view { long number; struct parts parts; char text[8]; };
struct moment { long s; union view ns; };

syscall::clock_nanosleep:entry
/pid == $target/
{
	print(*(struct moment *)copyin(arg2, sizeof (struct moment)));
	print(((struct moment *)copyin(arg2, sizeof (struct moment)))->ns.parts.b);
	exit(0);
}
D
run "$DTRACE" -q -s "$work/x.d" -c "sleep 1.0000000965"
want 0
same out 'struct moment {
    long s = 0x1
    union view ns = {
        long number = 0x61
        struct parts parts = {
            uint8_t a :3 = 0x1
            uint8_t b :5 = 0xc
            uint8_t [7] rest = [ 0, 0, 0, 0, 0, 0, 0 ]
        }
        char [8] text = [ "a" ]
    }
}
uint8_t 0xc

'
# The largest structure that there is, with a member that is known.
run "$DTRACE" -q -n 'BEGIN { print(*curthread); exit(0); }'
want 0
first out '^struct task_struct \{$'
has out '    char [16] comm = [ "dtrace" ]'
# A row, and an empty line after it.
run "$DTRACE" -n 'BEGIN { print(1); exit(0); }'
want 0
matches out "^ +[0-9]+ +1 +:BEGIN int 0x1$"
done_testing
