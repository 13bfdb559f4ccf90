// The commands of make tarball: they run on a distribution with any C library, or with none, as
// theirs lies beside them.
//
//   sbin/dtrace, stap, dwatch ...   this program, linked statically
//   libexec/dtrace, dwatch          the commands
//   lib/carried/                    their libraries, and the loader of these
//
// The kernel starts a command by the loader that the command names, by a path: the place where a
// tarball is unpacked is unknown when it is linked. So it names /proc/self/fd/250, which this
// program opens. The kernel opens that before it closes descriptors at exec, so nothing of it stays
// open in the command. Unlike `ld.so libexec/dtrace`, this keeps /proc/self/exe, the name of the
// process and its arguments what they are elsewhere.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The descriptor that dt_carried() in src/CMakeLists.txt names as the loader.
#define LOADER_DESCRIPTOR 250

static int fail(const char* call, const char* path) {
  fprintf(stderr, "dtrace: %s %s: %s\n", call, path, strerror(errno));
  return 1;
}

int main(int argc, char** argv) {
  char here[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", here, sizeof here - 1);
  if (size < 0) return fail("read", "/proc/self/exe");
  here[size] = '\0';
  // Without /sbin/NAME.
  for (int i = 0; i < 2; ++i) {
    char* const slash = strrchr(here, '/');
    if (slash != NULL) *slash = '\0';
  }
  const char* const slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  const char* const name = slash != NULL ? slash + 1 : argc > 0 ? argv[0] : "";
  char loader[PATH_MAX + 64];
  char command[PATH_MAX + 64];
  snprintf(loader, sizeof loader, "%s/lib/carried/ld-linux-x86-64.so.2", here);
  snprintf(command, sizeof command, "%s/libexec/%s", here,
           strcmp(name, "dwatch") == 0 ? name : "dtrace");
  const int fd = open(loader, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail("open", loader);
  if (fd != LOADER_DESCRIPTOR) {
    if (fcntl(LOADER_DESCRIPTOR, F_GETFD) >= 0) {
      fprintf(stderr, "dtrace: descriptor %d is in use, and is needed to start\n",
              LOADER_DESCRIPTOR);
      return 1;
    }
    if (dup3(fd, LOADER_DESCRIPTOR, O_CLOEXEC) < 0) return fail("duplicate", loader);
    close(fd);
  }
  execv(command, argv);
  return fail("execute", command);
}
