// See origin_values.h.

#include "stap/events/origin_values.h"

#include <string_view>
#include <utility>

#include "stap/events/capture_leaf.h"
#include "stap/events/operators.h"

namespace dt::stap {
const TargetValue& OriginValues::of(int origin) {
  const auto found = made_.find(origin);
  if (found != made_.end()) return found->second;
  const TargetValue made = make(handler_.origins[static_cast<std::size_t>(origin)]);
  return made_.emplace(origin, made).first->second;
}

ir::ValueId OriginValues::is_readable(int origin) {
  const TargetValue& value = of(origin);
  return value.is_readable ? *value.is_readable : b_.constant(1, ir::Type::s32());
}

TargetValue OriginValues::make(const Origin& origin) {
  switch (origin.kind) {
    case Origin::Kind::kConstant:
      return {b_.constant(origin.number), {}};
    case Origin::Kind::kLeaf:
      return leaf_(handler_.leaves[static_cast<std::size_t>(origin.number)]);
    case Origin::Kind::kTask:
      return {b_.builtin(ir::Builtin::kCurthread), {}};
    case Origin::Kind::kBinary: {
      const TargetValue left = of(origin.a), right = of(origin.b);
      return {b_.binary(*arithmetic_op(origin.op), left.value, right.value, ir::Type::s64()),
              both(b_, left.is_readable, right.is_readable)};
    }
    case Origin::Kind::kSkipped: {
      const TargetValue value = of(origin.a);
      if (!value.is_readable) return value;
      return {b_.binary(ir::Op::kMul, value.value, *value.is_readable, ir::Type::s64()), {}};
    }
    case Origin::Kind::kLoad:
    case Origin::Kind::kText:
    case Origin::Kind::kPath:
      return read(origin);
  }
  return {};
}

// Memory that cannot be read gives 0, and no fault: the handler may not use it in this firing.
TargetValue OriginValues::read(const Origin& origin) {
  const TargetValue at = of(origin.a);
  ir::Inst read;
  read.args = {at.value};
  if (origin.kind != Origin::Kind::kLoad) {
    read.op = origin.kind == Origin::Kind::kPath ? ir::Op::kPathText
              : origin.is_userland               ? ir::Op::kUserText
                                                 : ir::Op::kKernelText;
    read.type = ir::Type::string(static_cast<std::uint32_t>(text_bytes_));
    read.imm = kUnreadable;
    return {b_.add(std::move(read)), at.is_readable};
  }
  const ir::Type type = ir::Type::integer(origin.size, origin.is_signed);
  const Origin& from = handler_.origins[static_cast<std::size_t>(origin.a)];
  // Members of the current task can always be read, by plain loads.
  if (from.kind == Origin::Kind::kTask && !origin.is_userland) {
    return {b_.unary(ir::Op::kLoadKernel, at.value, type), at.is_readable};
  }
  return try_load(b_, at, type, origin.is_userland);
}

}  // namespace dt::stap
