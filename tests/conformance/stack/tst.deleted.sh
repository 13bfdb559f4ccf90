# @@host
# A program whose file is gone, and which its first event ends, has names: they are learnt before that event can be.
. "$TESTS/lib.sh"

cat >"$work/spin.c" <<'END'
#include <unistd.h>
__attribute__((noinline)) void spinning(void) { __asm__ volatile(""); }
int main(void) {
  alarm(60);
  for (;;) spinning();
}
END
cc -O1 -o "$work/spin" "$work/spin.c"
"$work/spin" &
spins=$!
trap 'kill $spins 2>/dev/null; rm -rf "$work"' EXIT
until [ "$(readlink /proc/$spins/exe)" = "$work/spin" ]; do sleep 0.01; done
rm "$work/spin"
"$DTRACE" -q -w -p $spins -n '
  pid$target:a.out:spinning:entry {
    @[ustack(2), ufunc(uregs[R_PC])] = count();
    raise(9);
  }' >"$work/out" 2>&1
for name in 'spin`spinning$' 'spin`main' 'spin`spinning  '; do
  matches out "$name"
done
done_testing
