// Constant folding and algebraic identities.
//
// Integers are 64-bit registers whatever their type, so an identity may put a
// value of one integer type instead of another. Only kExtend depends on
// what a register can hold; there we trust what made the value (a load, a
// comparison, a constant), not the type that arithmetic claims.

#include <bit>
#include <cstring>
#include <limits>

#include "ir/dominance.h"
#include "ir/evaluate.h"
#include "ir/passes.h"

namespace dt::ir {

namespace {

// What is known of a value, by its definition alone: nothing is carried along paths (`if (x == 3)`
// teaches nothing about x).
constexpr Op kUnknown = Op::kShl;  // an operation of which nothing follows
struct Known {
  Op op = kUnknown;  // of its definition
  Type type;
  ValueId a = kNone;
  ValueId b = kNone;
  std::optional<std::int64_t> constant;
  std::uint32_t string = kNone;  // index in Program::strings
};

// Every value that a register of type `from` can hold is one of type `to`.
bool holds(const Type& to, const Type& from) {
  if (to.size == 8) return true;
  if (from.is_signed == to.is_signed) return from.size <= to.size;
  return !from.is_signed && from.size < to.size;
}

Op swapped_negation(Op op, bool& swap) {
  // !(a < b) is b <= a.
  swap = op != Op::kEq && op != Op::kNe;
  switch (op) {
    case Op::kEq:
      return Op::kNe;
    case Op::kNe:
      return Op::kEq;
    case Op::kLtS:
      return Op::kLeS;
    case Op::kLeS:
      return Op::kLtS;
    case Op::kLtU:
      return Op::kLeU;
    default:
      return Op::kLtU;
  }
}

class Folder {
 public:
  Folder(Function& fn, std::span<const std::string> strings)
      : fn_(fn), strings_(strings), known_(fn.value_count), same_as_(fn.value_count) {
    for (ValueId id = 0; id < fn.value_count; ++id) same_as_[id] = id;
  }

  void run() {
    for (Block& block : fn_.blocks) {
      for (const Param& param : block.params) known_[param.id].op = kUnknown;
      out_.clear();
      for (Inst& inst : block.insts) fold_inst(inst);
      block.insts.swap(out_);
      for_each_target(block.end, [&](Target& target) {
        for (ValueId& arg : target.args) arg = same_as_[arg];
      });
      if (block.end.kind == Terminator::Kind::kBranch && block.end.condition != kNone) {
        fold_branch(block.end);
      }
    }
  }

 private:
  void fold_inst(Inst& inst) {
    for (ValueId& arg : inst.args) arg = same_as_[arg];
    if (is_integer_op(inst.op)) {
      if (inst.args.size() == 2 && is_commutative(inst.op) && constant(inst.args[0]) &&
          !constant(inst.args[1])) {
        std::swap(inst.args[0], inst.args[1]);
      }
      // Each rewriting makes the instruction simpler; four are more than any chain here needs.
      bool again = true;
      for (int i = 0; i < 4 && again && is_integer_op(inst.op); ++i) again = simplify(inst);
      if (same_as_[inst.result] != inst.result) return;
    }
    if (inst.op == Op::kStrCmp) compare_strings(inst);
    remember(inst);
    out_.push_back(std::move(inst));
  }

  void remember(const Inst& inst) {
    if (inst.result == kNone) return;
    Known& known = known_[inst.result];
    known.op = inst.op;
    known.type = inst.type;
    if (!inst.args.empty()) known.a = inst.args[0];
    if (inst.args.size() > 1) known.b = inst.args[1];
    if (inst.op == Op::kConst) known.constant = inst.imm;
    if (inst.op == Op::kString) known.string = inst.index;
  }

  void compare_strings(Inst& inst) {
    const std::uint32_t a = known_[inst.args[0]].string, b = known_[inst.args[1]].string;
    if (inst.args[0] == inst.args[1]) {
      become(inst, 0);
    } else if (a < strings_.size() && b < strings_.size()) {
      // A string ends at its first NUL.
      const int order = std::strcmp(strings_[a].c_str(), strings_[b].c_str());
      become(inst, order < 0 ? -1 : order > 0 ? 1 : 0);
    }
  }

  const std::optional<std::int64_t>& constant(ValueId id) const { return known_[id].constant; }

