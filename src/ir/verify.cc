// The checks of well-formedness: structure first, since all else relies on it,
// then definitions and dominance, then operand types.

#include "ir/verify.h"

#include <fmt/core.h>

#include "ir/address_text.h"
#include "ir/dominance.h"
#include "ir/print.h"

namespace dt::ir {

namespace {

using record::FieldKind;

struct Definition {
  BlockId block = kNone;
  std::uint32_t position = 0;  // instructions count from 1, parameters are 0
  Type type;
};

bool is_int(const Type& type) { return type.kind == TypeKind::kInt; }

class Verifier {
 public:
  Verifier(const Program& program, const Function& fn, std::string where,
           std::vector<std::string>& messages)
      : program_(program), fn_(fn), where_(std::move(where)), messages_(messages) {}

  // The clause's layout, for emit; nullptr when it depends on the block.
  using LayoutOf = const record::Layout* (*)(const void* context, BlockId block);

  // `allow_guards`: branches without a condition may stand in fused functions.
  void run(bool allow_guards, LayoutOf layout_of, const void* context) {
    allow_guards_ = allow_guards;
    if (!structure() || !definitions()) return;
    const Dominators dominators(fn_);
    for (BlockId b = 0; b < fn_.blocks.size(); ++b) {
      block_ = b;
      layout_ = layout_of(context, b);
      std::uint32_t position = 0;
      for (const Inst& inst : fn_.blocks[b].insts) {
        ++position;
        bool is_defined = true;
        for (const ValueId arg : inst.args) is_defined &= use(arg, position, dominators);
        if (is_defined) operands(inst);
      }
      terminator(fn_.blocks[b].end, position + 1, dominators);
    }
  }

  const std::vector<Definition>& defined() const { return definitions_; }

 private:
  template <typename... Args>
  bool fail(fmt::format_string<Args...> format, Args&&... args) {
    if (messages_.size() < kMaxMessages) {
      messages_.push_back(fmt::format("{}, b{}: ", where_, block_) +
                          fmt::format(format, std::forward<Args>(args)...));
    }
    return false;
  }

  bool structure() {
    if (fn_.blocks.empty()) return fail("there is no block");
    if (!fn_.blocks[0].params.empty()) return fail("the entry has parameters");
    std::vector<bool> reached(fn_.blocks.size(), false);
    reached[0] = true;
    bool is_good = true;
    for (BlockId b = 0; b < fn_.blocks.size(); ++b) {
      block_ = b;
      if (!reached[b]) return fail("nothing jumps here");
      const Terminator& end = fn_.blocks[b].end;
      if (end.kind == Terminator::Kind::kBranch && end.condition == kNone && !allow_guards_) {
        is_good = fail("a branch without a condition");
      }
      for_each_target(end, [&](const Target& target) {
        if (target.block >= fn_.blocks.size()) {
          is_good = fail("a jump to b{}, which does not exist", target.block);
        } else if (target.block <= b) {
          is_good = fail("a jump back to b{}", target.block);
        } else {
          reached[target.block] = true;
        }
      });
      if (!is_good) return false;
    }
    return true;
  }

  bool define(ValueId id, std::uint32_t position, const Type& type) {
    if (id >= fn_.value_count) return fail("%{} is beyond the function's values", id);
    if (definitions_[id].block != kNone) return fail("%{} is defined twice", id);
    if (type.kind == TypeKind::kVoid) return fail("%{} has no type", id);
    const bool is_sized =
        !is_int(type) || type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
    if (!is_sized || type.size == 0) return fail("%{} has a size of {}", id, type.size);
    definitions_[id] = {block_, position, type};
    return true;
  }

