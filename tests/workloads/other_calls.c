// other_calls: one call or two of many system calls, also some that fail, whose arguments are numbers, names and texts,
// for a comparison with what strace writes.
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#define CALL(...) syscall(__VA_ARGS__)

static char a[] = "/no/such/first", b[] = "/no/such/second", name[] = "user.word", text[] = "text";

static void files(void) {
  CALL(SYS_creat, a, 0640);
  CALL(SYS_link, a, b);
  CALL(SYS_linkat, AT_FDCWD, a, 7, b, AT_SYMLINK_FOLLOW);
  CALL(SYS_symlink, a, b);
  CALL(SYS_symlinkat, a, AT_FDCWD, b);
  CALL(SYS_rename, a, b);
  CALL(SYS_renameat, AT_FDCWD, a, 5, b);
  CALL(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 1 /* RENAME_NOREPLACE */);
  CALL(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 0);
  CALL(SYS_rmdir, a);
  CALL(SYS_mkdirat, AT_FDCWD, a, 0755);
  CALL(SYS_mknod, a, S_IFIFO | 0600, 0);
  CALL(SYS_mknodat, AT_FDCWD, a, S_IFREG | 0644, 0);
  CALL(SYS_fchmod, -1, 0600);
  CALL(SYS_fchmodat, AT_FDCWD, a, 0600);
  CALL(SYS_chown, a, 1, 2);
  CALL(SYS_lchown, a, -1, 2);
  CALL(SYS_fchown, -1, 1, -1);
  CALL(SYS_fchownat, AT_FDCWD, a, 1, 2, AT_SYMLINK_NOFOLLOW);
  CALL(SYS_truncate, a, 100L);
  CALL(SYS_fallocate, -1, 0, 0L, 4096L);
  CALL(SYS_fallocate, -1, 3, 10L, 20L);
  CALL(SYS_fdatasync, -1);
  CALL(SYS_syncfs, -1);
  CALL(SYS_sync_file_range, -1, 0L, 4096L, 2);
  CALL(SYS_fadvise64, -1, 0L, 0L, POSIX_FADV_SEQUENTIAL);
  CALL(SYS_readahead, -1, 0L, 4096L);
  CALL(SYS_fchdir, -1);
  CALL(SYS_chroot, a);
  CALL(SYS_fchmodat, 3, b, 0);
  CALL(SYS_copy_file_range, -1, NULL, -1, NULL, 100L, 0);
  CALL(SYS_splice, -1, NULL, -1, NULL, 100L, 3);
  CALL(SYS_tee, -1, -1, 100L, 2);
  CALL(SYS_sendfile, -1, -1, NULL, 100L);
  CALL(SYS_close_range, 100, 200, 0);
  CALL(SYS_close_range, 100, 200, 4 /* CLOSE_RANGE_CLOEXEC */);
  CALL(SYS_utimensat, AT_FDCWD, a, NULL, AT_SYMLINK_NOFOLLOW);
  CALL(SYS_removexattr, a, name);
  CALL(SYS_lremovexattr, a, name);
  CALL(SYS_fremovexattr, -1, name);
  CALL(SYS_dup, -1);
  CALL(SYS_mknod, a, S_IFCHR | 0600, 0x103);
  CALL(SYS_mount, text, a, text, MS_RDONLY | MS_NOSUID, NULL);
  CALL(SYS_mount, NULL, a, NULL, MS_BIND | MS_REC, NULL);
  CALL(SYS_umount2, a, 0);
  CALL(SYS_umount2, a, MNT_DETACH);
  CALL(SYS_inotify_add_watch, -1, a, IN_CREATE | IN_DELETE);
  CALL(SYS_inotify_rm_watch, -1, 3);
  CALL(SYS_fanotify_init, FAN_CLASS_CONTENT | FAN_CLOEXEC, O_RDONLY);
  CALL(SYS_acct, a);
  CALL(SYS_swapoff, a);
}

