// Strings, and how long they can get.
//
// A string is as large as what can be in it: execname has 16 bytes, a literal
// its length, and a variable or key the most of what reaches it. Capacities
// are multiples of 8 so that strings are copied and compared as words, and at
// most strsize.

#include <algorithm>

#include "d/lower/lowerer.h"
#include "support/check.h"

namespace dt::d {

using ir::ValueId;

std::uint32_t Lowerer::round_capacity(std::uint64_t bytes) const {
  const std::uint64_t rounded = (bytes + 7) / 8 * 8;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(rounded, program_.string_size));
}

bool Lowerer::is_null(const Expr* e) const {
  return e->is_constant && e->int_value == 0 && !rules_.is_string(e->type);
}

// Capacities only grow, and only to those of other strings, so this ends.
void Lowerer::capacities() {
  program_.string_size = world_.string_size;
  const std::uint32_t least = round_capacity(1);
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
      const std::uint32_t wanted = round_capacity(capacity(flow.from));
      if (wanted > *to) {
        *to = wanted;
        changed = true;
        known_capacity_.clear();
      }
    }
  }
}

std::uint32_t Lowerer::capacity(const Expr* e) const {
  const std::uint32_t most = program_.string_size;
  if (is_null(e)) {
    return round_capacity(1);
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
    const std::uint32_t size = capacity(e->inlined);
    known_capacity_.emplace(e->inlined, size);
    return size;
  }
  switch (e->kind) {
    case ExprKind::kString:
      return round_capacity(e->text.size() + 1);
    case ExprKind::kIdent:
    case ExprKind::kThreadVar:
    case ExprKind::kClauseVar:
    case ExprKind::kIndex:
      if (!rules_.is_string(e->type)) {
        break;
      }
      if (e->symbol == Symbol::kBuiltin) {
        return builtin_capacity(e);
      }
      return variable_capacity_[e->index];
    case ExprKind::kAssign:
      return rules_.is_string(e->type) ? capacity(e->args[0]) : most;
    case ExprKind::kTernary:
      return std::max(capacity(e->args[1]), capacity(e->args[2]));
    case ExprKind::kComma:
      return capacity(e->args[1]);
    case ExprKind::kStringof:
    case ExprKind::kCast:
      if (const Expr* copied = constant_copyin(e->args[0])) {
        return round_capacity(copied->args[1]->int_value + 1);
      }
      return rules_.is_string_like(e->args[0]->type) ? capacity(e->args[0]) : most;
    case ExprKind::kCall:
      if (e->symbol == Symbol::kSubroutine && static_cast<Fn>(e->index) == Fn::kCopyinstr &&
          e->args.size() > 1 && e->args[1]->is_constant && e->args[1]->int_value < most) {
        return std::min(static_cast<std::uint32_t>(e->args[1]->int_value) + 1, most);
      }
      return is_address_subroutine(e) ? address_capacity(e) : subroutine_capacity(e);
    default:
      break;
  }
  if (rules_.is_char_array(e->type) && rules_.size(e->type) != 0) {
    return round_capacity(std::uint64_t{rules_.size(e->type)} + 1);  // it may lack its NUL
  }
  return most;
}

ValueId Lowerer::string_constant(const std::string& text) {
  const std::string kept =
      text.substr(0, std::min<std::size_t>(text.find('\0'), program_.string_size - 1));
  const auto [found, fresh] =
      strings_.emplace(kept, static_cast<std::uint32_t>(program_.strings.size()));
  if (fresh) {
    program_.strings.push_back(kept);
  }
  return b_->string(found->second, ir::Type::string(round_capacity(kept.size() + 1)));
}

// A string of exactly this capacity, as the arms of ?: need it.
ValueId Lowerer::fit(ValueId string, std::uint32_t size) {
  if (b_->type_of(string).size == size) {
    return string;
  }
  return b_->unary(ir::Op::kToString, string, ir::Type::string(size));
}