  bool definitions() {
    definitions_.assign(fn_.value_count, {});
    bool is_good = true;
    for (BlockId b = 0; b < fn_.blocks.size(); ++b) {
      block_ = b;
      for (const Param& param : fn_.blocks[b].params) is_good &= define(param.id, 0, param.type);
      std::uint32_t position = 0;
      for (const Inst& inst : fn_.blocks[b].insts) {
        ++position;
        if (inst.result != kNone) {
          is_good &= define(inst.result, position, inst.type);
        } else if (inst.type.kind != TypeKind::kVoid) {
          is_good = fail("{} has a type but no result", op_name(inst.op));
        }
      }
    }
    return is_good;
  }

  bool use(ValueId id, std::uint32_t position, const Dominators& dominators) {
    if (id >= fn_.value_count || definitions_[id].block == kNone) {
      return fail("%{} is not defined", id);
    }
    const Definition& at = definitions_[id];
    const bool is_before =
        at.block == block_ ? at.position < position : dominators.dominates(at.block, block_);
    return is_before || fail("%{} is used where it may not be defined", id);
  }

  void terminator(const Terminator& end, std::uint32_t position, const Dominators& dominators) {
    if (end.kind == Terminator::Kind::kBranch && end.condition != kNone &&
        use(end.condition, position, dominators) && !is_int(definitions_[end.condition].type)) {
      fail("the branch's condition %{} is not an integer", end.condition);
    }
    for_each_target(end, [&](const Target& target) {
      const std::vector<Param>& params = fn_.blocks[target.block].params;
      if (params.size() != target.args.size()) {
        fail("b{} takes {} arguments, {} given", target.block, params.size(), target.args.size());
        return;
      }
      for (std::size_t i = 0; i < params.size(); ++i) {
        if (!use(target.args[i], position, dominators)) continue;
        const Type& given = definitions_[target.args[i]].type;
        // An integer may widen on the way; memory is copied byte by byte.
        if (given.kind != params[i].type.kind || (!is_int(given) && given != params[i].type)) {
          fail("%{} : {} is passed for %{} : {}", target.args[i], to_string(given), params[i].id,
               to_string(params[i].type));
        }
      }
    });
  }

  // ---- Operands ----------------------------------------------------------------

  const Type& type_of(ValueId id) const { return definitions_[id].type; }

  bool takes(const Inst& inst, std::size_t low, std::size_t high) {
    if (inst.args.size() >= low && inst.args.size() <= high) return true;
    return fail("{} has {} operands", op_name(inst.op), inst.args.size());
  }
  bool all_ints(const Inst& inst) {
    for (const ValueId arg : inst.args) {
      if (!is_int(type_of(arg))) return fail("{}: %{} is not an integer", op_name(inst.op), arg);
    }
    return true;
  }
  void gives(const Inst& inst, TypeKind kind) {
    if (inst.type.kind != kind) fail("{} gives {}", op_name(inst.op), to_string(inst.type));
  }
  void ints(const Inst& inst, std::size_t count) {
    if (takes(inst, count, count) && all_ints(inst)) gives(inst, TypeKind::kInt);
  }
  void from_address(const Inst& inst, TypeKind kind, std::size_t max_args) {
    if (takes(inst, 1, max_args) && all_ints(inst)) gives(inst, kind);
  }

