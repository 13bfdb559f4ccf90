# Programs with probes of their own, built by the lines that real builds have: headers of dtrace -h,
# objects of dtrace -G, traced with exact counts and values; and what such a line gets wrong.
# @@timeout: 120
# @@host
. "$TESTS/lib.sh"
command -v cc >/dev/null && command -v c++ >/dev/null || { echo "there is no compiler"; exit 77; }
cd "$work"

# As a database is built: through cpp and sed, with the objects and -o last.
cat >probes.d <<'END'
/* Names that only this file has. */
#define Oid unsigned int
#define bool char
provider postgresql {
	probe transaction__start(Oid);
	probe query__done(const char *, bool, long string);
	probe deadlock__found();
	probe never__reached(int);
};
END
run "$DTRACE" -C -h -s probes.d -o probes.h.tmp
want 0
same err ''
sed -e 's/POSTGRESQL_/TRACE_POSTGRESQL_/g' -e 's/, *char \*/, const char */g' probes.h.tmp >probes.h
cat >main.c <<'END'
#include <stdio.h>
#include "probes.h"
void other(int i);
int main(void) {
  int up = 0;
  for (int i = 0; i < 10; i++) {
    char name[] = "query ?";
    name[6] = (char)('0' + i);
    TRACE_POSTGRESQL_TRANSACTION_START(4000000000u + i);
    if (TRACE_POSTGRESQL_QUERY_DONE_ENABLED()) {
      up++;
      TRACE_POSTGRESQL_QUERY_DONE(name, (char)-i, -(1L << 40));
    }
    if (TRACE_POSTGRESQL_NEVER_REACHED_ENABLED())
      TRACE_POSTGRESQL_NEVER_REACHED(i);
    else
      other(i);
  }
  printf("up %d\n", up);
  return 0;
}
END
cat >other.c <<'END'
#include "probes.h"
void other(int i) { if (i % 2) TRACE_POSTGRESQL_DEADLOCK_FOUND(); }
END
for flags in -O0 -O2 '-O2 -fPIC -pie -flto' '-std=gnu99 -O1 -ffunction-sections -Wl,--gc-sections -pedantic'; do
  cc -Wall -Wextra -Werror $flags -c main.c other.c || fail "cc $flags"
  run "$DTRACE" -C -G -s probes.d main.o other.o -o probes.o
  want 0
  cc $flags main.o other.o probes.o -o server || fail "linking with $flags"
  strip server
  run ./server
  same out 'up 0\n'
  run "$DTRACE" -q -c ./server -n '
postgresql$target:server::transaction-start { @starts = count(); @sum = sum(arg0); }
postgresql$target:::query-done { printf("%s %d %d\n", copyinstr(arg0), arg1, arg2); }
postgresql$target:::deadlock-found { @found = count(); }
END { printa("starts %@d ", @starts); printa("sum %@d ", @sum); printa("found %@d\n", @found); }'
  want 0
  has out 'up 10'
  has out 'starts 10 sum 40000000045 found 5'
  for i in 0 1 2 3 4 5 6 7 8 9; do
    [ "$i" = 0 ] && has out 'query 0 0 -1099511627776' || has out "query $i -$i -1099511627776"
  done
done

# As Ruby is configured: without -o, in the directory at hand, and -xnolibs; words of C before their names.
mkdir ruby && cd ruby
echo 'provider conftest { probe fire(const char *string, int self); };' >conftest_provider.d
run "$DTRACE" -xnolibs -h -s conftest_provider.d
want 0
printf '#include "conftest_provider.h"\nint main(void) { char x[] = "x"; CONFTEST_FIRE(x, 1); return 0; }\n' >conftest.c
cc -c conftest.c && cp conftest.o before.o
run "$DTRACE" -G -s conftest_provider.d conftest.o
want 0
cmp -s conftest.o before.o || fail 'an object was changed'
cc conftest.o conftest_provider.o -o conftest || fail 'linking Ruby'"'"'s test'
run "$DTRACE" -q -c ./conftest -n 'conftest$target:::fire { printf("%s %d", copyinstr(arg0), arg1); }'
want 0
same out 'x 1\n'
cd ..

