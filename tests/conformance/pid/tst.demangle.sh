# Functions of C++ and Rust by the names of their sources: in probes by -x demangle, in stacks unless it is none.
# @@timeout: 120
# @@host
. "$TESTS/lib.sh"
command -v c++ >/dev/null || { echo "skipped: no C++ compiler"; exit 77; }
cat >"$work/shop.cc" <<'E2'
namespace shop {
struct Till {
  int sum = 0;
  __attribute__((noinline)) int pay(int coins) { asm volatile(""); return sum += coins; }
  __attribute__((noinline)) int pay(long notes, int coins) { asm volatile(""); return pay(coins) + static_cast<int>(notes); }
};
}
// As compilers of Rust call them, today and before.
extern "C" __attribute__((noinline)) int _RNvCs1234_7mycrate3foo(int x) { asm volatile(""); return x + 1; }
extern "C" __attribute__((noinline)) int _ZN7mycrate3old17h0123456789abcdefE(int x) { asm volatile(""); return x + 1; }
int main() {
  shop::Till till;
  for (int i = 0; i < 3; i++) till.pay(10L * i, i);
  return till.sum + _RNvCs1234_7mycrate3foo(_ZN7mycrate3old17h0123456789abcdefE(0)) - 5;
}
E2
c++ -O1 -o "$work/shop" "$work/shop.cc" || { fail "cannot build"; done_testing; }
counted() { # OPTION PATTERN
  run "$DTRACE" -q -x "$1" -c "$work/shop" -n 'pid$target:a.out:'"$2"':entry { @[probefunc, ufunc(uregs[R_RIP])] = count(); }'
  want 0
}
counted demangle '*shop??Till??pay*'
matches out '^  shop::Till::pay\(int\) +shop`shop::Till::pay\(int\) +3$'
matches out '^  shop::Till::pay\(long, int\) +shop`shop::Till::pay\(long, int\) +3$'
counted demangle 'shop??Till??pay(long, int)'
matches out '^  shop::Till::pay\(long, int\) +shop`shop::Till::pay\(long, int\) +3$'
grep -q 'pay(int)' "$work/out" && fail "another function of the name"
counted demangle=all 'mycrate??*'
matches out '^  mycrate::foo +shop`mycrate::foo +1$'
matches out '^  mycrate::old +shop`mycrate::old +1$'
# The linker's name, written out, is that function, too.
counted demangle _ZN4shop4Till3payEi
matches out '^  shop::Till::pay\(int\) +shop`shop::Till::pay\(int\) +3$'
counted demangle '_ZN4shop4Till*'
matches out '^  shop::Till::pay\(int\) +shop`shop::Till::pay\(int\) +3$'
matches out '^  shop::Till::pay\(long, int\) +shop`shop::Till::pay\(long, int\) +3$'
counted demangle=stacks '*pay*'
matches out '^  _ZN4shop4Till3payEi +shop`shop::Till::pay\(int\) +3$'
counted demangle=none '*pay*'
matches out '^  _ZN4shop4Till3payEli +shop`_ZN4shop4Till3payEli +3$'
run "$DTRACE" -c "$work/shop" -n 'pid$target:a.out:shop*:entry'
want 1
run "$DTRACE" -l -x demangle -c "$work/shop" -n 'pid$target:a.out:shop*:return'
want 0
matches out ' shop +shop::Till::pay\(int\) return$'
run "$DTRACE" -x demangle=some -n BEGIN
want 1
first err 'failed to set -x demangle: Invalid value for specified option$'
has err 'hint: it is one of none, stacks, all'
done_testing
