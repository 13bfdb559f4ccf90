// See tokens.h.

#include "bpf/select/tokens.h"

#include <algorithm>

#include "bpf/routine/routine.h"
#include "bpf/routine/string_code.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/failures.h"
#include "bpf/select/loads.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/wire.h"

namespace dt::bpf {

Tokens::Tokens(const Core& core, Loads& loads) : SelectionPart(core), loads_(loads) {}

// The address of 256 bits, those of the delimiters set.
Reg Tokens::byte_set(ir::ValueId delimiters) {
  const Value& v = values_.value(delimiters);
  const Place set = storage_.frame_place(kByteSetBytes, f_.position);
  if (v.kind != Value::Kind::kConstString) {
    const Bytes::StringOperand text = bytes_.operand(delimiters);
    const Reg to = f_.address(set);
    e_.call_subprogram(unit_.routine(Routine::Kind::kByteSet, text.capacity), {to, text.address});
    return to;
  }
  std::uint64_t bits[4] = {};
  for (const char c : unit_.program.strings[v.string]) {
    const auto byte = static_cast<std::uint8_t>(c);
    bits[byte / 64] |= std::uint64_t{1} << byte % 64;
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    e_.store(8, set.base, set.offset + static_cast<std::int32_t>(i * 8),
             e_.imm(static_cast<std::int64_t>(bits[i])));
  }
  return f_.address(set);
}

void Tokens::token(const ir::Inst& inst) {
  const std::uint32_t capacity = unit_.token_bytes - kTokenHeaderBytes;
  storage_.need_frame();
  const Place state = storage_.at(storage_.frame(), storage_.tokens_at());
  const Place text = storage_.at(storage_.frame(), storage_.tokens_at() + kTokenHeaderBytes);
  if (static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kStrtok) {
    bytes_.put_string(text, capacity, values_.value(inst.args[0]));
    e_.store_imm(8, state.base, state.offset, 1);
  } else {
    const Label none = failures_.fault(inst, record::Fault::kBadAddress, e_.imm(0));
    e_.jump_if_imm(Cond::kEq, e_.load(8, state.base, state.offset), 0, none);
  }
  const Reg set = byte_set(inst.args.back());
  const Reg span =
      e_.call_subprogram(unit_.routine(Routine::Kind::kToken, capacity), {f_.address(state), set});
  const Place buffer = bytes_.result_buffer(inst);
  const Reg count = copy(e_, span);
  e_.alu_imm(Alu::kRsh, count, 32);
  e_.alu_imm(Alu::kAnd, span, kMaxCapacity - 1);
  bytes_.copy_part(buffer, inst.type.size, sum(e_, f_.address(text), span), count, ir::kNone);
  values_.define_memory(inst, buffer, words_up(inst.type.size));
}

void Tokens::memory_string(const ir::Inst& inst) {
  const bool is_user = static_cast<ir::Subroutine>(inst.index) == ir::Subroutine::kMemstrUser;
  const std::uint32_t size = inst.type.size, bytes = words_up(size);
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
  const Reg from = values_.reg(inst.args[0]);
  const Place buffer = bytes_.result_buffer(inst);
  const Label done = e_.label(), fits = e_.label();
  const Reg bounded = e_.held_copy(values_.reg(inst.args[2]));
  e_.jump_if_imm(Cond::kLe, bounded, static_cast<std::int32_t>(size), fits);
  e_.mov_imm(bounded, size);
  e_.bind(fits);
  e_.jump_if_imm(Cond::kLe, bounded, 1, done);
  const Reg count = copy(e_, bounded);
  e_.alu_imm(Alu::kSub, count, 1);
  const Label bad = failures_.fault(inst, record::Fault::kBadAddress, from);
  const Reg status = loads_.read_foreign({f_.address(buffer), count, from, size, is_user});
  e_.jump_if_imm(Cond::kSlt, status, 0, bad);
  e_.call_subprogram(unit_.routine(Routine::Kind::kFillNuls, bytes),
                     {f_.address(buffer), values_.reg(inst.args[1]), count});
  e_.bind(done);
  values_.define_memory(inst, buffer, bytes);
}

}  // namespace dt::bpf
