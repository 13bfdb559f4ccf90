#pragma once
// Which identifiers the program's version of D has (-x version, #pragma D binding).

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "d/check/part.h"

namespace dt::d {

class Versions : Part {
 public:
  explicit Versions(Context& context) : Part(context) {}

  // Whether the program's version of D has an inline, to which #pragma D binding may have given
  // one.
  bool visible(const std::string& name) const;
  // The name came with `version` of D.
  void bind(std::string_view name, std::uint32_t version) {
    since_.insert_or_assign(std::string(name), version);
  }

 private:
  std::unordered_map<std::string, std::uint32_t> since_;  // by #pragma D binding
};

}  // namespace dt::d
