// See bytes.h.
//
// There is no instruction that copies memory. Up to kUnrolledBytes are loaded and stored word by
// word; more is copied by the helper probe_read_kernel(), which may also copy memory of the program
// itself.
//
// All objects are whole words, so copies go by words, and what stands behind a string's NUL in its
// last word must be zeros.

#include "bpf/select/bytes.h"

#include <linux/bpf.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "bpf/asm/lir.h"
#include "bpf/routine/routine.h"
#include "bpf/select/context.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kImmediateBytes = 32;  // strings up to here are made of immediates

// The accesses that cover `bytes` at `offset`, each aligned to its size: stack
// memory demands that. `other` is where the bytes come from, when it may be the
// stack too. Calls each(bytes done so far, size).
template <typename Each>
void in_pieces(std::int32_t offset, std::int32_t other, std::uint32_t bytes, const Each& each) {
  const auto to = static_cast<std::uint32_t>(offset), from = static_cast<std::uint32_t>(other);
  for (std::uint32_t done = 0; done < bytes;) {
    std::uint32_t size = 8;
    while (size > bytes - done || (to + done) % size != 0 || (from + done) % size != 0) size /= 2;
    each(static_cast<std::int32_t>(done), size);
    done += size;
  }
}

}  // namespace

Bytes::Bytes(FunctionContext& f, Storage& storage, Values& values)
    : f_(f), unit_(f.unit), e_(f.e), storage_(storage), values_(values) {}

// ---- Moving bytes -----------------------------------------------------------------

void Bytes::zero(Place dst, std::uint32_t bytes) {
  if (bytes > kUnrolledBytes) {
    const std::uint32_t zeros = unit_.zeros(bytes);
    e_.call_void(BPF_FUNC_probe_read_kernel,
                 {f_.address(dst), e_.imm(bytes), f_.address(f_.rodata(zeros))});
    return;
  }
  in_pieces(dst.offset, dst.offset, bytes, [&](std::int32_t done, std::uint32_t size) {
    e_.store_imm(size, dst.base, dst.offset + done, 0);
  });
}

void Bytes::copy_bytes(Place dst, Place src, std::uint32_t bytes) {
  if (bytes > kUnrolledBytes) {
    e_.call_void(BPF_FUNC_probe_read_kernel, {f_.address(dst), e_.imm(bytes), f_.address(src)});
    return;
  }
  // Only what is short can come from the stack.
  const std::int32_t other = bytes <= kStackTemporaryBytes ? src.offset : dst.offset;
  in_pieces(dst.offset, other, bytes, [&](std::int32_t done, std::uint32_t size) {
    e_.store(size, dst.base, dst.offset + done, e_.load(size, src.base, src.offset + done));
  });
}

std::optional<std::uint64_t> Bytes::constant_word(const Value& value, std::uint32_t index) const {
  if (value.kind != Value::Kind::kConstString) return std::nullopt;
  const std::string& text = unit_.program.strings[value.string];
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const std::size_t at = std::size_t{index} * 8 + i;
    if (at < text.size()) word |= std::uint64_t{static_cast<std::uint8_t>(text[at])} << (8 * i);
  }
  return word;
}

Reg Bytes::word(const Value& value, std::uint32_t index) {
  if (value.kind == Value::Kind::kWords) return index == 0 ? value.reg : value.high;
  if (const auto known = constant_word(value, index)) {
    return e_.imm(static_cast<std::int64_t>(*known));
  }
  return e_.load(8, value.place.base, value.place.offset + static_cast<std::int32_t>(index * 8));
}

// The constant in rodata, followed by zeros up to `avail` bytes.
Place Bytes::string_constant(std::uint32_t string, std::uint32_t avail) {
  const std::string& text = unit_.program.strings[string];
  if (avail <= words_up(static_cast<std::uint32_t>(text.size()) + 1)) {
    return f_.rodata(unit_.memory.string_offset[string]);
  }
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.resize(avail, 0);
  return f_.rodata(unit_.add_rodata(bytes));
}