  bool become(Inst& inst, std::int64_t value) {
    inst.op = Op::kConst;
    inst.args.clear();
    inst.imm = value;
    return false;
  }
  bool become_value(Inst& inst, ValueId value) {
    same_as_[inst.result] = value;
    return false;
  }
  ValueId new_constant(const Inst& like, std::int64_t value) {
    Inst inst;
    inst.op = Op::kConst;
    inst.type = Type::s64();
    inst.imm = value;
    inst.action = like.action;
    inst.span = like.span;
    inst.result = fn_.value_count++;
    known_.emplace_back();
    same_as_.push_back(inst.result);
    remember(inst);
    out_.push_back(std::move(inst));
    return fn_.value_count - 1;
  }

  // One step; true when another may follow.
  bool simplify(Inst& inst) {
    const ValueId a = inst.args[0];
    const ValueId b = inst.args.size() > 1 ? inst.args[1] : kNone;
    if (constant(a) && (b == kNone || constant(b))) {
      const auto value = evaluate(inst.op, inst.type, *constant(a), b == kNone ? 0 : *constant(b));
      if (value) return become(inst, *value);
      return false;  // a division by zero stays, and faults
    }
    if (inst.op == Op::kExtend) return simplify_extend(inst);
    if (b == kNone) return simplify_unary(inst);
    if (a == b) return simplify_same(inst);
    if (constant(b)) return simplify_constant(inst, *constant(b));
    return false;
  }

  // Whether extending this value to that type would leave it as it is. Of an addition nothing is
  // known: it computes in 64 bits, and what it is declared to be says nothing about its upper bits.
  bool fits(ValueId id, const Type& type) const {
    const Known& known = known_[id];
    if (known.constant) return extend(type, *known.constant) == *known.constant;
    switch (known.op) {
      case Op::kExtend:
      case Op::kBuiltin:
      case Op::kLoad:
      case Op::kLoadPart:
      case Op::kPart:
      case Op::kLoadKernel:
      case Op::kLoadUser:
        return holds(type, known.type);
      case Op::kAnd: {
        const auto& mask = constant(known.b);
        return mask && *mask >= 0 && extend(type, *mask) == *mask;
      }
      default:
        return is_comparison(known.op) || type.size == 8;
    }
  }

  bool simplify_extend(Inst& inst) {
    const ValueId a = inst.args[0];
    if (fits(a, inst.type)) return become_value(inst, a);
    // What is cut to less needs no cutting before.
    if (known_[a].op == Op::kExtend && inst.type.size <= known_[a].type.size) {
      inst.args[0] = known_[a].a;
      return true;
    }
    return false;
  }

  bool simplify_unary(Inst& inst) {
    const Known& known = known_[inst.args[0]];
    return known.op == inst.op && known.a != kNone ? become_value(inst, known.a) : false;
  }

  // Both operands are one value. Valid for integers; with NaN, x == x would not be.
  bool simplify_same(Inst& inst) {
    switch (inst.op) {
      case Op::kSub:
      case Op::kXor:
      case Op::kNe:
      case Op::kLtS:
      case Op::kLtU:
        return become(inst, 0);
      case Op::kEq:
      case Op::kLeS:
      case Op::kLeU:
        return become(inst, 1);
      case Op::kAnd:
      case Op::kOr:
        return become_value(inst, inst.args[0]);
      default:
        return false;
    }
  }

  // The second operand is `c`, the first is not constant.
  bool simplify_constant(Inst& inst, std::int64_t c) {
    const ValueId a = inst.args[0];
    switch (inst.op) {
      case Op::kAdd:
      case Op::kSub:
        return c == 0 ? become_value(inst, a) : reassociate(inst, c);
      case Op::kOr:
        return c == 0 ? become_value(inst, a) : c == -1 ? become(inst, -1) : false;
      case Op::kXor:
        return c == 0 ? become_value(inst, a) : false;
      case Op::kAnd:
        return c == -1 ? become_value(inst, a) : c == 0 ? become(inst, 0) : false;
      case Op::kShl:
      case Op::kShrS:
      case Op::kShrU:
        return (c & 63) == 0 ? become_value(inst, a) : false;
      case Op::kMul:
        return multiply(inst, c);
      case Op::kDivS:
      case Op::kDivU:
      case Op::kRemS:
      case Op::kRemU:
        return divide(inst, c);
      case Op::kEq:
      case Op::kNe:
        return compare_zero(inst, c);
      case Op::kLtU:
        return c == 0 ? become(inst, 0) : false;
      case Op::kLeU:
        return c == -1 ? become(inst, 1) : false;
      case Op::kLtS:
        return c == std::numeric_limits<std::int64_t>::min() ? become(inst, 0) : false;
      case Op::kLeS:
        return c == std::numeric_limits<std::int64_t>::max() ? become(inst, 1) : false;
      default:
        return false;
    }
  }

