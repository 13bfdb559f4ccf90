// See expand.h.

#include "dwatch/expand.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

namespace dt::dwatch {
namespace {

constexpr std::size_t kColonsOfDescription = 3;

std::vector<std::string> candidates(const std::string& word, Field field) {
  const auto colons = static_cast<std::size_t>(std::count(word.begin(), word.end(), ':'));
  if (colons >= kColonsOfDescription) {
    return {word};
  }
  if (field != Field::kAny) {
    return {in_field(word, field)};
  }
  if (colons == 2) {
    return {"syscall:" + word, word, ":" + word};
  }
  if (colons == 1) {
    const std::size_t colon = word.find(':');
    const std::string first = word.substr(0, colon), second = word.substr(colon + 1);
    return {fmt::format("syscall::{}:{}", first, second), fmt::format("{}:::{}", first, second),
            fmt::format("::{}:{}", first, second), fmt::format("{}::{}:", first, second)};
  }
  return {fmt::format("syscall::{}:", word), fmt::format(":::{}", word),
          fmt::format("::{}:", word),        fmt::format("{}:::", word),
          fmt::format(":{}::", word),        fmt::format("syscall::*{}*:", word)};
}

}  // namespace

std::string in_field(const std::string& word, Field field) {
  switch (field) {
    case Field::kProvider:
      return word + ":::";
    case Field::kModule:
      return fmt::format(":{}::", word);
    case Field::kFunction:
      return fmt::format("::{}:", word);
    case Field::kName:
      return ":::" + word;
    case Field::kAny:
      break;
  }
  return word;
}

Result<std::string> expand(const std::string& word, Field field, bool has_returns,
                           const Count& count) {
  for (const std::string& description : candidates(word, field)) {
    const std::size_t all = count(description);
    if (all == 0) {
      continue;
    }
    // A description without a name may mean both ends of functions.
    if (description.ends_with(':') && !has_returns) {
      const std::size_t entries = count(description + "entry");
      if (entries > 0 && entries + count(description + "return") == all) {
        return description + "entry";
      }
    }
    return description;
  }
  return Error::of(fmt::format("no probe is called '{}'", word),
                   fmt::format("dwatch -l -r {} lists those whose description has the word", word));
}

}  // namespace dt::dwatch
