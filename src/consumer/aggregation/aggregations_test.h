#pragma once
// For tests: aggregations with a name as their key.

#include <cstdint>
#include <string>

#include "testing/consumer/trial.h"

namespace dt::consumer::testing {

inline const FieldType kName = type(FieldKind::kString, 16);

inline std::string name(const std::string& text) {
  std::string key = text;
  key.resize(kName.size);
  return key;
}

inline std::uint64_t neg(std::int64_t value) { return static_cast<std::uint64_t>(value); }

}  // namespace dt::consumer::testing