// The string that a char array or a pointer (or an integer: an address) denotes.
ValueId Lowerer::string_at(const Expr* pointer, std::uint32_t size) {
  if (const Expr* copied = constant_copyin(pointer)) {
    const auto length = static_cast<std::uint32_t>(copied->args[1]->int_value);
    const ValueId bytes = memory_bytes(value(copied->args[0]), length, true);
    return b_->unary(ir::Op::kToString, bytes, ir::Type::string(size));
  }
  if (const std::uint32_t length = rules_.size(pointer->type);
      rules_.is_char_array(pointer->type) && length != 0 && length < program_.string_size) {
    // What lies behind an array is none of its string.
    const ValueId start = value(pointer);
    b_->at(pointer->span);
    if (points_to_user(pointer)) {  // where memory may end behind the string
      return operation(ir::Op::kCopyinstr, ir::Type::string(size), {start, b_->constant(length)});
    }
    const ValueId bytes = memory_bytes(start, length, false);
    return b_->unary(ir::Op::kToString, bytes, ir::Type::string(size));
  }
  const ValueId at = value(pointer);
  b_->at(pointer->span);
  return b_->unary(points_to_user(pointer) ? ir::Op::kCopyinstr : ir::Op::kKernelString, at,
                   ir::Type::string(size));
}

ValueId Lowerer::string(const Expr* e) {
  b_->at(e->span);
  if (is_null(e)) {
    return string_constant("");
  }
  if (is_expanded(e)) {
    return string(unfold(e));
  }
  if (is_array_value(e)) {
    return b_->unary(ir::Op::kToString, bytes_of(e), ir::Type::string(capacity(e)));
  }
  if (!rules_.is_string(e->type)) {
    return string_at(e, capacity(e));
  }
  switch (e->kind) {
    case ExprKind::kString:
      return string_constant(e->text);
    case ExprKind::kIdent:
    case ExprKind::kThreadVar:
    case ExprKind::kClauseVar:
    case ExprKind::kIndex:
      if (e->symbol == Symbol::kBuiltin) {
        return builtin_string(e);
      }
      return e->symbol == Symbol::kParameter ? bound_.at(e->slot) : load_variable(e);
    case ExprKind::kAssign:
      return assign(e, true);
    case ExprKind::kTernary:
      return ternary(e, Arms::kStrings);
    case ExprKind::kComma:
      effect(e->args[0]);
      return string(e->args[1]);
    case ExprKind::kStringof:
    case ExprKind::kCast: {
      const Expr* operand = e->args[0];
      return rules_.is_string(operand->type) || is_array_value(operand)
                 ? string(operand)
                 : string_at(operand, capacity(e));
    }
    case ExprKind::kCall: {
      if (is_address_subroutine(e)) {
        return address_string(e);
      }
      if (static_cast<Fn>(e->index) == Fn::kDPath) {
        const ValueId path = value(e->args[0]);
        b_->at(e->span);
        return b_->unary(ir::Op::kPath, path, ir::Type::string(capacity(e)));
      }
      if (static_cast<Fn>(e->index) != Fn::kCopyinstr) {
        return string_subroutine(e);
      }
      std::vector<ValueId> args = {value(e->args[0])};
      if (e->args.size() > 1 && !e->args[1]->is_constant) {
        args.push_back(value(e->args[1]));
      }
      b_->at(e->span);
      return operation(ir::Op::kCopyinstr, ir::Type::string(capacity(e)), std::move(args));
    }
    case ExprKind::kMember:  // a string in memory: strsize bytes
    case ExprKind::kUnary: {
      if (home_of(e, rules_) != Home::kMemory) {
        return string_part(e);
      }
      const ValueId at = address(e);
      b_->at(e->span);
      return b_->unary(e->in_user ? ir::Op::kCopyinstr : ir::Op::kKernelString, at,
                       ir::Type::string(capacity(e)));
    }
    default:
      DT_UNREACHABLE("string expression of kind {}", static_cast<int>(e->kind));
  }
}

}  // namespace dt::d