  // A dispatcher over all operations.
  void operands(const Inst& inst) {
    switch (inst.op) {
      case Op::kConst:
        return ints(inst, 0);
      case Op::kAdd:
      case Op::kSub:
      case Op::kMul:
      case Op::kAnd:
      case Op::kOr:
      case Op::kXor:
      case Op::kShl:
      case Op::kShrS:
      case Op::kShrU:
      case Op::kDivS:
      case Op::kDivU:
      case Op::kRemS:
      case Op::kRemU:
      case Op::kEq:
      case Op::kNe:
      case Op::kLtS:
      case Op::kLeS:
      case Op::kLtU:
      case Op::kLeU:
        return ints(inst, 2);
      case Op::kNeg:
      case Op::kNot:
      case Op::kExtend:
        return ints(inst, 1);
      case Op::kBuiltin:
        return builtin(inst);
      case Op::kString:
        return string(inst);
      case Op::kStrCmp:
        return compare(inst);
      case Op::kLoadKernel:
      case Op::kLoadUser:
        return from_address(inst, TypeKind::kInt, 1);
      case Op::kCopyinstr:
        return from_address(inst, TypeKind::kString, 2);
      case Op::kKernelString:
        return from_address(inst, TypeKind::kString, 1);
      case Op::kCopyin:
      case Op::kKernelBytes:
        return from_address(inst, TypeKind::kBytes, 1);
      case Op::kToString:
        return to_string_op(inst);
      case Op::kStack:
      case Op::kUstack:
      case Op::kJstack:
        if (takes(inst, 0, 0)) gives(inst, TypeKind::kBytes);
        if (inst.type.size % 8 != 0) fail("{} of {} bytes", op_name(inst.op), inst.type.size);
        return;
      case Op::kUserAddr:
        if (takes(inst, 1, 1) && all_ints(inst) && inst.type != Type::bytes(16)) {
          fail("user_addr gives {}", to_string(inst.type));
        }
        return;
      case Op::kCall:
        return call(inst);
      case Op::kCopyoutString:
        if (takes(inst, 3, 3) && type_of(inst.args[0]).kind != TypeKind::kString) {
          fail("copyout_string: %{} is not a string", inst.args[0]);
        }
        return;
      case Op::kPath:
        return from_address(inst, TypeKind::kString, 1);
      case Op::kRand:
        return ints(inst, 0);
      case Op::kProgenyOf:
        return ints(inst, 1);
      case Op::kSeenNumber:
        return from_address(inst, TypeKind::kInt, 1);
      case Op::kAddressText:
        return address_text(inst);
      case Op::kAlloca:
        return from_address(inst, TypeKind::kInt, 1);
      case Op::kCopyKernel:
      case Op::kCopyUser:
      case Op::kCopyout:
        if (takes(inst, 3, 3)) all_ints(inst);
        return;
      case Op::kStoreScratch:
        return store_scratch(inst);
      case Op::kLoad:
      case Op::kStore:
      case Op::kAtomicAdd:
        return variable(inst);
      case Op::kPart:
        return part(inst);
      case Op::kLoadPart:
      case Op::kStorePart:
      case Op::kClear:
        return part_of_variable(inst);
      case Op::kAggregate:
        return aggregate(inst);
      case Op::kEmit:
        return emit(inst);
      case Op::kSpeculation:
        if (program_.speculations == 0) fail("speculation in a program without any");
        if (takes(inst, 0, 0) && inst.type != Type::s32()) {
          fail("speculation gives {}", to_string(inst.type));
        }
        return;
      case Op::kEndSpeculation:
        if (program_.speculations == 0) fail("end_speculation in a program without any");
        if (takes(inst, 1, 1)) all_ints(inst);
        return;
      case Op::kSignal:
      case Op::kChill:
      case Op::kExit:
        if (takes(inst, 1, 1)) all_ints(inst);
        return;
      case Op::kFault:
        if (takes(inst, 0, 1)) all_ints(inst);
        return;
    }
  }

  void address_text(const Inst& inst) {
    const auto kind = static_cast<AddressKind>(inst.imm);
    if (kind != AddressKind::kEther && kind != AddressKind::kInet && kind != AddressKind::kInet6) {
      fail("address_text of kind {}", inst.imm);
      return;
    }
    const std::uint32_t words = address_operands(kind);
    if (!takes(inst, words, words) || !all_ints(inst)) return;
    if (inst.type != Type::string(address_capacity(kind))) {
      fail("address_text gives {}", to_string(inst.type));
    }
  }

