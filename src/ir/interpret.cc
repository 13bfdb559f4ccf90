// The interpreter: one function for each family of ops.def.

#include "ir/interpret.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "ir/address_text.h"
#include "ir/evaluate.h"
#include "ir/interpret_call.h"
#include "ir/interpret_speculations.h"
#include "ir/interpret_value.h"
#include "ir/interpret_variables.h"
#include "support/check.h"

namespace dt::ir {

namespace {

constexpr std::uint64_t kKernelHalf = std::uint64_t{1} << 63;
// The address of scratch memory in the interpreter: nothing else has such addresses.
constexpr std::uint64_t kScratchBase = 0xfffff00000000000;

class Machine {
 public:
  Machine(const Program& program, Environment& environment, State& state)
      : program_(program),
        environment_(environment),
        state_(state),
        variables_(program, state),
        speculations_(state, program.speculations) {}

  void start(const Function& fn) {
    fn_ = &fn;
    values_.assign(fn.value_count, {});
  }
  void set_clause(const ClauseEpid& clause) {
    clause_ = clause.clause;
    epid_ = clause.epid;
    epid_stride_ = clause.stride;
  }

  // Runs the instructions of a block; false when one faulted.
  bool run(const Block& block) {
    for (const Inst& inst : block.insts) {
      if (!step(inst)) return false;
    }
    return true;
  }

  // Where a block's end leads, its parameters set; kNone when it returns.
  BlockId follow(const Terminator& end, bool guard) {
    if (end.kind == Terminator::Kind::kReturn) return kNone;
    bool then = true;
    if (end.kind == Terminator::Kind::kBranch) {
      then = end.condition == kNone ? guard : values_[end.condition].integer != 0;
    }
    const Target& target = then ? end.then : end.otherwise;
    const std::vector<Param>& params = fn_->blocks[target.block].params;
    std::vector<Value> args;
    for (const ValueId arg : target.args) args.push_back(values_[arg]);
    for (std::size_t i = 0; i < params.size(); ++i) values_[params[i].id] = std::move(args[i]);
    return target.block;
  }

  Firing take() { return std::move(firing_); }

 private:
  const Value& arg(const Inst& inst, std::size_t i) const { return values_[inst.args[i]]; }
  std::uint64_t address(const Inst& inst) const {
    return static_cast<std::uint64_t>(arg(inst, 0).integer);
  }

  bool fault(const Inst& inst, record::Fault fault, std::uint64_t address) {
    firing_.faults.push_back({clause_, epid_, fault, address, inst.action, inst.span});
    environment_.faulted(firing_.faults.back());
    return false;
  }

  bool step(const Inst& inst) {
    switch (inst.op) {
#define DT_OP(id, name, operands, result, text, family, traits, weight) \
  case Op::id:                                                          \
    return family(inst);
#include "ir/ops.def"
#undef DT_OP
    }
    DT_UNREACHABLE("op {}", static_cast<unsigned>(inst.op));
  }

  // ---- One function for each family of operations; false when it faulted ------

  bool set(const Inst& inst, std::int64_t result) {
    values_[inst.result].integer = result;
    return true;
  }
  bool set(const Inst& inst, Bytes result) {
    values_[inst.result].bytes = std::move(result);
    return true;
  }
  bool set_text(const Inst& inst, const std::string& text) {
    return set(inst, as_string(bytes_of(text), inst.type.size));
  }

  bool constant(const Inst& inst) { return set(inst, inst.imm); }
  bool integer(const Inst& inst) {
    const std::int64_t b = inst.args.size() > 1 ? arg(inst, 1).integer : 0;
    const auto result = evaluate(inst.op, inst.type, arg(inst, 0).integer, b);
    return result ? set(inst, *result) : fault(inst, record::Fault::kDivideByZero, 0);
  }
  bool divide(const Inst& inst) { return integer(inst); }
  bool compare(const Inst& inst) { return integer(inst); }

