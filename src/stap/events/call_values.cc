// See call_values.h.
//
// The names are those of the headers of the C library; a set of flags is written in the order of
// its table, which is the order of their values. What has no name is added as a number.

#include "stap/events/call_values.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/close_range.h>
#include <linux/falloc.h>
#include <linux/futex.h>
#include <linux/kcmp.h>
#include <linux/membarrier.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <span>

#include "stap/events/word.h"
#include "stap/home/strings.h"

namespace dt::stap {
namespace {

#define W(name) \
  { static_cast<std::uint64_t>(name), #name }

constexpr Word kProtections[] = {W(PROT_READ), W(PROT_WRITE), W(PROT_EXEC), W(PROT_GROWSDOWN),
                                 W(PROT_GROWSUP)};
constexpr Word kMapKinds[] = {W(MAP_SHARED), W(MAP_PRIVATE), W(MAP_SHARED_VALIDATE)};
constexpr Word kMapFlags[] = {
    W(MAP_FIXED),    W(MAP_ANONYMOUS), W(MAP_32BIT),     W(MAP_NORESERVE),      W(MAP_POPULATE),
    W(MAP_NONBLOCK), W(MAP_GROWSDOWN), W(MAP_DENYWRITE), W(MAP_EXECUTABLE),     W(MAP_LOCKED),
    W(MAP_STACK),    W(MAP_HUGETLB),   W(MAP_SYNC),      W(MAP_FIXED_NOREPLACE)};
constexpr Word kAccessModes[] = {W(R_OK), W(W_OK), W(X_OK)};
constexpr Word kWhence[] = {W(SEEK_SET), W(SEEK_CUR), W(SEEK_END), W(SEEK_DATA), W(SEEK_HOLE)};
constexpr Word kSocketFamilies[] = {
    W(AF_UNSPEC),     W(AF_UNIX),      W(AF_INET),     W(AF_AX25),  W(AF_IPX),     W(AF_APPLETALK),
    W(AF_NETROM),     W(AF_BRIDGE),    W(AF_ATMPVC),   W(AF_X25),   W(AF_INET6),   W(AF_ROSE),
    W(AF_DECnet),     W(AF_NETBEUI),   W(AF_SECURITY), W(AF_KEY),   W(AF_NETLINK), W(AF_PACKET),
    W(AF_ASH),        W(AF_ECONET),    W(AF_ATMSVC),   W(AF_RDS),   W(AF_SNA),     W(AF_IRDA),
    W(AF_PPPOX),      W(AF_WANPIPE),   W(AF_LLC),      W(AF_IB),    W(AF_MPLS),    W(AF_CAN),
    W(AF_TIPC),       W(AF_BLUETOOTH), W(AF_IUCV),     W(AF_RXRPC), W(AF_ISDN),    W(AF_PHONET),
    W(AF_IEEE802154), W(AF_CAIF),      W(AF_ALG),      W(AF_NFC),   W(AF_VSOCK),   W(AF_KCM),
    W(AF_QIPCRTR),    W(AF_SMC),       W(AF_XDP),      W(AF_MCTP)};
constexpr Word kSocketKinds[] = {W(SOCK_STREAM), W(SOCK_DGRAM), W(SOCK_RAW), W(SOCK_RDM),
                                 W(SOCK_SEQPACKET)};
constexpr Word kSocketFlags[] = {W(SOCK_CLOEXEC), W(SOCK_NONBLOCK)};
constexpr Word kSignalHow[] = {W(SIG_BLOCK), W(SIG_UNBLOCK), W(SIG_SETMASK)};
constexpr Word kWaitOptions[] = {W(WNOHANG),
                                 W(WEXITED),
                                 W(WSTOPPED),
                                 W(WCONTINUED),
                                 W(WNOWAIT),
                                 {0x80000000, "__WCLONE"},
                                 {0x40000000, "__WALL"},
                                 {0x20000000, "__WNOTHREAD"}};
constexpr Word kWaitWhich[] = {W(P_ALL), W(P_PID), W(P_PGID), W(P_PIDFD)};
constexpr Word kFcntl[] = {W(F_DUPFD),      W(F_GETFD),     W(F_SETFD),         W(F_GETFL),
                           W(F_SETFL),      W(F_GETLK),     W(F_SETLK),         W(F_SETLKW),
                           W(F_SETOWN),     W(F_GETOWN),    W(F_DUPFD_CLOEXEC), W(F_SETPIPE_SZ),
                           W(F_GETPIPE_SZ), W(F_ADD_SEALS), W(F_GET_SEALS),     W(F_OFD_GETLK),
                           W(F_OFD_SETLK),  W(F_OFD_SETLKW)};
// <asm/signal.h>; the C library has no name for SA_RESTORER.
constexpr Word kActionFlags[] = {{0x04000000, "SA_RESTORER"}, {0x08000000, "SA_ONSTACK"},
                                 {0x10000000, "SA_RESTART"},  {0x20000000, "SA_INTERRUPT"},
                                 {0x40000000, "SA_NODEFER"},  {0x80000000, "SA_RESETHAND"},
                                 {4, "SA_SIGINFO"},           {1, "SA_NOCLDSTOP"},
                                 {2, "SA_NOCLDWAIT"}};
constexpr Word kStackFlags[] = {W(SS_ONSTACK), W(SS_DISABLE), {0x80000000, "SS_AUTODISARM"}};
constexpr Word kPollEvents[] = {W(POLLIN),
                                W(POLLPRI),
                                W(POLLOUT),
                                {0x8, "POLLERR"},
                                {0x10, "POLLHUP"},
                                {0x20, "POLLNVAL"},
                                {0x40, "POLLRDNORM"},
                                {0x80, "POLLRDBAND"},
                                {0x100, "POLLWRNORM"},
                                {0x200, "POLLWRBAND"},
                                {0x400, "POLLMSG"},
                                {0x1000, "POLLREMOVE"},
                                {0x2000, "POLLRDHUP"},
                                {0x8000, "POLL_BUSY_LOOP"}};
constexpr Word kEpollEvents[] = {{0x1, "EPOLLIN"},
                                 {0x2, "EPOLLPRI"},
                                 {0x4, "EPOLLOUT"},
                                 {0x8, "EPOLLERR"},
                                 {0x10, "EPOLLHUP"},
                                 {0x20, "EPOLLNVAL"},
                                 {0x40, "EPOLLRDNORM"},
                                 {0x80, "EPOLLRDBAND"},
                                 {0x100, "EPOLLWRNORM"},
                                 {0x200, "EPOLLWRBAND"},
                                 {0x400, "EPOLLMSG"},
                                 {0x2000, "EPOLLRDHUP"},
                                 {1U << 28, "EPOLLEXCLUSIVE"},
                                 {1U << 29, "EPOLLWAKEUP"},
                                 {1U << 30, "EPOLLONESHOT"},
                                 {1U << 31, "EPOLLET"}};
constexpr Word kDescriptorFlags[] = {W(O_NONBLOCK), W(O_DIRECT), W(O_CLOEXEC)};
constexpr Word kEventfd[] = {W(EFD_SEMAPHORE), W(EFD_CLOEXEC), W(EFD_NONBLOCK)};
constexpr Word kEpollFlags[] = {W(EPOLL_CLOEXEC)};
constexpr Word kEpollOps[] = {W(EPOLL_CTL_ADD), W(EPOLL_CTL_DEL), W(EPOLL_CTL_MOD)};
constexpr Word kClocks[] = {W(CLOCK_REALTIME),
                            W(CLOCK_MONOTONIC),
                            W(CLOCK_PROCESS_CPUTIME_ID),
                            W(CLOCK_THREAD_CPUTIME_ID),
                            W(CLOCK_MONOTONIC_RAW),
                            W(CLOCK_REALTIME_COARSE),
                            W(CLOCK_MONOTONIC_COARSE),
                            W(CLOCK_BOOTTIME),
                            W(CLOCK_REALTIME_ALARM),
                            W(CLOCK_BOOTTIME_ALARM),
                            W(CLOCK_TAI)};
constexpr Word kTimerFlags[] = {W(TIMER_ABSTIME)};
constexpr Word kTimerfd[] = {W(TFD_CLOEXEC), W(TFD_NONBLOCK)};
constexpr Word kMadvise[] = {
    W(MADV_NORMAL),   W(MADV_RANDOM),     W(MADV_SEQUENTIAL), W(MADV_WILLNEED), W(MADV_DONTNEED),
    W(MADV_FREE),     W(MADV_REMOVE),     W(MADV_DONTFORK),   W(MADV_DOFORK),   W(MADV_MERGEABLE),
    W(MADV_HUGEPAGE), W(MADV_NOHUGEPAGE), W(MADV_DONTDUMP),   W(MADV_DODUMP),   W(MADV_WIPEONFORK),
    W(MADV_COLD),     W(MADV_PAGEOUT)};
constexpr Word kMsync[] = {W(MS_ASYNC), W(MS_INVALIDATE), W(MS_SYNC)};
constexpr Word kMlockall[] = {W(MCL_CURRENT), W(MCL_FUTURE), W(MCL_ONFAULT)};
constexpr Word kFlockKinds[] = {W(LOCK_SH), W(LOCK_EX), W(LOCK_UN)};
constexpr Word kFlockFlags[] = {W(LOCK_NB)};
constexpr Word kUnlinkFlags[] = {W(AT_REMOVEDIR)};
constexpr Word kAtFlags[] = {W(AT_SYMLINK_NOFOLLOW), W(AT_SYMLINK_FOLLOW), W(AT_NO_AUTOMOUNT),
                             W(AT_EMPTY_PATH)};
constexpr Word kStatxSync[] = {
    {0, "AT_STATX_SYNC_AS_STAT"}, {0x2000, "AT_STATX_FORCE_SYNC"}, {0x4000, "AT_STATX_DONT_SYNC"}};
// What several bits stand for comes first.
constexpr Word kStatxMask[] = {
    W(STATX_ALL),    W(STATX_BASIC_STATS), W(STATX_TYPE),   W(STATX_MODE),
    W(STATX_NLINK),  W(STATX_UID),         W(STATX_GID),    W(STATX_ATIME),
    W(STATX_MTIME),  W(STATX_CTIME),       W(STATX_INO),    W(STATX_SIZE),
    W(STATX_BLOCKS), W(STATX_BTIME),       W(STATX_MNT_ID), {0x2000, "STATX_DIOALIGN"}};
constexpr Word kAccessFlags[] = {W(AT_SYMLINK_NOFOLLOW), W(AT_EACCESS), W(AT_EMPTY_PATH)};
constexpr Word kRandom[] = {W(GRND_NONBLOCK), W(GRND_RANDOM)};
constexpr Word kShutdown[] = {W(SHUT_RD), W(SHUT_WR), W(SHUT_RDWR)};
constexpr Word kUsage[] = {
    W(RUSAGE_SELF), W(RUSAGE_CHILDREN), W(RUSAGE_THREAD), {~std::uint64_t{1}, "RUSAGE_BOTH"}};
constexpr Word kPriority[] = {W(PRIO_PROCESS), W(PRIO_PGRP), W(PRIO_USER)};
constexpr Word kItimer[] = {W(ITIMER_REAL), W(ITIMER_VIRTUAL), W(ITIMER_PROF)};
constexpr Word kInotify[] = {W(IN_NONBLOCK), W(IN_CLOEXEC)};
constexpr Word kMemfd[] = {W(MFD_CLOEXEC), W(MFD_ALLOW_SEALING), W(MFD_HUGETLB)};
constexpr Word kMremap[] = {W(MREMAP_MAYMOVE), W(MREMAP_FIXED)};
constexpr Word kRename[] = {W(RENAME_NOREPLACE), W(RENAME_EXCHANGE), W(RENAME_WHITEOUT)};
constexpr Word kFallocate[] = {W(FALLOC_FL_KEEP_SIZE),     W(FALLOC_FL_PUNCH_HOLE),
                               W(FALLOC_FL_NO_HIDE_STALE), W(FALLOC_FL_COLLAPSE_RANGE),
                               W(FALLOC_FL_ZERO_RANGE),    W(FALLOC_FL_INSERT_RANGE),
                               W(FALLOC_FL_UNSHARE_RANGE)};
constexpr Word kSyncRange[] = {W(SYNC_FILE_RANGE_WAIT_BEFORE), W(SYNC_FILE_RANGE_WRITE),
                               W(SYNC_FILE_RANGE_WAIT_AFTER)};
constexpr Word kAdvice[] = {W(POSIX_FADV_NORMAL),     W(POSIX_FADV_RANDOM),
                            W(POSIX_FADV_SEQUENTIAL), W(POSIX_FADV_WILLNEED),
                            W(POSIX_FADV_DONTNEED),   W(POSIX_FADV_NOREUSE)};
constexpr Word kSplice[] = {W(SPLICE_F_MOVE), W(SPLICE_F_NONBLOCK), W(SPLICE_F_MORE),
                            W(SPLICE_F_GIFT)};
constexpr Word kCloseRange[] = {W(CLOSE_RANGE_UNSHARE), W(CLOSE_RANGE_CLOEXEC)};
constexpr Word kMount[] = {W(MS_RDONLY),      W(MS_NOSUID),     W(MS_NODEV),       W(MS_NOEXEC),
                           W(MS_SYNCHRONOUS), W(MS_REMOUNT),    W(MS_MANDLOCK),    W(MS_DIRSYNC),
                           W(MS_NOATIME),     W(MS_NODIRATIME), W(MS_BIND),        W(MS_MOVE),
                           W(MS_REC),         W(MS_SILENT),     W(MS_POSIXACL),    W(MS_UNBINDABLE),
                           W(MS_PRIVATE),     W(MS_SLAVE),      W(MS_SHARED),      W(MS_RELATIME),
                           W(MS_KERNMOUNT),   W(MS_I_VERSION),  W(MS_STRICTATIME), W(MS_LAZYTIME)};
constexpr Word kUmount[] = {W(MNT_FORCE), W(MNT_DETACH), W(MNT_EXPIRE), W(UMOUNT_NOFOLLOW)};
constexpr Word kWatch[] = {
    W(IN_ACCESS),      W(IN_MODIFY),      W(IN_ATTRIB),      W(IN_CLOSE_WRITE), W(IN_CLOSE_NOWRITE),
    W(IN_OPEN),        W(IN_MOVED_FROM),  W(IN_MOVED_TO),    W(IN_CREATE),      W(IN_DELETE),
    W(IN_DELETE_SELF), W(IN_MOVE_SELF),   W(IN_UNMOUNT),     W(IN_Q_OVERFLOW),  W(IN_IGNORED),
    W(IN_ONLYDIR),     W(IN_DONT_FOLLOW), W(IN_EXCL_UNLINK), W(IN_MASK_CREATE), W(IN_MASK_ADD),
    W(IN_ISDIR),       W(IN_ONESHOT)};
constexpr Word kFanotifyKinds[] = {W(FAN_CLASS_NOTIF), W(FAN_CLASS_CONTENT),
                                   W(FAN_CLASS_PRE_CONTENT)};
constexpr Word kFanotify[] = {W(FAN_CLOEXEC), W(FAN_NONBLOCK), W(FAN_UNLIMITED_QUEUE),
                              W(FAN_UNLIMITED_MARKS)};
constexpr Word kPolicies[] = {W(SCHED_OTHER), W(SCHED_FIFO), W(SCHED_RR),
                              W(SCHED_BATCH), W(SCHED_IDLE), {6, "SCHED_DEADLINE"}};
constexpr Word kNamespaces[] = {
    W(CLONE_NEWTIME), W(CLONE_VM),      W(CLONE_FS),      W(CLONE_FILES),     W(CLONE_SIGHAND),
    W(CLONE_THREAD),  W(CLONE_NEWNS),   W(CLONE_SYSVSEM), W(CLONE_NEWCGROUP), W(CLONE_NEWUTS),
    W(CLONE_NEWIPC),  W(CLONE_NEWUSER), W(CLONE_NEWPID),  W(CLONE_NEWNET)};
// Of clone(), besides the signal at the child's end.
constexpr Word kClone[] = {W(CLONE_VM),
                           W(CLONE_FS),
                           W(CLONE_FILES),
                           W(CLONE_SIGHAND),
                           {0x1000, "CLONE_PIDFD"},
                           W(CLONE_PTRACE),
                           W(CLONE_VFORK),
                           W(CLONE_PARENT),
                           W(CLONE_THREAD),
                           W(CLONE_NEWNS),
                           W(CLONE_SYSVSEM),
                           W(CLONE_SETTLS),
                           W(CLONE_PARENT_SETTID),
                           W(CLONE_CHILD_CLEARTID),
                           W(CLONE_DETACHED),
                           W(CLONE_UNTRACED),
                           W(CLONE_CHILD_SETTID),
                           W(CLONE_NEWCGROUP),
                           W(CLONE_NEWUTS),
                           W(CLONE_NEWIPC),
                           W(CLONE_NEWUSER),
                           W(CLONE_NEWPID),
                           W(CLONE_NEWNET),
                           W(CLONE_IO)};
// <linux/ioprio.h> of some kernels is not C++.
constexpr Word kIoprio[] = {
    {1, "IOPRIO_WHO_PROCESS"}, {2, "IOPRIO_WHO_PGRP"}, {3, "IOPRIO_WHO_USER"}};
constexpr Word kMembarrier[] = {W(MEMBARRIER_CMD_QUERY),
                                W(MEMBARRIER_CMD_GLOBAL),
                                W(MEMBARRIER_CMD_GLOBAL_EXPEDITED),
                                W(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED),
                                W(MEMBARRIER_CMD_PRIVATE_EXPEDITED),
                                W(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED),
                                W(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE),
                                W(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE)};
constexpr Word kKcmp[] = {W(KCMP_FILE),    W(KCMP_VM), W(KCMP_FILES),   W(KCMP_FS),
                          W(KCMP_SIGHAND), W(KCMP_IO), W(KCMP_SYSVSEM), W(KCMP_EPOLL_TFD)};
constexpr Word kMlock2[] = {{1, "MLOCK_ONFAULT"}};
constexpr Word kIpc[] = {W(IPC_CREAT), W(IPC_EXCL), W(IPC_NOWAIT)};
constexpr Word kShmget[] = {W(IPC_CREAT), W(IPC_EXCL), W(SHM_HUGETLB), W(SHM_NORESERVE)};
constexpr Word kShmat[] = {W(SHM_RDONLY), W(SHM_RND), W(SHM_REMAP), W(SHM_EXEC)};
constexpr Word kKey[] = {W(IPC_PRIVATE)};
constexpr Word kMessage[] = {
    W(MSG_OOB),         W(MSG_PEEK),       W(MSG_DONTROUTE), W(MSG_CTRUNC),   {0x10, "MSG_PROBE"},
    W(MSG_TRUNC),       W(MSG_DONTWAIT),   W(MSG_EOR),       W(MSG_WAITALL),  W(MSG_FIN),
    W(MSG_SYN),         W(MSG_CONFIRM),    W(MSG_RST),       W(MSG_ERRQUEUE), W(MSG_NOSIGNAL),
    W(MSG_MORE),        W(MSG_WAITFORONE), W(MSG_BATCH),     W(MSG_ZEROCOPY), W(MSG_FASTOPEN),
    W(MSG_CMSG_CLOEXEC)};
constexpr Word kLevels[] = {{IPPROTO_IP, "SOL_IP"},     W(SOL_SOCKET),
                            {IPPROTO_TCP, "SOL_TCP"},   {IPPROTO_UDP, "SOL_UDP"},
                            {IPPROTO_IPV6, "SOL_IPV6"}, {270, "SOL_NETLINK"}};
constexpr Word kIoctl[] = {W(TCGETS),     W(TCSETS),     W(TCSETSW),   W(TCSETSF),   W(TCSBRK),
                           W(TCXONC),     W(TCFLSH),     W(TIOCSCTTY), W(TIOCGPGRP), W(TIOCSPGRP),
                           W(TIOCGWINSZ), W(TIOCSWINSZ), W(FIONREAD),  W(FIONBIO),   W(FIOASYNC),
                           W(FIONCLEX),   W(FIOCLEX),    W(TIOCNOTTY), W(TIOCGSID),  W(TIOCGPTN),
                           W(TIOCSPTLCK)};
constexpr Word kPrctl[] = {W(PR_SET_PDEATHSIG),
                           W(PR_GET_PDEATHSIG),
                           W(PR_GET_DUMPABLE),
                           W(PR_SET_DUMPABLE),
                           W(PR_GET_KEEPCAPS),
                           W(PR_SET_KEEPCAPS),
                           W(PR_SET_NAME),
                           W(PR_GET_NAME),
                           W(PR_GET_SECCOMP),
                           W(PR_SET_SECCOMP),
                           W(PR_CAPBSET_READ),
                           W(PR_CAPBSET_DROP),
                           W(PR_GET_SECUREBITS),
                           W(PR_SET_SECUREBITS),
                           W(PR_SET_TIMERSLACK),
                           W(PR_GET_TIMERSLACK),
                           W(PR_SET_CHILD_SUBREAPER),
                           W(PR_GET_CHILD_SUBREAPER),
                           W(PR_SET_NO_NEW_PRIVS),
                           W(PR_GET_NO_NEW_PRIVS),
                           W(PR_GET_TID_ADDRESS),
                           {0x53564d41, "PR_SET_VMA"}};
constexpr Word kDescriptorKinds[] = {W(O_CLOEXEC), W(O_NONBLOCK)};
constexpr Word kFileKinds[] = {W(S_IFREG), W(S_IFDIR), W(S_IFLNK), W(S_IFCHR),
                               W(S_IFBLK), W(S_IFIFO), W(S_IFSOCK)};
constexpr Word kLimits[] = {
    W(RLIMIT_CPU),      W(RLIMIT_FSIZE), W(RLIMIT_DATA),   W(RLIMIT_STACK),
    W(RLIMIT_CORE),     W(RLIMIT_RSS),   W(RLIMIT_NPROC),  W(RLIMIT_NOFILE),
    W(RLIMIT_MEMLOCK),  W(RLIMIT_AS),    W(RLIMIT_LOCKS),  W(RLIMIT_SIGPENDING),
    W(RLIMIT_MSGQUEUE), W(RLIMIT_NICE),  W(RLIMIT_RTPRIO), W(RLIMIT_RTTIME)};
constexpr Word kXattr[] = {{1, "XATTR_CREATE"}, {2, "XATTR_REPLACE"}};
constexpr Word kReadWrite[] = {
    {1, "RWF_HIPRI"}, {2, "RWF_DSYNC"}, {4, "RWF_SYNC"}, {8, "RWF_NOWAIT"}, {16, "RWF_APPEND"}};
constexpr Word kTimerfdTime[] = {{1, "TFD_TIMER_ABSTIME"}, {2, "TFD_TIMER_CANCEL_ON_SET"}};
constexpr Word kSignalfd[] = {{O_CLOEXEC, "SFD_CLOEXEC"}, {O_NONBLOCK, "SFD_NONBLOCK"}};
constexpr Word kPidfd[] = {{O_NONBLOCK, "PIDFD_NONBLOCK"}};
constexpr Word kFsopen[] = {{1, "FSOPEN_CLOEXEC"}};
constexpr Word kPerfFlags[] = {{1, "PERF_FLAG_FD_NO_GROUP"},
                               {2, "PERF_FLAG_FD_OUTPUT"},
                               {4, "PERF_FLAG_PID_CGROUP"},
                               {8, "PERF_FLAG_FD_CLOEXEC"}};
constexpr Word kArchPrctl[] = {{0x1001, "ARCH_SET_GS"},
                               {0x1002, "ARCH_SET_FS"},
                               {0x1003, "ARCH_GET_FS"},
                               {0x1004, "ARCH_GET_GS"}};
// <linux/mempolicy.h>
constexpr Word kPolicyKinds[] = {{0, "MPOL_DEFAULT"},
                                 {1, "MPOL_PREFERRED"},
                                 {2, "MPOL_BIND"},
                                 {3, "MPOL_INTERLEAVE"},
                                 {4, "MPOL_LOCAL"},
                                 {5, "MPOL_PREFERRED_MANY"},
                                 {6, "MPOL_WEIGHTED_INTERLEAVE"}};
constexpr Word kPolicyFlags[] = {{0x8000, "MPOL_F_STATIC_NODES"},
                                 {0x4000, "MPOL_F_RELATIVE_NODES"},
                                 {0x2000, "MPOL_F_NUMA_BALANCING"}};
constexpr Word kMovePages[] = {{1, "MPOL_MF_STRICT"}, {2, "MPOL_MF_MOVE"}, {4, "MPOL_MF_MOVE_ALL"}};
constexpr Word kSeals[] = {{1, "F_SEAL_SEAL"},
                           {2, "F_SEAL_SHRINK"},
                           {4, "F_SEAL_GROW"},
                           {8, "F_SEAL_WRITE"},
                           {16, "F_SEAL_FUTURE_WRITE"}};
constexpr Word kFutex[] = {W(FUTEX_WAIT),           W(FUTEX_WAKE),         W(FUTEX_FD),
                           W(FUTEX_REQUEUE),        W(FUTEX_CMP_REQUEUE),  W(FUTEX_WAKE_OP),
                           W(FUTEX_LOCK_PI),        W(FUTEX_UNLOCK_PI),    W(FUTEX_TRYLOCK_PI),
                           W(FUTEX_WAIT_BITSET),    W(FUTEX_WAKE_BITSET),  W(FUTEX_WAIT_REQUEUE_PI),
                           W(FUTEX_CMP_REQUEUE_PI), {13, "FUTEX_LOCK_PI2"}};
#undef W

struct Row {
  std::string_view call, argument;
  enum class How : std::uint8_t {
    kOneOf,
    kFlags,
    kSignal,
    kKindAndFlags,
    kFlagsAndMode,    // IPC_CREAT|0600
    kFileKind,        // S_IFIFO|0600
    kFlagsAndSignal,  // CLONE_VM|SIGCHLD
    kHex,             // or one of them
  } how;
  std::span<const Word> words;       // of kKindAndFlags the kinds
  std::span<const Word> flags = {};  // of kKindAndFlags
  std::string_view zero = "0";       // of kFlags, without any
};
constexpr Row::How kOneOf = Row::How::kOneOf, kFlags = Row::How::kFlags,
                   kSignal = Row::How::kSignal, kBoth = Row::How::kKindAndFlags,
                   kMode = Row::How::kFlagsAndMode, kFile = Row::How::kFileKind,
                   kClones = Row::How::kFlagsAndSignal, kHex = Row::How::kHex;
constexpr Row kCallRows[] = {
    {"mmap", "prot", kFlags, kProtections, {}, "PROT_NONE"},
    {"mprotect", "prot", kFlags, kProtections, {}, "PROT_NONE"},
    {"pkey_mprotect", "prot", kFlags, kProtections, {}, "PROT_NONE"},
    {"mmap", "flags", kBoth, kMapKinds, kMapFlags},
    {"mremap", "flags", kFlags, kMremap},
    {"madvise", "behavior", kOneOf, kMadvise},
    {"msync", "flags", kFlags, kMsync},
    {"mlockall", "flags", kFlags, kMlockall},
    {"access", "mode", kFlags, kAccessModes, {}, "F_OK"},
    {"faccessat", "mode", kFlags, kAccessModes, {}, "F_OK"},
    {"faccessat2", "mode", kFlags, kAccessModes, {}, "F_OK"},
    {"faccessat2", "flags", kFlags, kAccessFlags},
    {"lseek", "whence", kOneOf, kWhence},
    {"socket", "family", kOneOf, kSocketFamilies},
    {"socket", "type", kBoth, kSocketKinds, kSocketFlags},
    {"socketpair", "family", kOneOf, kSocketFamilies},
    {"socketpair", "type", kBoth, kSocketKinds, kSocketFlags},
    {"accept4", "flags", kFlags, kSocketFlags},
    {"shutdown", "how", kOneOf, kShutdown},
    {"kill", "sig", kSignal, {}},
    {"tgkill", "sig", kSignal, {}},
    {"tkill", "sig", kSignal, {}},
    {"rt_sigaction", "sig", kSignal, {}},
    {"rt_sigaction", "sa_flags", kFlags, kActionFlags},
    {"sigaltstack", "ss_flags", kFlags, kStackFlags},
    {"poll", "events", kFlags, kPollEvents},
    {"epoll_ctl", "events", kFlags, kEpollEvents},
    {"rt_sigprocmask", "how", kOneOf, kSignalHow},
    {"wait4", "options", kFlags, kWaitOptions},
    {"waitid", "options", kFlags, kWaitOptions},
    {"waitid", "which", kOneOf, kWaitWhich},
    {"fcntl", "cmd", kOneOf, kFcntl},
    {"flock", "cmd", kBoth, kFlockKinds, kFlockFlags},
    {"dup3", "flags", kFlags, kDescriptorFlags},
    {"pipe2", "flags", kFlags, kDescriptorFlags},
    {"eventfd2", "flags", kFlags, kEventfd},
    {"epoll_create1", "flags", kFlags, kEpollFlags},
    {"epoll_ctl", "op", kOneOf, kEpollOps},
    {"clock_gettime", "which_clock", kOneOf, kClocks},
    {"clock_getres", "which_clock", kOneOf, kClocks},
    {"clock_settime", "which_clock", kOneOf, kClocks},
    {"clock_nanosleep", "which_clock", kOneOf, kClocks},
    {"clock_nanosleep", "flags", kFlags, kTimerFlags},
    {"timerfd_create", "clockid", kOneOf, kClocks},
    {"timerfd_create", "flags", kFlags, kTimerfd},
    {"unlinkat", "flag", kFlags, kUnlinkFlags},
    {"newfstatat", "flag", kFlags, kAtFlags},
    {"linkat", "flags", kFlags, kAtFlags},
    {"statx", "flags", kBoth, kStatxSync, kAtFlags},
    {"statx", "mask", kFlags, kStatxMask},
    {"getrandom", "flags", kFlags, kRandom},
    {"getrusage", "who", kOneOf, kUsage},
    {"getpriority", "which", kOneOf, kPriority},
    {"setpriority", "which", kOneOf, kPriority},
    {"setitimer", "which", kOneOf, kItimer},
    {"getitimer", "which", kOneOf, kItimer},
    {"inotify_init1", "flags", kFlags, kInotify},
    {"memfd_create", "flags", kFlags, kMemfd},
    {"renameat2", "flags", kFlags, kRename},
    {"mknod", "mode", kFile, kFileKinds},
    {"mknodat", "mode", kFile, kFileKinds},
    {"fchownat", "flag", kFlags, kAtFlags},
    {"utimensat", "flags", kFlags, kAtFlags},
    {"fchmodat2", "flags", kFlags, kAtFlags},
    {"execveat", "flags", kFlags, kAtFlags},
    {"fallocate", "mode", kFlags, kFallocate},
    {"sync_file_range", "flags", kFlags, kSyncRange},
    {"fadvise64", "advice", kOneOf, kAdvice},
    {"splice", "flags", kFlags, kSplice},
    {"tee", "flags", kFlags, kSplice},
    {"vmsplice", "flags", kFlags, kSplice},
    {"close_range", "flags", kFlags, kCloseRange},
    {"mount", "flags", kFlags, kMount},
    {"umount2", "flags", kFlags, kUmount},
    {"umount", "flags", kFlags, kUmount},
    {"inotify_add_watch", "mask", kFlags, kWatch},
    {"fanotify_init", "flags", kBoth, kFanotifyKinds, kFanotify},
    {"sched_get_priority_max", "policy", kOneOf, kPolicies},
    {"sched_get_priority_min", "policy", kOneOf, kPolicies},
    {"sched_setscheduler", "policy", kOneOf, kPolicies},
    {"personality", "personality", kHex, {}},
    {"pidfd_send_signal", "sig", kSignal, {}},
    {"rt_sigqueueinfo", "sig", kSignal, {}},
    {"rt_tgsigqueueinfo", "sig", kSignal, {}},
    {"clone", "clone_flags", kClones, kClone},
    {"unshare", "unshare_flags", kFlags, kNamespaces},
    {"setns", "flags", kFlags, kNamespaces},
    {"ioprio_get", "which", kOneOf, kIoprio},
    {"ioprio_set", "which", kOneOf, kIoprio},
    {"membarrier", "cmd", kOneOf, kMembarrier},
    {"kcmp", "type", kOneOf, kKcmp},
    {"mlock2", "flags", kFlags, kMlock2},
    {"shmget", "key", kHex, kKey},
    {"semget", "key", kHex, kKey},
    {"msgget", "key", kHex, kKey},
    {"shmget", "shmflg", kMode, kShmget},
    {"semget", "semflg", kMode, kIpc},
    {"msgget", "msgflg", kMode, kIpc},
    {"shmat", "shmflg", kFlags, kShmat},
    {"userfaultfd", "flags", kFlags, kDescriptorKinds},
    {"sendto", "flags", kFlags, kMessage},
    {"recvfrom", "flags", kFlags, kMessage},
    {"sendmsg", "flags", kFlags, kMessage},
    {"recvmsg", "flags", kFlags, kMessage},
    {"sendmmsg", "flags", kFlags, kMessage},
    {"recvmmsg", "flags", kFlags, kMessage},
    {"setsockopt", "level", kOneOf, kLevels},
    {"getsockopt", "level", kOneOf, kLevels},
    {"ioctl", "cmd", kOneOf, kIoctl},
    {"prctl", "option", kOneOf, kPrctl},
    {"getrlimit", "resource", kOneOf, kLimits},
    {"setrlimit", "resource", kOneOf, kLimits},
    {"prlimit64", "resource", kOneOf, kLimits},
    {"setxattr", "flags", kFlags, kXattr},
    {"lsetxattr", "flags", kFlags, kXattr},
    {"fsetxattr", "flags", kFlags, kXattr},
    {"preadv2", "flags", kFlags, kReadWrite},
    {"pwritev2", "flags", kFlags, kReadWrite},
    {"timerfd_settime", "flags", kFlags, kTimerfdTime},
    {"timer_settime", "flags", kFlags, kTimerFlags},
    {"signalfd4", "flags", kFlags, kSignalfd},
    {"pidfd_open", "flags", kFlags, kPidfd},
    {"fsopen", "flags", kFlags, kFsopen},
    {"name_to_handle_at", "flag", kFlags, kAtFlags},
    {"perf_event_open", "flags", kFlags, kPerfFlags},
    {"arch_prctl", "option", kOneOf, kArchPrctl},
    {"set_mempolicy", "mode", kBoth, kPolicyKinds, kPolicyFlags},
    {"mbind", "mode", kBoth, kPolicyKinds, kPolicyFlags},
    {"mbind", "flags", kFlags, kMovePages},
    {"move_pages", "flags", kFlags, kMovePages},
};

std::string flags_of(std::span<const Word> words, std::uint64_t value, std::string_view zero) {
  if (value == 0) return std::string(zero);
  std::string out;
  for (const Word& word : words) {
    if (word.value == 0 || (value & word.value) != word.value) continue;
    out += fmt::format("{}{}", out.empty() ? "" : "|", word.name);
    value &= ~word.value;
  }
  if (value != 0) out += fmt::format("{}{:#x}", out.empty() ? "" : "|", value);
  return out;
}

// A number that is one of the kinds, in the low bits or those of the kinds, and flags beside it.
std::optional<std::string> both_of(const Row& row, std::uint64_t value) {
  std::uint64_t mask = 0, kinds = 0xf;
  for (const Word& word : row.flags) mask |= word.value;
  for (const Word& word : row.words) kinds = word.value > 0xf ? kinds | word.value : kinds;
  kinds &= ~mask;
  const auto kind = one_of(row.words, value & kinds);
  if (!kind) return std::nullopt;
  const std::uint64_t rest = value & ~kinds;
  return rest == 0 ? *kind : *kind + "|" + flags_of(row.flags, rest, "0");
}

std::string octal(std::uint64_t mode) { return mode == 0 ? "000" : fmt::format("{:#03o}", mode); }

// IPC_CREAT|0600, 000
std::string with_mode(std::span<const Word> words, std::uint64_t value) {
  constexpr std::uint64_t kPermissions = 0777;
  const std::string mode = octal(value & kPermissions);
  return value < kPermissions ? mode : flags_of(words, value & ~kPermissions, "") + "|" + mode;
}

std::string with_kind(std::span<const Word> words, std::uint64_t value) {
  const auto kind = one_of(words, value & S_IFMT);
  return kind ? *kind + "|" + octal(value & ~std::uint64_t{S_IFMT}) : octal(value);
}

// The low byte of the flags of clone() is a signal.
std::string with_signal(std::span<const Word> words, std::uint64_t value) {
  const std::uint64_t signal = value & CSIGNAL, flags = value & ~std::uint64_t{CSIGNAL};
  if (signal == 0) return flags_of(words, flags, "0");
  const std::string name = signal < NSIG ? name_of_signal(static_cast<std::int64_t>(signal))
                                         : fmt::format("{:#x}", signal);
  return flags == 0 ? name : flags_of(words, flags, "") + "|" + name;
}

std::string hexadecimal(std::uint64_t value) {
  return value == 0 ? "0" : fmt::format("{:#x}", value);
}

}  // namespace

// _IOC(_IOC_READ, 0x54, 0x5, 0x4)
std::string request_text(std::uint64_t request) {
  if (auto name = one_of(kIoctl, request)) return *name;
  const std::uint64_t direction = _IOC_DIR(request);
  const std::string_view way = direction == _IOC_READ                  ? "_IOC_READ"
                               : direction == _IOC_WRITE               ? "_IOC_WRITE"
                               : direction == (_IOC_READ | _IOC_WRITE) ? "_IOC_READ|_IOC_WRITE"
                                                                       : "_IOC_NONE";
  return fmt::format("_IOC({}, {}, {}, {})", way, hexadecimal(_IOC_TYPE(request)),
                     hexadecimal(_IOC_NR(request)), hexadecimal(_IOC_SIZE(request)));
}

std::string seals_text(std::int64_t seals) {
  return flags_of(kSeals, static_cast<std::uint64_t>(seals), "0");
}

// FUTEX_WAIT_PRIVATE, FUTEX_WAIT_BITSET|FUTEX_CLOCK_REALTIME
std::optional<std::string> futex_text(std::int64_t operation) {
  const auto bits = static_cast<std::uint64_t>(operation);
  constexpr std::uint64_t kFlagBits = FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME;
  auto out = one_of(kFutex, bits & ~kFlagBits);
  if (!out) return out;
  if ((bits & FUTEX_PRIVATE_FLAG) != 0) *out += "_PRIVATE";
  if ((bits & FUTEX_CLOCK_REALTIME) != 0) *out += "|FUTEX_CLOCK_REALTIME";
  return out;
}

std::optional<std::string> named_value(std::string_view call, std::string_view argument,
                                       std::int64_t value) {
  for (const Row& row : kCallRows) {
    if (row.call != call || row.argument != argument) continue;
    const auto bits = static_cast<std::uint64_t>(value);
    switch (row.how) {
      case Row::How::kOneOf:
        return one_of(row.words, bits);
      case Row::How::kFlags:
        return flags_of(row.words, static_cast<std::uint32_t>(bits), row.zero);
      case Row::How::kSignal:
        return value > 0 && value < NSIG ? std::optional(name_of_signal(value)) : std::nullopt;
      case Row::How::kKindAndFlags:
        return both_of(row, static_cast<std::uint32_t>(bits));
      case Row::How::kFlagsAndMode:
        return with_mode(row.words, static_cast<std::uint32_t>(bits));
      case Row::How::kFileKind:
        return with_kind(row.words, bits);
      case Row::How::kFlagsAndSignal:
        return with_signal(row.words, static_cast<std::uint32_t>(bits));
      case Row::How::kHex: {
        const auto known = one_of(row.words, bits);
        return known ? known : fmt::format("{:#x}", static_cast<std::uint32_t>(bits));
      }
    }
  }
  return std::nullopt;
}

}  // namespace dt::stap
