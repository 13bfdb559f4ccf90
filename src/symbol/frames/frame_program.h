#pragma once
// The instructions of call frame information, carried out (DWARF 5, 6.4.2): they tell,
// from the first byte of a function to its last, where the caller's registers are.
//
//   FrameProgram program(conventions, text);
//   while (at < end) {
//     next = program.run(at);    // up to the next place where something changes
//     ... program.rule() holds from `at` up to `next` ...
//     at = next;
//   }

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "symbol/frames/frame_bytes.h"
#include "symbol/frames/frame_table.h"

namespace dt::symbol {

// Where a register of the caller is to be found.
struct FramePlace {
  enum class Kind : std::uint8_t {
    kUnspecified,  // the program has no rule for it
    kSame,
    kUndefined,
    kAtCfa,       // at CFA + offset
    kCfa,         // it is CFA + offset
    kAtRegister,  // at the register `number` + offset
    kOther,
  };
  Kind kind = Kind::kUnspecified;
  std::uint8_t number = 0;
  std::int64_t offset = 0;
};

// What the instructions say of one place of the code.
struct FrameState {
  enum class Cfa : std::uint8_t {
    kUnspecified,
    kRegister,  // the register `number` + offset
    kMemory,    // what is at the register `number` + offset, and `added`
    kPlt,       // FrameRule::Base::kPlt
    kOther,
  };
  Cfa cfa = Cfa::kUnspecified;
  std::uint8_t number = 0;
  std::uint8_t added = 0;  // of kMemory
  std::int64_t offset = 0;
  FramePlace frame_pointer, stack_pointer, return_address, rbx;
};

// What functions have in common (a "CIE").
struct FrameConventions {
  std::uint64_t code_alignment = 1;
  std::int64_t data_alignment = 1;
  std::uint8_t encoding = 0;          // of addresses
  std::optional<std::uint64_t> data;  // from where some of them count
  bool has_data = false;              // before the instructions: its size, and it
  bool is_signal = false;             // what signal handlers return to
  bool is_damaged = false;            // `initial` is not known
  FrameState initial;
};

class FrameProgram {
 public:
  static constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();
  // How often the state may be remembered at a time.
  static constexpr std::size_t kMaxDepth = 64;

  // `conventions` must outlive it.
  FrameProgram(const FrameConventions& conventions, FrameBytes text);

  // Carries out what is left up to an instruction that goes on from the address `at` to
  // another, which is returned. kEnd when there is none, or the text is damaged.
  std::uint64_t run(std::uint64_t at);
  FrameRule rule() const;
  const FrameState& state() const { return state_; }
  bool is_damaged() const { return is_damaged_; }

 private:
  void execute(std::uint8_t instruction);
  void execute_cfa(std::uint8_t instruction);
  void execute_place(std::uint8_t instruction);
  void advance(std::uint64_t units);
  void go_to(std::uint64_t address);
  void set_cfa(std::uint64_t number, std::int64_t offset);
  void set(std::uint64_t number, const FramePlace& place);
  void restore(std::uint64_t number);
  std::int64_t factored(std::uint64_t units) const;
  FrameRule signal_rule() const;

  const FrameConventions& how_;
  FrameBytes text_;
  FrameState state_;
  std::vector<FrameState> remembered_;
  std::uint64_t at_ = 0;
  bool is_damaged_ = false;
};

}  // namespace dt::symbol
