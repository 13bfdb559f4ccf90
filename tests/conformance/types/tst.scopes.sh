# The types of any process are named by it, those of a script by D, and those of C by C, wherever a type may be named.
# @@host
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/scopes.c" <<'E2'
#include <stdint.h>
#include <stdio.h>
struct thing { int a; char *name; struct thing *next; };
typedef struct thing thing_t;
typedef enum { RED, BLUE = 7 } color_t;
__attribute__((noinline)) int go(thing_t *t, color_t c, uint32_t w) {
  __asm__ volatile("" : : "r"(t) : "memory");
  return t->a + (int)c + (int)w;
}
int main(void) {
  thing_t b = {2, "second", 0}, a = {1, "first", &b};
  int sum = 0;
  do sum += go(&a, BLUE, 5); while (getchar() != EOF);
  return sum == 0;
}
E2
cc -g -O1 -o "$work/scopes" "$work/scopes.c" || { fail "cannot build"; done_testing; }

# The target's, with and without the object.
run "$DTRACE" -q -c "$work/scopes" -n 'pid$target:a.out:go:entry {
	printf("%s %s %s\n", stringof(((pid`thing_t *)arg0)->name), stringof(((struct pid`thing *)arg0)->next->name),
	    stringof(((pid`a.out`thing_t *)arg0)->name));
	printf("%d %d\n", sizeof(struct pid`thing), offsetof(pid`thing_t, next));
}'
want 0
same out 'first second first\n24 16\n\n'

# Any process: arguments of its functions, and its types in declarations, translators, sizeof and offsetof.
mkfifo "$work/in"
"$work/scopes" <"$work/in" &
other=$!
exec 9>"$work/in"
until_true 10 grep -q "$work/scopes" "/proc/$other/maps"
feed() { while kill -0 "$1" 2>/dev/null; do echo >&9; sleep 0.1; done; }
"$DTRACE" -q -n 'typedef struct seen { int q; string name; } seen_t;
translator seen_t < pid'$other'`thing_t *T > { q = T->a; name = stringof(T->name); };
pid'$other'`thing_t *global; self struct pid'$other'`thing *mine;
pid'$other':a.out:go:entry {
	global = (pid'$other'`thing_t *)arg0;
	self->mine = (struct pid'$other'`scopes`thing *)arg0;
	printf("%s %d %d\n", stringof(args[0]->name), args[1], args[2]);
	printf("%d %s %d %d\n", xlate<D`seen_t *>(self->mine)->q, xlate<seen_t>(global).name, global->next->a, offsetof(pid'$other'`thing_t, next));
	exit(0);
}' >"$work/out" 2>"$work/err" &
feed $!
wait $!
status=$?
want 0
same out 'first 7 5\n1 first 2 16\n\n'
run "$DTRACE" -lv -n "pid$other:a.out:go:entry"
want 0
has out "args[0]: userland pid$other\`scopes\`thing_t *"
run "$DTRACE" -n 'BEGIN { trace(sizeof(struct pid'$other'`thimg)); }'
want 1
has err "hint: did you mean 'struct pid$other\`thing'?"
exec 9>&-
wait $other

# What there is no process for.
run "$DTRACE" -n 'BEGIN { trace(sizeof(struct pid`thing)); }'
want 1
has err 'failed to resolve type struct pid`thing: Unknown type name'
has err 'hint: pid: there is no target process; -c and -p give one'
run "$DTRACE" -n 'BEGIN { trace(sizeof(pid'$other'`thing_t)); }'
want 1
has err "hint: pid$other: there is no process $other"
for scope in pidfoo pid0 pid01; do
  run "$DTRACE" -xerrtags -n "BEGIN { trace((struct $scope\`thing *)0); }"
  want 1
  has err 'D_TYPE_ERR'
  has err 'Unknown module name'
  run "$DTRACE" -xerrtags -n "BEGIN { x = ($scope\`int)1; }"
  want 1
  has err 'D_TYPE_ERR'
  has err "failed to resolve type $scope\`int: Unknown module name"
done

# Types of the script and of libraries, and of C.
run "$DTRACE" -q -n 'struct pair { char first; long second; }; typedef struct pair pair_t; enum size { SMALL, LARGE = 9 };
D`pair_t global; self D`pair_t *mine; this struct D`pair local;
struct outer { D`pair_t inside[2]; enum D`size size; };
BEGIN {
	global.first = 3; this->local.second = 4; self->mine = (D`pair_t *)NULL;
	printf("%d %d %d %d %d\n", sizeof(D`pair_t), offsetof(struct D`pair, second), global.first, this->local.second,
	    self->mine == NULL);
	printf("%d %d %d\n", sizeof(struct D`outer), sizeof(enum D`size), sizeof(D`bufinfo_t) == sizeof(bufinfo_t));
	printf("%d %d %d\n", sizeof(C`int), (C`uint8_t)300, sizeof(D`int));
	exit(0);
}'
want 0
same out '16 8 3 4 1\n40 4 1\n4 44 4\n\n'
run "$DTRACE" -n 'struct pair { char first; }; BEGIN { trace(sizeof(struct C`pair)); }'
want 1
has err 'failed to resolve type struct C`pair: Unknown type name'
run "$DTRACE" -n 'BEGIN { trace(D`nothing); }'
want 1
has err 'symbol D`nothing may not be referenced: D has types of the script, and only its types can be named'

# What a script calls like a type of the program does not change the arguments of its functions.
run "$DTRACE" -q -c "$work/scopes" -n 'struct thing { char x[99]; }; typedef char thing_t;
pid$target:a.out:go:entry { printf("%s %d\n", stringof(args[0]->name), sizeof(struct thing)); }'
want 0
same out 'first 99\n\n'
done_testing
