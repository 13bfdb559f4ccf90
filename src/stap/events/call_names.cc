// See call_names.h.

#include "stap/events/call_names.h"

namespace dt::stap {
namespace {

struct CallName {
  std::string_view call, name, kernel;
};
constexpr CallName kCallNames[] = {
    {"poll", "timeout", "timeout_msecs"},
    {"select", "readfds_uaddr", "inp"},
    {"select", "writefds_uaddr", "outp"},
    {"select", "exceptfds_uaddr", "exp"},
    {"select", "timeout_uaddr", "tvp"},
    {"futex", "futex_uaddr", "uaddr"},
    {"nanosleep", "req_uaddr", "rqtp"},
    {"nanosleep", "rem_uaddr", "rmtp"},
    {"clock_nanosleep", "req_uaddr", "rqtp"},
    {"clock_nanosleep", "rem_uaddr", "rmtp"},
    {"clock_nanosleep", "clockid", "which_clock"},
    {"clock_nanosleep", "flag", "flags"},
    {"connect", "sockfd", "fd"},
    {"connect", "serv_addr_uaddr", "uservaddr"},
    {"bind", "sockfd", "fd"},
    {"bind", "my_addr_uaddr", "umyaddr"},
    {"listen", "sockfd", "fd"},
    {"accept", "sockfd", "fd"},
    {"accept", "addr_uaddr", "upeer_sockaddr"},
    {"accept", "addrlen_uaddr", "upeer_addrlen"},
    {"accept4", "sockfd", "fd"},
    {"accept4", "addr_uaddr", "upeer_sockaddr"},
    {"accept4", "addrlen_uaddr", "upeer_addrlen"},
    {"shutdown", "s", "fd"},
    {"sendto", "s", "fd"},
    {"sendto", "buf_uaddr", "buff"},
    {"sendto", "to_uaddr", "addr"},
    {"sendto", "tolen", "addr_len"},
    {"recvfrom", "s", "fd"},
    {"recvfrom", "buf_uaddr", "ubuf"},
    {"recvfrom", "len", "size"},
    {"recvfrom", "addrlen_uaddr", "addr_len"},
    {"sendmsg", "s", "fd"},
    {"recvmsg", "s", "fd"},
    {"mmap", "start", "addr"},
    {"mmap", "length", "len"},
    {"mmap", "offset", "off"},
    {"munmap", "start", "addr"},
    {"munmap", "length", "len"},
    {"mprotect", "addr", "start"},
    {"msync", "length", "len"},
    {"madvise", "length", "len_in"},
    {"madvise", "advice", "behavior"},
    {"mremap", "old_address", "addr"},
    {"mremap", "old_size", "old_len"},
    {"mremap", "new_size", "new_len"},
    {"stat", "buf_uaddr", "statbuf"},
    {"lstat", "path", "filename"},
    {"lstat", "buf_uaddr", "statbuf"},
    {"fstat", "filedes", "fd"},
    {"fstat", "buf_uaddr", "statbuf"},
    {"newfstatat", "path", "filename"},
    {"newfstatat", "buf_uaddr", "statbuf"},
    {"lseek", "fildes", "fd"},
    {"pread64", "offset", "pos"},
    {"pwrite64", "offset", "pos"},
    {"wait4", "pid", "upid"},
    {"wait4", "status_uaddr", "stat_addr"},
    {"wait4", "rusage_uaddr", "ru"},
    {"chmod", "path", "filename"},
    {"chown", "path", "filename"},
    {"chown", "owner", "user"},
    {"lchown", "path", "filename"},
    {"lchown", "owner", "user"},
    {"fchmod", "fildes", "fd"},
    {"fchown", "owner", "user"},
    {"chdir", "path", "filename"},
    {"chroot", "path", "filename"},
    {"access", "pathname", "filename"},
    {"mknod", "pathname", "filename"},
    {"rename", "oldpath", "oldname"},
    {"rename", "newpath", "newname"},
    {"link", "oldpath", "oldname"},
    {"link", "newpath", "newname"},
    {"symlink", "oldpath", "oldname"},
    {"symlink", "newpath", "newname"},
    {"mount", "source", "dev_name"},
    {"mount", "target", "dir_name"},
    {"mount", "filesystemtype", "type"},
    {"mount", "mountflags", "flags"},
    {"umount", "target", "name"},
    {"ioctl", "request", "cmd"},
    {"ioctl", "argp", "arg"},
    {"flock", "operation", "cmd"},
    {"getdents", "dirp_uaddr", "dirent"},
    {"getdents64", "dirp_uaddr", "dirent"},
    {"rt_sigaction", "act_uaddr", "act"},
    {"rt_sigaction", "oact_uaddr", "oact"},
    {"rt_sigprocmask", "set_uaddr", "nset"},
    {"rt_sigprocmask", "oldset_uaddr", "oset"},
    {"exit", "status", "error_code"},
    {"exit_group", "status", "error_code"},
};

}  // namespace

std::string_view kernel_name_of(std::string_view call, std::string_view name) {
  for (const CallName& one : kCallNames) {
    if (one.call == call && one.name == name) return one.kernel;
  }
  // What points to memory of the program is called so.
  constexpr std::string_view kPointer = "_uaddr";
  return name.ends_with(kPointer) ? name.substr(0, name.size() - kPointer.size())
                                  : std::string_view();
}

}  // namespace dt::stap