static void processes(void) {
  CALL(SYS_setpriority, PRIO_PROCESS, 0, 0);
  CALL(SYS_getsid, 0);
  CALL(SYS_setuid, 0);
  CALL(SYS_setgid, 0);
  CALL(SYS_setreuid, -1, 0);
  CALL(SYS_setregid, 0, -1);
  CALL(SYS_setresuid, -1, 0, -1);
  CALL(SYS_setresgid, 0, 0, 0);
  CALL(SYS_setfsuid, 0);
  CALL(SYS_setfsgid, 0);
  CALL(SYS_sched_yield);
  CALL(SYS_sched_get_priority_max, SCHED_FIFO);
  CALL(SYS_sched_get_priority_min, SCHED_RR);
  CALL(SYS_sched_getscheduler, 0);
  CALL(SYS_alarm, 0);
  CALL(SYS_tkill, -1, SIGUSR1);
  CALL(SYS_tgkill, -1, -1, SIGTERM);
  CALL(SYS_personality, 0xffffffffUL);
  CALL(SYS_pidfd_open, -1, 0);
  CALL(SYS_pidfd_send_signal, -1, SIGUSR2, NULL, 0);
  CALL(SYS_unshare, 0);
  CALL(SYS_unshare, CLONE_FS | CLONE_FILES);
  CALL(SYS_setns, -1, CLONE_NEWNET);
  CALL(SYS_getuid);
  CALL(SYS_geteuid);
  CALL(SYS_getgid);
  CALL(SYS_getegid);
  CALL(SYS_getpgrp);
  CALL(SYS_ioprio_get, 1, 0);
  CALL(SYS_membarrier, 0, 0, 0);
  CALL(SYS_timerfd_gettime, -1, NULL);
  CALL(SYS_prctl, PR_GET_DUMPABLE);
  CALL(SYS_prctl, PR_SET_PDEATHSIG, SIGUSR1);
  CALL(SYS_prctl, PR_SET_TIMERSLACK, 60000L);
  CALL(SYS_prctl, PR_SET_NO_NEW_PRIVS, 0L, 0L, 0L, 0L);
  CALL(SYS_sched_setscheduler, 0, SCHED_BATCH, NULL);
  CALL(SYS_kcmp, 1, 1, 1, 0, 0);
  CALL(SYS_kcmp, 1, 1, 0, 0, 0);
}

static void memory(void) {
  void* const map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CALL(SYS_mlock, map, 4096L);
  CALL(SYS_munlock, map, 4096L);
  CALL(SYS_mlock2, map, 4096L, 1 /* MLOCK_ONFAULT */);
  CALL(SYS_munlockall);
  CALL(SYS_mlockall, MCL_CURRENT | MCL_ONFAULT);
  CALL(SYS_munlockall);
  CALL(SYS_mremap, map, 8192L, 4096L, MREMAP_MAYMOVE, 0);
  CALL(SYS_pkey_alloc, 0, 0);
  CALL(SYS_pkey_free, 3);
  CALL(SYS_shmget, IPC_PRIVATE, 0L, IPC_CREAT | 0600);
  CALL(SYS_shmat, -1, NULL, SHM_RDONLY);
  CALL(SYS_shmdt, NULL);
  CALL(SYS_semget, 0x1234, -1, IPC_CREAT | IPC_EXCL | 0640);
  CALL(SYS_msgget, 0x1234, 0);
  CALL(SYS_userfaultfd, O_CLOEXEC);
}

static void sockets(void) {
  CALL(SYS_listen, -1, 5);
  CALL(SYS_bind, -1, NULL, 0);
  CALL(SYS_connect, -1, NULL, 0);
  CALL(SYS_accept, -1, NULL, NULL);
  CALL(SYS_accept4, -1, NULL, NULL, SOCK_CLOEXEC);
  CALL(SYS_getsockname, -1, NULL, NULL);
  CALL(SYS_getpeername, -1, NULL, NULL);
  CALL(SYS_sendto, -1, NULL, 0, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
  CALL(SYS_recvfrom, -1, NULL, 0, MSG_PEEK, NULL, NULL);
  CALL(SYS_setsockopt, -1, SOL_SOCKET, SO_REUSEADDR, NULL, 0);
  CALL(SYS_getsockopt, -1, SOL_SOCKET, SO_ERROR, NULL, NULL);
  CALL(SYS_setsockopt, -1, IPPROTO_TCP, TCP_NODELAY, NULL, 0);
  CALL(SYS_getsockopt, -1, SOL_SOCKET, SO_PEERCRED, NULL, NULL);
  CALL(SYS_sendmsg, -1, NULL, MSG_MORE);
  CALL(SYS_recvmsg, -1, NULL, MSG_TRUNC | MSG_CMSG_CLOEXEC);
  CALL(SYS_ioctl, -1, 0x12345678UL, 0L);
  CALL(SYS_ioctl, -1, 0x5451UL /* FIOCLEX */, 0L);
  CALL(SYS_ioctl, -1, 0xc0105353UL, 0x1000UL);
  CALL(SYS_ioctl, -1, 0x5413UL /* TIOCGWINSZ */, 0L);
  CALL(SYS_eventfd, 3);
  CALL(SYS_epoll_create, 5);
  CALL(SYS_read, -1, NULL, 0L);
  CALL(SYS_write, -1, NULL, 0L);
  CALL(SYS_pread64, -1, NULL, 10L, 5L);
  CALL(SYS_pwrite64, -1, NULL, 0L, 5L);
  CALL(SYS_ioctl, -1, 0x5401UL, 0L);
  CALL(SYS_poll, NULL, 0, 0);
}

int main(void) {
  // In memory before the calls, so that their texts can be read where they begin.
  const size_t touched = strlen(a) + strlen(b) + strlen(name) + strlen(text);
  CALL(SYS_umask, 022);
  files();
  processes();
  memory();
  sockets();
  printf("%zu\n", touched);
  return 0;
}
