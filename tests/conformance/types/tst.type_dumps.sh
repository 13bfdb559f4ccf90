#!/bin/sh
# -x ctypes and -x dtypes write the types that a script uses and declares, as C.
. "$(dirname "$0")/../../lib.sh"

cat >"$work/t.d" <<'EOF'
enum color { RED, GREEN = 5 };
struct part { int number; struct part *next; };
typedef struct part part_t;
struct whole { part_t first; unsigned bits : 3; union { long all; char each[8]; }; enum color color; uint64_t *table[2]; };
BEGIN { trace(sizeof(struct whole)); trace(curthread->signal->nr_threads); }
EOF
run $DTRACE -e -x dtypes="$work/d.h" -x ctypes="$work/c.h" -s "$work/t.d"
want 0
same d.h 'struct part;
struct whole;
enum color {
	RED = 0,
	GREEN = 5,
};
struct part {
	int number; /* 0 */
	struct part *next; /* 8 */
}; /* 16 bytes */
typedef struct part part_t;
typedef unsigned long uint64_t;
struct whole {
	part_t first; /* 0 */
	unsigned int bits : 3; /* 16 */
	union {
		long all; /* 0 */
		char each[8]; /* 0 */
	}; /* 24 */
	enum color color; /* 32 */
	uint64_t *table[2]; /* 40 */
}; /* 56 bytes */
'
has c.h 'struct task_struct {'
has c.h 'struct signal_struct *signal; /* '
# Both are C.
if command -v cc >/dev/null; then
  for file in c.h d.h; do
    run cc -w -fsyntax-only -x c "$work/$file"
    want 0
  done
fi
run $DTRACE -e -x ctypes="$work/no/such" -n BEGIN
want 1
has err "dtrace: failed to write types to $work/no/such: No such file or directory"
done_testing
