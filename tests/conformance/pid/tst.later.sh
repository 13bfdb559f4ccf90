# With -Z, what is not mapped yet is traced from the moment that it is: libraries that are loaded while the program
# runs, and programs that it executes. Probes of files that both programs have mapped fire in both.
# @@timeout: 120
# @@host
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
cat >"$work/plug.c" <<'E2'
int plug_one(int x) { return x + 1; }
int plug_two(int x) { return x * 2; }
E2
cat >"$work/host.c" <<'E2'
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char** words) {
  void* const library = count > 1 ? dlopen(words[1], RTLD_NOW) : 0;
  if (library == 0) return 1;
  int (*const call)(int) = (int (*)(int))dlsym(library, "plug_one");
  int sum = 0;
  for (int i = 0; i < 5; ++i) sum += call(i);
  printf("sum %d\n", sum);
  return sum != 15;
}
E2
mkdir "$work/plugins"
cc -O1 -shared -fPIC -o "$work/plugins/libplug.so.1.2" "$work/plug.c" && cc -O1 -o "$work/host" "$work/host.c" ||
  { fail "cannot build"; done_testing; }
ln -s libplug.so.1.2 "$work/plugins/libplug.so.1"
clause='pid$target:libplug:plug_*:entry, pid$target:libplug:plug_*:return { @[probemod, probefunc, probename] = count(); }'
run env LD_LIBRARY_PATH="$work/plugins" "$DTRACE" -q -n "$clause" -c "$work/host libplug.so.1"
want 1
first err "process [0-9]+ has not mapped an object 'libplug'\$"
has err "hint: -Z traces $work/plugins/libplug.so.1"
run env LD_LIBRARY_PATH="$work/plugins" "$DTRACE" -q -Z -n "$clause" -c "$work/host libplug.so.1"
want 0
has out 'sum 15'
matches out '^  libplug.so.1.2 +plug_one +entry +5$'
matches out '^  libplug.so.1.2 +plug_one +return +5$'
grep -q plug_two "$work/out" && fail "what is not called fires"
# A program that another one executes, found by PATH, and its library.
run env PATH="$work:$PATH" LD_LIBRARY_PATH="$work/plugins" "$DTRACE" -q -Z -c "sh -c 'exec host libplug.so.1'" -n "$clause"'
pid$target:host:main:entry { @m[pid == $target, execname] = count(); }
pid$target:libc:malloc:entry { @c[execname] = count(); }'
want 0
has out 'sum 15'
matches out '^  libplug.so.1.2 +plug_one +entry +5$'
matches out '^ +1  host +1$'
matches out '^  sh +[1-9]'
matches out '^  host +[1-9]'
# What is found nowhere is a probe that there is not; without -Z it is refused.
run "$DTRACE" -q -Z -c "$work/host $work/plugins/libplug.so.1" -n 'pid$target:libnowhere:f:entry { exit(3); }'
want 0
has out 'sum 15'
# A function that the file does not have is not there either.
run "$DTRACE" -q -Z -c "$work/host $work/plugins/libplug.so.1" -n 'pid$target:libm:no_such_function:entry { exit(3); }'
want 0
# Set-id programs are traced, with the ids that they have without us.
cp "$(command -v id)" "$work/set_id" && chmod 4755 "$work/set_id" && chmod 755 "$work"
if [ "$(setpriv --reuid 65534 --clear-groups "$work/set_id" -u 2>/dev/null)" = 0 ]; then
  run "$DTRACE" -q -c "setpriv --reuid 65534 --clear-groups $work/set_id -u" -n '
pid$target:libc:malloc:entry { @[execname, uid] = count(); }
syscall::geteuid:return /pid == $target/ { printf("euid %d\n", arg1); }'
  want 0
  has out 'euid 0'
  matches out '^  set_id +65534 +[1-9]'
fi
done_testing