# Perl's line has options that mean nothing here, and the script after the output.
echo 'provider perl { probe sub__entry(const char *, const char *, int, const char *); };' >perldtrace.d
run "$DTRACE" -G -64 -Xa -xlazyload -o perldtrace.o -s perldtrace.d main.o
want 0
run "$DTRACE" -h -o perldtrace.h -s perldtrace.d
want 0

# C++ with templates, in a shared library and a program; nothing of dtrace -G is linked.
cat >shapes.d <<'END'
provider shapes {
	probe grown(const char *, int64_t, double, bool);
	probe kind(int);
	probe ten(int, int, int, int, int, int, int, int, int, int);
};
END
run "$DTRACE" -h -s shapes.d -o shapes.hpp
want 0
cat >shapes.cc <<'END'
#include "shapes.hpp"
#include <sys/types.h>
enum class Kind : short { kNone = -1, kRound };
template <typename T>
struct Shape {
  void grow(T by) { SHAPES_GROWN("grown", by, 1.5, by > T(1)); }
};
__attribute__((visibility("default"))) void grow_all(int n) {
  Shape<int>().grow(n);
  Shape<unsigned char>().grow(static_cast<unsigned char>(200 + n));
  Shape<long long>().grow(-5000000000LL);
  auto inner = [](Kind kind) { SHAPES_KIND(kind); };
  inner(n == 1 ? Kind::kNone : Kind::kRound);
  if (SHAPES_TEN_ENABLED()) SHAPES_TEN(n, 1, n * 2, 3, n * 4, 5, n * 6, 7, n * 8, 9);
}
END
cat >shapes_main.cc <<'END'
#include "shapes.hpp"
void grow_all(int n);
int main() {
  for (int i = 1; i <= 2; i++) grow_all(i);
  SHAPES_KIND(7u);
}
END
for cxx in 'c++ -O2' 'c++ -O0 -std=c++11' $(command -v clang++); do
  $cxx -Wall -Wextra -Werror -Wold-style-cast -fPIC -shared shapes.cc -o libshapes.so || fail "$cxx, library"
  $cxx -Wall -Wextra -Werror shapes_main.cc -L. -lshapes -Wl,-rpath,"$work" -o shapes || fail "$cxx, program"
  run "$DTRACE" -q -c ./shapes -n '
shapes$target:libshapes.so::grown { printf("%s %d %x %d\n", copyinstr(arg0), arg1, arg2, arg3); }
shapes$target:::kind { printf("kind %d\n", arg0); }
shapes$target:::ten { printf("ten %d %d %d %d %d %d %d %d %d %d\n", arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9); }'
  want 0
  same out 'grown 1 3ff8000000000000 0\ngrown 201 3ff8000000000000 1\ngrown -5000000000 3ff8000000000000 0
kind -1\nten 1 1 2 3 4 5 6 7 8 9
grown 2 3ff8000000000000 1\ngrown 202 3ff8000000000000 1\ngrown -5000000000 3ff8000000000000 0
kind 0\nten 2 1 4 3 8 5 12 7 16 9\nkind 7\n\n'
done

# The header that is installed takes the place of sys/sdt.h.
cat >plain.c <<'END'
#define _SDT_HAS_SEMAPHORES 1
#include <dtrace/sdt.h>
unsigned short plain_two_semaphore __attribute__((section(".probes")));
unsigned short plain_none_semaphore __attribute__((section(".probes")));
int main(void) {
  char text[] = "text";  /* on the stack, so that it is resident */
  DTRACE_PROBE(plain, none);
  if (plain_two_semaphore) STAP_PROBE2(plain, two, -1, text);
  return 0;
}
END
cc -Wall -Wextra -Werror -I "$TESTS/../include" plain.c -o plain || fail 'dtrace/sdt.h'
run "$DTRACE" -q -c ./plain -n 'plain$target:::none { printf("none\n"); } plain$target:::two { printf("two %d %s\n", arg0, copyinstr(arg1)); }'
want 0
same out 'none\ntwo -1 text\n\n'