  void store_scratch(const Inst& inst) {
    if (!takes(inst, 2, 2)) return;
    const Type& stored = type_of(inst.args[1]);
    if (stored.kind != TypeKind::kInt) {
      if (inst.imm != stored.size) fail("store_scratch of {} bytes", inst.imm);
      if (!is_int(type_of(inst.args[0]))) fail("store_scratch: %{} is no address", inst.args[0]);
      return;
    }
    if (!all_ints(inst)) return;
    if (inst.imm != 1 && inst.imm != 2 && inst.imm != 4 && inst.imm != 8) {
      fail("store_scratch of {} bytes", inst.imm);
    }
  }

  void builtin(const Inst& inst) {
    if (!takes(inst, 0, 0)) return;
    gives(inst, builtin_type(inst.builtin).kind);
    if (inst.builtin == Builtin::kArg && (inst.imm < 0 || inst.imm > 9)) {
      fail("argument {} does not exist", inst.imm);
    }
    if (inst.builtin == Builtin::kRegs && (inst.imm < 0 || inst.imm >= kRegisters)) {
      fail("register {} does not exist", inst.imm);
    }
  }

  void string(const Inst& inst) {
    if (!takes(inst, 0, 0)) return;
    gives(inst, TypeKind::kString);
    if (inst.index >= program_.strings.size()) fail("string ${} does not exist", inst.index);
  }

  void compare(const Inst& inst) {
    if (!takes(inst, 2, 2)) return;
    for (const ValueId arg : inst.args) {
      if (type_of(arg).kind != TypeKind::kString) fail("strcmp: %{} is not a string", arg);
    }
    gives(inst, TypeKind::kInt);
  }

  void to_string_op(const Inst& inst) {
    if (!takes(inst, 1, 1)) return;
    if (is_int(type_of(inst.args[0]))) fail("to_string of the integer %{}", inst.args[0]);
    gives(inst, TypeKind::kString);
  }

  void call(const Inst& inst) {
    if (inst.index >= kSubroutineCount) {
      fail("subroutine {} does not exist", inst.index);
      return;
    }
    const SubroutineInfo& info = subroutine_info(static_cast<Subroutine>(inst.index));
    const std::string_view operands = info.operands;
    if (!takes(inst, operands.size(), operands.size())) return;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const TypeKind wanted = operands[i] == 's' ? TypeKind::kString : TypeKind::kInt;
      if (type_of(inst.args[i]).kind == wanted) continue;
      fail("{}: %{} : {} as operand {}", info.name, inst.args[i], to_string(type_of(inst.args[i])),
           i + 1);
    }
    gives(inst, info.result);
  }

  void variable(const Inst& inst) {
    if (inst.index >= program_.variables.size()) {
      fail("variable @{} does not exist", inst.index);
      return;
    }
    const Variable& variable = program_.variables[inst.index];
    const std::size_t keys = variable.keys.size();
    const std::size_t count = keys + (inst.op == Op::kLoad ? 0 : 1);
    if (!takes(inst, count, count)) return;
    for (std::size_t i = 0; i < keys; ++i) same_kind(inst, i, variable.keys[i]);
    if (inst.op == Op::kLoad) {
      if (inst.type != variable.type) {
        fail("load of @{} : {} gives {}", inst.index, to_string(variable.type),
             to_string(inst.type));
      }
      return;
    }
    same_kind(inst, keys, variable.type);
    if (inst.op == Op::kAtomicAdd && !is_int(variable.type)) {
      fail("atomic_add to @{} : {}", inst.index, to_string(variable.type));
    }
  }

  // A part of `type` at the instruction's offset, of `whole`.
  void lies_within(const Inst& inst, const Type& type, const Type& whole) {
    const bool is_good = whole.kind == TypeKind::kBytes && type.size > 0 &&
                         (type.kind != TypeKind::kString || inst.op == Op::kStorePart) &&
                         inst.imm >= 0 && inst.imm + type.size <= whole.size;
    if (is_good) return;
    fail("{} of {} at {} in {}", op_name(inst.op), to_string(type), inst.imm, to_string(whole));
  }