  bool builtin(const Inst& inst) {
    if (inst.type.kind == TypeKind::kString) return set_text(inst, environment_.text(inst.builtin));
    switch (inst.builtin) {
      case Builtin::kArg:
        return set(inst, environment_.argument(static_cast<std::uint32_t>(inst.imm)));
      case Builtin::kRegs:
        return set(inst, environment_.kernel_register(static_cast<std::uint32_t>(inst.imm)));
      case Builtin::kEpid:
        return set(inst, epid_);
      default:
        return set(inst, extend(inst.type, environment_.integer(inst.builtin)));
    }
  }

  bool string_literal(const Inst& inst) { return set_text(inst, program_.strings[inst.index]); }
  bool to_string(const Inst& inst) {
    return set(inst, as_string(arg(inst, 0).bytes, inst.type.size));
  }
  bool string_compare(const Inst& inst) { return set(inst, order(inst)); }
  bool address_text(const Inst& inst) {
    std::vector<std::int64_t> words;
    for (const ValueId word : inst.args) words.push_back(values_[word].integer);
    return set_text(inst, ir::address_text(static_cast<AddressKind>(inst.imm), words));
  }

  bool load_integer(const Inst& inst) {
    Bytes bytes(inst.type.size);
    return read(inst, bytes) && set(inst, extend(inst.type, to_int(bytes)));
  }
  bool load_bytes(const Inst& inst) {
    Bytes bytes(inst.type.size);
    return read(inst, bytes) && set(inst, std::move(bytes));
  }

  bool stack(const Inst& inst) {
    const bool is_kernel = inst.op == Op::kStack;
    Bytes out;
    if (!is_kernel) append_int(out, environment_.integer(Builtin::kPid), 8);
    for (const std::uint64_t frame :
         is_kernel ? environment_.kernel_stack() : environment_.user_stack()) {
      append_int(out, static_cast<std::int64_t>(frame), 8);
    }
    out.resize(inst.type.size, 0);
    return set(inst, std::move(out));
  }
  bool user_address(const Inst& inst) {
    Bytes out;
    append_int(out, environment_.integer(Builtin::kPid), 8);
    append_int(out, arg(inst, 0).integer, 8);
    return set(inst, std::move(out));
  }

  bool path(const Inst& inst) {
    const auto path = environment_.path(address(inst));
    if (path) return set_text(inst, *path);
    if (inst.op == Op::kPathText) {
      return set_text(inst, std::string(1, static_cast<char>(inst.imm)));
    }
    return fault(inst, record::Fault::kBadAddress, address(inst));
  }
  bool random(const Inst& inst) { return set(inst, extend(inst.type, environment_.random())); }
  bool progeny_of(const Inst& inst) {
    return set(inst, environment_.is_progeny_of(arg(inst, 0).integer) ? 1 : 0);
  }
  bool seen_number(const Inst& inst) {
    return set(inst, extend(inst.type, environment_.seen_number(address(inst))));
  }

  bool variable(const Inst& inst) {
    switch (inst.op) {
      case Op::kLoad:
        values_[inst.result] = load(inst);
        return true;
      case Op::kStore:
        store(inst, arg(inst, inst.args.size() - 1));
        return true;
      default:  // kAtomicAdd
        add(inst);
        return true;
    }
  }
  bool part(const Inst& inst) {
    values_[inst.result] = part(inst, inst.type, arg(inst, 0).bytes, 1);
    return true;
  }
  bool part_of_variable(const Inst& inst) {
    switch (inst.op) {
      case Op::kLoadPart:
        values_[inst.result] =
            part(inst, inst.type, load(inst).bytes, program_.variables[inst.index].keys.size());
        return true;
      case Op::kStorePart:
        store_part(inst);
        return true;
      case Op::kAddressOf:
        return set(inst,
                   static_cast<std::int64_t>(variables_.address_of(variable_key(inst))) + inst.imm);
      default:  // kClear
        variables_.clear(variable_key(inst));
        return true;
    }
  }

