# @@host
# usym(), umod() and uaddr() of addresses of variables: of the program and of a library, static, without bytes in
# the file, constants, in programs that lie anywhere and in those that do not; also when the process has ended.
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/library.c" <<'E2'
long in_library[4] = {1};
long *library(void) { return &in_library[1]; }
E2
cat >"$work/known.c" <<'E2'
#include <stdlib.h>
#include <unistd.h>
long initialized = 1, zero[100];
static long hidden = 2;
const long constant = 3;
long *library(void);
int main(void) {
  write(-1, &initialized, 1);
  write(-1, (char *)&zero[3] + 2, 2);
  write(-1, &hidden, 3);
  write(-1, &constant, 4);
  write(-1, library(), 5);
  write(-1, malloc(8), 6);
  return (int)hidden - 2;
}
E2
(cd "$work" && cc -shared -fPIC -o libknown.so library.c) || { fail "cannot build"; done_testing; }
for kind in '-pie -fPIE' '-no-pie' '-no-pie -Wl,-z,noseparate-code'; do
  (cd "$work" && cc $kind -o known known.c -L. -lknown -Wl,-rpath,"$work") || { fail "cannot build $kind"; done_testing; }
  run "$DTRACE" -q -c "$work/known" -n 'syscall::write:entry /pid == $target && (int)arg0 == -1/ {
	@[arg2, usym(arg1), umod(arg1), uaddr(arg1)] = count(); }'
  want 0
  sed 's/^ *//; s/  */ /g' "$work/out" | grep . | sort >"$work/lines"
  for line in '1 known`initialized known known`initialized' '2 known`zero known known`zero+0x1a' \
    '3 known`hidden known known`hidden' '4 known`constant known known`constant' \
    '5 libknown.so`in_library libknown.so libknown.so`in_library+0x8'; do
    has lines "$line"
  done
  matches lines '^6 (0x[0-9a-f]+) \1 \1 1$'
done
done_testing
