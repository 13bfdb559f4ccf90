#include "provider/user/object_words.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "support/nearest.h"

namespace dt::provider {
namespace {

constexpr std::size_t kShownObjects = 8;

}  // namespace

std::string objects_text(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShownObjects); ++i) {
    text += (i == 0 ? "it has mapped " : ", ") + names[i];
  }
  return text + (names.size() > kShownObjects ? ", ..." : "");
}

bool is_of_c_library(std::string_view object) {
  constexpr std::string_view kNames[] = {"libSystem.", "libsystem_", "libc.dylib",
                                         "libthread.", "libthr.",    "libpthread"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return object.starts_with(name); });
}

std::string meant_object(const std::string& object, const std::vector<std::string>& names) {
  if (is_of_c_library(object)) {
    for (const std::string& name : names) {
      if (name.starts_with("libc.") || name.starts_with("ld-musl")) return name;
    }
  }
  return std::string(support::nearest(object, {names.begin(), names.end()}));
}

}  // namespace dt::provider
