#pragma once
// The origins of a handler as instructions: each is computed once in a clause.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "ir/builder.h"
#include "stap/events/target.h"
#include "stap/meaning/program.h"

namespace dt::stap {

class OriginValues {
 public:
  using LeafValue = std::function<TargetValue(const Leaf&)>;
  // All must outlive this. A text has that many bytes.
  OriginValues(const Handler& handler, ir::FunctionBuilder& b, LeafValue leaf,
               std::int64_t text_bytes)
      : handler_(handler), b_(b), leaf_(std::move(leaf)), text_bytes_(text_bytes) {}

  // What is read at NULL means nothing, and `is_readable` says so.
  const TargetValue& of(int origin);
  // s32, also where that is always so.
  ir::ValueId is_readable(int origin);

 private:
  TargetValue make(const Origin& origin);
  TargetValue read(const Origin& origin);

  const Handler& handler_;
  ir::FunctionBuilder& b_;
  LeafValue leaf_;
  std::int64_t text_bytes_;
  std::map<int, TargetValue> made_;
};

}  // namespace dt::stap
