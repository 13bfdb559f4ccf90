#pragma once
// The named types of a program's file, as an index of its DWARF or CTF has them: several entries
// may have one name, and a name means one type.
//
// An Entry has a Tag `tag`, a place `ref`, and says how good it is: 0 for a definition that may be
// found by name, more for one that is found only where there is nothing better. Of a declaration,
// is_declared() is true.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "types/type.h"

namespace dt::types {

template <typename Entry>
using NamedEntries = std::unordered_multimap<std::string_view, Entry>;

// All names of types with this tag, sorted, each once.
template <typename Entry>
std::vector<std::string> names_of(const NamedEntries<Entry>& entries, Tag tag) {
  std::vector<std::string> out;
  for (const auto& [name, entry] : entries) {
    if (entry.tag == tag) out.emplace_back(name);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// The entry that the name means; nullptr when there is none. `is_before` orders the places, so that
// the choice is the same at every run. Where `differ` says of two equally good definitions that
// they are different types, a script cannot say which one it means: `is_ambiguous` becomes true.
template <typename Entry, typename Before, typename Differ>
const Entry* one_of_name(const NamedEntries<Entry>& entries, Tag tag, std::string_view name,
                         const Before& is_before, const Differ& differ, bool& is_ambiguous) {
  constexpr std::size_t kMost = 64;  // more are not compared with each other
  std::vector<const Entry*> found;
  const auto [begin, end] = entries.equal_range(name);
  for (auto at = begin; at != end; ++at) {
    if (at->second.tag == tag) found.push_back(&at->second);
  }
  if (found.empty()) return nullptr;
  std::sort(found.begin(), found.end(), [&](const Entry* a, const Entry* b) {
    return a->rank() != b->rank() ? a->rank() < b->rank() : is_before(a->ref, b->ref);
  });
  const Entry& first = *found.front();
  for (std::size_t i = 1; i < std::min(found.size(), kMost) && !first.is_declared(); ++i) {
    if (found[i]->rank() != first.rank()) break;
    is_ambiguous = is_ambiguous || differ(first.ref, found[i]->ref);
  }
  return &first;
}

}  // namespace dt::types
