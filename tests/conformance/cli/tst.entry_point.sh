# @@host
# @@timeout: 180
# -c with probes of the command itself: it goes to its own first instruction and is traced from there, on every machine and
# whatever happens on the way.
. "$TESTS/lib.sh"
probe='pid$target:libc.so.6:exit:entry, pid$target:libc.so.6:_exit:entry { printf("traced %s|", execname); }'
traced() { # NAME WORDS...
  name=$1; shift
  run "$@"
  want 0
  has out "traced $name|"
}
traced true "$DTRACE" -q -n "$probe" -c /bin/true
# Where breakpoints in debug registers are accepted and nothing ever stops at one, it is the same.
without=$(cd "$(dirname "$DTRACE")/../../tests/workloads" && pwd)/libno_debug_registers.so
[ -e "$without" ] || fail "no library $without"
traced true env LD_PRELOAD="$without" "$DTRACE" -q -n "$probe" -c /bin/true
traced true env LD_PRELOAD="$without" "$DTRACE" -q -Z -n 'pid*:libc.so.6:exit:entry /pid == $target/ { printf("traced %s|", execname); }' -c /bin/true
printf '#!/bin/sh\nexit 0\n' >"$work/script"
chmod +x "$work/script"
traced script "$DTRACE" -q -n "$probe" -c "$work/script"

# What libraries do before the program begins.
cat >"$work/way.c" <<'E2'
#include <elf.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>
static int seen;
static void see(int signal) { seen += signal; }
static void* other(void* file) {
  char* const none[] = {0};
  if (file != 0) execle(file, "other", (char*)0, none);
  for (;;) pause();
}
static void make_thread(const char* file) {
  pthread_t thread;
  pthread_create(&thread, 0, other, (void*)file);
}
static int entry_is_int3(void) { return *(const unsigned char*)getauxval(AT_ENTRY) == 0xcc; }
__attribute__((constructor)) static void on_the_way(void) {
  const char* const way = getenv("WAY");
  char* const words[] = {"true", 0};
  char* const none[] = {0};
  pid_t child;
  int status = 0;
  if (way == 0) return;
  signal(SIGTRAP, see);
  if (strcmp(way, "signals") == 0) {
    raise(SIGTRAP);
    __asm__ volatile("int3");
    if (seen != 2 * SIGTRAP) _exit(99);
  } else if (strcmp(way, "fork") == 0) {
    child = fork();
    if (child == 0) _exit(entry_is_int3());
    if (waitpid(child, &status, 0) != child || status != 0) _exit(98);
  } else if (strcmp(way, "spawn") == 0) {
    if (posix_spawn(&child, "/bin/true", 0, 0, words, none) != 0) _exit(97);
    if (waitpid(child, &status, 0) != child || status != 0) _exit(96);
  } else if (strcmp(way, "thread") == 0) {
    make_thread(0);
  } else if (strcmp(way, "exec") == 0) {
    execle("/bin/sleep", "sleep", "0", (char*)0, none);
  } else if (strcmp(way, "thread-exec") == 0) {
    make_thread("/bin/true");
    for (;;) pause();  // until the other program has taken the place of this one
  } else if (strcmp(way, "kill") == 0) {
    raise(SIGKILL);
  } else if (strcmp(way, "exit") == 0) {
    _exit(7);
  }
}
E2
gcc -shared -fPIC -O1 -o "$work/way.so" "$work/way.c" -pthread || { fail "no library"; done_testing; }
for way in none signals fork spawn thread; do
  traced cat "$DTRACE" -q -x setenv=LD_PRELOAD="$work/way.so" -x setenv=WAY=$way -n "$probe" -c '/bin/cat /dev/null'
done
traced sleep "$DTRACE" -q -x setenv=LD_PRELOAD="$work/way.so" -x setenv=WAY=exec -n "$probe" -c '/bin/cat /dev/null'
traced true "$DTRACE" -q -x setenv=LD_PRELOAD="$work/way.so" -x setenv=WAY=thread-exec -n "$probe" -c '/bin/cat /dev/null'
# What never begins is an error that says why, also where the description does not ask for this program alone.
never() { # WAY WHY DESCRIPTION
  run "$DTRACE" -q -Z -x setenv=LD_PRELOAD="$work/way.so" -x setenv=WAY=$1 -n "$3 { exit(9); }" -c '/bin/cat /dev/null'
  want 1
  matches err "failed to grab process [0-9]+: $2"
}
for description in 'pid$target:libc.so.6:exit:entry' 'pid*:libc.so.6:nothing:entry' 'nothing*:::probe'; do
  never exit 'pid [0-9]+ exited with status 7 before its program began' "$description"
done
never kill 'pid [0-9]+ terminated by SIGKILL before its program began' 'pid$target:libc.so.6:exit:entry'
done_testing
