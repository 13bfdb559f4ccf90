#pragma once
// Bytes: moving bytes and strings between values and places.
//
// Bytes are moved as 8-byte words, unrolled to a limit; beyond it the kernel's copy routine does it
// (bpf_probe_read_kernel of our own memory), which costs the verifier nothing whatever the size.

#include <cstdint>
#include <optional>

#include "bpf/select/value.h"

namespace dt::bpf {

class Emitter;
class Storage;
class Values;
struct FunctionContext;
struct Unit;

// Up to as many bytes are loaded and stored word by word.
constexpr std::uint32_t kUnrolledBytes = 256;

class Bytes {
 public:
  struct StringOperand {
    Reg address;
    std::uint32_t capacity = 0;
  };

  Bytes(FunctionContext& f, Storage& storage, Values& values);

  void zero(Place dst, std::uint32_t bytes);
  void copy_bytes(Place dst, Place src, std::uint32_t bytes);
  std::optional<std::uint64_t> constant_word(const Value& value, std::uint32_t index) const;
  // The value's 8 bytes at `index` * 8, in a register that must not be changed.
  Reg word(const Value& value, std::uint32_t index);
  // Writes `size` bytes at dst: the string, truncated or padded with zeros.
  void put_string(Place dst, std::uint32_t size, const Value& value);
  void put_bytes(Place dst, std::uint32_t size, const Value& value);
  // The value in memory, with at least `avail` readable bytes.
  Place in_memory(const Value& value, std::uint32_t avail, std::uint32_t last_use);
  // Defines the result as the value that is at `place` now.
  void load_from(const ir::Inst& inst, Place place);
  // The integer as a place of `type` would hold it, in a register not to be changed.
  Reg as_type(ir::ValueId id, const ir::Type& type);
  // Writes a value of `type`; strings and bytes fill whole words.
  void store_to(Place place, const ir::Type& type, ir::ValueId value);
  void add_to(Place place, const ir::Type& type, ir::ValueId delta);
  // Zeroes the bytes between two fields.
  void put_gap(Place base, std::uint32_t from, std::uint32_t to);
  // Zeroes buffer[length, size) where the verifier knows no more of `length` than
  // that it is at most `size`: it wants to see size bytes behind every place
  // where the zeros could begin, so as many are kept readable behind the frame.
  void zero_tail(Place buffer, std::uint32_t size, Reg length);
  // The string as routines want it: in scratch memory.
  StringOperand operand(ir::ValueId id);
  // Where the result is to be: zeros, in scratch memory.
  Place result_buffer(const ir::Inst& inst);
  // Copies `count` bytes, which are no more than `most`, or as many as leave room
  // for a NUL.
  void copy_part(Place to, std::uint32_t capacity, Reg from, Reg count, std::uint32_t most);
  // Clears what stands behind the first NUL: old kernels leave the end of a
  // longer name there, and equal names must be equal as words. The lowest byte
  // whose top bit is set in (x - 0x01..) & ~x & 0x80.. is the first NUL.
  void truncate_at_nul(Reg low, Reg high);
  // Clears what stands behind the first NUL of `word`; goes to `none` without one.
  void keep_to_nul(Reg word, Label none);

 private:
  Place string_constant(std::uint32_t string, std::uint32_t avail);

  FunctionContext& f_;
  Unit& unit_;
  Emitter& e_;
  Storage& storage_;
  Values& values_;
};

}  // namespace dt::bpf