# Numbers become what the provider declares, as arguments of functions do.
echo 'provider numbers { probe of(int, double, unsigned char); };' >numbers.d
run "$DTRACE" -h -s numbers.d
want 0
printf '#include "numbers.h"\nint main(void) { NUMBERS_OF(1.9, 3, 511); return 0; }\n' >numbers.c
cp numbers.c numbers.cc
for compiler in cc c++; do
  $compiler -Wall -Wextra -Werror numbers.c$([ $compiler = cc ] || echo c) -o numbers || fail "numbers, $compiler"
  run "$DTRACE" -q -c ./numbers -n 'numbers$target:::of { printf("%d %x %d", arg0, arg1, arg2); }'
  want 0
  same out '1 4008000000000000 255\n'
done

# What is wrong is said in our words, and no file is left behind.
printf 'provider p {\n\tprobe a(int)\n};\n' >bad.d
run "$DTRACE" -h -s bad.d
want 1
first err '^dtrace: failed to compile script bad.d: line 3: syntax error'
has err '^'
[ ! -e bad.h ] || fail 'a header was written'
printf 'provider p2 { probe a(int); };\n' >bad.d
run "$DTRACE" -xerrtags -G -s bad.d
want 1
same err 'dtrace: failed to compile script bad.d: [D_PROV_BADNAME] line 1: provider name may not end with a digit: p2
bad.d:1:10: error: provider name may not end with a digit: p2 [D_PROV_BADNAME]
provider p2 { probe a(int); };
         ^~
'
printf 'syscall:::entry { }\nprovider p3 { probe a(); };\n' >bad.d
run "$DTRACE" -h -s bad.d
want 1
first err 'line 1: a clause cannot be built into a program: only providers can$'
run "$DTRACE" -h -s absent.d
want 1
first err "absent.d.*No such file or directory"
run "$DTRACE" -h -s shapes.d -o absent/shapes.h
want 1
same err "dtrace: failed to open 'absent/shapes.h': No such file or directory\n"
run "$DTRACE" -G -s shapes.d -o /dev/full
want 1
same err "dtrace: failed to write to '/dev/full': No space left on device\n"
run "$DTRACE" -G -s shapes.d absent.o
want 1
same err "dtrace: failed to read 'absent.o': No such file or directory\n"
head -c 4 main.o >narrow.o
printf '\001\001\001\000\000\000\000\000\000\000\000\000\001\000\003\000' >>narrow.o
run "$DTRACE" -G -s shapes.d narrow.o
want 1
same err "dtrace: failed to use 'narrow.o': it is not for x86-64\n"
run "$DTRACE" -32 -G -s shapes.d
want 1
same err 'dtrace: option -32 is not supported: programs here have 64 bits\n'
run "$DTRACE" -G
want 2
first err '^dtrace: option -G needs a script with providers: -s provider.d$'
run "$DTRACE" -h shapes.d
want 2
first err '^dtrace: option -h needs a script with providers: -s provider.d$'
run "$DTRACE" -h -s shapes.d perldtrace.d
want 2
first err "^dtrace: option -h takes nothing but -s: 'perldtrace.d'$"
cp shapes.d kept.d
run "$DTRACE" -h -s shapes.d -o ./shapes.d
want 1
same err "dtrace: failed to write to './shapes.d': it is the script itself\n"
cmp -s shapes.d kept.d || fail 'a script was written over'
run "$DTRACE" -h -n 'provider p { probe a(); };'
want 2
first err '^dtrace: option -h needs the name of a file: -o$'
done_testing
