// Emitter: the calls of emitter.h as LIR. Calls are written as moves to and
// from the machine's argument and result registers; the allocator coalesces
// the moves away where it can.

#include "bpf/asm/emitter.h"

#include <limits>
#include <utility>

#include "bpf/asm/lir.h"
#include "support/check.h"

namespace dt::bpf {

Emitter::Emitter() : code_(std::make_unique<LirCode>()) { begin_function(label(), 1); }
Emitter::~Emitter() = default;

std::vector<Lir>& Emitter::code() { return code_->code; }
LirCode& Emitter::lir() { return *code_; }
void Emitter::at(Span span) { span_ = span; }

Lir& Emitter::add(Lir lir) {
  lir.span = span_;
  return code_->code.emplace_back(lir);
}

Reg Emitter::reg() { return {code_->regs++}; }
Reg Emitter::held() {
  const Reg out = reg();
  code_->hold(out.id);
  return out;
}
Reg Emitter::held_copy(Reg value) {
  const Reg out = held();
  mov(out, value);
  return out;
}
Label Emitter::label() { return {code_->labels++}; }
void Emitter::bind(Label label) { add({.op = LirOp::kLabel, .label = label.id}); }

// A multiple of 8: the verifier tracks the stack in words of 8 bytes, and knows what is in one only
// if it was written whole.
StackSlot Emitter::stack(std::uint32_t bytes) {
  code_->slots.push_back((bytes + 7) & ~7u);
  return {static_cast<std::uint32_t>(code_->slots.size() - 1)};
}

Reg Emitter::imm(std::int64_t value) {
  const Reg dst = reg();
  mov_imm(dst, value);
  return dst;
}

void Emitter::mov(Reg dst, Reg src) { add({.op = LirOp::kMov, .dst = dst.id, .src = src.id}); }

void Emitter::mov32(Reg dst, Reg src) {
  add({.op = LirOp::kMov, .size = 4, .dst = dst.id, .src = src.id});
}

void Emitter::mov_imm(Reg dst, std::int64_t value) {
  add({.op = LirOp::kMovImm, .dst = dst.id, .imm = value});
}

void Emitter::alu(Alu op, Reg dst, Reg src) {
  add({.op = LirOp::kAlu, .alu = op, .dst = dst.id, .src = src.id});
}

void Emitter::alu_imm(Alu op, Reg dst, std::int32_t value) {
  add({.op = LirOp::kAluImm, .alu = op, .dst = dst.id, .imm = value});
}

void Emitter::alu32(Alu op, Reg dst, Reg src) {
  add({.op = LirOp::kAlu, .alu = op, .size = 4, .dst = dst.id, .src = src.id});
}

void Emitter::alu32_imm(Alu op, Reg dst, std::int32_t value) {
  add({.op = LirOp::kAluImm, .alu = op, .size = 4, .dst = dst.id, .imm = value});
}

void Emitter::neg(Reg dst) { add({.op = LirOp::kNeg, .dst = dst.id}); }

void Emitter::sign_extend(Reg dst, std::uint32_t bytes) {
  DT_CHECK(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, "{}", bytes);
  if (bytes == 8) return;
  add({.op = LirOp::kSignExtend, .size = static_cast<std::uint8_t>(bytes), .dst = dst.id});
}

void Emitter::zero_extend(Reg dst, std::uint32_t bytes) {
  DT_CHECK(bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8, "{}", bytes);
  if (bytes == 8) return;
  if (bytes == 4) return mov32(dst, dst);
  alu_imm(Alu::kAnd, dst, bytes == 1 ? 0xff : 0xffff);
}

void Emitter::byte_swap(Reg dst, std::uint32_t bytes) {
  DT_CHECK(bytes == 2 || bytes == 4 || bytes == 8, "{}", bytes);
  add({.op = LirOp::kByteSwap, .size = static_cast<std::uint8_t>(bytes), .dst = dst.id});
}

void Emitter::mov_label(Reg dst, Label label) {
  add({.op = LirOp::kLabelOffset, .dst = dst.id, .label = label.id});
}

Reg Emitter::load(std::uint32_t size, Reg base, std::int32_t offset) {
  const Reg dst = reg();
  load_to(dst, size, base, offset);
  return dst;
}

// Offsets of memory instructions have 16 bits; a larger one goes into the base. The sum is a
// register of its own: `base` may be used again.
Reg Emitter::near_base(Reg base, std::int32_t& offset) {
  if (offset >= std::numeric_limits<std::int16_t>::min() &&
      offset <= std::numeric_limits<std::int16_t>::max()) {
    return base;
  }
  const Reg sum = reg();
  mov(sum, base);
  alu_imm(Alu::kAdd, sum, offset);
  offset = 0;
  return sum;
}

void Emitter::load_to(Reg dst, std::uint32_t size, Reg base, std::int32_t offset) {
  base = near_base(base, offset);
  add({.op = LirOp::kLoad,
       .size = static_cast<std::uint8_t>(size),
       .dst = dst.id,
       .src = base.id,
       .offset = offset});
}

void Emitter::store(std::uint32_t size, Reg base, std::int32_t offset, Reg value) {
  base = near_base(base, offset);
  add({.op = LirOp::kStore,
       .size = static_cast<std::uint8_t>(size),
       .dst = base.id,
       .src = value.id,
       .offset = offset});
}

void Emitter::store_imm(std::uint32_t size, Reg base, std::int32_t offset, std::int32_t value) {
  base = near_base(base, offset);
  add({.op = LirOp::kStoreImm,
       .size = static_cast<std::uint8_t>(size),
       .dst = base.id,
       .offset = offset,
       .imm = value});
}

// Compare-and-exchange has the expected value in r0 and leaves the old one there.
void Emitter::atomic(Atomic op, std::uint32_t size, Reg base, std::int32_t offset, Reg src,
                     Reg expected) {
  DT_CHECK(size == 4 || size == 8, "{}", size);
  DT_CHECK((op == Atomic::kCmpxchg) == expected.valid());
  base = near_base(base, offset);
  if (expected.valid()) add({.op = LirOp::kMov, .dst = kR0, .src = expected.id});
  add({.op = LirOp::kAtomic,
       .atomic = op,
       .size = static_cast<std::uint8_t>(size),
       .dst = base.id,
       .src = src.id,
       .offset = offset});
  if (expected.valid()) add({.op = LirOp::kMov, .dst = expected.id, .src = kR0});
}

void Emitter::jump(Label to) { add({.op = LirOp::kJump, .label = to.id}); }

void Emitter::jump_if(Cond cond, Reg a, Reg b, Label to) {
  add({.op = LirOp::kBranch, .cond = cond, .dst = a.id, .src = b.id, .label = to.id});
}

void Emitter::jump_if_imm(Cond cond, Reg a, std::int32_t b, Label to) {
  add({.op = LirOp::kBranchImm, .cond = cond, .dst = a.id, .label = to.id, .imm = b});
}

void Emitter::exit(std::int32_t value) {
  add({.op = LirOp::kMovImm, .dst = kR0, .imm = value});
  add({.op = LirOp::kExit});
}

void Emitter::ret(Reg value) {
  add({.op = LirOp::kMov, .dst = kR0, .src = value.id});
  add({.op = LirOp::kExit});
}

Reg Emitter::stack_address(StackSlot slot, std::int32_t offset) {
  const Reg dst = reg();
  add({.op = LirOp::kStackAddress, .dst = dst.id, .label = slot.id, .offset = offset});
  return dst;
}

Reg Emitter::map(MapRef map) {
  const Reg dst = reg();
  add({.op = LirOp::kMap, .dst = dst.id, .map = map});
  return dst;
}

// A pointer into a map's only element, without a look-up: the kernel resolves it when it loads the
// program.
Reg Emitter::map_value(MapRef map, std::uint32_t offset) {
  const Reg dst = reg();
  add({.op = LirOp::kMapValue, .dst = dst.id, .imm = offset, .map = map});
  return dst;
}

// All moves are written, whatever is in the registers: the allocator finds out which values can be
// made in their argument register to begin with.
void Emitter::arguments(std::initializer_list<Reg> args) {
  DT_CHECK(args.size() <= 5, "{} arguments", args.size());
  std::uint32_t to = 1;
  for (const Reg arg : args) add({.op = LirOp::kMov, .dst = to++, .src = arg.id});
}

Reg Emitter::call(std::int32_t helper, std::initializer_list<Reg> args) {
  call_void(helper, args);
  const Reg result = reg();
  add({.op = LirOp::kMov, .dst = result.id, .src = kR0});
  return result;
}

void Emitter::call_void(std::int32_t helper, std::initializer_list<Reg> args) {
  arguments(args);
  add({.op = LirOp::kCall, .args = static_cast<std::uint8_t>(args.size()), .imm = helper});
}

Reg Emitter::call_kernel(std::uint32_t function, std::initializer_list<Reg> args) {
  call_kernel_void(function, args);
  const Reg result = reg();
  add({.op = LirOp::kMov, .dst = result.id, .src = kR0});
  return result;
}

void Emitter::call_kernel_void(std::uint32_t function, std::initializer_list<Reg> args) {
  arguments(args);
  add({.op = LirOp::kCallKernel, .args = static_cast<std::uint8_t>(args.size()), .imm = function});
}

Reg Emitter::context() { return parameters_.at(0); }

// Parameters are copied at once: r1-r5 are lost at the first call.
std::vector<Reg> Emitter::begin_function(Label name, std::uint32_t parameters) {
  DT_CHECK(parameters <= 5, "{} parameters", parameters);
  DT_CHECK(code_->code.empty() || ends_flow(code_->code.back()), "the function before runs on");
  add({.op = LirOp::kFunction, .args = static_cast<std::uint8_t>(parameters), .label = name.id});
  parameters_.clear();
  for (std::uint32_t i = 0; i < parameters; ++i) {
    parameters_.push_back(reg());
    add({.op = LirOp::kMov, .dst = parameters_.back().id, .src = i + 1});
  }
  return parameters_;
}

std::vector<Reg> Emitter::begin_global_function(Label name, std::string symbol,
                                                std::vector<kernel::Parameter> parameters) {
  const auto count = static_cast<std::uint32_t>(parameters.size());
  const std::size_t at = code_->code.size();
  begin_function(name, count);
  code_->globals.push_back({std::move(symbol), std::move(parameters)});
  code_->code[at].imm = static_cast<std::int64_t>(code_->globals.size());
  return parameters_;
}

Reg Emitter::call_subprogram(Label name, std::initializer_list<Reg> args) {
  arguments(args);
  add({.op = LirOp::kCallFunction,
       .args = static_cast<std::uint8_t>(args.size()),
       .label = name.id});
  const Reg result = reg();
  add({.op = LirOp::kMov, .dst = result.id, .src = kR0});
  return result;
}

}  // namespace dt::bpf
