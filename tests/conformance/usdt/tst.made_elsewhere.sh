# dtrace/probes.h and libdtrace-probes as programs get them: in strict C and C++, the library in the program and
# beside it; in Python through ctypes; and others that read notes of USDT.
# @@timeout: 120
# @@host
. "$TESTS/lib.sh"
command -v cc >/dev/null && command -v c++ >/dev/null || { echo "there is no compiler"; exit 77; }
include=$(cd "$TESTS/../include" && pwd)
library=$(cd "$(dirname "$DTRACE")/../usdt/made" && pwd)
cd "$work"
cat >strict.c <<'END'
#include <dtrace/dtrace.h>
#include <dtrace/probes.h>
#include <dtrace/sdt.h>
int main(void) {
  dtrace_provider *strict;
  const dtrace_site *a, *b;
  if (dtrace_provider_create("strict", 0, &strict) != 0 ||
      dtrace_provider_probe(strict, "a", NULL, "int, const char *", &a) != 0 ||
      dtrace_provider_probe(strict, "b", NULL, "long", &b) != 0 || dtrace_provider_load(strict) != 0)
    return 1;
  DTRACE_SITE_FIRE(a, -1, (uintptr_t) "text");
  if (DTRACE_SITE_ENABLED(b)) DTRACE_SITE_FIRE(b, -2L);
  return dtrace_provider_free(strict);
}
END
sed 's/(uintptr_t) "text"/"text"/' strict.c >strict.cc
cp "$library/libdtrace-probes.a" . || { fail 'no library'; done_testing; }
strict='-Wall -Wextra -Werror -pedantic'
for build in "cc -std=c99 $strict strict.c -L. -ldtrace-probes -pthread" \
  "cc -O2 $strict strict.c -static -L. -ldtrace-probes -pthread" \
  "c++ -std=c++11 $strict -Wconversion -Wold-style-cast strict.cc -L$library -ldtrace-probes -Wl,-rpath,$library" \
  $(command -v clang >/dev/null && echo "clang^-std=c11^$strict^strict.c^-L.^-ldtrace-probes^-pthread" | tr ' ' '^'); do
  $(echo "$build" | tr '^' ' ') "-I$include" -o strict || fail "$build"
  ./strict || fail "$build: $?"
  run "$DTRACE" -Z -q -c ./strict -n 'strict$target:::a { printf("a %d %s ", args[0], stringof(args[1])); } strict$target:::b { printf("%d", args[0]); }'
  want 0
  same out 'a -1 text -2\n'
done
nm -D --defined-only "$library/libdtrace-probes.so.0" | awk '{ print $3 }' >exports
printf '%s\n' dtrace_provider_create dtrace_provider_free dtrace_provider_load dtrace_provider_probe dtrace_site_enabled dtrace_site_fire |
  cmp -s - exports || { fail 'exports'; cat exports; }

# Python
if command -v python3 >/dev/null; then
  export DTRACE_PROBES_LIBRARY="$library/libdtrace-probes.so.0"
  python=$(python3 -c 'import sys; print(sys.executable)')
  script="$TESTS/../examples/probes.py"
  run "$python" "$script" 1
  want 0
  run "$DTRACE" -Z -q -c "$python $script 8" -n 'jobs$target::work:job-done { printf("%d %s %d\n", args[0], stringof(args[1]), args[2] >= 1000000 * (-args[0] % 4)); }'
  want 0
  same out '0 job 0 1\n-1 job 1 1\n-2 job 0 1\n-3 job 1 1\n-4 job 0 1\n-5 job 1 1\n-6 job 0 1\n-7 job 1 1\n\n'
fi

# The file is one of ELF as readelf knows it.
file=$(ls /tmp/dtrace-probes-*/strict.so.* | head -n 1)
readelf -Wa "$file" >elf 2>elf.err
[ -s elf.err ] && { fail 'readelf complains'; cat elf.err; }
grep -q 'Provider: strict' elf && grep -q 'Arguments: -4@%edi 8@%rsi' elf || { fail 'notes'; cat elf; }
done_testing
