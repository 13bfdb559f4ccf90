// See code_frames.h.

#include "symbol/frames/code_frames.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "machine/x86_64/calls.h"
#include "machine/x86_64/decoder.h"
#include "symbol/frames/frame_table_maker.h"
#include "symbol/frames/functions.h"

namespace dt::symbol {
namespace {

using machine::Decoded;
using machine::Mnemonic;
using machine::Register;

constexpr std::uint64_t kMaxCodeBytes = 16 << 20, kMaxDataBytes = 64 << 20;
constexpr std::size_t kMaxJumps = 32;  // of one function, by tables
constexpr std::int32_t kUnknownDepth = -1, kMaxDepth = 1 << 20;

// What is known before an instruction, in bytes below the CFA (canonical frame address), which is
// rsp as it was before the call. At a function's entry rsp is 8 below, where the return address is.
//
//   CFA      | the caller's frame
//   CFA - 8  | return address       depth 8: rsp at the entry
//   CFA - 16 | the caller's rbp     saved 16, frame 16: after push rbp; mov rbp, rsp
//            | locals
struct State {
  std::int32_t depth = 8;  // of rsp
  std::int32_t saved = 0;  // of the caller's rbp; 0: it is in rbp
  std::int32_t frame = 0;  // of where rbp points; 0: somewhere else
  bool is_lost = false;    // the caller's rbp
  auto operator<=>(const State&) const = default;
};

FrameRule rule_of(const State& state) {
  FrameRule rule;
  const bool by_frame = state.depth == kUnknownDepth;
  rule.base = by_frame ? FrameRule::Base::kFramePointer : FrameRule::Base::kStackPointer;
  rule.offset = by_frame ? state.frame : state.depth;
  rule.rbx = FrameRule::kRbxLost;
  if (state.is_lost || state.saved > -std::numeric_limits<std::int16_t>::min()) {
    rule.saved = FrameRule::Saved::kLost;
  } else if (state.saved != 0) {
    rule.saved = FrameRule::Saved::kAtCfa;
    rule.frame_pointer = static_cast<std::int16_t>(-state.saved);
  }
  return rule;
}

void move_stack(State& state, std::int64_t down, bool& is_known) {
  if (state.depth == kUnknownDepth) return;
  const std::int64_t depth = state.depth + down;
  if (depth < 0 || depth > kMaxDepth) is_known = false;
  state.depth = static_cast<std::int32_t>(depth);
}

void pop_frame_pointer(State& state) {
  // The word at the top is the caller's rbp only if rbp was pushed to this place, unchanged.
  const bool is_callers = !state.is_lost && state.saved != 0 && state.saved == state.depth + 8;
  state.is_lost = state.is_lost || !is_callers;
  if (is_callers) state.saved = 0;
  state.frame = 0;
}

// What computes rsp or rbp anew: sub, add, and, lea and mov. Nothing for an instruction that does
// not; false when what is known before does not determine the registers behind it.
std::optional<bool> set_registers(const Decoded& one, State& state) {
  constexpr auto kRsp = Register::kSp, kRbp = Register::kBp;
  bool is_known = true;
  switch (one.mnemonic) {
    case Mnemonic::kSub:
    case Mnemonic::kAdd:
      if (!one.is_register(0, kRsp)) return std::nullopt;
      if (const auto bytes = one.immediate(1)) {
        const bool is_down = one.mnemonic == Mnemonic::kSub;
        move_stack(state, is_down ? *bytes : -*bytes, is_known);
        return is_known;
      }
      state.depth = kUnknownDepth;
      return state.frame != 0;
    // Alignment of the stack: how far rsp moved depends on its value. Only rbp leads to the CFA
    // then.
    case Mnemonic::kAnd:
      if (!one.is_register(0, kRsp)) return std::nullopt;
      state.depth = kUnknownDepth;
      return state.frame != 0;
    case Mnemonic::kLea: {
      if (!one.is_register(0, kRsp)) return std::nullopt;
      if (const auto at = one.displacement(1, kRsp)) {
        move_stack(state, -*at, is_known);
        return is_known;
      }
      const auto at = one.displacement(1, kRbp);
      if (!at || state.frame == 0) return false;
      state.depth = state.frame;
      move_stack(state, -*at, is_known);
      return is_known;
    }
    case Mnemonic::kMov:
      if (one.is_register(0, kRbp) && one.is_register(1, kRsp)) {
        if (state.depth == kUnknownDepth) return false;
        if (state.saved == 0) state.is_lost = true;
        state.frame = state.depth;
        return true;
      }
      if (!one.is_register(0, kRsp)) return std::nullopt;
      if (!one.is_register(1, kRbp) || state.frame == 0) return false;
      state.depth = state.frame;
      return true;
    default:
      return std::nullopt;
  }
}

// Makes `state` what is known after the instruction; false when what is known before does not
// determine it. Only what changes rsp and rbp matters. A call leaves both as they were, by the ABI.
bool step(const Decoded& one, State& state) {
  constexpr auto kRsp = Register::kSp, kRbp = Register::kBp;
  bool is_known = true;
  switch (one.mnemonic) {
    case Mnemonic::kCall:
      return true;
    case Mnemonic::kPush:
    case Mnemonic::kPushFlags:
      move_stack(state, 8, is_known);
      if (one.is_register(0, kRbp) && state.saved == 0 && !state.is_lost) {
        if (state.depth == kUnknownDepth) return false;
        state.saved = state.depth;
      }
      // A push of 16 bits, which the processor allows, moves rsp by 2.
      return is_known && one.operand_width == 64;
    case Mnemonic::kPop:
    case Mnemonic::kPopFlags:
      if (one.is_register(0, kRsp)) return false;
      move_stack(state, -8, is_known);
      if (one.is_register(0, kRbp)) pop_frame_pointer(state);
      return is_known && one.operand_width == 64;
    case Mnemonic::kLeave:
      if (state.frame == 0) return false;
      state.depth = state.frame - 8;
      pop_frame_pointer(state);
      return true;
    default:
      break;
  }
  if (const auto known = set_registers(one, state)) return *known;
  if (one.writes(kRsp)) return false;
  if (one.writes(kRbp)) {
    if (state.depth == kUnknownDepth) return false;
    state.frame = 0;
    if (state.saved == 0) state.is_lost = true;
  }
  return true;
}

bool ends(Mnemonic mnemonic) {
  return mnemonic == Mnemonic::kReturn || mnemonic == Mnemonic::kStop;
}

// All places are offsets in the code.
class CodeReader {
 public:
  CodeReader(ElfFile::Bytes code, std::uint64_t address)
      : code_(std::move(code)), address_(address), states_(code_.size()), lengths_(code_.size()) {}

