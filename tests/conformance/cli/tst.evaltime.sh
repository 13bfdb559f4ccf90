# Where a command stands when tracing begins: -x evaltime.
. "$TESTS/lib.sh"
# What the dynamic linker opens is traced from exec on only.
program='syscall::openat:entry /pid == $target/ { printf("%s\n", copyinstr(arg1)); }'
for when in exec preinit; do
  run "$DTRACE" -q -x evaltime=$when -n "$program" -c /bin/true
  want 0
  has out libc.so
done
for when in postinit main; do
  run "$DTRACE" -q -x evaltime=$when -n "$program" -c /bin/true
  want 0
  same out '\n'
done
run "$DTRACE" -q -n "$program" -c /bin/true
want 0
same out '\n'
run "$DTRACE" -q -n "#pragma D option evaltime=exec
$program" -c /bin/true
want 0
has out libc.so

# Before main() are the program's own constructors.
cat >"$work/x.c" <<'C'
#include <unistd.h>
static void __attribute__((constructor)) before(void) { close(1001); }
int main(void) { close(1002); return 0; }
C
program='syscall::close:entry /pid == $target && arg0 > 1000/ { printf("%d ", arg0); }'
for flags in "" "-static" "-no-pie" "-fcf-protection"; do
  cc $flags -o "$work/x" "$work/x.c" 2>/dev/null || continue
  for when in exec postinit; do
    run "$DTRACE" -q -x evaltime=$when -n "$program" -c "$work/x"
    same out '1001 1002 \n'
  done
  run "$DTRACE" -q -x evaltime=main -n "$program" -c "$work/x"
  same out '1002 \n'
done
# Also where the probes are the command's own.
run "$DTRACE" -q -x evaltime=main -n 'pid$target::main:entry { printf("main "); }' -n "$program" -c "$work/x"
want 0
has out 'main 1002'

# One that ends before it begins is told as ever.
printf 'int f(void); int main(void) { return f(); }\n' >"$work/y.c"
printf 'int f(void) { return 0; }\n' >"$work/f.c"
if cc -shared -fPIC -o "$work/libf.so" "$work/f.c" 2>/dev/null && cc -o "$work/y" "$work/y.c" -L"$work" -lf; then
  rm "$work/libf.so"
  run "$DTRACE" -n 'BEGIN { printf("begun"); }' -c "$work/y"
  want 0
  has out begun
  matches err '^dtrace: pid [0-9]+ exited with status 127$'
fi
run "$DTRACE" -x evaltime=never -n BEGIN
want 1
has err 'hint: it is one of exec, preinit, postinit, main'
done_testing
