// See number_names.h.

#include "consumer/value/number_names.h"

#include <grp.h>
#include <pwd.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "consumer/value/account_entry.h"
#include "support/check.h"

namespace dt::consumer {
namespace {

using record::FieldKind;

// Errors within the kernel (include/linux/errno.h there) that are not for programs; probes see them
// where a system call is interrupted or a function of the kernel returns.
constexpr struct {
  std::int64_t number;
  const char* name;
} kKernelErrors[] = {{512, "ERESTARTSYS"},
                     {513, "ERESTARTNOINTR"},
                     {514, "ERESTARTNOHAND"},
                     {515, "ENOIOCTLCMD"},
                     {516, "ERESTART_RESTARTBLOCK"},
                     {517, "EPROBE_DEFER"},
                     {518, "EOPENSTALE"},
                     {519, "ENOPARAM"},
                     {521, "EBADHANDLE"},
                     {522, "ENOTSYNC"},
                     {523, "EBADCOOKIE"},
                     {524, "ENOTSUPP"},
                     {525, "ETOOSMALL"},
                     {526, "ESERVERFAULT"},
                     {527, "EBADTYPE"},
                     {528, "EJUKEBOX"},
                     {529, "EIOCBQUEUED"},
                     {530, "ERECALLCONFLICT"}};

std::string error_name(std::int64_t number) {
  // Functions of the kernel return -errno, system calls in a program errno: both are accepted. The
  // least number has no counterpart, and -INT64_MIN would be undefined.
  const std::int64_t positive = number == INT64_MIN ? number : number < 0 ? -number : number;
  for (const auto& error : kKernelErrors) {
    if (error.number == positive) return error.name;
  }
  const bool is_int = positive > 0 && positive <= std::numeric_limits<int>::max();
  const char* const name = is_int ? ::strerrorname_np(static_cast<int>(positive)) : nullptr;
  return name == nullptr ? std::to_string(number) : name;
}

std::string signal_name(std::int64_t number) {
  // The kernel's first signal of real time is 32; libraries keep two of them for threads.
  constexpr std::int64_t kFirstRealTime = 32, kLastRealTime = 64, kReserved = 2;
  if (number >= kFirstRealTime && number <= kLastRealTime) {
    const std::int64_t above = number - kFirstRealTime - kReserved;
    if (above < 0) return std::to_string(number);
    return above == 0 ? "SIGRTMIN" : "SIGRTMIN+" + std::to_string(above);
  }
  const bool is_signal = number > 0 && number < kFirstRealTime;
  const char* const name = is_signal ? ::sigabbrev_np(static_cast<int>(number)) : nullptr;
  return name == nullptr ? std::to_string(number) : std::string("SIG") + name;
}

}  // namespace

bool is_named_number(FieldKind kind) {
  return kind == FieldKind::kErrnoName || kind == FieldKind::kSignalName ||
         kind == FieldKind::kSyscallName || kind == FieldKind::kUserName ||
         kind == FieldKind::kGroupName;
}

// Looked up on the machine that consumes, when a record is shown: a probe cannot ask the user
// database, which may be on a network.
std::string account_name(bool is_group, std::int64_t number) {
  if (number < 0 || number > UINT32_MAX) return std::to_string(number);
  const auto id = static_cast<std::uint32_t>(number);
  const std::optional<std::string> name =
      is_group ? entry_name(&group::gr_name,
                            [id](group* entry, char* buffer, std::size_t bytes, group** found) {
                              return ::getgrgid_r(id, entry, buffer, bytes, found);
                            })
               : entry_name(&passwd::pw_name,
                            [id](passwd* entry, char* buffer, std::size_t bytes, passwd** found) {
                              return ::getpwuid_r(id, entry, buffer, bytes, found);
                            });
  return name.value_or(std::to_string(number));
}

std::string NumberNames::name(FieldKind kind, std::int64_t number) {
  switch (kind) {
    case FieldKind::kErrnoName:
      return error_name(number);
    case FieldKind::kSignalName:
      return signal_name(number);
    case FieldKind::kSyscallName: {
      const char* const found = syscall_name_ == nullptr ? nullptr : syscall_name_(number);
      return found == nullptr ? std::to_string(number) : found;
    }
    case FieldKind::kUserName:
    case FieldKind::kGroupName:
      return account_name(kind, number);
    default:
      DT_UNREACHABLE("field kind {}", static_cast<unsigned>(kind));
  }
}

// A script may show numbers that are none of users or groups, any number of them.
std::string NumberNames::account_name(FieldKind kind, std::int64_t number) {
  constexpr std::size_t kMost = 4096;
  if (accounts_.size() >= kMost) accounts_.clear();
  const auto [at, is_new] = accounts_.try_emplace({kind, number});
  if (is_new) {
    const bool is_group = kind == FieldKind::kGroupName;
    at->second = account_ ? account_(is_group, number) : consumer::account_name(is_group, number);
  }
  return at->second;
}

}  // namespace dt::consumer
