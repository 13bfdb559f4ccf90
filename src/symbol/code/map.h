#pragma once
// Where instructions begin in the code of a file. A breakpoint anywhere else would change
// what the program does, and symbols and notes may be wrong: so no single source decides. x86-64.
//
//   .text   |--- described ---|  other  |--- described ---|--- described ---|
//   counted ^---------------->          ^---------------->^---------------->
//   reached                     ^ ->  <- a call or a jump
//
// Where call frame information describes the code, which the program itself lives by,
// instructions are counted from the beginning of what is described together. Elsewhere
// (assembler, and what linkers add) there may be data among the code: there begins what is reached
// from such code, from where the program begins, from what the loader calls, and from what it
// exports, where an instruction is counted to from the end of what was described before. In a file
// without call frame information all is counted from the beginning of its sections.

#include <cstdint>
#include <map>
#include <unordered_set>
#include <vector>

#include "machine/x86_64/instructions.h"
#include "symbol/elf/file.h"
#include "symbol/frames/call_frames.h"

namespace dt::symbol {

class CodeMap {
 public:
  // `elf` must live as long. It is read at the first question.
  explicit CodeMap(const ElfFile& elf) : elf_(elf) {}

  // Whether an instruction begins at the address, as the file has it. False, too, where
  // that cannot be decided: where descriptions contradict each other, or something that is no
  // instruction stands before it in what is counted.
  bool begins(std::uint64_t address);

 private:
  // What was counted of a range: up to `next`, or to what is no instruction.
  struct Counted {
    std::uint64_t next = 0;
    bool stops = true;  // at what is no instruction
    bool is_damaged = false;
    std::vector<bool> begins;  // by the distance from its beginning
  };
  using Addresses = std::vector<std::uint64_t>;

  void read();
  std::size_t first_behind(std::uint64_t address) const;  // in `described_`
  bool is_described(std::uint64_t address) const;
  // The descriptions that contain the address.
  std::vector<CodeRange> descriptions_of(std::uint64_t address) const;
  bool count(const CodeRange& range, std::uint64_t address, bool stops);
  // What is not described around an address that is not.
  CodeRange gap_at(std::uint64_t address) const;
  void go_on(const CodeRange& range, std::uint64_t address, Counted& counted);
  void find_roots();
  void find_called_by_loader();
  void find_calls(const ElfFile::Segment& segment);
  void add_neighbours(std::uint64_t address);
  void reach();
  void reach_from(std::uint64_t address);

  const ElfFile& elf_;
  bool is_read_ = false, has_frames_ = false, has_roots_ = false;
  std::vector<CodeRange> described_;  // ascending
  Addresses ends_;                    // by index in `described_`: the largest up to there
  std::map<CodeRange, Counted> counted_;
  Addresses targets_;  // of calls and jumps, that were not followed yet
  std::unordered_set<std::uint64_t> reached_, neighbours_;
  std::uint64_t left_ = 0;  // bytes that may still be read
  CodeRange code_;          // the last section that was asked for
  CodeRange alone_;         // the last description, when no other has anything of it
};

}  // namespace dt::symbol