  void offset(const Inst& inst, std::size_t arg) {
    if (!is_int(type_of(inst.args[arg]))) {
      fail("{}: the offset %{} is not an integer", op_name(inst.op), inst.args[arg]);
    }
  }

  void part(const Inst& inst) {
    if (!takes(inst, 1, 2)) return;
    lies_within(inst, inst.type, type_of(inst.args[0]));
    if (inst.args.size() > 1) offset(inst, 1);
  }

  void part_of_variable(const Inst& inst) {
    if (inst.index >= program_.variables.size()) {
      fail("variable @{} does not exist", inst.index);
      return;
    }
    const Variable& variable = program_.variables[inst.index];
    const std::size_t keys = variable.keys.size();
    const std::size_t values = inst.op == Op::kStorePart ? 1 : 0;
    const std::size_t offsets = inst.op == Op::kClear ? 0 : 1;
    if (!takes(inst, keys + values, keys + values + offsets)) return;
    for (std::size_t i = 0; i < keys; ++i) same_kind(inst, i, variable.keys[i]);
    if (inst.op == Op::kClear) return;
    lies_within(inst, inst.op == Op::kLoadPart ? inst.type : inst.stored, variable.type);
    if (inst.args.size() > keys + values) offset(inst, keys);
    if (inst.op == Op::kStorePart) same_kind(inst, inst.args.size() - 1, inst.stored);
  }

  // Integers are cut to the place's width and strings padded; bytes must fit.
  void same_kind(const Inst& inst, std::size_t arg, const Type& place) {
    const Type& given = type_of(inst.args[arg]);
    const bool is_bytes = place.kind == TypeKind::kBytes;
    if (given.kind == place.kind && (!is_bytes || given.size == place.size)) return;
    fail("{} @{}: %{} : {} where {} belongs", op_name(inst.op), inst.index, inst.args[arg],
         to_string(given), to_string(place));
  }

  void fits_field(const Inst& inst, std::size_t arg, const record::FieldType& field) {
    const Type& given = type_of(inst.args[arg]);
    bool is_good = false;
    switch (field.kind) {
      case FieldKind::kInt:
      case FieldKind::kSym:
      case FieldKind::kMod:
      case FieldKind::kProbeProv:
      case FieldKind::kProbeMod:
      case FieldKind::kProbeFunc:
      case FieldKind::kProbeName:
        is_good = is_int(given);
        break;
      case FieldKind::kString:
        is_good = given.kind == TypeKind::kString;
        break;
      case FieldKind::kBytes:
      case FieldKind::kStack:
      case FieldKind::kUstack:
      case FieldKind::kUaddr:
      case FieldKind::kUsym:
      case FieldKind::kUmod:
        is_good = given == Type::bytes(field.size);
        break;
    }
    if (is_good) return;
    fail("{}: %{} : {} where {} belongs", op_name(inst.op), inst.args[arg], to_string(given),
         to_string(field));
  }

  void aggregate(const Inst& inst) {
    if (inst.index >= program_.aggregations.size()) {
      fail("aggregation @{} does not exist", inst.index);
      return;
    }
    const record::AggLayout& agg = program_.aggregations[inst.index];
    const std::size_t keys = agg.keys.size();
    const std::size_t value = agg.func == record::AggFunc::kCount ? 0 : 1;
    const bool has_increment = agg.func == record::AggFunc::kQuantize ||
                               agg.func == record::AggFunc::kLquantize ||
                               agg.func == record::AggFunc::kLlquantize;
    if (!takes(inst, keys + value, keys + value + (has_increment ? 1 : 0))) return;
    for (std::size_t i = 0; i < keys; ++i) fits_field(inst, i, agg.keys[i].type);
    for (std::size_t i = keys; i < inst.args.size(); ++i) {
      if (!is_int(type_of(inst.args[i]))) fail("aggregate: %{} is not an integer", inst.args[i]);
    }
  }

