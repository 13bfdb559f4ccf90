# A constructor is two symbols at one address, and one function: its probe fires once for each call.
. "$TESTS/lib.sh"
cat >"$work/v.cc" <<'C'
struct V {
  int n;
  __attribute__((noinline)) V(int n) : n(n) { asm volatile("" : : "r"(this) : "memory"); }
  __attribute__((noinline)) ~V() { asm volatile("" : : "r"(this) : "memory"); }
};
struct W : V {
  __attribute__((noinline)) W() : V(1) { asm volatile("" : : "r"(this) : "memory"); }
};
int main() {
  for (int i = 0; i < 10; ++i) V v(i);
  for (int i = 0; i < 5; ++i) W w;
}
C
# counts NAME WANTED
counts() {
  run_undisturbed "$STAP" -e 'global n = 0 probe process("'"$work/v"'").function("'"$1"'") { n++ } probe end { println(n) }' -c "$work/v"
  want 0
  same out "$2\n"
}
for how in 'g++ -O0 -g' 'g++ -O2' 'clang++ -O0 -g' 'clang++ -O2 -g'; do
  command -v "${how%% *}" >/dev/null || continue
  $how -o "$work/v" "$work/v.cc" || fail "$how"
  counts V::V 15
  counts W::W 5
  counts V::~V 15
done
