// See origin_values.h.

#include "stap/events/origin_values.h"

#include <string_view>
#include <utility>

#include "stap/events/capture_leaf.h"
#include "stap/events/operators.h"

namespace dt::stap {
namespace {

constexpr std::int64_t kFirstPage = 4096;

}  // namespace

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

std::optional<ir::ValueId> OriginValues::both(std::optional<ir::ValueId> a,
                                              std::optional<ir::ValueId> b) {
  if (!a || !b) return a ? a : b;
  return b_.binary(ir::Op::kAnd, *a, *b, ir::Type::s32());
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
              both(left.is_readable, right.is_readable)};
    }
    case Origin::Kind::kLoad:
    case Origin::Kind::kText:
    case Origin::Kind::kPath:
      return read(origin);
  }
  return {};
}

// 0 where it is not there: no address of every program could be read in its place.
ir::ValueId OriginValues::read_if(ir::ValueId is_there, ir::Inst read) {
  const ir::Type type = read.type;
  const ir::ValueId nothing = b_.constant(0, type);
  const ir::BlockId reads = b_.block(), after = b_.block();
  const ir::ValueId out = b_.param(after, type);
  b_.branch(is_there, ir::Target{reads, {}}, ir::Target{after, {nothing}});
  b_.enter(reads);
  const ir::ValueId value = b_.add(std::move(read));
  b_.jump(after, {value});
  b_.enter(after);
  return out;
}

// A path is not looked for in the first page, as that would be an error; reading a text there gives
// what stands for one that cannot be read.
ir::ValueId OriginValues::path_if(const TargetValue& at, ir::Inst path) {
  const ir::ValueId is_there = *both(
      b_.binary(ir::Op::kLeU, b_.constant(kFirstPage), at.value, ir::Type::s32()), at.is_readable);
  const ir::BlockId looks = b_.block(), not_there = b_.block(), after = b_.block();
  const ir::ValueId out = b_.param(after, path.type);
  ir::Inst nothing = path;
  nothing.op = ir::Op::kKernelText;
  nothing.imm = kUnreadable;
  b_.branch(is_there, ir::Target{looks, {}}, ir::Target{not_there, {}});
  b_.enter(looks);
  const ir::ValueId found = b_.add(std::move(path));
  b_.jump(after, {found});
  b_.enter(not_there);
  const ir::ValueId unreadable = b_.add(std::move(nothing));
  b_.jump(after, {unreadable});
  b_.enter(after);
  return out;
}

// In the place of an address in the first page, the current task is read: what that gives is not
// used, but the rest of the firing is recorded.
TargetValue OriginValues::read(const Origin& origin) {
  const TargetValue at = of(origin.a);
  ir::Inst read;
  read.args = {at.value};
  if (origin.kind == Origin::Kind::kPath) {
    read.op = ir::Op::kPath;
    read.type = ir::Type::string(static_cast<std::uint32_t>(text_bytes_));
    return {path_if(at, std::move(read)), at.is_readable};
  }
  if (origin.kind == Origin::Kind::kText) {
    read.op = origin.is_userland ? ir::Op::kUserText : ir::Op::kKernelText;
    read.type = ir::Type::string(static_cast<std::uint32_t>(text_bytes_));
    read.imm = kUnreadable;
    return {b_.add(std::move(read)), at.is_readable};
  }
  read.type = ir::Type::integer(origin.size, origin.is_signed);
  read.op = origin.is_userland ? ir::Op::kLoadUser : ir::Op::kLoadKernel;
  const auto s64 = ir::Type::s64();
  const bool is_task =
      handler_.origins[static_cast<std::size_t>(origin.a)].kind == Origin::Kind::kTask;
  if (is_task) return {b_.add(std::move(read)), at.is_readable};
  const ir::ValueId is_there = *both(
      b_.binary(ir::Op::kLeU, b_.constant(kFirstPage), at.value, ir::Type::s32()), at.is_readable);
  if (origin.is_userland) return {read_if(is_there, std::move(read)), is_there};
  const ir::ValueId instead =
      b_.binary(ir::Op::kXor, is_there, b_.constant(1, ir::Type::s32()), ir::Type::s32());
  read.args = {b_.binary(ir::Op::kAdd, b_.binary(ir::Op::kMul, at.value, is_there, s64),
                         b_.binary(ir::Op::kMul, b_.builtin(ir::Builtin::kCurthread), instead, s64),
                         s64)};
  return {b_.add(std::move(read)), is_there};
}

}  // namespace dt::stap
