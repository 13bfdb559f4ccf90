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
  'args[5]: uint64_t' 'args[6]: uint32_t' 'args[7]: userland long *' 'args[1]: userland void *' None; do
  has list "$wanted"
done
run "$DTRACE" -q -c ./typed -n '
struct request { long id; int size; };
typed$target:::all { printf("%d %d %s %x %x %d %u %d\n", args[0], args[1], stringof(args[2]), args[3], args[4], args[5] == 0x4004000000000000, args[6], *args[7]); }
typed$target:::swapped { this->r = (userland struct request *)args[1]; printf("%d %d %d\n", args[0], this->r->id, this->r->size); }'
want 0
printf '%s\n' '-1 200 a path 2345 10000000000 1 4000000000 -9' '5 77 -3' '' >wanted
cmp -s wanted out || { fail 'values'; diff wanted out; }
done_testing
