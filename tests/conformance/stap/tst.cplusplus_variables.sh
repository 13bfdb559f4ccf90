# Variables of C++ by what they are in.
. "$TESTS/lib.sh"
cat >"$work/v.cc" <<'END'
int count = 1;
namespace heap {
int count = 2;
static int hidden = 3;
struct Node {
  static int count;
  static inline int own = 5;
  int id = 0;
};
int Node::count = 4;
namespace deep {
Node node;
}
template <typename T>
struct Of {
  static T total;
};
template <typename T>
T Of<T>::total = 6;
}  // namespace heap
namespace {
int count = 7;
}
__attribute__((noinline)) int work(int n) {
  heap::deep::node.id = 8;
  heap::Of<int>::total += n;
  return ::heap::count + heap::hidden + heap::Node::count + heap::Node::own + n;
}
int main() { return work(1) + heap::Of<int>::total + (*(&heap::count)) == 0; }
END
sed -i 's/^int count = 7;/int other = 7;/; s/+ n;$/+ other + n;/' "$work/v.cc"
for compiler in g++ clang++; do
  command -v "$compiler" >/dev/null || continue
  "$compiler" -std=c++17 -g -O0 -o "$work/v" "$work/v.cc" || fail "$compiler"
  run_undisturbed "$STAP" -e 'probe process("'"$work/v"'").function("work").return {
    if (pid() != target()) next
    printf("%d %d %d %d %d %d %d\n", @var("heap::count"), @var("Node::count"), @var("heap::Node::count"), @var("heap::Node::own"),
           @var("heap::deep::node")->id, @var("heap::Of<int>::total"), @var("heap::hidden@v.cc"))
    printf("%d%d%d\n", @defined(@var("heap::none")), @defined(@var("heap::hidden")), @defined(@var("none::count")))
  }' -c "$work/v"
  want 0
  same out '2 4 4 5 8 7 3\n010\n'
  run "$STAP" -e 'probe process("'"$work/v"'").function("work") { println(@var("count")) }'
  want 1
  has err "there are several variables 'count'"
  has err '@var("heap::count")'
  run "$STAP" -e 'probe process("'"$work/v"'").function("work") { println(@var("heap::hiden")) }'
  want 1
  has err "unable to find global 'heap::hiden' (similar: heap::hidden)"
done
done_testing
