// libfault.so: makes one call of a program fail that is started with it as
// LD_PRELOAD.
//
//   FAULT_CALL   bpf, malloc (and calloc, realloc, aligned_alloc) or thread
//   FAULT_AT     which of them, from 1; or all
//   FAULT_ERRNO  the error, for bpf; malloc gives NULL, and there are no more threads
//   FAULT_MARK   a file that is made when that call comes
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

static long raw(long number, const long* a) {
  register long r10 __asm__("r10") = a[3];
  register long r8 __asm__("r8") = a[4];
  register long r9 __asm__("r9") = a[5];
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "0"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

// Whether this call is to fail: of the kind that `call` begins with.
static int fails(const char* call) {
  static long count;
  const char* const wanted = getenv("FAULT_CALL");
  const char* const at = getenv("FAULT_AT");
  if (wanted == 0 || at == 0 || strcmp(wanted, call) != 0) return 0;
  if (strcmp(at, "all") != 0 && __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) != atol(at)) return 0;
  const char* const mark = getenv("FAULT_MARK");
  if (mark != 0) {
    const long arguments[6] = {AT_FDCWD, (long)mark, O_CREAT | O_WRONLY | O_CLOEXEC, 0600, 0, 0};
    const long close_arguments[6] = {raw(SYS_openat, arguments)};
    raw(SYS_close, close_arguments);
  }
  return 1;
}

long syscall(long number, ...) {
  long a[6];
  va_list list;
  va_start(list, number);
  for (int i = 0; i < 6; ++i) a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_bpf && fails("bpf")) {
    const char* const code = getenv("FAULT_ERRNO");
    errno = code != 0 ? atoi(code) : EPERM;
    return -1;
  }
  const long result = raw(number, a);
  if (result < 0 && result >= -4095) {
    errno = (int)-result;
    return -1;
  }
  return result;
}

void* malloc(size_t size) {
  if (!fails("malloc")) return __libc_malloc(size);
  errno = ENOMEM;
  return 0;
}

void* calloc(size_t count, size_t size) {
  if (!fails("malloc")) return __libc_calloc(count, size);
  errno = ENOMEM;
  return 0;
}

void* realloc(void* old, size_t size) {
  if (!fails("malloc")) return __libc_realloc(old, size);
  errno = ENOMEM;
  return 0;
}

void* aligned_alloc(size_t alignment, size_t size) {
  if (!fails("malloc")) return __libc_memalign(alignment, size);
  errno = ENOMEM;
  return 0;
}

typedef int Create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*work)(void*), void* of) {
  if (fails("thread")) return EAGAIN;
  return ((Create*)dlsym(RTLD_NEXT, "pthread_create"))(id, attributes, work, of);
}