  bool signal(const Inst& inst) {
    return environment_.signal(arg(inst, 0).integer) ||
           fault(inst, record::Fault::kIllegalOperation, 0);
  }
  bool chill(const Inst& inst) {
    return environment_.chill(static_cast<std::uint64_t>(arg(inst, 0).integer)) ||
           fault(inst, record::Fault::kIllegalOperation, 0);
  }
  bool exit(const Inst& inst) {
    if (!state_.exit_status) state_.exit_status = arg(inst, 0).integer;
    return true;
  }
  bool fault(const Inst& inst) {
    return fault(inst, static_cast<record::Fault>(inst.imm), inst.args.empty() ? 0 : address(inst));
  }

  // ---- Strings -----------------------------------------------------------------

  std::int64_t order(const Inst& inst) const {
    const Bytes& a = arg(inst, 0).bytes;
    const Bytes& b = arg(inst, 1).bytes;
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      const int left = i < a.size() ? a[i] : 0;
      const int right = i < b.size() ? b[i] : 0;
      if (left != right) return left < right ? -1 : 1;
      if (left == 0) return 0;
    }
    return 0;
  }

  bool call(const Inst& inst) {
    const auto subroutine = static_cast<Subroutine>(inst.index);
    if (subroutine == Subroutine::kMemstr || subroutine == Subroutine::kMemstrUser) {
      return memory_string(inst);
    }
    std::vector<Operand> operands;
    for (const ValueId id : inst.args) {
      operands.push_back({values_[id].integer, text_of(values_[id].bytes)});
    }
    CallResult result;
    if (const auto code = interpret_call(subroutine, operands, tokens_, result)) {
      return fault(inst, *code, 0);
    }
    Value& value = values_[inst.result];
    if (inst.type.kind == TypeKind::kInt) {
      value.integer = extend(inst.type, result.integer);
    } else {
      value.bytes = as_string(bytes_of(result.text), inst.type.size);
    }
    return true;
  }

  // The bytes with something else for every NUL; their number counts the last.
  bool memory_string(const Inst& inst) {
    const auto size = static_cast<std::uint64_t>(arg(inst, 2).integer);
    Bytes bytes(std::max<std::uint64_t>(std::min<std::uint64_t>(size, inst.type.size), 1) - 1);
    if (!bytes.empty() && !read_bytes(inst, address(inst), bytes)) {
      return fault(inst, record::Fault::kBadAddress, address(inst));
    }
    std::replace(bytes.begin(), bytes.end(), std::uint8_t{0},
                 static_cast<std::uint8_t>(arg(inst, 1).integer));
    values_[inst.result].bytes = as_string(bytes, inst.type.size);
    return true;
  }

  // ---- Memory of the system --------------------------------------------------

  bool read_bytes(const Inst& inst, std::uint64_t from, std::span<std::uint8_t> out) {
    const bool is_user =
        inst.op == Op::kLoadUser || inst.op == Op::kCopyin || inst.op == Op::kCopyinstr ||
        inst.op == Op::kCopyUser || inst.op == Op::kUserText ||
        (inst.op == Op::kCall && inst.index == static_cast<std::uint32_t>(Subroutine::kMemstrUser));
    if (is_user) return environment_.read_user(from, out);
    if (const std::uint8_t* const own = scratch(from, out.size())) {
      std::copy_n(own, out.size(), out.begin());
      return true;
    }
    if (variables_.read(from, out)) return true;
    return environment_.read_kernel(from, out) ||
           (from < kKernelHalf && environment_.read_user(from, out));
  }

  bool read(const Inst& inst, Bytes& out) {
    return read_bytes(inst, address(inst), out) ||
           fault(inst, record::Fault::kBadAddress, address(inst));
  }

  // Byte by byte up to the NUL, as the kernel does: the bytes behind it need not be readable. `max`
  // bytes are read even where the last must be a NUL; with a limit, that one need not be readable.
  bool load_string(const Inst& inst) {
    std::uint64_t max = inst.type.size;
    const bool is_limited = inst.args.size() > 1 || inst.type.size < program_.string_size;
    if (inst.args.size() > 1) {
      max = std::min(max - 1, static_cast<std::uint64_t>(arg(inst, 1).integer)) + 1;
    }
    Bytes text(inst.type.size);
    for (std::uint64_t i = 0; i < max; ++i) {
      if (!read_bytes(inst, address(inst) + i, {&text[i], 1})) {
        if (is_limited && i + 1 == max) break;
        return fault(inst, record::Fault::kBadAddress, address(inst));
      }
      if (text[i] == 0) return set(inst, std::move(text));
    }
    text[max - 1] = 0;
    return set(inst, std::move(text));
  }

