#pragma once
// An entry of the databases of users and groups, by getpwuid_r(3) or getgrgid_r(3).
//
// Both write the strings of an entry into a buffer of the caller, and say ERANGE when it is too
// small. The entry of a group has the names of all its members, of which a site may have thousands,
// so no size is large enough for all.

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

namespace dt::consumer {

constexpr std::size_t kFirstEntryBytes = 16UL << 10;
constexpr std::size_t kMaxEntryBytes = 16UL << 20;

// `get(entry, buffer, bytes, found)` is one of those functions for one number; `name` is the member
// that is wanted. Nothing when there is no entry, or it cannot be read.
template <typename Entry, typename Get>
std::optional<std::string> entry_name(char* Entry::*name, const Get& get) {
  for (std::size_t bytes = kFirstEntryBytes; bytes <= kMaxEntryBytes; bytes *= 2) {
    Entry entry{};
    Entry* found = nullptr;
    std::vector<char> buffer(bytes);
    const int code = get(&entry, buffer.data(), buffer.size(), &found);
    if (code == ERANGE) continue;
    if (code != 0 || found == nullptr) break;
    return found->*name;
  }
  return std::nullopt;
}

}  // namespace dt::consumer
