#include "d/lower/capacities.h"

#include <algorithm>

#include "d/check/checked.h"
#include "d/lower/address_kind.h"
#include "d/meaning/function_table.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/address_text.h"
#include "ir/builder.h"

namespace dt::d::lowering {

namespace {

constexpr std::uint32_t kZoneNameBytes = 256;  // NAME_MAX and a NUL
constexpr std::uint32_t kMaxCapacity = 1 << 16;

}  // namespace

using ir::AddressKind;

std::uint32_t Capacities::rounded(std::uint64_t bytes) const {
  const std::uint64_t rounded = (bytes + 7) / 8 * 8;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(rounded, program_.string_size));
}

// Capacities only grow, and only to those of other strings, so this ends.
void Capacities::compute() {
  program_.string_size = std::min(world_.string_size + 1, kMaxCapacity);  // with a NUL
  const std::uint32_t least = rounded(1);
  for (const VariableInfo& info : checked_.variables) {
    variable_capacity_.push_back(least);
    key_capacity_.emplace_back(info.keys.size(), least);
  }
  for (const AggregationInfo& info : checked_.aggregations) {
    aggregation_capacity_.emplace_back(info.keys.size(), least);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const StringFlow& flow : checked_.flows) {
      std::uint32_t* to = nullptr;
      switch (flow.to) {
        case StringFlow::To::kVariable:
          to = &variable_capacity_[flow.index];
          break;
        case StringFlow::To::kVariableKey:
          to = &key_capacity_[flow.index][flow.key];
          break;
        case StringFlow::To::kAggregationKey:
          to = &aggregation_capacity_[flow.index][flow.key];
          break;
      }
      const std::uint32_t wanted =
          flow.from == nullptr ? program_.string_size : rounded(of(flow.from));
      if (wanted > *to) {
        *to = wanted;
        changed = true;
        known_capacity_.clear();
      }
    }
  }
}

std::uint32_t Capacities::of(const Expr* e) const {
  const std::uint32_t most = program_.string_size;
  if (is_null(e)) {
    return rounded(1);
  }
  const bool is_parameter = e->symbol == Symbol::kParameter;
  if (is_parameter && e->inlined == nullptr) {
    return most;  // in a body as it is written
  }
  if (is_parameter || is_expanded(e)) {
    const auto known = known_capacity_.find(e->inlined);
    if (known != known_capacity_.end()) {
      return known->second;
    }
    const std::uint32_t size = of(e->inlined);
    known_capacity_.emplace(e->inlined, size);
    return size;
  }
  switch (e->kind) {
    case ExprKind::kString:
      return rounded(e->text.size() + 1);
    case ExprKind::kIdent:
    case ExprKind::kThreadVar:
    case ExprKind::kClauseVar:
    case ExprKind::kIndex:
      if (!rules_.is_string(e->type)) {
        break;
      }
      if (e->symbol == Symbol::kBuiltin) {
        return of_builtin(e);
      }
      return variable_capacity_[e->index];
    case ExprKind::kAssign:
      return rules_.is_string(e->type) ? of(e->args[0]) : most;
    case ExprKind::kTernary:
      return std::max(of(e->args[1]), of(e->args[2]));
    case ExprKind::kComma:
      return of(e->args[1]);
    case ExprKind::kStringof:
    case ExprKind::kCast:
      if (const Expr* copied = constant_copyin(e->args[0])) {
        return rounded(copied->args[1]->int_value + 1);
      }
      return rules_.is_string_like(e->args[0]->type) ? of(e->args[0]) : most;
    case ExprKind::kCall:
      if (e->symbol == Symbol::kSubroutine && static_cast<Fn>(e->index) == Fn::kCopyinstr &&
          e->args.size() > 1 && e->args[1]->is_constant && e->args[1]->int_value < most) {
        return std::min(static_cast<std::uint32_t>(e->args[1]->int_value) + 1, most);
      }
      return is_address_subroutine(e) ? of_address(e) : of_subroutine(e);
    default:
      break;
  }
  if (rules_.is_char_array(e->type) && rules_.size(e->type) != 0) {
    return rounded(std::uint64_t{rules_.size(e->type)} + 1);  // it may lack its NUL
  }
  return most;
}

// Of what a call gives: what it is made of, mostly.
std::uint32_t Capacities::of_subroutine(const Expr* e) const {
  switch (static_cast<Fn>(e->index)) {
    case Fn::kStrjoin:
      return rounded(std::uint64_t{of(e->args[0])} + of(e->args[1]) - 1);
    case Fn::kStrstr:
    case Fn::kStrchr:
    case Fn::kStrrchr:
    case Fn::kSubstr:
    case Fn::kTolower:
    case Fn::kToupper:
    case Fn::kBasename:
    case Fn::kDirname:
    case Fn::kCleanpath:
    case Fn::kJson:
      return of(e->args[0]);
    case Fn::kStrtok:
      return is_null(e->args[0]) ? program_.string_size : of(e->args[0]);
    case Fn::kLltostr: {
      // The digits of 2^64 with what stands before them, and a NUL.
      const bool is_long =
          e->args.size() > 1 && (!e->args[1]->is_constant || e->args[1]->int_value < 8);
      return rounded(is_long ? 65 : 24);
    }
    case Fn::kTaskPsargs:
      return std::min(ir::kArgumentsBytes, program_.string_size);
    case Fn::kMemstr:
      return rounded(e->args[2]->is_constant
                         ? std::clamp<std::uint64_t>(e->args[2]->int_value, 1, 1 << 16)
                         : program_.string_size);
    default:
      return program_.string_size;
  }
}

std::uint32_t Capacities::of_address(const Expr* e) const {
  const std::uint32_t bytes = ir::address_capacity(address_kind(e).value_or(AddressKind::kInet6));
  return std::min(bytes, program_.string_size);
}

std::uint32_t Capacities::of_builtin(const Expr* e) const {
  const BuiltinInfo& info = builtin_table()[e->index];
  const std::uint32_t most = program_.string_size;
  switch (info.derived) {
    case Derived::kZonename:
      return std::min(kZoneNameBytes, most);
    case Derived::kJailname:
      return rounded(2);
    default:
      return std::min(ir::builtin_type(info.builtin).size, most);
  }
}

}  // namespace dt::d::lowering
