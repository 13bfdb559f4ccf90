# clang, with a probe on each of the tens of thousands of functions of its library, makes what it makes without.
# @@host
# @@timeout: 120
. "$TESTS/lib.sh"
command -v clang >/dev/null || { echo "skipped: no clang"; exit 77; }
ls /usr/lib/llvm-*/lib/libclang-cpp.so* >/dev/null 2>&1 || { echo "skipped: clang has no library of its own"; exit 77; }
"$DTRACE" --self-test | grep -q 'uprobe.multi  *yes' || { echo "skipped: no uprobe.multi"; exit 77; }
cat >"$work/small.c" <<'E2'
struct pair { long key; const char *text; };
static int before(const struct pair *a, const struct pair *b) { return a->key < b->key; }
void sort(struct pair *all, int n) {
  for (int i = 1; i < n; i++)
    for (int j = i; j > 0 && before(all + j, all + j - 1); j--) {
      struct pair t = all[j];
      all[j] = all[j - 1];
      all[j - 1] = t;
    }
}
E2
cd "$work" || exit 1
clang -O2 -c small.c -o small.o || { fail 'cannot compile'; done_testing; }
mv small.o plain.o
run timeout 100 "$DTRACE" -Z -q -c 'clang -O2 -c small.c -o small.o' -n 'pid$target:libclang-cpp*::entry { @ = count(); }'
want 0
cmp -s plain.o small.o || fail 'another object file'
[ "$(tr -dc 0-9 <"$work/out")" -gt 10000 ] || { fail 'too few firings'; cat "$work/out" "$work/err"; }
done_testing