  // (x + c1) + c2 is x + (c1 + c2), and so with subtraction. Integers of D wrap around as in the
  // machine, so the sum of the constants may overflow without changing the result.
  bool reassociate(Inst& inst, std::int64_t c) {
    const Known& inner = known_[inst.args[0]];
    if ((inner.op != Op::kAdd && inner.op != Op::kSub) || inner.b == kNone || !constant(inner.b)) {
      return false;
    }
    const ValueId x = inner.a;
    const std::int64_t first = *evaluate(inner.op, Type::s64(), 0, *constant(inner.b));
    const std::int64_t sum = *evaluate(inst.op, Type::s64(), first, c);
    if (sum == 0) return become_value(inst, x);
    inst.op = Op::kAdd;
    inst.args = {x, new_constant(inst, sum)};
    return false;
  }

  bool multiply(Inst& inst, std::int64_t c) {
    if (c == 0) return become(inst, 0);
    if (c == 1) return become_value(inst, inst.args[0]);
    const auto magnitude = static_cast<std::uint64_t>(c);
    if (!std::has_single_bit(magnitude)) return false;
    inst.op = Op::kShl;
    inst.args[1] = new_constant(inst, std::countr_zero(magnitude));
    return false;
  }

  bool divide(Inst& inst, std::int64_t c) {
    const ValueId a = inst.args[0];
    const bool is_remainder = inst.op == Op::kRemS || inst.op == Op::kRemU;
    const bool is_signed = inst.op == Op::kDivS || inst.op == Op::kRemS;
    if (c == 1) return is_remainder ? become(inst, 0) : become_value(inst, a);
    if (is_signed && c == -1) {
      if (is_remainder) return become(inst, 0);
      inst.op = Op::kNeg;
      inst.args.pop_back();
      return false;
    }
    const auto magnitude = static_cast<std::uint64_t>(c);
    if (is_signed || !std::has_single_bit(magnitude)) return false;
    inst.op = is_remainder ? Op::kAnd : Op::kShrU;
    inst.args[1] = new_constant(inst, is_remainder ? static_cast<std::int64_t>(magnitude - 1)
                                                   : std::countr_zero(magnitude));
    return false;
  }

  // A comparison of a comparison with 0.
  bool compare_zero(Inst& inst, std::int64_t c) {
    const Known& inner = known_[inst.args[0]];
    if (c != 0 || !is_comparison(inner.op)) return false;
    if (inst.op == Op::kNe) return become_value(inst, inst.args[0]);
    bool swap = false;
    inst.op = swapped_negation(inner.op, swap);
    inst.args =
        swap ? std::vector<ValueId>{inner.b, inner.a} : std::vector<ValueId>{inner.a, inner.b};
    return true;
  }

  // A branch tests for non-zero by itself.
  void fold_branch(Terminator& end) {
    end.condition = same_as_[end.condition];
    for (int i = 0; i < 4; ++i) {
      const Known& known = known_[end.condition];
      if ((known.op != Op::kEq && known.op != Op::kNe) || known.b == kNone) return;
      if (constant(known.b) != 0) return;
      if (known.op == Op::kEq) std::swap(end.then, end.otherwise);
      end.condition = known.a;
    }
  }

  Function& fn_;
  std::span<const std::string> strings_;
  std::vector<Known> known_;
  std::vector<ValueId> same_as_;  // what an identity found a value to equal
  std::vector<Inst> out_;
};

}  // namespace

void fold(Function& fn, std::span<const std::string> strings) { Folder(fn, strings).run(); }

}  // namespace dt::ir
