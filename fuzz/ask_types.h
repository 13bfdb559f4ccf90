#pragma once
// Asks everything of a catalogue whose source was made of any bytes: answers
// must come, within limits, and be of use.

#include <string>
#include <string_view>
#include <vector>

#include "support/check.h"
#include "types/type.h"

namespace dt::types {

inline void ask_about(Catalog& catalog, TypeId type) {
  constexpr std::size_t kMaxName = std::size_t{1} << 16;
  constexpr std::size_t kMaxMembers = 48;
  DT_CHECK(catalog.name(type).size() <= kMaxName);
  DT_CHECK(catalog.same(type, type));
  const TypeId user = catalog.userland(catalog.constant(type));
  DT_CHECK(catalog.at(user).is_userland);
  const std::vector<std::string_view> names = catalog.member_names(type);
  for (std::size_t i = 0; i < std::min(names.size(), kMaxMembers); ++i) {
    const auto found = catalog.member(user, names[i]);
    if (!found) continue;  // hidden behind another of its name, or too deep
    DT_CHECK(catalog.name(found->type).size() <= kMaxName);
    DT_CHECK(found->bit_size <= 255);
    DT_CHECK(catalog.size_of(found->type) == catalog.resolved(found->type).size);
  }
}

inline void ask_everything(Catalog& catalog, const std::string& module) {
  constexpr std::size_t kMaxTypes = 48;  // of each tag
  for (const Tag tag : {Tag::kNone, Tag::kStruct, Tag::kUnion, Tag::kEnum}) {
    const std::vector<std::string> names = catalog.type_names(tag, module);
    for (std::size_t i = 0; i < std::min(names.size(), kMaxTypes); ++i) {
      if (const auto type = catalog.find(tag, names[i], module)) ask_about(catalog, *type);
      if (const auto object = catalog.find_object(names[i], module)) {
        ask_about(catalog, object->type);
      }
    }
  }
  catalog.errors();
}

}  // namespace dt::types