void Bytes::put_string(Place dst, std::uint32_t size, const Value& value) {
  const std::uint32_t bytes = std::min(size, value.avail);
  if (value.kind == Value::Kind::kMemory ||
      (value.kind == Value::Kind::kConstString && value.avail > kImmediateBytes)) {
    copy_bytes(dst,
               value.kind == Value::Kind::kMemory ? value.place : string_constant(value.string, 0),
               bytes);
  } else {
    for (std::uint32_t i = 0; i * 8 < bytes; ++i) {
      const std::int32_t to = dst.offset + static_cast<std::int32_t>(i * 8);
      const std::uint32_t part = std::min(8u, bytes - i * 8);
      const auto known = constant_word(value, i);
      if (part == 8 && to % 8 == 0) {
        if (known && fits_s32(static_cast<std::int64_t>(*known))) {
          e_.store_imm(8, dst.base, to, static_cast<std::int32_t>(*known));
        } else {
          e_.store(8, dst.base, to, word(value, i));
        }
        continue;
      }
      const Reg rest = e_.reg();
      e_.mov(rest, word(value, i));
      in_pieces(to, to, part, [&](std::int32_t done, std::uint32_t piece) {
        e_.store(piece, dst.base, to + done, rest);
        if (piece < 8) e_.alu_imm(Alu::kRsh, rest, static_cast<std::int32_t>(piece * 8));
      });
    }
  }
  if (bytes < size)
    zero(storage_.at(dst.base, static_cast<std::uint32_t>(dst.offset) + bytes), size - bytes);
  // A longer string is cut; the NUL of one that fits is where it is.
  if (value.type.size > size && value.avail >= size) {
    const Place last = storage_.at(dst.base, static_cast<std::uint32_t>(dst.offset) + size - 1);
    e_.store_imm(1, last.base, last.offset, 0);
  }
}

void Bytes::put_bytes(Place dst, std::uint32_t size, const Value& value) {
  DT_CHECK(value.kind == Value::Kind::kMemory);
  const std::uint32_t bytes = std::min(size, value.type.size);
  copy_bytes(dst, value.place, bytes);
  if (bytes < size)
    zero(storage_.at(dst.base, static_cast<std::uint32_t>(dst.offset) + bytes), size - bytes);
}

Place Bytes::in_memory(const Value& value, std::uint32_t avail, std::uint32_t last_use) {
  if (value.kind == Value::Kind::kMemory && value.avail >= avail) return value.place;
  if (value.kind == Value::Kind::kConstString) return string_constant(value.string, avail);
  const std::uint32_t bytes = std::max(avail, value.avail);
  const Place buffer = storage_.temporary(bytes, last_use);
  if (value.type.kind == ir::TypeKind::kString)
    put_string(buffer, bytes, value);
  else
    put_bytes(buffer, bytes, value);
  return buffer;
}

// ---- Places of a type --------------------------------------------------------

void Bytes::load_from(const ir::Inst& inst, Place place) {
  if (is_int(inst.type)) {
    const Reg dst = e_.load(inst.type.size, place.base, place.offset);
    if (inst.type.is_signed) values_.extend(dst, inst.type);
    return values_.define(inst, dst);
  }
  const std::uint32_t bytes = words_up(inst.type.size);
  const Place buffer = storage_.temporary(bytes, f_.last_use(inst.result));
  copy_bytes(buffer, place, bytes);
  values_.define_memory(inst, buffer, bytes);
}

Reg Bytes::as_type(ir::ValueId id, const ir::Type& type) {
  if (f_.type_of(id) == type || type.size == 8) return values_.reg(id);
  const Reg copy = values_.copy_of(id);
  values_.extend(copy, type);
  return copy;
}

void Bytes::store_to(Place place, const ir::Type& type, ir::ValueId id) {
  if (is_int(type)) {
    const auto known = values_.constant(id);
    if (known && fits_s32(*known)) {
      return e_.store_imm(type.size, place.base, place.offset, static_cast<std::int32_t>(*known));
    }
    return e_.store(type.size, place.base, place.offset, values_.reg(id));
  }
  const std::uint32_t bytes = words_up(type.size);
  if (type.kind == ir::TypeKind::kBytes) return put_bytes(place, bytes, values_.value(id));
  if (values_.value(id).type.size <= type.size) return put_string(place, bytes, values_.value(id));
  put_string(place, type.size, values_.value(id));
  if (bytes > type.size) {
    zero(storage_.at(place.base, static_cast<std::uint32_t>(place.offset) + type.size),
         bytes - type.size);
  }
}