  bool try_load(const Inst& inst) {
    Bytes bytes(static_cast<std::size_t>(inst.imm)), out;
    const bool is_read = read_bytes(inst, address(inst), bytes);
    append_int(out, is_read ? to_int(bytes) : 0, 8);
    append_int(out, is_read ? 1 : 0, 8);
    return set(inst, std::move(out));
  }

  bool load_text(const Inst& inst) {
    Bytes text(inst.type.size);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!read_bytes(inst, address(inst) + i, {&text[i], 1})) {
        text.assign(text.size(), 0);
        text[0] = static_cast<std::uint8_t>(inst.imm);
        return set(inst, std::move(text));
      }
      if (text[i] == 0) return set(inst, std::move(text));
    }
    text.back() = 0;
    return set(inst, std::move(text));
  }

  // ---- Scratch memory ----------------------------------------------------------

  bool alloca_scratch(const Inst& inst) {
    const std::uint64_t size = static_cast<std::uint64_t>(arg(inst, 0).integer);
    const std::uint64_t limit = program_.scratch_size;
    const std::uint64_t begin = (scratch_.size() + 7) / 8 * 8;
    if (size > limit || begin > limit - size) return fault(inst, record::Fault::kNoScratch, 0);
    values_[inst.result].integer = static_cast<std::int64_t>(kScratchBase + begin);
    scratch_.resize(begin + size, 0);
    return true;
  }

  // The memory that stands for [address, address + size) of scratch memory; nullptr if a byte of it
  // is not allocated.
  std::uint8_t* scratch(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t offset = address - kScratchBase;
    const bool is_good = offset <= scratch_.size() && size <= scratch_.size() - offset;
    return is_good ? scratch_.data() + offset : nullptr;
  }

  bool copy_to_scratch(const Inst& inst) {
    const std::uint64_t to = address(inst);
    const auto from = static_cast<std::uint64_t>(arg(inst, 1).integer);
    const auto size = static_cast<std::uint64_t>(arg(inst, 2).integer);
    std::uint8_t* const place = writable(to, size);
    if (place == nullptr) return fault(inst, record::Fault::kBadAddress, to);
    Bytes bytes(size);
    if (size != 0 && !read_bytes(inst, from, bytes)) {
      return fault(inst, record::Fault::kBadAddress, from);
    }
    std::copy(bytes.begin(), bytes.end(), place);
    return true;
  }

  bool copy_out(const Inst& inst) {
    const auto max = static_cast<std::uint64_t>(arg(inst, 2).integer);
    if (inst.op == Op::kCopyout) return copy_out(inst, max);
    const Bytes& text = arg(inst, 0).bytes;
    const auto nul = std::find(text.begin(), text.end(), std::uint8_t{0});
    return copy_out(inst, std::min(static_cast<std::uint64_t>(nul - text.begin()) + 1, max));
  }

  bool copy_out(const Inst& inst, std::uint64_t size) {
    const auto to = static_cast<std::uint64_t>(arg(inst, 1).integer);
    if (size > program_.scratch_size - scratch_.size()) {
      return fault(inst, record::Fault::kNoScratch, 0);
    }
    if (size == 0) return true;
    Bytes bytes(size);
    if (inst.op == Op::kCopyoutString) {
      const Bytes& text = arg(inst, 0).bytes;
      std::copy_n(text.begin(), size > 0 ? size - 1 : 0, bytes.begin());
    } else if (!read_bytes(inst, address(inst), bytes)) {
      return fault(inst, record::Fault::kBadAddress, address(inst));
    }
    return environment_.write_user(to, bytes) || fault(inst, record::Fault::kBadAddress, to);
  }

  bool store_scratch(const Inst& inst) {
    const auto size = static_cast<std::uint32_t>(inst.imm);
    std::uint8_t* const place = writable(address(inst), size);
    if (place == nullptr) return fault(inst, record::Fault::kBadAddress, address(inst));
    Bytes bytes;
    if (arg(inst, 1).bytes.empty()) {
      append_int(bytes, arg(inst, 1).integer, size);
    } else {
      bytes = arg(inst, 1).bytes;
      bytes.resize(size, 0);
    }
    std::copy(bytes.begin(), bytes.end(), place);
    return true;
  }

  // ---- Variables ---------------------------------------------------------------

  InterpretedVariables::Key variable_key(const Inst& inst) {
    const Variable& variable = program_.variables[inst.index];
    Bytes key;
    if (variable.scope == Scope::kThread) append_int(key, environment_.integer(Builtin::kTid), 8);
    for (std::size_t i = 0; i < variable.keys.size(); ++i) {
      const Value part = stored(variable.keys[i], arg(inst, i));
      if (variable.keys[i].kind == TypeKind::kInt) {
        append_int(key, part.integer, variable.keys[i].size);
      } else {
        key.insert(key.end(), part.bytes.begin(), part.bytes.end());
      }
    }
    return {inst.index, std::move(key)};
  }

  Value load(const Inst& inst) { return variables_.load(variable_key(inst)); }
  void store(const Inst& inst, const Value& value) { variables_.store(variable_key(inst), value); }

  // Where what is at the address may be written; nullptr where a byte of it may not.
  std::uint8_t* writable(std::uint64_t address, std::uint64_t size) {
    std::uint8_t* const own = scratch(address, size);
    return own != nullptr ? own : variables_.writable(address, size);
  }

  void add(const Inst& inst) {
    Value value = load(inst);
    const std::int64_t delta = arg(inst, inst.args.size() - 1).integer;
    value.integer = *evaluate(Op::kAdd, Type::s64(), value.integer, delta);
    store(inst, value);
  }

  // Where a part of `size` bytes of `whole` begins; the offset, where there is
  // one, is the operand `at`.
  std::size_t part_offset(const Inst& inst, std::size_t size, std::size_t whole, bool has_offset,
                          std::size_t at) const {
    const auto fixed = static_cast<std::size_t>(inst.imm);
    if (!has_offset) return fixed;
    const auto moved = static_cast<std::uint64_t>(arg(inst, at).integer);
    return moved > whole - size - fixed ? fixed : fixed + moved;
  }

  Value part(const Inst& inst, const Type& type, const Bytes& whole, std::size_t at) const {
    const bool has_offset = inst.args.size() > at;
    const std::size_t from = part_offset(inst, type.size, whole.size(), has_offset, at);
    Value value;
    const std::span<const std::uint8_t> bytes{whole.data() + from, type.size};
    if (type.kind == TypeKind::kInt) {
      value.integer = extend(type, to_int(bytes));
    } else {
      value.bytes.assign(bytes.begin(), bytes.end());
    }
    return value;
  }

  void store_part(const Inst& inst) {
    const std::size_t keys = program_.variables[inst.index].keys.size();
    Value whole = load(inst);
    const std::size_t to =
        part_offset(inst, inst.stored.size, whole.bytes.size(), inst.args.size() > keys + 1, keys);
    const Value& value = arg(inst, inst.args.size() - 1);
    Bytes bytes;
    if (inst.stored.kind == TypeKind::kInt) {
      append_int(bytes, value.integer, inst.stored.size);
    } else {
      bytes = stored(inst.stored, value).bytes;
    }
    std::copy(bytes.begin(), bytes.end(), whole.bytes.begin() + static_cast<std::ptrdiff_t>(to));
    store(inst, whole);
  }

  // ---- Effects -----------------------------------------------------------------

  bool aggregate(const Inst& inst) {
    const record::AggLayout& agg = program_.aggregations[inst.index];
    Bytes key;
    for (std::size_t i = 0; i < agg.keys.size(); ++i) {
      append_field(key, agg.keys[i], arg(inst, i));
    }
    key.resize(agg.key_bytes, 0);
    const auto whole = std::pair(inst.index, std::move(key));
    const bool adds_only = inst.op == Op::kAccumulate;
    if (adds_only) {
      const bool is_there = state_.aggregations.contains(whole);
      set(inst, is_there ? 1 : 0);
      if (!is_there) return true;
    }
    const auto [it, is_new] = state_.aggregations.try_emplace(whole);
    if (is_new) it->second.assign(agg.value_words, 0);
    const std::size_t keys = agg.keys.size();
    const std::int64_t value = inst.args.size() > keys ? arg(inst, keys).integer : 0;
    const std::int64_t increment = inst.args.size() > keys + 1 ? arg(inst, keys + 1).integer : 1;
    update_aggregation(agg, it->second, is_new, value, static_cast<std::uint64_t>(increment));
    return true;
  }

  bool begin_speculation(const Inst& inst) { return set(inst, speculations_.begin()); }
  bool speculation_in_use(const Inst& inst) {
    const std::optional<bool> in_use = speculations_.in_use(arg(inst, 0).integer);
    return in_use ? set(inst, *in_use ? 1 : 0) : fault(inst, record::Fault::kIllegalOperation, 0);
  }
  bool end_speculation(const Inst& inst) {
    speculations_.end(arg(inst, 0).integer);
    return true;
  }

  bool emit(const Inst& inst) {
    const record::Layout& layout = program_.clauses[clause_].layouts[inst.index];
    Bytes record;
    append_int(record, epid_ + inst.index * epid_stride_, 4);
    append_int(record, environment_.integer(Builtin::kCpu), 2);
    append_int(record, static_cast<std::int64_t>(record::Kind::kClause), 2);
    for (std::size_t i = 0; i < layout.fields.size(); ++i) {
      append_field(record, layout.fields[i], arg(inst, i));
    }
    record.resize(layout.size_bytes, 0);
    firing_.records.push_back(std::move(record));
    return true;
  }

  const Program& program_;
  Environment& environment_;
  State& state_;
  const Function* fn_ = nullptr;
  std::vector<Value> values_;
  InterpretedVariables variables_;
  InterpretedSpeculations speculations_;
  Tokens tokens_;  // of strtok()
  Bytes scratch_;  // what is allocated, from kScratchBase on
  std::uint32_t clause_ = 0;
  std::uint32_t epid_ = 0, epid_stride_ = 0;
  Firing firing_;
};

}  // namespace

