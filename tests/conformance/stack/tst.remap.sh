# Stacks of a program that loads one library after the other in the same place, whose frames are not of one size:
# what probes remember of its mappings is not used when they have changed.
. "$TESTS/lib.sh"

for size in 64 4000; do
  cat >"$work/part.c" <<END
#include <sys/syscall.h>
#include <unistd.h>
long part(void) {
  volatile char room[$size];
  room[0] = 1;
  return syscall(SYS_getppid) + room[0];
}
END
  cc -O1 -fomit-frame-pointer -shared -fPIC "$work/part.c" -o "$work/part$size.so"
done
cat >"$work/remap.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  void* last = 0;
  int same = 0;
  for (int i = 0; i < 400; ++i) {
    void* const library = dlopen(argv[1 + i % 2], RTLD_NOW);
    long (*const part)(void) = (long (*)(void))dlsym(library, "part");
    same += (void*)part == last;
    last = (void*)part;
    for (int j = 0; j < 5; ++j) part();
    if (i < 4) usleep(1000 * atoi(argv[3]));  // until there are tables for both
    dlclose(library);
  }
  fprintf(stderr, "%d times in the same place\n", same);
  return argc != 4;
}
END
cc -O1 -fomit-frame-pointer "$work/remap.c" -o "$work/remap"

# syscall, part, main, and three of libc and the start; those that are said to end early are cut.
# How soon there are tables depends on the host: it is given more and more time.
for pause in 200 1000 5000 15000; do
  run "$DTRACE" -q -c "$work/remap $work/part64.so $work/part4000.so $pause" \
    -n 'syscall::getppid:entry /pid == $target/ { @[ustackdepth] = count(); @all = count(); }'
  [ "$status" = 0 ] || fail "exit status $status"
  grep -q '^399 times in the same place' "$work/err" || fail "the libraries were elsewhere"
  cut=$(sed -nE 's/^dtrace: ([0-9]+) user stacks? (is|are) cut short: code.*/\1/p' "$work/err")
  whole=$(awk 'NF == 2 && $1 == 6 { print $2 }' "$work/out")
  awk -v cut="${cut:-0}" '
    NF == 2 && $1 == 6 { whole = $2 }
    NF == 2 && $1 != 6 { other += $2 }
    NF == 1 { all = $1 }
    END { exit !(all == 2000 && whole + other == all && other <= cut) }' "$work/out" ||
    fail "of 2000, cut ${cut:-0}"
  [ "${whole:-0}" -le 1900 ] || break
done
[ "${whole:-0}" -gt 1900 ] || fail "only ${whole:-0} of 2000 are whole"
[ "$bad" = 0 ] || cat "$work/out" "$work/err"
done_testing
