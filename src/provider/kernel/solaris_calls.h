#pragma once
// System calls under the names that they have on Solaris and illumos (-x compat=solaris), for
// scripts that were written there. A call of Linux has one name at a time, so that no firing counts
// twice.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dt::provider {

struct SolarisCall {
  const char* linux_name;
  const char* name;
  std::uint32_t
      shift;  // the first argument on Solaris is this one of Linux: openat(dir, path) is open(path)
};
std::span<const SolarisCall> solaris_calls();

// nullptr: the name is the same there, or there is no such call.
const SolarisCall* find_solaris_call(std::string_view linux_name);

// Calls that exist there, and that no program of Linux makes: those for large files of programs of
// 32 bits, and old ones. They are listed, so that scripts which name them compile, and never fire.
std::span<const char* const> solaris_absent_calls();
constexpr std::uint32_t kFirstAbsentKey = 474;  // keys without a call of Linux

// clone() makes a thread or a process. On Solaris these are two calls.
constexpr std::uint32_t kSolarisThreadKey = 473;
constexpr const char* kSolarisThreadCall = "lwp_create";

// What the description of a function means: another name that the same call has in some release;
// itself otherwise.
std::string_view solaris_alias(std::string_view function);

// How Linux names a call of illumos, as a hint; "" for another word.
std::string name_of_linux(std::string_view function);

}  // namespace dt::provider
