// Selector: strtok(), whose state belongs to the firing, and memstr().

#include <algorithm>

#include "bpf/asm/lir.h"
#include "bpf/routine/string_code.h"
#include "bpf/select/firing.h"
#include "bpf/select/selector.h"

namespace dt::bpf {

// Reserves the state, when the function uses it.
void Selector::prepare_tokens() {
  bool is_used = false;
  for (const ir::Block& block : fn_.blocks) {
    is_used |= std::any_of(block.insts.begin(), block.insts.end(), uses_tokens);
  }
  if (!is_used) return;
  tokens_at_ = spec_.firing != nullptr ? spec_.firing->tokens : reserve_frame(unit_.token_bytes);
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
}

// The address of 256 bits, those of the delimiters set.
Reg Selector::byte_set(ir::ValueId delimiters) {
  const Value& v = value(delimiters);
  const Place set = frame_place(kByteSetBytes, position_);
  if (v.kind != Value::Kind::kConstString) {
    const StringOperand text = operand(delimiters);
    const Reg to = address(set);
    e_.call_subprogram(unit_.routine(Routine::Kind::kByteSet, text.capacity), {to, text.address});
    return to;
  }
  std::uint64_t bits[4] = {};
  for (const char c : unit_.program.strings[v.string]) {
    const auto byte = static_cast<std::uint8_t>(c);
    bits[byte / 64] |= std::uint64_t{1} << byte % 64;
  }
  for (std::uint32_t i = 0; i < 4; i++) {
    e_.store(8, set.base, set.offset + static_cast<std::int32_t>(i * 8),
             e_.imm(static_cast<std::int64_t>(bits[i])));
  }
  return address(set);
}

void Selector::token(const ir::Inst& inst) {
  const std::uint32_t capacity = unit_.token_bytes - kTokenHeaderBytes;
  need_frame();
  const Place state = at(frame_, tokens_at_);
  const Place text = at(frame_, tokens_at_ + kTokenHeaderBytes);
  if (static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kStrtok) {
    put_string(text, capacity, value(inst.args[0]));
    e_.store_imm(8, state.base, state.offset, 1);
  } else {
    const Label none = fault(inst, record::Fault::kBadAddress, e_.imm(0));
    e_.jump_if_imm(Cond::kEq, e_.load(8, state.base, state.offset), 0, none);
  }
  const Reg set = byte_set(inst.args.back());
  const Reg span =
      e_.call_subprogram(unit_.routine(Routine::Kind::kToken, capacity), {address(state), set});
  const Place buffer = result_buffer(inst);
  const Reg count = copy(e_, span);
  e_.alu_imm(Alu::kRsh, count, 32);
  e_.alu_imm(Alu::kAnd, span, kMaxCapacity - 1);
  copy_part(buffer, inst.type.size, sum(e_, address(text), span), count, ir::kNone);
  define_memory(inst, buffer, words_up(inst.type.size));
}

void Selector::memory_string(const ir::Inst& inst) {
  const bool is_user = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kMemstrUser;
  const std::uint32_t size = inst.type.size, bytes = words_up(size);
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
  const Reg from = reg(inst.args[0]);
  const Place buffer = result_buffer(inst);
  const Label done = e_.label(), fits = e_.label();
  const Reg bounded = e_.held_copy(reg(inst.args[2]));
  e_.jump_if_imm(Cond::kLe, bounded, static_cast<std::int32_t>(size), fits);
  e_.mov_imm(bounded, size);
  e_.bind(fits);
  e_.jump_if_imm(Cond::kLe, bounded, 1, done);
  const Reg count = copy(e_, bounded);
  e_.alu_imm(Alu::kSub, count, 1);
  const Label bad = fault(inst, record::Fault::kBadAddress, from);
  const Reg status = read_foreign({address(buffer), count, from, size, is_user});
  e_.jump_if_imm(Cond::kSlt, status, 0, bad);
  e_.call_subprogram(unit_.routine(Routine::Kind::kFillNuls, bytes),
                     {address(buffer), reg(inst.args[1]), count});
  e_.bind(done);
  define_memory(inst, buffer, bytes);
}

}  // namespace dt::bpf