  void add_start(std::uint64_t address) {
    if (address - address_ < code_.size()) {
      starts_.insert(static_cast<std::uint32_t>(address - address_));
    }
  }
  // Adds the starts of functions that are called, or whose address is taken. A linear pass may
  // decode data as instructions, and find starts that are none. Such a start only cuts a function
  // in two; the second half is then followed with the state of an entry, contradicts itself, and
  // gets no rules.
  void find_starts() {
    Decoded one;
    for (std::uint32_t at = 0; at < code_.size();) {
      if (!decode(at, one)) {
        ++at;
        continue;
      }
      if (one.mnemonic == Mnemonic::kCall) {
        if (const auto to = one.target(at)) add_start(address_ + static_cast<std::uint64_t>(*to));
      } else if (one.mnemonic == Mnemonic::kLea) {
        if (const auto to = one.displacement(1, Register::kIp)) {
          add_start(address_ + at + one.length + static_cast<std::uint64_t>(*to));
        }
      }
      at += one.length;
    }
  }
  // By function: from its start to the next one. What a function jumps to outside of itself is a
  // tail call, and ends its own frame.
  void follow_all() {
    for (auto it = starts_.begin(); it != starts_.end(); ++it) {
      const auto after = std::next(it);
      begin_ = *it;
      end_ = after == starts_.end() ? static_cast<std::uint32_t>(code_.size()) : *after;
      if (follow_function()) continue;
      std::fill(states_.begin() + begin_, states_.begin() + end_, 0);
    }
  }
  // (place, rule), ascending; all of the code has one. The rule of an instruction is the state
  // before it: a sample and a return address are at its beginning.
  std::vector<std::pair<std::uint32_t, FrameRule>> rules() const {
    FrameRule unsupported;
    unsupported.base = FrameRule::Base::kUnsupported;
    FrameRule signal;
    signal.base = FrameRule::Base::kSignal;
    signal.offset = kSignalIp;
    std::vector<std::pair<std::uint32_t, FrameRule>> all;
    for (std::uint32_t at = 0; at < code_.size();) {
      if (is_sigreturn(at + 1)) {  // where a call before it would be
        all.emplace_back(at, signal);
        at += 1 + static_cast<std::uint32_t>(machine::kSignalReturn.size());
        continue;
      }
      const std::uint32_t state = states_[at];
      all.emplace_back(at, state == 0 ? unsupported : rule_of(known_[state - 1]));
      const std::uint32_t end = at + (state == 0 ? 1U : lengths_[at]);
      for (++at; at < end && !is_sigreturn(at + 1);) ++at;
    }
    return all;
  }

