// Names of illumos's syscall provider: its table sysent (usr/src/uts/common/os/sysent.c), whose
// names are those of the functions in the kernel (exece, rexit, forksys). Only calls that do the
// same, and whose arguments have the same order, are here: statx() and renameat() keep the names of
// Linux.

#include "provider/kernel/solaris_calls.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

namespace dt::provider {
namespace {

constexpr SolarisCall kCalls[] = {
    {"accept4", "accept", 0},
    {"clock_nanosleep", "nanosleep", 2},
    {"clone", "forksys", 0},
    {"clone3", "forksys", 0},
    {"execve", "exece", 0},
    {"execveat", "exece", 1},
    {"exit", "lwp_exit", 0},
    {"exit_group", "rexit", 0},
    {"faccessat", "access", 1},
    {"faccessat2", "access", 1},
    {"fchmodat", "chmod", 1},
    {"fchownat", "chown", 1},
    {"fdatasync", "fdsync", 0},
    {"fork", "forksys", 0},
    {"fstatfs", "fstatvfs", 0},
    {"fsync", "fdsync", 0},
    {"getdents64", "getdents", 0},
    {"gettid", "lwp_self", 0},
    {"mkdirat", "mkdir", 1},
    {"mknodat", "mknod", 1},
    {"newfstatat", "stat", 1},
    {"openat", "open", 1},
    {"openat2", "open", 1},
    {"pipe2", "pipe", 0},
    {"poll", "pollsys", 0},
    {"ppoll", "pollsys", 0},
    {"pread64", "pread", 0},
    {"pwrite64", "pwrite", 0},
    {"readlinkat", "readlink", 1},
    {"rt_sigaction", "sigaction", 0},
    {"rt_sigprocmask", "lwp_sigmask", 0},
    {"rt_sigsuspend", "sigsuspend", 0},
    {"sched_yield", "yield", 0},
    {"socket", "so_socket", 0},
    {"socketpair", "so_socketpair", 0},
    {"statfs", "statvfs", 0},
    {"tgkill", "lwp_kill", 1},
    {"time", "gtime", 0},
    {"tkill", "lwp_kill", 0},
    {"unlinkat", "unlink", 1},
    {"waitid", "waitsys", 0},
};

constexpr const char* kAbsent[] = {"creat64",     "exec",       "forkall",     "fstatvfs64",
                                   "fxstat",      "getdents64", "getrlimit64", "lxstat",
                                   "mmap64",      "open64",     "pread64",     "pwrite64",
                                   "setrlimit64", "statvfs64",  "xmknod",      "xstat"};

struct Alias {
  std::string_view other, name;
};
constexpr Alias kAliases[] = {
    {"execve", "exece"},      {"exit", "rexit"},       {"fdatasync", "fdsync"},
    {"fork", "forksys"},      {"fork1", "forksys"},    {"fsync", "fdsync"},
    {"poll", "pollsys"},      {"socket", "so_socket"}, {"time", "gtime"},
    {"sched_yield", "yield"}, {"openat", "open"},      {"unlinkat", "unlink"},
    {"fstatat", "stat"},      {"waitid", "waitsys"}};

}  // namespace

std::span<const SolarisCall> solaris_calls() { return kCalls; }

const SolarisCall* find_solaris_call(std::string_view linux_name) {
  const auto* const at = std::lower_bound(
      std::begin(kCalls), std::end(kCalls), linux_name,
      [](const SolarisCall& call, std::string_view wanted) { return call.linux_name < wanted; });
  return at == std::end(kCalls) || at->linux_name != linux_name ? nullptr : at;
}

std::span<const char* const> solaris_absent_calls() { return kAbsent; }

std::string_view solaris_alias(std::string_view function) {
  const auto* const at = std::find_if(std::begin(kAliases), std::end(kAliases),
                                      [&](const Alias& one) { return one.other == function; });
  return at == std::end(kAliases) ? function : at->name;
}

std::string name_of_linux(std::string_view function) {
  std::string names;
  for (const SolarisCall& call : kCalls) {
    if (solaris_alias(function) != call.name) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", call.linux_name);
  }
  return names.empty() ? names
                       : fmt::format(
                             "what illumos calls {} is {} of Linux: -x compat=solaris "
                             "gives the calls the names of illumos",
                             function, names);
}

}  // namespace dt::provider
