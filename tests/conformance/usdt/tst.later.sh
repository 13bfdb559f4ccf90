# With -Z, the probes of a library fire from the moment that dlopen() has mapped it, and so do those of a program that is
# executed, and of what no process runs yet.
# @@timeout: 120
# @@host
. "$TESTS/lib.sh"
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
include=$(cd "$TESTS/../include" && pwd)
cat >"$work/plug.c" <<'E2'
#define _SDT_HAS_SEMAPHORES 1
#include <dtrace/sdt.h>
unsigned short auth_login_semaphore __attribute__((section(".probes")));
int login(int user, const char* name) {
  if (auth_login_semaphore) DTRACE_PROBE2(auth, login, user, name);
  return user * 2;
}
E2
cat >"$work/host.c" <<'E2'
#include <dlfcn.h>
#include <stdio.h>
int main(int count, char** words) {
  void* const library = count > 1 ? dlopen(words[1], RTLD_NOW) : 0;
  if (library == 0) return 1;
  int (*const call)(int, const char*) = (int (*)(int, const char*))dlsym(library, "login");
  int sum = 0;
  for (int i = 0; i < 5; ++i) sum += call(i, i % 2 ? "odd" : "even");
  printf("sum %d\n", sum);
  return sum != 20;
}
E2
mkdir "$work/plugins"
cc -O1 -shared -fPIC -I"$include" -o "$work/plugins/libauth.so.1" "$work/plug.c" && cc -O1 -o "$work/host" "$work/host.c" ||
  { fail "cannot build"; done_testing; }
export LD_LIBRARY_PATH="$work/plugins"
clause='auth$target:libauth.so::login { @[probeprov == strjoin("auth", lltostr(pid)), probemod, probefunc, copyinstr(arg1)] = sum(arg0); }'
run "$DTRACE" -xerrtags -q -n "$clause" -c "$work/host libauth.so.1"
want 1
first err "\[D_PROC_USDT\] process [0-9]+ has no provider 'auth'\$"
has err "hint: -Z traces $work/plugins/libauth.so.1 once it is mapped"
run "$DTRACE" -q -Z -n "$clause" -c "$work/host libauth.so.1"
want 0
has out 'sum 20'
matches out '^ +1  libauth.so.1 +login +even +6$'
matches out '^ +1  libauth.so.1 +login +odd +4$'
# What a shell executes.
run env PATH="$work:$PATH" "$DTRACE" -q -Z -n "$clause" -c "sh -c 'exec host libauth.so.1'"
want 0
matches out '^ +1  libauth.so.1 +login +odd +4$'
# Of all processes.
run env PATH="$work:$PATH" "$DTRACE" -q -Z -n 'auth*:libauth::login { @[execname, pid == $target] = count(); }' -c "sh -c 'host libauth.so.1; host libauth.so.1'"
want 0
matches out '^  host +0 +10$'
run "$DTRACE" -xerrtags -q -n 'auth*:libauth::login { }'
want 1
first err '\[D_PDESC_ZERO\]'
has err "hint: -Z traces $work/plugins/libauth.so.1 once it is mapped"
# What is found nowhere, and a probe that the library does not have.
run "$DTRACE" -q -Z -n 'auth$target:libnowhere::login, auth$target:libauth::logout { exit(3); }' -c "$work/host libauth.so.1"
want 0
has out 'sum 20'
done_testing