void Bytes::add_to(Place place, const ir::Type& type, ir::ValueId delta) {
  if (type.size >= 4) {
    return e_.atomic(Atomic::kAdd, type.size, place.base, place.offset, values_.copy_of(delta));
  }
  const Reg sum = e_.load(type.size, place.base, place.offset);
  values_.alu_value(Alu::kAdd, sum, delta);
  e_.store(type.size, place.base, place.offset, sum);
}

void Bytes::put_gap(Place base, std::uint32_t from, std::uint32_t to) {
  if (from < to)
    zero(storage_.at(base.base, static_cast<std::uint32_t>(base.offset) + from), to - from);
}

void Bytes::zero_tail(Place buffer, std::uint32_t size, Reg length) {
  const Label done = e_.label();
  const Reg used = e_.held_copy(length);
  e_.jump_if_imm(Cond::kGe, used, static_cast<std::int32_t>(size), done);
  const Reg from = e_.reg(), rest = e_.imm(size);
  e_.mov(from, f_.address(buffer));
  e_.alu(Alu::kAdd, from, used);
  e_.alu(Alu::kSub, rest, used);
  unit_.frame_slack = std::max(unit_.frame_slack, size);
  const std::uint32_t zeros = unit_.zeros(size);
  e_.call_void(BPF_FUNC_probe_read_kernel, {from, rest, f_.address(f_.rodata(zeros))});
  e_.bind(done);
}

Bytes::StringOperand Bytes::operand(ir::ValueId id) {
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
  const Value& v = values_.value(id);
  if (v.kind == Value::Kind::kMemory && v.place.in_frame) return {f_.address(v.place), v.avail};
  const Place buffer = storage_.frame_place(v.avail, f_.position);
  put_string(buffer, v.avail, v);
  return {f_.address(buffer), v.avail};
}

// ---- Strings made of strings ---------------------------------------------------

Place Bytes::result_buffer(const ir::Inst& inst) {
  const std::uint32_t bytes = words_up(inst.type.size);
  const Place buffer = storage_.frame_place(bytes, f_.last_use(inst.result));
  zero(buffer, bytes);
  return buffer;
}

void Bytes::copy_part(Place to, std::uint32_t capacity, Reg from, Reg count, std::uint32_t most) {
  const Reg buffer = f_.address(to), bytes = e_.held_copy(count);
  if (most > capacity) {
    const Label fits = e_.label();
    e_.jump_if_imm(Cond::kLt, bytes, static_cast<std::int32_t>(capacity), fits);
    e_.mov_imm(bytes, capacity - 1);
    e_.bind(fits);
  }
  e_.call_void(BPF_FUNC_probe_read_kernel, {buffer, bytes, from});
}

void Bytes::truncate_at_nul(Reg low, Reg high) {
  const Label done = e_.label(), second = e_.label();
  keep_to_nul(low, second);
  e_.mov_imm(high, 0);
  e_.jump(done);
  e_.bind(second);
  keep_to_nul(high, done);
  e_.bind(done);
}

void Bytes::keep_to_nul(Reg word, Label none) {
  const Reg marks = e_.reg(), inverse = e_.reg();
  e_.mov(marks, word);
  e_.alu(Alu::kSub, marks, e_.imm(0x0101010101010101));
  e_.mov(inverse, word);
  e_.alu_imm(Alu::kXor, inverse, -1);
  e_.alu(Alu::kAnd, marks, inverse);
  e_.alu(Alu::kAnd, marks, e_.imm(static_cast<std::int64_t>(0x8080808080808080)));
  e_.jump_if_imm(Cond::kEq, marks, 0, none);
  // The lowest mark alone, moved to its byte's lowest bit, less one.
  e_.mov(inverse, marks);
  e_.neg(inverse);
  e_.alu(Alu::kAnd, marks, inverse);
  e_.alu_imm(Alu::kRsh, marks, 7);
  e_.alu_imm(Alu::kSub, marks, 1);
  e_.alu(Alu::kAnd, word, marks);
}

}  // namespace dt::bpf
