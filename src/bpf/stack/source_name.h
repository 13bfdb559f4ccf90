#pragma once
// What the routines that read interpreters' frames (python.h, ruby.h) are written with.

#include <cstddef>
#include <functional>

#include "bpf/routine/string_code.h"
#include "bpf/stack/python.h"

namespace dt::bpf {

constexpr std::int32_t kMaxSourceLine = (1 << symbol::kSourceLineBits) - 1;

// Where a member of the SourceRecord is in the state.
constexpr std::int32_t in_record(std::size_t member) {
  return kPythonRecord + static_cast<std::int32_t>(member);
}
// `bytes` of the process's memory into the buffer.
void read_buffer(Emitter& e, Reg python, Reg from, std::int32_t bytes, Label bad);
// A word of the buffer.
Reg in_buffer(Emitter& e, Reg python, std::int32_t offset, std::uint32_t bytes = 8);
// address + offset
Reg behind(Emitter& e, Reg address, std::int32_t offset);
// kPythonWord, a name, and kPythonNumber as what stands for the frame.
void enter_line(Emitter& e, Reg python);
// The symbol::InterpreterImage that the last frame's code is of.
Reg interpreter_image(Emitter& e, Reg state);

// A text of a symbol::SourceRecord.
struct SourceText {
  std::size_t at, room, length_at, width_at;
  bool keeps_end;  // of what does not fit, and not the beginning
};
constexpr SourceText kSourceFunction = {offsetof(symbol::SourceRecord, function),
                                        sizeof(symbol::SourceRecord::function),
                                        offsetof(symbol::SourceRecord, function_length),
                                        offsetof(symbol::SourceRecord, function_width), false};
constexpr SourceText kSourceFile = {
    offsetof(symbol::SourceRecord, file), sizeof(symbol::SourceRecord::file),
    offsetof(symbol::SourceRecord, file_length), offsetof(symbol::SourceRecord, file_width), true};

// Writes a function (python) that makes a record of two texts, and its name in kPythonWord, 0
// for none.
class SourceNameCode {
 public:
  SourceNameCode(Emitter& e, Reg python) : e_(e), python_(python) {}

  // `texts` takes both.
  void write(const std::function<void(SourceNameCode&)>& texts);
  // `length` characters of so many bytes from an address on; `width` is what the record says.
  void take(const SourceText& text, Reg from, Reg length, Reg bytes, Reg width);
  // Where to go when one cannot be read.
  Label none() const { return none_; }

 private:
  Reg hash();
  void enter(Reg record, Reg hash);

  Emitter& e_;
  Reg python_;
  Label none_ = e_.label();
};

}  // namespace dt::bpf
