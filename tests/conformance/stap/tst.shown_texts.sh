# What $x$ shows of characters: a text in quotes where a pointer leads to one, and the address where none can be read.
. "$TESTS/lib.sh"
cat >"$work/said.c" <<'C'
#include <stddef.h>
struct who {
  const char *name;
  char mark;
  const char *none;
  char line[8];
  struct who *next;
};
int said(const char *text, const char *nowhere, char letter, char end, int *number, struct who *by) {
  return text[0] + (nowhere != NULL) + letter + end + *number + by->mark;
}
int main(void) {
  static struct who ann = {"Ann \"A\"", '\n', NULL, "line", NULL};
  int number = 5;
  said("hello\tthere", (const char *)16, 'x', '\0', &number, &ann);
  return 0;
}
C
gcc -g -O0 -o "$work/said" "$work/said.c" || fail "the program is not compiled"
run_undisturbed "$STAP" -e 'probe process("'"$work/said"'").function("said") {
  println($$parms$) println($text$) println($by$) println($by->name$, $by->mark$) }' -c "$work/said"
want 0
number=$(sed -n 's/.* number=\(0x[0-9a-f]*\) .*/\1/p' "$work/out")
cat >"$work/wanted" <<E2
text="hello\tthere" nowhere=0x10 letter='x' end='\000' number=$number by={.name="Ann \"A\"", .mark='\n', .none=0x0, .line="line", .next=0x0}
"hello\tthere"
{.name="Ann \"A\"", .mark='\n', .none=0x0, .line="line", .next=0x0}
"Ann \"A\""'\n'
E2
diff "$work/wanted" "$work/out" || fail "the texts are others"
