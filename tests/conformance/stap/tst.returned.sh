# Structures that functions of programs return: members, in registers or in memory, by the psABI of x86-64.
. "$TESTS/lib.sh"
cat >"$work/r.c" <<'END'
struct pair { int x, y; };
struct bytes { char c; signed char s; unsigned char u; short w; unsigned short v; };
struct words { long a; unsigned int b; char tail[4]; };
struct bits { int low : 3; unsigned int high : 5; long far : 40; };
struct node { int id; const char* name; struct node* next; };
struct link { struct node* node; const char* text; };
struct nested { struct pair first; struct { unsigned char a, b; } second; };
struct mixed { double real; long number; };
struct other { long number; float real; };
struct real { double real; };
struct large { long a; struct pair b; const char* name; };
union either { int number; float real; };
struct node last = {2, "last", 0}, root = {1, "root", &last};
#define F __attribute__((noinline))
F struct pair pair(int x) { return (struct pair){x, -x}; }
F struct bytes bytes(void) { return (struct bytes){'q', -2, 200, -300, 65000}; }
F struct words words(void) { return (struct words){-5, 4000000000U, "abc"}; }
F struct bits bits(void) { return (struct bits){-3, 30, -7}; }
F struct link link_of(void) { return (struct link){&root, "text"}; }
F struct nested nested(void) { return (struct nested){{7, -8}, {9, 250}}; }
F struct mixed mixed(void) { return (struct mixed){1.5, 77}; }
F struct other other(void) { return (struct other){78, 2.5F}; }
F struct real real(void) { return (struct real){3.5}; }
F struct large large(void) { return (struct large){100, {3, -4}, "large"}; }
F union either either(void) { return (union either){.number = -9}; }
F int plain(void) { return 6; }
struct pair some_pair = {3, 4};
F struct pair* one_a(void) { return &some_pair; }
F struct node* one_b(void) { return &root; }
F struct node* two_a(void) { return &root; }
F struct pair* two_b(void) { return &some_pair; }
F struct pair three_a(void) { return some_pair; }
F struct mixed three_b(void) { return (struct mixed){1.5, 55}; }
F struct large four_a(void) { return (struct large){1, {3, -4}, "large"}; }
F struct large2 { long a[3]; int e; } four_b(void) { return (struct large2){{1, 2, 3}, 4}; }
typedef int vector __attribute__((vector_size(8)));
struct beside { vector v; long x; };
F struct beside beside(void) { return (struct beside){{1, 2}, -77}; }
struct hollow { struct {} e[16][16][16][16][16][16][16][16][16]; long x; };
F struct hollow hollow(void) { struct hollow made; made.x = -6; return made; }
int main(void) {
  return pair(5).x + bytes().c + (int)words().a + bits().low + link_of().node->id + nested().first.x + (int)mixed().number +
                 (int)other().number + (int)real().real + (int)large().a + either().number + plain() + one_a()->x + one_b()->id +
                 two_a()->id + two_b()->x + three_a().x + (int)three_b().number + (int)four_a().a + four_b().e + (int)beside().x +
                 (int)hollow().x == 0;
}
END
for level in 0 2; do
  gcc -g -O$level -fno-ipa-cp -fno-ipa-sra -fno-ipa-ra -o "$work/r" "$work/r.c" || fail gcc
  # at FUNCTION STATEMENT WANTED
  at() {
    run_undisturbed "$STAP" -e 'probe process("'"$work/r"'").function("'"$1"'").return { if (pid() != target()) next; '"$2"' }' -c "$work/r"
    want 0
    same out "$3"
  }
  refuses() {
    run "$STAP" -e 'probe process("'"$work/r"'").function("'"$1"'").return { '"$2"' }'
    want 1
    has err "$3"
  }
  at pair 'printf("%d %d\n", $return->x, $return->y)' '5 -5\n'
  at pair 'println($return$, " ", $$return$, " ", $$return)' '{.x=5, .y=-5} return={.x=5, .y=-5} return=?\n'
  at bytes 'printf("%c %d %d %d %d\n", $return->c, $return->s, $return->u, $return->w, $return->v)' 'q -2 200 -300 65000\n'
  at bytes 'println($return$)' "{.c='q', .s='\\\\376', .u='\\\\310', .w=-300, .v=65000}\n"
  at words 'printf("=%d %d %c\n", $return->a, $return->b, $return->tail[2])' '=-5 4000000000 c\n'
  at bits 'printf("=%d %d %d\n", $return->low, $return->high, $return->far)' '=-3 30 -7\n'
  at link_of 'printf("%d %s %s %s\n", $return->node->id, user_string($return->node->name), user_string($return->text), user_string($return->node->next->name))' \
    '1 root text last\n'
  at link_of 'n = $return->node; println(@cast(n, "node")->next->id)' '2\n'
  at link_of 'println(user_string(register("rdx")), "=", user_string(@cast(register("rax"), "node")->name))' 'text=root\n'
  at nested 'printf("=%d %d %d %s %s\n", $return->first->y, $return->second->a, $return->second->b, $return$, $return$$)' \
    "=-8 9 250 {.first={...}, .second={...}} {.first={.x=7, .y=-8}, .second={.a='\\\\t', .b='\\\\372'}}\n"
  at mixed 'println($return->number, " ", $return$)' '77 {.real=?, .number=77}\n'
  at other 'println($return->number, " ", $return$)' '78 {.number=78, .real=?}\n'
  at either 'println("=", $return->number)' '=-9\n'
  at large 'printf("%d %d %s %s\n", $return->a, $return->b->y, user_string($return->name), $return$)' '100 -4 large {.a=100, .b={...}, .name="large"}\n'
  at pair 'printf("%d%d%d%d%d\n", @defined($return->x), @defined($return->none), @defined($return), @choose_defined($return->z, 4), @defined($return$))' '10041\n'
  # Functions of several types in one handler.
  run_undisturbed "$STAP" -e 'probe process("'"$work/r"'").function("pair").return, process("'"$work/r"'").function("mixed").return,
    process("'"$work/r"'").function("plain").return {
    if (pid() == target()) printf("%s %d\n", ppfunc(), @choose_defined($return->x, @choose_defined($return->number, $return))) }' -c "$work/r"
  want 0
  same out 'pair 5\nmixed 77\nplain 6\n'
  # Of a pattern, too, whichever comes first.
  at 'one_?' 'printf("%s %d\n", ppfunc(), @defined($return->next) ? $return->id : $return->y)' 'one_a 4\none_b 1\n'
  at 'two_?' 'printf("%s %d %d\n", ppfunc(), @defined($return->next), @choose_defined($return->y, -1))' 'two_a 1 -1\ntwo_b 0 4\n'
  at 'three_?' 'printf("%s %s\n", ppfunc(), $$return$)' 'three_a return={.x=3, .y=4}\nthree_b return={.real=?, .number=55}\n'
  at 'four_?' 'printf("%s %d %s\n", ppfunc(), @defined($return->e), $return$)' \
    'four_a 0 {.a=1, .b={...}, .name="large"}\nfour_b 1 {.a=[1, 2, 3], .e=4}\n'
  refuses beside 'println($return->x)' '$return of beside'
  at hollow 'println("=", $return->x)' '=-6\n'
  refuses real 'println($return->real)' '$return of real is in no register for numbers'
  refuses mixed 'println($return->real)' 'this member of $return is in a register for vectors'
  refuses pair 'println($return)' '$return of pair is a structure in registers: name a member of it'
  refuses pair 'println($return->none)' "unable to find member 'none' for struct pair"
  refuses pair 'println(&$return->x)' 'what is in a register has no address'
  refuses nested 'println($return->first)' 'this part of $return is in registers: name a member of it'
  refuses words 'println($return->tail[4])' 'must be a literal within the array'
  refuses plain 'println($return->x)' ''
  run "$STAP" -L 'process("'"$work/r"'").function("pair").return'
  want 0
done
done_testing
