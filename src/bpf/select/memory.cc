// Selector: places, temporaries and the movement of bytes.
//
// Bytes are moved as 8-byte words, unrolled to a limit; beyond it the kernel's
// copy routine does it (bpf_probe_read_kernel of our own memory), which costs
// the verifier nothing whatever the size.

#include <algorithm>

#include "bpf/asm/lir.h"
#include "bpf/layout/frame.h"
#include "bpf/select/firing.h"
#include "bpf/select/selector.h"
#include "bpf/stack/frame_layout.h"
#include "bpf/stack/python.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kUnrolledBytes = 256;
constexpr std::uint32_t kOffsetLimit = 0x4000;      // of a Place; an access may add 16 KiB
constexpr std::uint32_t kImmediateBytes = 32;       // strings up to here are made of immediates
constexpr std::uint32_t kStackTemporaryBytes = 64;  // the longest kept on the stack
constexpr std::uint32_t kMaxFrameBytes = 16u << 20;

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

// ---- Places -------------------------------------------------------------------

Place Selector::at(Reg base, std::uint32_t offset) {
  const bool in_frame = base == frame_;
  if (offset < kOffsetLimit) return {base, static_cast<std::int32_t>(offset), in_frame};
  const Reg far = e_.reg();
  e_.mov(far, base);
  e_.alu_imm(Alu::kAdd, far, static_cast<std::int32_t>(offset));
  return {far, 0, in_frame};
}

Place Selector::rodata(std::uint32_t offset) {
  return {e_.map_value({MapKind::kRodata, 0}, offset), 0};
}

Reg Selector::address(Place place) {
  if (place.offset == 0) return place.base;
  const Reg reg = e_.reg();
  e_.mov(reg, place.base);
  e_.alu_imm(Alu::kAdd, reg, place.offset);
  return reg;
}

void Selector::define_memory(const ir::Inst& inst, Place place, std::uint32_t avail) {
  values_[inst.result] = {
      .kind = Value::Kind::kMemory, .type = inst.type, .place = place, .avail = avail};
}

Place Selector::stack_word() { return {e_.stack_address(word_), 0}; }

// ---- Temporaries ----------------------------------------------------------------

void Selector::release_temporaries() {
  std::erase_if(temporaries_, [&](const Temporary& t) { return t.last_use < position_; });
}

namespace {

// The first gap of `bytes` in [0, limit) among those taken.
template <typename Taken>
std::uint32_t first_gap(const Taken& taken, std::uint32_t bytes, std::uint32_t limit) {
  std::uint32_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& [from, size] : taken) {
      if (from < offset + bytes && offset < from + size) {
        offset = from + size;
        moved = true;
      }
    }
  }
  return offset + bytes <= limit ? offset : ir::kNone;
}

}  // namespace

// `bytes` of writable memory until the position `last_use` has passed.
Place Selector::temporary(std::uint32_t bytes, std::uint32_t last_use) {
  bytes = words_up(bytes);
  if (bytes <= kStackTemporaryBytes) {
    if (const auto place = on_stack(bytes, last_use, unit_.budget.temporaries)) return *place;
  }
  return frame_place(bytes, last_use);
}

// As temporary(), for a string that is only read up to `padded`, and never by
// way of an address that the verifier does not know.
Place Selector::text_buffer(std::uint32_t size, std::uint32_t padded, std::uint32_t last_use) {
  const std::uint32_t bytes = words_up(size);
  if (padded < bytes && bytes <= unit_.budget.text) {
    const std::uint32_t limit = unit_.budget.temporaries + unit_.budget.text;
    if (const auto place = on_stack(bytes, last_use, limit)) return *place;
  }
  return temporary(size, last_use);
}

std::optional<Place> Selector::on_stack(std::uint32_t bytes, std::uint32_t last_use,
                                        std::uint32_t limit) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
  for (const Temporary& t : temporaries_) {
    if (t.on_stack) taken.emplace_back(t.offset, t.bytes);
  }
  const std::uint32_t offset = first_gap(taken, bytes, limit);
  if (offset == ir::kNone) return std::nullopt;
  temporaries_.push_back({offset, bytes, last_use, true});
  stack_used_ = std::max(stack_used_, offset + bytes);
  return Place{e_.stack_address(stack_region_, static_cast<std::int32_t>(offset)), 0};
}

Place Selector::frame_place(std::uint32_t bytes, std::uint32_t last_use) {
  need_frame();
  const std::uint32_t offset = reserve_frame(bytes);
  temporaries_.back().last_use = last_use;
  return at(frame_, offset);
}

// For an integer. Its base is the frame itself, however far it lies: it is read
// and written on ways that do not all pass here.
Place Selector::frame_word(std::uint32_t last_use) {
  need_frame();
  const std::uint32_t offset = reserve_frame(8);
  temporaries_.back().last_use = last_use;
  return {frame_, static_cast<std::int32_t>(offset)};
}

// Room in the frame until the end of the function, behind its busy flag or what
// the firing keeps there.
std::uint32_t Selector::reserve_frame(std::uint32_t bytes) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken = {
      {0, spec_.firing != nullptr ? spec_.firing->end : frame_begin(unit_.memory.machine)}};
  for (const Temporary& t : temporaries_) {
    if (!t.on_stack) taken.emplace_back(t.offset, t.bytes);
  }
  std::uint32_t offset = first_gap(taken, bytes, kMaxFrameBytes);
  if (offset == ir::kNone) {
    refuse("a clause needs more scratch memory than there is; lower strsize");
    offset = frame_begin(unit_.memory.machine);
  }
  temporaries_.push_back({offset, bytes, ir::kNone, false});
  unit_.frame_bytes = std::max(unit_.frame_bytes, offset + bytes);
  return offset;
}