 private:
  bool is_sigreturn(std::size_t at) const {
    return at + machine::kSignalReturn.size() <= code_.size() &&
           std::memcmp(code_.data() + at, machine::kSignalReturn.data(),
                       machine::kSignalReturn.size()) == 0;
  }
  bool decode(std::uint32_t at, Decoded& out) const {
    return decoder_.decode(std::span(code_).subspan(at), out);
  }
  std::uint32_t number_of(const State& state) {
    const auto [it, is_new] =
        numbers_.try_emplace(state, static_cast<std::uint32_t>(known_.size() + 1));
    if (is_new) known_.push_back(state);
    return it->second;
  }
  // False when an instruction is reached in two states: two ways with different depths of the stack
  // cannot both be understood rightly, so the whole function gets no rules.
  bool follow_function() {
    jumps_.clear();
    if (!follow(begin_, State())) return false;
    // What jumps by a table has all of it behind itself.
    for (std::size_t i = 0; i < jumps_.size(); ++i) {
      if (i == kMaxJumps) return false;
      const auto [from, state] = jumps_[i];
      for (std::uint32_t at = from; at < end_;) {
        if (states_[at] == 0 && !follow(at, state)) return false;
        at += std::max<std::uint32_t>(lengths_[at], 1);
      }
    }
    return true;
  }
  bool follow(std::uint32_t from, const State& first) {
    std::vector<std::pair<std::uint32_t, State>> left = {{from, first}};
    Decoded one;
    while (!left.empty()) {
      auto [at, state] = left.back();
      left.pop_back();
      while (at >= begin_ && at < end_) {
        const std::uint32_t number = number_of(state);
        if (states_[at] == number) break;
        if (states_[at] != 0 || !decode(at, one)) return false;
        states_[at] = number;
        lengths_[at] = one.length;
        const std::uint32_t next = at + one.length;
        if (ends(one.mnemonic)) {
          // At `ret`, rsp is at the return address, or the function was not understood. This is the
          // check of everything before.
          if (one.mnemonic == Mnemonic::kReturn && state.depth != 8) return false;
          break;
        }
        const bool is_jump = one.mnemonic == Mnemonic::kJmp;
        const bool is_branch = one.is_conditional_jump;
        const auto to = is_jump || is_branch ? one.target(at) : std::nullopt;
        // An indirect jump: the target is in a table of a switch, or the jump leaves the function.
        if (is_jump && !to) jumps_.emplace_back(next, state);
        if (to && *to >= begin_ && *to < end_) {
          left.emplace_back(static_cast<std::uint32_t>(*to), state);
        }
        if (is_jump || !step(one, state)) break;
        at = next;
      }
    }
    return true;
  }

