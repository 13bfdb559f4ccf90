#!/bin/sh
# C++: base classes, references, namespaces. What C cannot say does no harm.
# @@host
. "$(dirname "$0")/../../lib.sh"

command -v c++ >/dev/null || { echo "skipped: no C++ compiler"; exit 77; }
cat >"$work/types.cc" <<'EOF'
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>
struct Base { long id; static int count; virtual ~Base() {} };
int Base::count = 0;
namespace shop {
enum class Kind : unsigned char { kOld, kNew = 200 };
struct Item : Base {
  int price;
  Kind kind;
  const int &ref;
  int Item::*pointer;
  void (Item::*method)();
  std::string name;
  std::vector<Item *> parts;
  Item(int p) : price(p), kind(Kind::kNew), ref(price) { id = 42; }
};
}
int main() {
  shop::Item item(7);
  return static_cast<int>(syscall(SYS_write, 99, &item, sizeof item)) * 0;
}
EOF
c++ -g -O0 -o "$work/types" "$work/types.cc" || { fail "c++"; done_testing; }
cat >"$work/t.d" <<'EOF'
syscall::write:entry
/pid == $target && arg0 == 99/
{
	this->i = (struct a.out`Item *)arg1;
	printf("%d %d %d %d\n", this->i->id, this->i->price, this->i->kind, *this->i->ref);
	printf("%d\n", arg2 == sizeof(struct a.out`Item));
	exit(0);
}
EOF
run $DTRACE -q -s "$work/t.d" -c "$work/types"
want 0
same out "42 7 200 7\n1\n\n"
done_testing
