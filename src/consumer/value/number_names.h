#pragma once
// The names of numbers: of errors, signals, users and groups.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "record/field.h"

namespace dt::consumer {

// Whether a field of this kind is a number that is shown as a name.
bool is_named_number(record::FieldKind kind);

// The name of a user or a group on this machine; the number where it has none.
std::string account_name(bool is_group, std::int64_t number);

class NumberNames {
 public:
  // The name of a native system call; nullptr for a number without one.
  using SyscallName = const char* (*)(std::int64_t number);
  explicit NumberNames(SyscallName syscall_name) : syscall_name_(syscall_name) {}

  // "ENOENT" for 2 and for -2, as functions of the kernel return it; "SIGTERM"; "openat"; the name
  // of a user or a group on this machine. A number without a name is shown in decimal.
  std::string name(record::FieldKind kind, std::int64_t number);
  // From now on, the names of users and groups come from this function.
  using Account = std::function<std::string(bool is_group, std::int64_t number)>;
  void name_accounts_with(Account name) { account_ = std::move(name); }

 private:
  std::string account_name(record::FieldKind kind, std::int64_t number);

  SyscallName syscall_name_;
  Account account_;
  // The names of users and groups; to find one may take reading files or asking a server.
  std::map<std::pair<record::FieldKind, std::int64_t>, std::string> accounts_;
};

}  // namespace dt::consumer
