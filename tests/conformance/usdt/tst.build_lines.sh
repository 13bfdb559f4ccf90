# The lines by which PostgreSQL, Ruby, Perl, Python, PHP, Erlang, QEMU and GLib make their headers and objects, over
# small sources in the layout of theirs: with make -j, in directories, for each kind of object, again and again.
# @@timeout: 120
# @@host
. "$TESTS/lib.sh"
for tool in cc c++ make sed; do
  command -v $tool >/dev/null || { echo "there is no $tool"; exit 77; }
done
"$DTRACE" --self-test | grep -q 'uprobe.multi *yes' || { echo "this kernel has no uprobe.multi"; exit 77; }
cd "$work"
strict='-Wall -Wextra -Werror'

# fires PROGRAM PROVIDER WANTED: what "NAME FIRST ARGUMENT" its probes give, sorted.
fires() {
  run "$DTRACE" -q -c "./$1" -n "$2\$target::: { printf(\"%s %d\n\", probename, arg0); }"
  want 0
  sort "$work/out" | sed '/^$/d' >"$work/fired"
  printf "$3" | cmp -s - "$work/fired" || { fail "$1 fires something else"; cat "$work/fired"; }
}

# PostgreSQL: make with subdirectories, cpp over the script, the header through sed, objects of all directories, -o last.
mkdir -p pg/include pg/utils pg/access/common pg/tcop
cat >pg/utils/probes.d <<'END'
#define LocalTransactionId unsigned int
#define LWLockMode int
#define Oid unsigned int
#define bool unsigned char
provider postgresql {
	/* comment */
	probe transaction__start(LocalTransactionId);
	probe query__parse__start(const char *);
	probe buffer__read__done(int, unsigned int, Oid, Oid, Oid, int, bool, bool);
	probe checkpoint__start(int);
};
END
cat >pg/utils/postprocess.sed <<'END'
s/POSTGRESQL_/TRACE_POSTGRESQL_/g
s/( *char \*/(const char */g
s/, *char \*/, const char */g
END
printf '#include "utils/probes.h"\nvoid heap(int i); void heap(int i) { TRACE_POSTGRESQL_BUFFER_READ_DONE(i, 2u, 3u, 4u, 5u, 6, 1, 0); }\n' >pg/access/common/heaptuple.c
printf '#include "utils/probes.h"\n#include "utils/probes.h"\nvoid parse(const char *q); void parse(const char *q) { if (TRACE_POSTGRESQL_QUERY_PARSE_START_ENABLED()) TRACE_POSTGRESQL_QUERY_PARSE_START(q); }\n' >pg/tcop/postgres.c
printf 'int no_probes(void); int no_probes(void) { return 0; }\n' >pg/tcop/utility.c
printf '#include "utils/probes.h"\nvoid heap(int i); void parse(const char *q); int no_probes(void);\nint main(void) { TRACE_POSTGRESQL_TRANSACTION_START(7); heap(9); parse(0); return no_probes(); }\n' >pg/main.c
cat >pg/Makefile <<'END'
OBJS = main.o access/common/heaptuple.o tcop/postgres.o tcop/utility.o
postgres: $(OBJS) utils/probes.o
	$(CC) $(CFLAGS) $^ -o $@
$(OBJS): %.o: %.c utils/probes.h
	$(CC) $(CFLAGS) -Wall -Wextra -Werror -I. -c $< -o $@
utils/probes.h: utils/postprocess.sed utils/probes.h.tmp
	sed -f $^ >$@
utils/probes.h.tmp: utils/probes.d
	$(DTRACE) -C -h -s $< -o $@
utils/probes.o: utils/probes.d $(OBJS)
	$(DTRACE) $(DTRACEFLAGS) -C -G -s $^ -o $@
END
for flags in -O2 '-O0 -fPIC' '-O2 -fPIE -pie' '-O2 -static' '-O2 -flto -ffat-lto-objects' '-O2 -flto' '-O2 -fcf-protection=full -Wl,-z,now'; do
  make -C pg -s -j8 DTRACE="$DTRACE" DTRACEFLAGS= CFLAGS="$flags" >log 2>&1 || { fail "make with $flags"; cat log; }
  [ -s log ] && { fail "make says something with $flags"; cat log; }
  fires pg/postgres postgresql 'buffer-read-done 9\nquery-parse-start 0\ntransaction-start 7\n'
  make -C pg -q DTRACE=false CFLAGS="$flags" || fail 'nothing is to be made again'
  rm -f pg/postgres pg/*.o pg/*/*.o pg/*/*/*.o pg/utils/probes.h*
done
# In a directory of its own, beside the sources (VPATH), and the output of the same input is the same.
mkdir build && cp pg/utils/probes.d build/
(cd pg && "$DTRACE" -C -h -s utils/probes.d -o ../one.h && "$DTRACE" -C -h -s ../build/probes.d -o ../two/../one.h) 2>/dev/null
mkdir two
(cd build && "$DTRACE" -C -h -s ../pg/utils/probes.d -o ../one.h && "$DTRACE" -C -h -s probes.d -o ../two/one.h)
cmp one.h two/one.h || fail 'a header depends on where it is made'
"$DTRACE" -C -G -s build/probes.d -o one.o && cp one.o one.again && "$DTRACE" -C -G -s build/probes.d -o one.o && cmp one.o one.again ||
  fail 'an object is another one the second time'
# Many at once write the same file; whoever reads it reads a whole one.
for i in 1 2 3 4 5 6 7 8; do "$DTRACE" -C -h -s build/probes.d -o one.h & pids="${pids-} $!"; done
for i in 1 2 3 4 5 6 7 8 9 10; do cmp -s one.h two/one.h || fail 'a part of a header is seen'; done
for pid in $pids; do wait "$pid" || fail 'one of many'; done
cmp one.h two/one.h || fail 'many at once'
[ -z "$(ls | grep part)" ] || fail "left behind: $(ls)"
chmod 600 one.h && "$DTRACE" -C -h -s build/probes.d -o one.h && ln -s one.h link.h && "$DTRACE" -C -h -s build/probes.d -o link.h
[ -L link.h ] && cmp -s link.h one.h || fail 'a link was replaced'
"$DTRACE" -C -h -s build/probes.d -o /dev/stdout | sed 1,5d | grep -q POSTGRESQL_CHECKPOINT_START || fail '/dev/stdout'

# Ruby: -o before all, words for cpp, headers of its own, pragmas, a second name for the macros.
mkdir -p ruby/include && cd ruby
printf '#define RUBY_STRING const char *\n' >include/vm_opts.h
cat >probes.d <<'END'
#include "vm_opts.h"
provider ruby {
  probe method__entry(RUBY_STRING, RUBY_STRING, RUBY_STRING, int);
  probe gc__mark__begin();
#ifdef WITH_MORE
  probe more(int);
#endif
};
#pragma D attributes Stable/Evolving/Common provider ruby provider
#pragma D attributes Stable/Evolving/Common provider ruby module
#pragma D attributes Stable/Evolving/Common provider ruby function
#pragma D attributes Evolving/Evolving/Common provider ruby name
#pragma D attributes Evolving/Evolving/Common provider ruby args
END
run "$DTRACE" -o probes.h.tmp -h -C -I. -I.ext/include/x86_64-linux -Iinclude -D_FORTIFY_SOURCE=2 -DWITH_MORE=1 -U_NOTHING -s probes.d
want 0
sed -e 's/RUBY_/RUBY_DTRACE_/g' -e 's/PROBES_H_TMP/RUBY_PROBES_H/' -e 's/(char \*/(const char */g' -e 's/, char \*/, const char */g' probes.h.tmp >probes.h
printf '#include "probes.h"\nint main(void) { RUBY_DTRACE_METHOD_ENTRY("A", "b", "c", 4); RUBY_DTRACE_GC_MARK_BEGIN(); RUBY_DTRACE_MORE(5); return 0; }\n' >main.c
cc $strict -O2 -c main.c || fail 'cc'
run "$DTRACE" -G -C -I. -Iinclude -DWITH_MORE=1 -s probes.d -o probes.o main.o
want 0
same err ''
cc main.o probes.o -o ruby || fail 'linking'
run "$DTRACE" -q -c ./ruby -n 'ruby$target:::method-entry { printf("%s %d ", stringof(args[1]), args[3]); } ruby$target:::more { printf("%d", args[0]); }'
same out 'b 4 5\n'
cd ..

# Perl: an object of -G in the library and another one, of the same provider, in the program; twice over the same objects.
mkdir perl && cd perl
echo 'provider perl { probe sub__entry(const char *, const char *, int, const char *); probe loaded__file(const char *); };' >perldtrace.d
"$DTRACE" -h -s perldtrace.d -o perldtrace.h || fail '-h'
printf '#include "perldtrace.h"\nvoid load(void) { if (PERL_LOADED_FILE_ENABLED()) PERL_LOADED_FILE(0); }\n' >perl.c
printf '#include "perldtrace.h"\nvoid load(void);\nint main(void) { PERL_SUB_ENTRY(0, "f", 1, "p"); if (PERL_LOADED_FILE_ENABLED()) load(); return 0; }\n' >perlmain.c
cc -c perl.c perlmain.c
sum=$(cat perl.o perlmain.o | cksum)
for twice in 1 2; do
  "$DTRACE" -G -s perldtrace.d -o perldtrace.o perl.o || fail '-G, library'
  "$DTRACE" -G -s perldtrace.d -o perldtrace_main.o perlmain.o || fail '-G, program'
done
[ "$sum" = "$(cat perl.o perlmain.o | cksum)" ] || fail 'objects were changed'
ar rcs libperl.a perl.o perldtrace.o
cc perlmain.o perldtrace_main.o -Wl,--whole-archive -L. -lperl -Wl,--no-whole-archive -o perl || fail 'two of a provider'
fires perl perl 'loaded-file 0\nsub-entry 0\n'
sed 's/if (PERL_LOADED_FILE_ENABLED()) load/load/' perlmain.c | cc -I. -x c -c - -o perlmain.o
cc -shared -fPIC perl.c perldtrace.o -o libperl.so && cc perlmain.o perldtrace_main.o -L. -l:libperl.so -Wl,-rpath,"$PWD" -o perl || fail 'shared'
fires perl perl 'loaded-file 0\nsub-entry 0\n'
cd ..

# Python: configure asks whether -G is needed with a script of clauses; sed over the first name in each line.
mkdir python && cd python
echo 'BEGIN{}' >conftest.d
run env CC=cc CFLAGS=-O2 "$DTRACE" -G -s conftest.d -o conftest.o
want 1
[ ! -e conftest.o ] || fail 'an object of a clause'
echo 'provider python { probe function__entry(const char *, const char *, int); probe gc__start(int); };' >pydtrace.d
env CC=cc CFLAGS=-O2 "$DTRACE" -o pydtrace_probes.h -h -s pydtrace.d || fail '-h'
sed 's/PYTHON_/PyDTrace_/' pydtrace_probes.h >pydtrace_probes.h.tmp && mv pydtrace_probes.h.tmp pydtrace_probes.h
printf '#include "pydtrace_probes.h"\nint main(void) { if (PyDTrace_GC_START_ENABLED()) PyDTrace_GC_START(2); PyDTrace_FUNCTION_ENTRY("", "", 3); return 0; }\n' >python.c
cc $strict python.c -o python || fail 'cc'
run "$DTRACE" -q -c ./python -n 'python$target:::gc-start { printf("%d ", arg0); } python$target:::function-entry { printf("%d", arg2); }'
same out '2 3\n'
cd ..

# PHP: its macros are DTRACE_...; Erlang: twelve arguments, "-" in names; QEMU: a word for cpp without -C; GLib.
mkdir php && cd php
printf 'provider php {\n\tprobe exception__caught(char *classname);\n\tprobe error(char *errormsg, char *request_file, int lineno);\n};\n' >dtrace.d
"$DTRACE" -h -C -s dtrace.d -o phpdtrace.h.bak && sed -e 's,PHP_,DTRACE_,g' phpdtrace.h.bak >phpdtrace.h
printf '#include "phpdtrace.h"\nint main(void) { if (DTRACE_ERROR_ENABLED()) DTRACE_ERROR((char *)0, (char *)0, 1); DTRACE_EXCEPTION_CAUGHT((char *)8); return 0; }\n' >php.c
cc $strict php.c -o php && fires php php 'error 0\nexception-caught 8\n'
cat >erlang.d <<'END'
provider erlang {
    probe efile_drv__entry(int, int, char *, int, int, char *, char *, int64_t, int64_t, int64_t, int64_t, char *);
    probe user_trace-n0(char *, char *, int);
};
END
"$DTRACE" -h -C -Ibeam -s erlang.d -o erlang.h || fail 'twelve arguments'
printf '#include "erlang.h"\n#include <stdint.h>\nint main(void) { ERLANG_EFILE_DRV_ENTRY(1, 2, "", 4, 5, "", "", 8, 9, 10, 11, ""); ERLANG_USER_TRACE_N0("", "", 3); return 0; }\n' >erlang.c
cc $strict erlang.c -o erlang || fail 'twelve arguments, cc'
run "$DTRACE" -q -c ./erlang -n 'erlang$target:::efile_drv-entry { printf("%d %d %d ", arg0, arg8, args[9]); } erlang$target:::user_trace-n0 { printf("%d", args[2]); }'
same out '1 9 10 3\n'
run "$DTRACE" -DSTAP_SDT_V2 -o erlang.o -G -s erlang.d
want 0
run "$DTRACE" -o erlang.h -DSTAP_SDT_V2 -h -s erlang.d
want 0
same err ''
cd ..

# C++ with LTO and without, clang too; and a file without any probe of the provider.
for cxx in 'c++ -flto -O2' 'c++ -O0 -fno-pie -no-pie' "$(command -v clang++ >/dev/null && echo 'clang++ -O2')" "$(command -v ld.lld >/dev/null && command -v clang++ >/dev/null && echo 'clang++ -O2 -flto -Wno-unused-command-line-argument -fuse-ld=lld')"; do
  [ -n "$cxx" ] || continue
  printf '#include "php.h"\ntemplate <int n> struct S { static void f() { PHP_ERROR((char *)0, (char *)0, n); PHP_EXCEPTION_CAUGHT((char *)n); } };\nvoid g();\nint main() { S<3>::f(); g(); }\n' >a.cc
  printf '#include "php.h"\nvoid g(); void g() { if (PHP_EXCEPTION_CAUGHT_ENABLED()) PHP_EXCEPTION_CAUGHT((char *)4); }\n' >b.cc
  "$DTRACE" -h -s php/dtrace.d -o php.h
  sed 's/(char \*)n/(char *)(long)n/' a.cc >a2.cc && $cxx $strict -c a2.cc -o a.o && $cxx $strict -c b.cc -o b.o || fail "$cxx"
  "$DTRACE" -G -s php/dtrace.d -o p.o a.o b.o || fail "-G, $cxx"
  $cxx a.o b.o p.o -o cxx || fail "linking, $cxx"
  fires cxx php 'error 0\nexception-caught 3\nexception-caught 4\n'
done

# An object of 32 bits by its name.
if printf 'int main(void) { return 0; }\n' | cc -m32 -x c -c - -o narrow.o 2>/dev/null; then
  run "$DTRACE" -G -s php/dtrace.d -o p.o a.o narrow.o
  want 1
  same err "dtrace: failed to use 'narrow.o': it is not for x86-64\n"
fi
mkdir readonly.h
run "$DTRACE" -h -s php/dtrace.d -o readonly.h
want 1
same err "dtrace: failed to open 'readonly.h': Is a directory\n"
done_testing