Firing interpret(const Program& program, std::span<const ClauseEpid> clauses,
                 Environment& environment, State& state) {
  Machine machine(program, environment, state);
  for (const ClauseEpid& clause : clauses) {
    if (state.exit_status && !clause.outlives_exit) continue;
    const Function& fn = program.clauses[clause.clause].body;
    machine.start(fn);
    machine.set_clause(clause);
    BlockId block = 0;
    while (block != kNone && machine.run(fn.blocks[block])) {
      block = machine.follow(fn.blocks[block].end, false);
    }
  }
  return machine.take();
}

Firing interpret(const Program& program, const Fused& fused, std::span<const std::uint32_t> epids,
                 Environment& environment, State& state) {
  DT_CHECK(epids.size() == fused.clauses.size(), "{} epids", epids.size());
  Machine machine(program, environment, state);
  machine.start(fused.fn);
  for (BlockId block = 0; block != kNone;) {
    const std::uint32_t index = fused.block_clause[block];
    const bool is_clause = index != kNone;
    if (is_clause) {
      if (state.exit_status && block == fused.clauses[index].guard) break;
      machine.set_clause({fused.clauses[index].clause, epids[index]});
    }
    if (!machine.run(fused.fn.blocks[block])) {
      DT_CHECK(is_clause, "a fault outside of all clauses, in block {}", block);
      block = fused.clauses[index].next;
      continue;
    }
    block = machine.follow(fused.fn.blocks[block].end, is_clause && epids[index] != 0);
  }
  return machine.take();
}

}  // namespace dt::ir