  void emit(const Inst& inst) {
    if (layout_ == nullptr) {
      fail("emit where there is no record");
      return;
    }
    const std::size_t fields = layout_->fields.size();
    if (!takes(inst, fields, fields)) return;
    for (std::size_t i = 0; i < fields; ++i) fits_field(inst, i, layout_->fields[i].type);
  }

  const Program& program_;
  const Function& fn_;
  const std::string where_;
  std::vector<std::string>& messages_;
  std::vector<Definition> definitions_;
  const record::Layout* layout_ = nullptr;
  BlockId block_ = 0;
  bool allow_guards_ = false;
};

void verify_layout(const EcbDesc& clause, std::size_t index, std::vector<std::string>& messages) {
  std::uint32_t next = 0;
  for (const record::Action& action : clause.layout.actions) {
    if (action.first_field != next) {
      messages.push_back(fmt::format("clause {}: a gap between the fields of its actions", index));
      return;
    }
    next += action.field_count;
  }
  if (next != clause.layout.fields.size()) {
    messages.push_back(fmt::format("clause {}: {} fields, {} of them in actions", index,
                                   clause.layout.fields.size(), next));
  }
}

}  // namespace

std::vector<std::string> verify(const Program& program) {
  std::vector<std::string> messages;
  for (std::size_t i = 0; i < program.clauses.size(); ++i) {
    if (messages.size() >= kMaxMessages) break;
    const EcbDesc& clause = program.clauses[i];
    verify_layout(clause, i, messages);
    const auto layout_of = [](const void* context, BlockId) {
      const auto* desc = static_cast<const EcbDesc*>(context);
      return desc->records ? &desc->layout : nullptr;
    };
    Verifier(program, clause.body, fmt::format("clause {}", i), messages)
        .run(false, layout_of, &clause);
  }
  return messages;
}

std::vector<std::string> verify(const Program& program, const Fused& fused) {
  struct Context {
    const Program& program;
    const Fused& fused;
  };
  const Context context{program, fused};
  const auto layout_of = [](const void* opaque, BlockId block) -> const record::Layout* {
    const auto* c = static_cast<const Context*>(opaque);
    const std::uint32_t region = c->fused.block_clause[block];
    if (region == kNone) return nullptr;
    return &c->program.clauses[c->fused.clauses[region].clause].layout;
  };
  std::vector<std::string> messages;
  if (fused.block_clause.size() != fused.fn.blocks.size()) {
    return {"blocks and their clauses differ in number"};
  }
  Verifier verifier(program, fused.fn, "fused", messages);
  verifier.run(true, layout_of, &context);
  if (!messages.empty()) return messages;

  // A fault leaves a clause from its middle, so nothing that such a clause
  // defines may be used after it, and where it goes on takes no parameters.
  for (const ClauseRegion& region : fused.clauses) {
    if (region.may_fault && !fused.fn.blocks[region.next].params.empty()) {
      messages.push_back(
          fmt::format("fused, b{}: parameters after a clause that may fault", region.next));
    }
  }
  const auto check = [&](BlockId block, ValueId id) {
    const BlockId at = verifier.defined()[id].block;
    const std::uint32_t from = fused.block_clause[at];
    if (from == kNone || from == fused.block_clause[block]) return;
    // A guard's parameters are there before the clause begins.
    if (!fused.clauses[from].may_fault || at == fused.clauses[from].guard) return;
    messages.push_back(
        fmt::format("fused, b{}: %{} comes from a clause that may fault", block, id));
  };
  for (BlockId b = 0; b < fused.fn.blocks.size(); ++b) {
    for (const Inst& inst : fused.fn.blocks[b].insts) {
      for (const ValueId arg : inst.args) check(b, arg);
    }
    for_each_target(fused.fn.blocks[b].end, [&](const Target& target) {
      for (const ValueId arg : target.args) check(b, arg);
    });
  }
  return messages;
}

}  // namespace dt::ir
