// See source_name.h.

#include "bpf/stack/source_name.h"

#include "bpf/layout/frame.h"
#include "bpf/stack/unwind_state.h"
#include "symbol/interpreter/interpreter.h"

namespace dt::bpf {

namespace {

using symbol::SourceRecord;

constexpr std::int32_t kMaxCharacters = 1 << 30;
constexpr int kNameTries = 3;
constexpr std::int64_t kFactor = static_cast<std::int64_t>(0x9e3779b97f4a7c15);  // 2^64 / phi

}  // namespace

void read_buffer(Emitter& e, Reg python, Reg from, std::int32_t bytes, Label bad) {
  const Reg buffer = copy(e, python);
  e.alu_imm(Alu::kAdd, buffer, kPythonBuffer);
  const Reg status = e.call(BPF_FUNC_probe_read_user, {buffer, e.imm(bytes), from});
  e.jump_if_imm(Cond::kSlt, status, 0, bad);
}

Reg in_buffer(Emitter& e, Reg python, std::int32_t offset, std::uint32_t bytes) {
  return e.load(bytes, python, kPythonBuffer + offset);
}

Reg behind(Emitter& e, Reg address, std::int32_t offset) {
  const Reg out = copy(e, address);
  e.alu_imm(Alu::kAdd, out, offset);
  return out;
}

void enter_line(Emitter& e, Reg python) {
  constexpr auto kTag = static_cast<std::int64_t>(symbol::kSourceTag);
  const Label known = e.label();
  const Reg word = e.load(8, python, kPythonWord), line = e.load(8, python, kPythonNumber);
  e.jump_if_imm(Cond::kLe, line, kMaxSourceLine, known);
  e.mov_imm(line, 0);
  e.bind(known);
  e.alu_imm(Alu::kLsh, line, symbol::kSourceNameBits);
  e.alu(Alu::kOr, word, line);
  e.alu(Alu::kOr, word, e.imm(kTag));
  e.store(8, python, kPythonWord, word);
}

Reg interpreter_image(Emitter& e, Reg state) {
  constexpr std::int32_t kShift = 7;
  static_assert(sizeof(symbol::InterpreterImage) == 1 << kShift);
  const Reg image = e.held_copy(e.load(8, state, kOwner));
  e.alu_imm(Alu::kAnd, image, kUnwindInterpreters - 1);
  e.alu_imm(Alu::kLsh, image, kShift);
  e.alu(Alu::kAdd, image, e.map_value(unwind_map(UnwindMap::kRules), kUnwindInterpretersOffset));
  return image;
}

void SourceNameCode::write(const std::function<void(SourceNameCode&)>& texts) {
  e_.store_imm(8, python_, kPythonWord, 0);
  const StackSlot index = e_.stack(8);
  const Reg frame = find_frame(e_, e_.load(8, python_, kPythonIndex), index, none_);
  for (std::int32_t at = 0; at < kPythonRecordBytes; at += 8) {
    e_.store_imm(8, python_, kPythonRecord + at, 0);
  }
  texts(*this);
  e_.alu_imm(Alu::kAdd, frame, static_cast<std::int32_t>(kPythonOffset) + kPythonRecord);
  enter(frame, hash());
  e_.bind(none_);
  ret_imm(e_, 0);
}

void SourceNameCode::take(const SourceText& text, Reg from, Reg length, Reg bytes, Reg width) {
  const Label fits = e_.label();
  e_.jump_if_imm(Cond::kGt, length, kMaxCharacters, none_);
  e_.store(4, python_, in_record(text.length_at), length);
  e_.store(4, python_, in_record(text.width_at), width);
  e_.alu(Alu::kMul, length, bytes);
  const Reg size = e_.held_copy(length);
  const auto room = static_cast<std::int32_t>(text.room);
  e_.jump_if_imm(Cond::kLe, size, room, fits);
  if (text.keeps_end) {
    e_.alu(Alu::kAdd, from, length);
    e_.alu_imm(Alu::kSub, from, room);
  }
  e_.mov_imm(size, room);
  e_.bind(fits);
  const Reg place = behind(e_, python_, in_record(text.at));
  const Reg status = e_.call(BPF_FUNC_probe_read_user, {place, size, from});
  e_.jump_if_imm(Cond::kSlt, status, 0, none_);
}

// Of the record: words up to the first that is 0, of each text.
Reg SourceNameCode::hash() {
  const Reg value = e_.imm(0), factor = e_.imm(kFactor);
  const auto mix = [&](Reg word) {
    e_.alu(Alu::kXor, value, word);
    e_.alu(Alu::kMul, value, factor);
  };
  const auto run = [&](std::size_t from, std::size_t bytes) {
    const Label loop = e_.label(), done = e_.label();
    const Reg at = e_.imm(0);
    e_.bind(loop);
    const Reg word = e_.load(8, sum(e_, python_, at), in_record(from));
    e_.jump_if_imm(Cond::kEq, word, 0, done);
    mix(word);
    e_.alu_imm(Alu::kAdd, at, 8);
    e_.jump_if_imm(Cond::kLt, at, static_cast<std::int32_t>(bytes), loop);
    e_.bind(done);
  };
  mix(e_.load(8, python_, in_record(offsetof(SourceRecord, function_length))));
  run(offsetof(SourceRecord, function), sizeof(SourceRecord::function));
  run(offsetof(SourceRecord, file), sizeof(SourceRecord::file));
  const Reg high = copy(e_, value);
  e_.alu_imm(Alu::kRsh, high, 32);
  e_.alu(Alu::kXor, value, high);
  return value;
}

// The name of the record, which is entered when it is new: a hash, moved on where another
// record has it.
void SourceNameCode::enter(Reg record, Reg hash) {
  constexpr std::int32_t kUnused = 64 - static_cast<std::int32_t>(symbol::kSourceNameBits) + 1;
  const StackSlot key = e_.stack(8);
  const MapRef map = unwind_map(UnwindMap::kSources);
  const Label found = e_.label(), full = e_.label();
  e_.alu_imm(Alu::kLsh, hash, kUnused);
  e_.alu_imm(Alu::kRsh, hash, kUnused);
  e_.alu_imm(Alu::kOr, hash, 1);
  for (int i = 0; i < kNameTries; ++i) {
    const Label have = e_.label(), other = e_.label(), loop = e_.label();
    e_.store(8, e_.stack_address(key), 0, hash);
    const Reg element = e_.call(BPF_FUNC_map_lookup_elem, {e_.map(map), e_.stack_address(key)});
    e_.jump_if_imm(Cond::kNe, element, 0, have);
    // Another CPU may enter it first, or another record with its name.
    e_.call_void(BPF_FUNC_map_update_elem,
                 {e_.map(map), e_.stack_address(key), record, e_.imm(BPF_NOEXIST)});
    e_.mov(element, e_.call(BPF_FUNC_map_lookup_elem, {e_.map(map), e_.stack_address(key)}));
    e_.jump_if_imm(Cond::kEq, element, 0, full);
    e_.bind(have);
    const Reg at = e_.imm(0);
    e_.bind(loop);
    e_.jump_if(Cond::kNe, e_.load(8, sum(e_, python_, at), kPythonRecord),
               e_.load(8, sum(e_, element, at), 0), other);
    e_.alu_imm(Alu::kAdd, at, 8);
    e_.jump_if_imm(Cond::kLt, at, kPythonRecordBytes, loop);
    e_.jump(found);
    e_.bind(other);
    e_.alu_imm(Alu::kAdd, hash, 2);
  }
  e_.bind(full);
  const Reg lost = behind(e_, e_.load(8, python_, kPythonLost), 1);
  e_.store(8, python_, kPythonLost, lost);
  e_.jump(none_);
  e_.bind(found);
  e_.store(8, python_, kPythonWord, hash);
}

}  // namespace dt::bpf
