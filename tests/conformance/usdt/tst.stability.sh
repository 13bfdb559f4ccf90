# What #pragma D attributes say of a provider is stored in the program, by the header of -h and by the object of -G: -lv and
# -v show it, and -x amin asks for it.
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "there is no compiler"; exit 77; }
cd "$work"
cat >steady.d <<'END'
provider steady {
	probe go(int);
	probe bare();
};
#pragma D attributes Evolving/Evolving/Common provider steady provider
#pragma D attributes Stable/Stable/Common provider steady module
#pragma D attributes Evolving/Evolving/Common provider steady function
#pragma D attributes Evolving/Stable/ISA provider steady name
#pragma D attributes Standard/External/Group provider steady args
END
echo 'provider silent { probe go(int); };' >silent.d
for one in steady silent; do
  "$DTRACE" -h -s $one.d || fail '-h'
done
cat >headers.c <<'END'
#include "steady.h"
#include "silent.h"
int main(void) { STEADY_GO(1); STEADY_BARE(); SILENT_GO(2); return 0; }
END
cc -O2 headers.c -o headers || fail 'cc'

# A program with macros of its own has it of -G alone.
cat >object.c <<'END'
#define PROBE(name, operand) \
  __asm__ volatile("1: nop\n.pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 8, 3f-2f, 3\n.asciz \"stapsdt\"\n" \
                   "2: .8byte 1b, 0, " "steady_" #name "_semaphore\n.asciz \"steady\", \"" #name "\", \"" operand "\"\n3: .balign 4\n" \
                   ".popsection\n")
int main(void) { PROBE(go, "-4@$1"); PROBE(bare, ""); return 0; }
END
cc -O2 -c object.c || fail 'cc -c'
run "$DTRACE" -G -s steady.d object.o -o steady.o
want 0
cc object.o steady.o -o object || fail 'linking'

attributes() {
  printf '\t\tIdentifier Names: %s\n\t\tData Semantics:   %s\n\t\tDependency Class: %s\n\n' "$@"
}
{
  printf '\n\tProbe Description Attributes\n'
  attributes Evolving Evolving ISA  # the lowest of the fields
  printf '\tArgument Attributes\n'
  attributes Standard External Group
} >wanted
{
  printf '\n\tProbe Description Attributes\n'
  attributes Private Private Unknown
  printf '\tArgument Attributes\n'
  attributes Unstable Unstable Common
} >unsaid

# shown FILE: the first of the probes that are listed has these attributes.
shown() {
  sed -n '3,/^$/p; /Argument Attributes/,/^$/p' out | head -n "$(wc -l <"$1")" | cmp -s - "$1" || { fail "attributes of $1"; cat out; }
}
for program in headers object; do
  run "$DTRACE" -lv -n 'steady$target:::go' -c ./$program
  want 0
  has out 'args[0]: int'
  shown wanted
  run "$DTRACE" -lv -n 'steady$target:::bare' -c ./$program
  want 0
  shown wanted
done
run "$DTRACE" -lv -n 'silent$target:::go' -c ./headers
want 0
shown unsaid

run "$DTRACE" -qv -c ./headers -n 'steady$target:::go { trace(args[0]); }'
want 0
has out 'Data Semantics:   External'
run "$DTRACE" -q -x amin=Stable/External/Group -c ./headers -n 'steady$target:::go { trace(args[0]); }'
want 0
same out '1\n'
run "$DTRACE" -q -x amin=Evolving/Evolving/ISA -c ./headers -n 'steady$target:::go { trace(args[0]); }'
want 1
has err D_ATTR_MIN
run "$DTRACE" -q -x amin=Stable/External/Group -c ./headers -n 'silent$target:::go { trace(args[0]); }'
want 1
has err D_ATTR_MIN
done_testing