// Takes one of this CPU's scratch frames.
void Selector::need_frame() {
  if (known_since(frame_points_)) return;
  const Label have = e_.label();
  const bool maybe_taken = !frame_points_.empty();
  const Reg cpu_number = cpu();
  if (maybe_taken) e_.jump_if_imm(Cond::kNe, frame_, 0, have);
  unit_.frame_bytes = std::max(unit_.frame_bytes, frame_begin(unit_.memory.machine));
  const Reg index = e_.reg();
  take_frame(e_, cpu_number, word_, frame_, index,
             drop_and_go(record::Drop::kNesting, exit_label_));
  note_frame(e_, unit_.memory, frame_, index);
  if (scratch_at_ != ir::kNone) start_region(e_, frame_, scratch_at_);
  if (tokens_at_ != ir::kNone) e_.store_imm(8, frame_, static_cast<std::int32_t>(tokens_at_), 0);
  e_.bind(have);
  frame_points_.push_back(block_);
}

// ---- Moving bytes -----------------------------------------------------------------

void Selector::zero(Place dst, std::uint32_t bytes) {
  if (bytes > kUnrolledBytes) {
    const std::uint32_t zeros = unit_.zeros(bytes);
    e_.call_void(BPF_FUNC_probe_read_kernel, {address(dst), e_.imm(bytes), address(rodata(zeros))});
    return;
  }
  in_pieces(dst.offset, dst.offset, bytes, [&](std::int32_t done, std::uint32_t size) {
    e_.store_imm(size, dst.base, dst.offset + done, 0);
  });
}

void Selector::copy_bytes(Place dst, Place src, std::uint32_t bytes) {
  if (bytes > kUnrolledBytes) {
    e_.call_void(BPF_FUNC_probe_read_kernel, {address(dst), e_.imm(bytes), address(src)});
    return;
  }
  // Only what is short can come from the stack.
  const std::int32_t other = bytes <= kStackTemporaryBytes ? src.offset : dst.offset;
  in_pieces(dst.offset, other, bytes, [&](std::int32_t done, std::uint32_t size) {
    e_.store(size, dst.base, dst.offset + done, e_.load(size, src.base, src.offset + done));
  });
}

std::optional<std::uint64_t> Selector::constant_word(const Value& value,
                                                     std::uint32_t index) const {
  if (value.kind != Value::Kind::kConstString) return std::nullopt;
  const std::string& text = unit_.program.strings[value.string];
  std::uint64_t word = 0;
  for (std::uint32_t i = 0; i < 8; i++) {
    const std::size_t at = std::size_t{index} * 8 + i;
    if (at < text.size()) word |= std::uint64_t{static_cast<std::uint8_t>(text[at])} << (8 * i);
  }
  return word;
}

// The value's 8 bytes at `index` * 8, in a register that must not be changed.
Reg Selector::word(const Value& value, std::uint32_t index) {
  if (value.kind == Value::Kind::kWords) return index == 0 ? value.reg : value.high;
  if (const auto known = constant_word(value, index)) {
    return e_.imm(static_cast<std::int64_t>(*known));
  }
  return e_.load(8, value.place.base, value.place.offset + static_cast<std::int32_t>(index * 8));
}

// The constant in rodata, followed by zeros up to `avail` bytes.
Place Selector::string_constant(std::uint32_t string, std::uint32_t avail) {
  const std::string& text = unit_.program.strings[string];
  if (avail <= words_up(static_cast<std::uint32_t>(text.size()) + 1)) {
    return rodata(unit_.memory.string_offset[string]);
  }
  std::vector<std::uint8_t> bytes(text.begin(), text.end());
  bytes.resize(avail, 0);
  return rodata(unit_.add_rodata(bytes));
}

void Selector::put_string(Place dst, std::uint32_t size, const Value& value) {
  const std::uint32_t bytes = std::min(size, value.avail);
  if (value.kind == Value::Kind::kMemory ||
      (value.kind == Value::Kind::kConstString && value.avail > kImmediateBytes)) {
    copy_bytes(dst,
               value.kind == Value::Kind::kMemory ? value.place : string_constant(value.string, 0),
               bytes);
  } else {
    for (std::uint32_t i = 0; i * 8 < bytes; i++) {
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
    zero(at(dst.base, static_cast<std::uint32_t>(dst.offset) + bytes), size - bytes);
  // A longer string is cut; the NUL of one that fits is where it is.
  if (value.type.size > size && value.avail >= size) {
    const Place last = at(dst.base, static_cast<std::uint32_t>(dst.offset) + size - 1);
    e_.store_imm(1, last.base, last.offset, 0);
  }
}

void Selector::put_bytes(Place dst, std::uint32_t size, const Value& value) {
  DT_CHECK(value.kind == Value::Kind::kMemory);
  const std::uint32_t bytes = std::min(size, value.type.size);
  copy_bytes(dst, value.place, bytes);
  if (bytes < size)
    zero(at(dst.base, static_cast<std::uint32_t>(dst.offset) + bytes), size - bytes);
}

Place Selector::in_memory(const Value& value, std::uint32_t avail, std::uint32_t last_use) {
  if (value.kind == Value::Kind::kMemory && value.avail >= avail) return value.place;
  if (value.kind == Value::Kind::kConstString) return string_constant(value.string, avail);
  const std::uint32_t bytes = std::max(avail, value.avail);
  const Place buffer = temporary(bytes, last_use);
  if (value.type.kind == ir::TypeKind::kString)
    put_string(buffer, bytes, value);
  else
    put_bytes(buffer, bytes, value);
  return buffer;
}

}  // namespace dt::bpf
