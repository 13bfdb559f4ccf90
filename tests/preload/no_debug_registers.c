// libno_debug_registers.so: what a program meets that is started with it as LD_PRELOAD is a virtual
// machine that accepts breakpoints in debug registers, by ptrace(2), and never stops at one.
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

long ptrace(enum __ptrace_request request, ...) {
  va_list words;
  va_start(words, request);
  const pid_t pid = va_arg(words, pid_t);
  unsigned long address = va_arg(words, unsigned long);
  unsigned long data = va_arg(words, unsigned long);
  va_end(words);
  if (request == PTRACE_POKEUSER && address >= offsetof(struct user, u_debugreg)) return 0;
  const int peeks = request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA || request == PTRACE_PEEKUSER;
  long value = 0;
  const long result = syscall(SYS_ptrace, (long)request, (long)pid, address, peeks ? (unsigned long)&value : data);
  return peeks && result == 0 ? value : result;
}
