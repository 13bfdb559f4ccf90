// The checks of well-formedness: structure first, since all else relies on it,
// then definitions and dominance, then operand types.

#include "ir/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "ir/address_text.h"
#include "ir/dominance.h"
#include "ir/op_info.h"
#include "ir/print.h"
#include "support/check.h"

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

  // The layouts of the clause that a block belongs to, for emit; nullptr when it belongs to none.
  using LayoutsOf = const std::vector<record::Layout>* (*)(const void* context, BlockId block);

  // `allow_guards`: branches without a condition may stand in fused functions.
  void run(bool allow_guards, LayoutsOf layouts_of, const void* context) {
    allow_guards_ = allow_guards;
    if (!structure() || !definitions()) return;
    const Dominators dominators(fn_);
    for (BlockId b = 0; b < fn_.blocks.size(); ++b) {
      block_ = b;
      layouts_ = layouts_of(context, b);
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
    for (std::size_t i = 0; i < inst.args.size(); ++i) {
      if (!has_kind(inst, i, 'i')) return false;
    }
    return true;
  }
  void gives(const Inst& inst, TypeKind kind) {
    if (inst.type.kind != kind) fail("{} gives {}", op_name(inst.op), to_string(inst.type));
  }

  // Whether the operand is of the kind that ops.def calls by this letter.
  bool has_kind(const Inst& inst, std::size_t arg, char letter) {
    const TypeKind kind = type_of(inst.args[arg]).kind;
    const char* const op = op_name(inst.op);
    const ValueId id = inst.args[arg];
    switch (letter) {
      case 'i':
        return kind == TypeKind::kInt || fail("{}: %{} is not an integer", op, id);
      case 's':
        return kind == TypeKind::kString || fail("{}: %{} is not a string", op, id);
      case 'b':
        return kind == TypeKind::kBytes || fail("{}: %{} is not bytes", op, id);
      case 'm':
        return kind != TypeKind::kInt || fail("{}: %{} is an integer", op, id);
      case 'x':
        return true;
      default:
        DT_UNREACHABLE("operands of {}: {}", op, letter);
    }
  }

  // The operands against the signature in ops.def.
  bool has_operands(const Inst& inst, std::string_view signature) {
    const Variable* variable = nullptr;
    if (signature.find('k') != signature.npos) {
      if (inst.index >= program_.variables.size()) {
        return fail("variable @{} does not exist", inst.index);
      }
      variable = &program_.variables[inst.index];
    }
    const auto optional =
        static_cast<std::size_t>(std::count(signature.begin(), signature.end(), '?'));
    std::size_t most = signature.size() - optional;
    if (variable != nullptr) most = most - 1 + variable->keys.size();
    if (!takes(inst, most - optional, most)) return false;
    bool is_good = true;
    std::size_t arg = 0;
    for (std::size_t i = 0; i < signature.size(); ++i) {
      const char letter = signature[i];
      const bool is_optional = i + 1 < signature.size() && signature[i + 1] == '?';
      if (letter == '?' || (is_optional && inst.args.size() < most)) continue;
      if (letter == 'k') {
        for (const Type& key : variable->keys) is_good &= same_kind(inst, arg++, key);
      } else if (letter == 'v' || letter == 'p') {
        is_good &= same_kind(inst, arg++, letter == 'v' ? variable->type : inst.stored);
      } else {
        is_good &= has_kind(inst, arg++, letter);
      }
    }
    return is_good;
  }

  void has_result(const Inst& inst, char letter) {
    switch (letter) {
      case 'i':
        return gives(inst, TypeKind::kInt);
      case 's':
        return gives(inst, TypeKind::kString);
      case 'b':
        return gives(inst, TypeKind::kBytes);
      case '-':
        return gives(inst, TypeKind::kVoid);
      default:
        return;
    }
  }

  void operands(const Inst& inst) {
    const OpInfo& info = op_info(inst.op);
    const std::string_view signature = info.operands;
    if (signature != "*" && !has_operands(inst, signature)) return;
    has_result(inst, info.result);
    rules(inst);
  }

  // What ops.def does not say.
  void rules(const Inst& inst) {
    switch (inst.op) {
      case Op::kBuiltin:
        return builtin(inst);
      case Op::kString:
        if (inst.index >= program_.strings.size()) fail("string ${} does not exist", inst.index);
        return;
      case Op::kStack:
      case Op::kUstack:
      case Op::kJstack:
        if (inst.type.size % 8 != 0) fail("{} of {} bytes", op_name(inst.op), inst.type.size);
        return;
      case Op::kUserAddr:
        return gives_exactly(inst, Type::bytes(16));
      case Op::kTryKernel:
      case Op::kTryUser:
        return try_load(inst);
      case Op::kCall:
        return call(inst);
      case Op::kAddressText:
        return address_text(inst);
      case Op::kStoreScratch:
        return store_scratch(inst);
      case Op::kLoad:
        return load(inst);
      case Op::kAtomicAdd:
        if (const Type& type = program_.variables[inst.index].type; !is_int(type)) {
          fail("atomic_add to @{} : {}", inst.index, to_string(type));
        }
        return;
      case Op::kPart:
        return lies_within(inst, inst.type, type_of(inst.args[0]));
      case Op::kLoadPart:
        return lies_within(inst, inst.type, program_.variables[inst.index].type);
      case Op::kStorePart:
        return lies_within(inst, inst.stored, program_.variables[inst.index].type);
      case Op::kAddressOf:
        return address_of(inst, program_.variables[inst.index].type);
      case Op::kAggregate:
      case Op::kAccumulate:
        return aggregate(inst);
      case Op::kEmit:
        return emit(inst);
      case Op::kSpeculation:
      case Op::kSpeculationInUse:
        gives_exactly(inst, Type::s32());
        return;
      default:
        return;
    }
  }

  void gives_exactly(const Inst& inst, const Type& type) {
    if (inst.type.kind == type.kind && inst.type != type) {
      fail("{} gives {}", op_name(inst.op), to_string(inst.type));
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

  void address_of(const Inst& inst, const Type& variable) {
    if (is_int(variable)) fail("address_of @{} : {}", inst.index, to_string(variable));
    if (inst.imm < 0 || inst.imm >= variable.size) fail("address_of at {}", inst.imm);
    gives_exactly(inst, Type::u64());
  }

  static bool is_size_of_integer(std::int64_t bytes) {
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  }

  void try_load(const Inst& inst) {
    gives_exactly(inst, Type::bytes(16));
    if (!is_size_of_integer(inst.imm)) fail("{} of {} bytes", op_name(inst.op), inst.imm);
  }

  void store_scratch(const Inst& inst) {
    const Type& stored = type_of(inst.args[1]);
    if (is_int(stored) ? is_size_of_integer(inst.imm) : inst.imm == stored.size) return;
    fail("store_scratch of {} bytes", inst.imm);
  }

  void builtin(const Inst& inst) {
    gives(inst, builtin_type(inst.builtin).kind);
    if (inst.builtin == Builtin::kArg && (inst.imm < 0 || inst.imm > 9)) {
      fail("argument {} does not exist", inst.imm);
    }
    if (inst.builtin == Builtin::kRegs && (inst.imm < 0 || inst.imm >= kRegisters)) {
      fail("register {} does not exist", inst.imm);
    }
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

  void load(const Inst& inst) {
    const Type& type = program_.variables[inst.index].type;
    if (inst.type == type) return;
    fail("load of @{} : {} gives {}", inst.index, to_string(type), to_string(inst.type));
  }

  // A part of `type` at the instruction's offset, of `whole`.
  void lies_within(const Inst& inst, const Type& type, const Type& whole) {
    const bool is_good = whole.kind == TypeKind::kBytes && type.size > 0 &&
                         (type.kind != TypeKind::kString || inst.op == Op::kStorePart) &&
                         inst.imm >= 0 && inst.imm + type.size <= whole.size;
    if (is_good) return;
    fail("{} of {} at {} in {}", op_name(inst.op), to_string(type), inst.imm, to_string(whole));
  }

  // Integers are cut to the place's width and strings padded; bytes must fit.
  bool same_kind(const Inst& inst, std::size_t arg, const Type& place) {
    const Type& given = type_of(inst.args[arg]);
    const bool is_bytes = place.kind == TypeKind::kBytes;
    if (given.kind == place.kind && (!is_bytes || given.size == place.size)) return true;
    return fail("{} @{}: %{} : {} where {} belongs", op_name(inst.op), inst.index, inst.args[arg],
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
      case FieldKind::kErrnoName:
      case FieldKind::kSignalName:
      case FieldKind::kSyscallName:
      case FieldKind::kUserName:
      case FieldKind::kGroupName:
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
    if (inst.op == Op::kAccumulate && keys == 0) {
      fail("aggregation @{} has no elements", inst.index);
      return;
    }
    const std::size_t value = agg.func == record::AggFunc::kCount ? 0 : 1;
    const bool has_increment = agg.func == record::AggFunc::kQuantize ||
                               agg.func == record::AggFunc::kLquantize ||
                               agg.func == record::AggFunc::kLlquantize;
    if (!takes(inst, keys + value, keys + value + (has_increment ? 1 : 0))) return;
    for (std::size_t i = 0; i < keys; ++i) fits_field(inst, i, agg.keys[i].type);
    for (std::size_t i = keys; i < inst.args.size(); ++i) has_kind(inst, i, 'i');
  }

  void emit(const Inst& inst) {
    if (layouts_ == nullptr || inst.index >= layouts_->size()) {
      fail("emit where there is no record");
      return;
    }
    const record::Layout& layout = (*layouts_)[inst.index];
    const std::size_t fields = layout.fields.size();
    if (!takes(inst, fields, fields)) return;
    for (std::size_t i = 0; i < fields; ++i) fits_field(inst, i, layout.fields[i].type);
  }

  const Program& program_;
  const Function& fn_;
  const std::string where_;
  std::vector<std::string>& messages_;
  std::vector<Definition> definitions_;
  const std::vector<record::Layout>* layouts_ = nullptr;
  BlockId block_ = 0;
  bool allow_guards_ = false;
};

void verify_layout(const record::Layout& layout, std::size_t index,
                   std::vector<std::string>& messages) {
  std::uint32_t next = 0;
  for (const record::Action& action : layout.actions) {
    if (action.first_field != next) {
      messages.push_back(fmt::format("clause {}: a gap between the fields of its actions", index));
      return;
    }
    next += action.field_count;
  }
  if (next != layout.fields.size()) {
    messages.push_back(fmt::format("clause {}: {} fields, {} of them in actions", index,
                                   layout.fields.size(), next));
  }
}

}  // namespace

std::vector<std::string> verify(const Program& program) {
  std::vector<std::string> messages;
  if (program.arguments != kNone &&
      (program.arguments >= program.variables.size() ||
       program.variables[program.arguments].type.kind != TypeKind::kString ||
       program.variables[program.arguments].type.size > kArgumentsBytes ||
       program.variables[program.arguments].keys != std::vector<Type>{Type::s64()})) {
    messages.push_back("arguments: no variable of strings by a number");
  }
  for (std::size_t i = 0; i < program.clauses.size(); ++i) {
    if (messages.size() >= kMaxMessages) break;
    const EcbDesc& clause = program.clauses[i];
    for (const record::Layout& layout : clause.layouts) verify_layout(layout, i, messages);
    const auto layouts_of = [](const void* context, BlockId) {
      return &static_cast<const EcbDesc*>(context)->layouts;
    };
    Verifier(program, clause.body, fmt::format("clause {}", i), messages)
        .run(false, layouts_of, &clause);
  }
  return messages;
}

std::vector<std::string> verify(const Program& program, const Fused& fused) {
  struct Context {
    const Program& program;
    const Fused& fused;
  };
  const Context context{program, fused};
  const auto layouts_of = [](const void* opaque,
                             BlockId block) -> const std::vector<record::Layout>* {
    const auto* c = static_cast<const Context*>(opaque);
    const std::uint32_t region = c->fused.block_clause[block];
    if (region == kNone) return nullptr;
    return &c->program.clauses[c->fused.clauses[region].clause].layouts;
  };
  std::vector<std::string> messages;
  if (fused.block_clause.size() != fused.fn.blocks.size()) {
    return {"blocks and their clauses differ in number"};
  }
  Verifier verifier(program, fused.fn, "fused", messages);
  verifier.run(true, layouts_of, &context);
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