  machine::Decoder decoder_;
  ElfFile::Bytes code_;
  std::uint64_t address_;
  std::set<std::uint32_t> starts_;
  std::uint32_t begin_ = 0, end_ = 0;  // of the function that is followed
  std::vector<std::uint32_t> states_;  // before the instruction there: numbers; 0: none
  std::vector<std::uint8_t> lengths_;  // of that instruction
  std::vector<State> known_;           // by number - 1
  std::map<State, std::uint32_t> numbers_;
  std::vector<std::pair<std::uint32_t, State>> jumps_;
};

// Adds functions that are called by pointer: the pointers that the loader fills in, and those that
// are in the file. A function without a symbol may be called by pointer only, so every word of
// these sections that looks like an address of the code counts as a start. One too many does little
// harm (see find_starts()).
void add_pointers(const ElfFile& elf, CodeReader& code) {
  const Result<ElfFile::Bytes> relocations = elf.section(".rela.dyn", kMaxDataBytes);
  for (std::size_t at = 0; relocations.ok() && at + sizeof(Elf64_Rela) <= relocations->size();
       at += sizeof(Elf64_Rela)) {
    Elf64_Rela one;
    std::memcpy(&one, relocations->data() + at, sizeof one);
    // Position-independent files: the word itself is 0 in the file, the addend of its relocation is
    // the address.
    if (ELF64_R_TYPE(one.r_info) == R_X86_64_RELATIVE) {
      code.add_start(static_cast<std::uint64_t>(one.r_addend));
    }
  }
  for (const char* const section : {".data.rel.ro", ".data", ".init_array", ".fini_array"}) {
    const Result<ElfFile::Bytes> data = elf.section(section, kMaxDataBytes);
    for (std::size_t at = 0; data.ok() && at + 8 <= data->size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, data->data() + at, sizeof word);
      code.add_start(word);
    }
  }
}

std::uint64_t covered(const FrameTable& table, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i + 1 < table.rows.size(); ++i) {
    if (table.rules[table.rows[i].rule].base == FrameRule::Base::kUnknown) continue;
    const std::uint64_t from = std::max<std::uint64_t>(table.rows[i].offset, begin);
    const std::uint64_t to = std::min<std::uint64_t>(table.rows[i + 1].offset, end);
    if (from < to) bytes += to - from;
  }
  return bytes;
}

}  // namespace

// Only for files whose unwind table covers less than half of their code, as those that were built
// with -fno-asynchronous-unwind-tables or written in assembler. Where the table has an entry, the
// entry is used.
FrameTable with_code_frames(const FrameTable& table, const ElfFile& elf) {
  const ElfFile::Extent text = elf.extent(".text");
  if (text.size == 0 || text.is_compressed || text.size > kMaxCodeBytes ||
      text.offset + text.size > std::numeric_limits<std::uint32_t>::max() ||
      covered(table, text.offset, text.offset + text.size) >= text.size / 2) {
    return table;
  }
  ElfFile::Bytes bytes(text.size);
  if (!elf.read(text.offset, bytes.data(), bytes.size())) return table;
  CodeReader code(std::move(bytes), elf.section_address(".text"));
  const Functions functions = Functions::read(elf, nullptr);
  for (const Function& one : functions.all()) code.add_start(one.address);
  add_pointers(elf, code);
  code.find_starts();
  code.follow_all();
  FrameTableMaker maker;
  auto row = table.rows.begin();
  FrameRule said;
  const auto pass = [&](std::uint64_t end, const FrameRule* instead) {
    for (; row != table.rows.end() && row->offset < end; ++row) {
      said = table.rules[row->rule];
      const bool is_known = said.base != FrameRule::Base::kUnknown;
      maker.add(row->offset, is_known || instead == nullptr ? said : *instead);
    }
  };
  pass(text.offset, nullptr);
  FrameRule last;
  for (const auto& [at, rule] : code.rules()) {
    const auto offset = static_cast<std::uint32_t>(text.offset + at);
    pass(offset, &last);
    const bool is_said_here = row != table.rows.end() && row->offset == offset;
    if (!is_said_here && said.base == FrameRule::Base::kUnknown) maker.add(offset, rule);
    last = rule;
    if (is_said_here) pass(offset + 1, &last);
  }
  pass(text.offset + text.size, &last);
  maker.add(static_cast<std::uint32_t>(text.offset + text.size), said);
  pass(std::numeric_limits<std::uint64_t>::max(), nullptr);
  return maker.take();
}

}  // namespace dt::symbol
