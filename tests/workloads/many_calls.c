// many_calls: system calls whose arguments have names, for a comparison with what strace writes.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  static char path[] = "/etc/hostname", missing[] = "/no/such/file", name[] = "many", slash[] = "/no/such/directory";
  // In memory before the calls, so that their texts can be read where they begin.
  size_t touched = strlen(path) + strlen(missing) + strlen(name) + strlen(slash);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  openat(AT_FDCWD, missing, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0640);
  openat(AT_FDCWD, missing, O_WRONLY | O_TRUNC | O_NOFOLLOW);
  void* map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(map, 4096, PROT_NONE);
  mprotect(map, 4096, PROT_READ);
  madvise(map, 8192, MADV_DONTNEED);
  msync(map, 4096, MS_SYNC);
  munmap(map, 8192);
  syscall(SYS_mmap, NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
  syscall(SYS_access, path, R_OK);
  syscall(SYS_access, path, F_OK);
  syscall(SYS_access, missing, R_OK | W_OK);
  syscall(SYS_faccessat, AT_FDCWD, path, R_OK | X_OK);
  lseek(fd, 3, SEEK_SET);
  lseek(fd, -1, SEEK_CUR);
  lseek(fd, 0, SEEK_END);
  close(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  close(socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0));
  shutdown(-1, SHUT_RDWR);
  kill(getpid(), 0);
  signal(SIGUSR1, SIG_IGN);
  kill(getpid(), SIGUSR1);
  syscall(SYS_wait4, -1, NULL, WNOHANG, NULL);
  fcntl(fd, F_GETFD);
  fcntl(fd, F_GETFL);
  close(fcntl(fd, F_DUPFD_CLOEXEC, 20));
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  flock(fd, LOCK_SH | LOCK_NB);
  flock(fd, LOCK_UN);
  dup2(fd, 30);
  dup3(fd, 31, O_CLOEXEC);
  close(eventfd(4, EFD_CLOEXEC | EFD_NONBLOCK));
  close(epoll_create1(EPOLL_CLOEXEC));
  close(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  close(inotify_init1(IN_CLOEXEC));
  close(memfd_create(name, MFD_CLOEXEC));
  unlinkat(AT_FDCWD, slash, AT_REMOVEDIR);
  syscall(SYS_mkdir, slash, 0750);
  syscall(SYS_chmod, missing, 0600);
  syscall(SYS_unlink, missing);
  syscall(SYS_chdir, slash);
  umask(022);
  umask(0);
  getpriority(PRIO_PROCESS, 0);
  syscall(SYS_getpgid, 0);
  syscall(SYS_setpgid, 0, 0);
  syscall(SYS_dup, -1);
  syscall(SYS_fsync, -1);
  syscall(SYS_ftruncate, -1, 77);
  syscall(SYS_exit_group, touched == 0);
}
