# The arguments of functions have the types that DWARF says, whatever the kernel calls by the same names; where one is
# not in a register for integers, there are none.
# @@timeout: 120
# @@host
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/typed.c" <<'E2'
#include <stddef.h>
#include <stdio.h>
#define KEPT __attribute__((noinline))
#define USES(x) __asm__ volatile("" : : "r"(x) : "memory")
enum color { RED, GREEN = 5 };
struct inode { int x; const char* name; struct inode* next; };
typedef unsigned char byte_t;
struct big { long a[4]; };
KEPT long take(struct inode* p, const char* text, int n, byte_t b, enum color c, size_t s, short stacked) {
  USES(p);
  return p->x + n + b + c + (long)s + stacked + text[0];
}
KEPT double mixed(double d, int n) { USES(n); return d + n; }
KEPT struct big make(int n) { struct big b = {{n}}; USES(&b); return b; }
KEPT void nothing(void) { USES(0); }
KEPT int many(int n, ...) { USES(n); return n; }
int main(void) {
  struct inode b = {2, "b", 0}, a = {1, "a", &b};
  nothing();
  printf("%ld %f %ld %d\n", take(&a, "text", -3, 200, GREEN, 7, -9), mixed(1.5, 2), make(3).a[0], many(1, 2));
  return 0;
}
E2
cc -g -O1 -o "$work/typed" "$work/typed.c" || { fail "cannot build"; done_testing; }
clause='pid$target:a.out:take:entry {
	printf("%d %s %s %d %d %d %d %d %d\n", args[0]->x, stringof(args[0]->next->name), stringof(args[1]), args[2],
	    args[3], args[4], args[5], args[6], args[0]->next->next == NULL);
	print(*args[0]);
}
pid$target:a.out:take:return { printf("= %d %d\n", args[1], args[0] == arg0); }'
run "$DTRACE" -q -c "$work/typed" -n "$clause"
want 0
has out '1 b text -3 200 5 7 -9 1'
has out '    struct inode *next = 0x'
has out '= 317 1'
# From the file that was stripped off, too.
if command -v objcopy >/dev/null; then
  cp "$work/typed" "$work/whole"
  strip --strip-debug "$work/typed"
  run "$DTRACE" -q -c "$work/typed" -n "$clause"
  want 1
  has err 'the types of the arguments of'
  objcopy --only-keep-debug "$work/whole" "$work/typed.debug"
  (cd "$work" && objcopy --add-gnu-debuglink=typed.debug typed)
  run "$DTRACE" -q -c "$work/typed" -n "$clause"
  want 0
  has out '1 b text -3 200 5 7 -9 1'
fi
run "$DTRACE" -lv -c "$work/typed" -n 'pid$target:a.out:take:entry'
want 0
matches out '	args\[0\]: userland struct pid[0-9]+`typed`inode \* \(p\)$'
matches out '	args\[2\]: userland int \(n\)$'
refused() { # FUNCTION TEXT
  run "$DTRACE" -c "$work/typed" -n 'pid$target:a.out:'"$1"' { trace(args[0]); }'
  want 1
  first err "$2"
}
refused mixed:entry 'args\[ \] may not be referenced: the types of the arguments of pid[0-9]+:typed:mixed:entry are not known$'
refused mixed:return 'are not known$'
refused make:entry 'are not known$'
refused many:entry 'are not known$'
refused take:0 'are not known$'
refused nothing:entry 'index 0 is out of range for pid[0-9]+:a.out:nothing:entry args\[ \]$'
done_testing
