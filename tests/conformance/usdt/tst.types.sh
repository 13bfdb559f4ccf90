# args[] have the types that the provider's file declares for them; what only the program knows is an address, or a
# number, which the script casts.
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "there is no compiler"; exit 77; }
cd "$work"
cat >typed.d <<'END'
provider typed {
	probe all(int, unsigned char, const char *path, uint16_t, size_t, double, Oid, long *);
	probe swapped(struct request *r, int n) : (int n, struct request *r);
	probe none();
};
END
"$DTRACE" -h -s typed.d || fail '-h'
"$DTRACE" -G -s typed.d || fail '-G'
cat >main.c <<'END'
#include "typed.h"
struct request { long id; int size; };
int main(void) {
  long far = -9;
  struct request request = {77, -3};
  TYPED_ALL(-1L, 200, "a path", 0x12345, 1ul << 40, 2.5, 4000000000u, &far);
  TYPED_SWAPPED(&request, 5);
  TYPED_NONE();
  return 0;
}
END
cc -O2 main.c typed.o -o typed || fail 'cc'
strip typed
run "$DTRACE" -lv -n 'typed$target:::' -c ./typed
want 0
grep -E '^ *[0-9]|args\[|None' "$work/out" | sed 's/^ *[0-9]* *typed[0-9]* *typed *//; s/^[ 	]*//; s/^main //' >"$work/list"
for wanted in 'args[0]: int' 'args[1]: unsigned char' 'args[2]: userland const char *' 'args[3]: uint16_t' 'args[4]: size_t' \
  'args[5]: uint64_t' 'args[6]: uint32_t' 'args[7]: userland long *' 'args[1]: userland struct request *' None; do
  has list "$wanted"
done
run "$DTRACE" -q -c ./typed -n '
struct request { long id; int size; };
typed$target:::all { printf("%d %d %s %x %x %d %u %d\n", args[0], args[1], stringof(args[2]), args[3], args[4], args[5] == 0x4004000000000000, args[6], *args[7]); }
typed$target:::swapped { this->r = (userland struct request *)args[1]; printf("%d %d %d\n", args[0], this->r->id, this->r->size); }'
want 0
printf '%s\n' '-1 200 a path 2345 10000000000 1 4000000000 -9' '5 77 -3' '' >wanted
cmp -s wanted out || { fail 'values'; diff wanted out; }

# What -G makes says the same of a program with macros of its own, also where the order is another, or nothing is left.
cat >mapped.d <<'END'
struct request;
provider mapped {
	probe place(int i, int j) : (int j, int i, int i, int j);
	probe text(int i, char *s) : (char *s, int i);
	probe hidden(int i) : ();
	probe asked(struct request *r, int n) : (reqinfo_t *r, int n);
};
END
cat >mapped.c <<'END'
#include "probes.h"
struct request { long id; int size; };
int main(void) {
  struct request request = {77, -3};
  PROBE2(place, 10, 4);
  PROBE2(text, 255, "text");
  PROBE1(hidden, 9);
  PROBE2(asked, &request, 5);
  return 0;
}
END
"$DTRACE" -G -s mapped.d || fail '-G of mapped.d'
"$DTRACE" -h -s mapped.d || fail '-h of mapped.d'
cat >own.h <<'END'
#include <dtrace/sdt.h>
#define PROBE1(name, a) DTRACE_PROBE1(mapped, name, a)
#define PROBE2(name, a, b) DTRACE_PROBE2(mapped, name, a, b)
END
cat >made.h <<'END'
#include "mapped.h"
#define place MAPPED_PLACE
#define text MAPPED_TEXT
#define hidden MAPPED_HIDDEN
#define asked MAPPED_ASKED
#define PROBE1(name, a) name(a)
#define PROBE2(name, a, b) name(a, b)
END
for header in own made; do
  cp $header.h probes.h
  for debug in -g -g0; do
    cc $debug -O1 -I"$TESTS/../include" mapped.c mapped.o -o mapped || { fail "cc $header"; continue; }
    run "$DTRACE" -q -c ./mapped -n '
struct request { long id; int size; };
typedef struct reqinfo { long q; } reqinfo_t;
translator reqinfo_t < struct request *R > { q = R->id + R->size; };
mapped$target:::place { printf("%d %d %d %d, %d %d %d %d\n", args[0], args[1], args[2], args[3], arg0, arg1, arg2, arg3); }
mapped$target:::text { printf("%s %d %s %d\n", stringof(args[0]), args[1], copyinstr(arg0), arg1); }
mapped$target:::hidden { printf("%d\n", arg0); }
mapped$target:::asked { printf("%d %d\n", args[0]->q, args[1]); }'
    want 0
    same out '4 10 10 4, 4 10 10 4\ntext 255 text 255\n0\n74 5\n\n'
    # One clause for probes of several orders.
    run "$DTRACE" -q -c ./mapped -n 'mapped$target:::place, mapped$target:::text { printf("%d %d\n", (int)arg1, arg2); }'
    want 0
    same out '10 10\n255 0\n\n'
    run "$STAP" -c ./mapped -e 'probe process("./mapped").mark("place") { printf("%d %d %d %d\n", $arg1, $arg2, $arg3, $arg4) }
      probe process("./mapped").mark("text") { printf("%s %d\n", user_string($arg1), $arg2) }'
    want 0
    same out '4 10 10 4\ntext 255\n'
    run "$DTRACE" -c ./mapped -n 'mapped$target:::hidden { trace(args[0]); }'
    want 1
    has err 'hint: it has no arguments'
  done
done
# A pointer to what the program has debugging information of has its type.
sed -i 's/ : (reqinfo_t \*r, int n)//' mapped.d
"$DTRACE" -G -s mapped.d || fail '-G'
cp own.h probes.h
cc -g -O1 -I"$TESTS/../include" mapped.c mapped.o -o mapped
run "$DTRACE" -q -c ./mapped -n 'mapped$target:::asked { printf("%d %d\n", args[0]->id, args[0]->size); }'
want 0
same out '77 -3\n\n'
done_testing
