// See frame_program.h.

#include "symbol/frames/frame_program.h"

namespace dt::symbol {
namespace {

using Cfa = FrameState::Cfa;
using PlaceKind = FramePlace::Kind;

// DWARF's numbers of registers of x86-64 (System V ABI, AMD64 supplement, 3.6.2).
constexpr std::uint8_t kRbx = 3, kRbp = 6, kStackRegister = 7, kRip = 16;
constexpr std::int64_t kWordBytes = 8;

// DW_CFA_*: two bits and an operand of six, or all eight.
enum : std::uint8_t {
  kAdvance = 0x40,
  kOffset = 0x80,
  kRestore = 0xc0,
  kNop = 0x00,
  kSetLoc = 0x01,
  kAdvance1 = 0x02,
  kAdvance2 = 0x03,
  kAdvance4 = 0x04,
  kOffsetExtended = 0x05,
  kRestoreExtended = 0x06,
  kUndefined = 0x07,
  kSameValue = 0x08,
  kRegister = 0x09,
  kRememberState = 0x0a,
  kRestoreState = 0x0b,
  kDefCfa = 0x0c,
  kDefCfaRegister = 0x0d,
  kDefCfaOffset = 0x0e,
  kDefCfaExpression = 0x0f,
  kExpression = 0x10,
  kOffsetExtendedSf = 0x11,
  kDefCfaSf = 0x12,
  kDefCfaOffsetSf = 0x13,
  kValOffset = 0x14,
  kValOffsetSf = 0x15,
  kValExpression = 0x16,
  kMipsAdvance8 = 0x1d,
  kGnuArgsSize = 0x2e,
  kGnuNegativeOffsetExtended = 0x2f,
};

// DW_OP_*, those that are understood.
enum : std::uint8_t {
  kDeref = 0x06,
  kAnd = 0x1a,
  kPlus = 0x22,
  kAddConstant = 0x23,
  kShl = 0x24,
  kGe = 0x2a,
  kLit0 = 0x30,
  kLit3 = 0x33,
  kLit15 = 0x3f,
  kLit31 = 0x4f,
  kBreg0 = 0x70,
  kBreg31 = 0x8f,
  kBregx = 0x92,
};

struct RegisterPlus {
  std::uint8_t number;
  std::int64_t offset;
};

// The operation that adds to a register, which is one of a program.
std::optional<RegisterPlus> take_register_plus(FrameBytes& text) {
  const auto operation = text.read<std::uint8_t>();
  std::uint64_t number = kRip + 1;
  if (operation >= kBreg0 && operation <= kBreg31) number = std::uint64_t{operation} - kBreg0;
  if (operation == kBregx) number = text.uleb();
  const std::int64_t offset = text.sleb();
  if (!text.ok() || number > kRip) return std::nullopt;
  return RegisterPlus{static_cast<std::uint8_t>(number), offset};
}

// What follows "rsp + 8" in the expression for the entries of a .plt:
//
//   rip + 0, 15, and, N, >=, 3, <<, +
//
// Each entry is 16 bytes and pushes a word on its way, so linkers describe all of them with one
// expression. N is where in an entry the word has been pushed, and from there on the CFA is 8 more
// (1 << 3).
std::optional<std::uint8_t> take_plt(FrameBytes& text) {
  const auto rip = take_register_plus(text);
  if (!rip || rip->number != kRip || rip->offset != 0) return std::nullopt;
  const auto is = [&](std::uint8_t wanted) { return text.read<std::uint8_t>() == wanted; };
  if (!is(kLit15) || !is(kAnd)) return std::nullopt;
  const auto literal = text.read<std::uint8_t>();
  if (literal < kLit0 || literal > kLit31) return std::nullopt;
  if (!is(kGe) || !is(kLit3) || !is(kShl) || !is(kPlus) || !text.at_end()) return std::nullopt;
  return static_cast<std::uint8_t>(literal - kLit0);
}

// Sets what `state` says of the CFA.
void set_cfa_expression(FrameState& state, FrameBytes text) {
  const auto base = take_register_plus(text);
  state.cfa = Cfa::kOther;
  if (!base) return;
  state.number = base->number;
  state.offset = base->offset;
  if (text.at_end()) {
    state.cfa = Cfa::kRegister;
    return;
  }
  FrameBytes rest = text;
  if (rest.read<std::uint8_t>() == kDeref) {
    const bool adds = !rest.at_end() && rest.read<std::uint8_t>() == kAddConstant;
    const std::uint64_t added = adds ? rest.uleb() : 0;
    if (!rest.ok() || !rest.at_end() || added > std::numeric_limits<std::uint8_t>::max()) return;
    state.cfa = Cfa::kMemory;
    state.added = static_cast<std::uint8_t>(added);
    return;
  }
  if (base->number != kStackRegister || base->offset != kWordBytes) return;
  if (const auto threshold = take_plt(text)) {
    state.cfa = Cfa::kPlt;
    state.offset = *threshold;
  }
}

FramePlace expression_place(FrameBytes text) {
  const auto base = take_register_plus(text);
  if (!base || !text.at_end()) return {PlaceKind::kOther, 0, 0};
  return {PlaceKind::kAtRegister, base->number, base->offset};
}

template <typename T>
bool fits(std::int64_t value) {
  return value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max();
}

FrameRule without_cfa(FrameRule::Base base) {
  FrameRule rule;
  rule.base = base;
  return rule;
}

// Fills in what tells the caller's rbp.
void set_saved(FrameRule& rule, const FramePlace& place) {
  using Saved = FrameRule::Saved;
  rule.saved = Saved::kLost;
  if (place.kind == PlaceKind::kUnspecified || place.kind == PlaceKind::kSame)
    rule.saved = Saved::kSame;
  if (!fits<std::int16_t>(place.offset)) return;
  if (place.kind == PlaceKind::kAtCfa) rule.saved = Saved::kAtCfa;
  if (place.kind == PlaceKind::kAtRegister && place.number == kRbp)
    rule.saved = Saved::kAtFramePointer;
  if (rule.saved == Saved::kAtCfa || rule.saved == Saved::kAtFramePointer) {
    rule.frame_pointer = static_cast<std::int16_t>(place.offset);
  }
}

// FrameRule::rbx
std::uint8_t rbx_of(const FramePlace& place) {
  if (place.kind == PlaceKind::kUnspecified || place.kind == PlaceKind::kSame)
    return FrameRule::kRbxSame;
  const std::int64_t words = -(place.offset / kWordBytes);
  const bool is_below = place.kind == PlaceKind::kAtCfa && place.offset % kWordBytes == 0 &&
                        words > 0 && words < FrameRule::kRbxLost;
  return is_below ? static_cast<std::uint8_t>(words) : FrameRule::kRbxLost;
}

// kUnsupported when no rule can express the CFA of `state`.
FrameRule::Base base_of(const FrameState& state) {
  using Base = FrameRule::Base;
  if (state.offset > kMaxFrameOffset || state.offset < -kMaxFrameOffset) return Base::kUnsupported;
  switch (state.cfa) {
    case Cfa::kRegister:
      if (state.number == kStackRegister) return Base::kStackPointer;
      if (state.number == kRbp) return Base::kFramePointer;
      return state.number < kRip ? Base::kRegister : Base::kUnsupported;
    case Cfa::kMemory:
      if (state.number == kStackRegister) return Base::kStackPointerMemory;
      return state.number == kRbp ? Base::kFramePointerMemory : Base::kUnsupported;
    case Cfa::kPlt:
      return Base::kPlt;
    case Cfa::kUnspecified:
    case Cfa::kOther:
      return Base::kUnsupported;
  }
  return Base::kUnsupported;
}

}  // namespace

FrameProgram::FrameProgram(const FrameConventions& conventions, FrameBytes text)
    : how_(conventions),
      text_(text),
      state_(conventions.initial),
      is_damaged_(conventions.is_damaged) {}

std::uint64_t FrameProgram::run(std::uint64_t at) {
  at_ = at;
  while (!is_damaged_ && !text_.at_end()) {
    execute(text_.read<std::uint8_t>());
    if (!text_.ok()) is_damaged_ = true;
    if (at_ != at && !is_damaged_) return at_;
  }
  return kEnd;
}

void FrameProgram::execute(std::uint8_t instruction) {
  const std::uint8_t operand = instruction & 0x3f;
  switch (instruction & 0xc0) {
    case kAdvance:
      return advance(operand);
    case kOffset:
      return set(operand, {PlaceKind::kAtCfa, 0, factored(text_.uleb())});
    case kRestore:
      return restore(operand);
    default:
      break;
  }
  switch (instruction) {
    case kNop:
      return;
    case kSetLoc:
      return go_to(text_.pointer(how_.encoding, how_.data));
    case kAdvance1:
      return advance(text_.read<std::uint8_t>());
    case kAdvance2:
      return advance(text_.read<std::uint16_t>());
    case kAdvance4:
      return advance(text_.read<std::uint32_t>());
    case kMipsAdvance8:
      return advance(text_.read<std::uint64_t>());
    case kRememberState:
      if (remembered_.size() == kMaxDepth) return text_.fail();
      remembered_.push_back(state_);
      return;
    case kRestoreState:
      if (remembered_.empty()) return text_.fail();
      state_ = remembered_.back();
      remembered_.pop_back();
      return;
    case kGnuArgsSize:  // of interest to those who handle exceptions
      text_.uleb();
      return;
    case kDefCfa:
    case kDefCfaSf:
    case kDefCfaRegister:
    case kDefCfaOffset:
    case kDefCfaOffsetSf:
    case kDefCfaExpression:
      return execute_cfa(instruction);
    default:
      return execute_place(instruction);
  }
}

void FrameProgram::execute_cfa(std::uint8_t instruction) {
  if (instruction == kDefCfaExpression) {
    return set_cfa_expression(state_, text_.take(text_.uleb()));
  }
  if (instruction == kDefCfa) {
    const std::uint64_t number = text_.uleb();
    return set_cfa(number, static_cast<std::int64_t>(text_.uleb()));
  }
  if (instruction == kDefCfaSf) {
    const std::uint64_t number = text_.uleb();
    return set_cfa(number, factored(static_cast<std::uint64_t>(text_.sleb())));
  }
  // DWARF 5, 6.4.2.2: they are valid only after a rule that is a register and an offset.
  // The others change one part of a register and an offset.
  if (state_.cfa != Cfa::kRegister) return text_.fail();
  if (instruction == kDefCfaRegister) return set_cfa(text_.uleb(), state_.offset);
  if (instruction == kDefCfaOffset) {
    state_.offset = static_cast<std::int64_t>(text_.uleb());
  } else {
    state_.offset = factored(static_cast<std::uint64_t>(text_.sleb()));
  }
}

// Those that begin with the number of a register.
void FrameProgram::execute_place(std::uint8_t instruction) {
  const std::uint64_t number = text_.uleb();
  const auto signed_units = [&] { return static_cast<std::uint64_t>(text_.sleb()); };
  switch (instruction) {
    case kOffsetExtended:
      return set(number, {PlaceKind::kAtCfa, 0, factored(text_.uleb())});
    case kOffsetExtendedSf:
      return set(number, {PlaceKind::kAtCfa, 0, factored(signed_units())});
    case kGnuNegativeOffsetExtended:
      return set(number, {PlaceKind::kAtCfa, 0, factored(0 - text_.uleb())});
    case kValOffset:
      return set(number, {PlaceKind::kCfa, 0, factored(text_.uleb())});
    case kValOffsetSf:
      return set(number, {PlaceKind::kCfa, 0, factored(signed_units())});
    case kRestoreExtended:
      return restore(number);
    case kUndefined:
      return set(number, {PlaceKind::kUndefined, 0, 0});
    case kSameValue:
      return set(number, {PlaceKind::kSame, 0, 0});
    case kRegister:
      text_.uleb();
      return set(number, {PlaceKind::kOther, 0, 0});
    case kExpression:
      return set(number, expression_place(text_.take(text_.uleb())));
    case kValExpression:
      text_.take(text_.uleb());
      return set(number, {PlaceKind::kOther, 0, 0});
    default:  // of another processor or a later standard: its length is unknown
      return text_.fail();
  }
}

void FrameProgram::advance(std::uint64_t units) {
  const std::uint64_t bytes = units * how_.code_alignment;
  if (units != 0 && bytes / units != how_.code_alignment) return text_.fail();
  go_to(at_ + bytes);
}

void FrameProgram::go_to(std::uint64_t address) {
  if (address < at_) return text_.fail();
  at_ = address;
}

void FrameProgram::set_cfa(std::uint64_t number, std::int64_t offset) {
  state_.cfa = number <= kRip ? Cfa::kRegister : Cfa::kOther;
  state_.number = static_cast<std::uint8_t>(number);
  state_.offset = offset;
}

void FrameProgram::set(std::uint64_t number, const FramePlace& place) {
  if (number == kRbp) state_.frame_pointer = place;
  if (number == kStackRegister) state_.stack_pointer = place;
  if (number == kRip) state_.return_address = place;
  if (number == kRbx) state_.rbx = place;
}

void FrameProgram::restore(std::uint64_t number) {
  if (number == kRbp) state_.frame_pointer = how_.initial.frame_pointer;
  if (number == kStackRegister) state_.stack_pointer = how_.initial.stack_pointer;
  if (number == kRip) state_.return_address = how_.initial.return_address;
  if (number == kRbx) state_.rbx = how_.initial.rbx;
}

// Most operands count in units that the CIE gives (-8 on x86-64), so that they fit a byte.
std::int64_t FrameProgram::factored(std::uint64_t units) const {
  return static_cast<std::int64_t>(units * static_cast<std::uint64_t>(how_.data_alignment));
}

FrameRule FrameProgram::rule() const {
  using Base = FrameRule::Base;
  if (is_damaged_) return without_cfa(Base::kUnsupported);
  const FramePlace& rip = state_.return_address;
  // By convention: _start says that its return address is undefined, so the stack ends there.
  if (rip.kind == PlaceKind::kUndefined) return without_cfa(Base::kOutermost);
  if (how_.is_signal) return signal_rule();
  const FramePlace& rsp = state_.stack_pointer;
  const bool is_cfa =
      rsp.kind == PlaceKind::kUnspecified || (rsp.kind == PlaceKind::kCfa && rsp.offset == 0);
  const bool is_below = rip.kind == PlaceKind::kAtCfa && rip.offset == -kWordBytes;
  const Base base = base_of(state_);
  if (!is_cfa || !is_below || base == Base::kUnsupported) return without_cfa(Base::kUnsupported);
  FrameRule rule;
  rule.base = base;
  if (base == Base::kRegister) rule.number = state_.number;
  if (state_.cfa == Cfa::kMemory) rule.number = state_.added;
  rule.offset = static_cast<std::int32_t>(state_.offset);
  set_saved(rule, state_.frame_pointer);
  rule.rbx = rbx_of(state_.rbx);
  return rule;
}

// The rule of the kernel's signal frame, in which all registers are in a ucontext on the stack,
// each at rsp + a constant; the CFA is the rsp in there. The C library describes its restorer by
// expressions for each register; that all of them agree with the layout of ucontext shows that it
// is this frame and nothing else.
FrameRule FrameProgram::signal_rule() const {
  // struct sigcontext has rip behind rsp; rbx and rbp are before it: r8 ... r15, rdi, rsi, rbp,
  // rbx, rdx, rax, rcx, rsp, rip.
  constexpr std::int64_t kAboveStackPointer = 8, kAboveRbx = 40, kAboveFramePointer = 48;
  const std::int64_t rip = state_.return_address.offset;
  const auto is_at = [](const FramePlace& place, std::int64_t offset) {
    return place.kind == PlaceKind::kAtRegister && place.number == kStackRegister &&
           place.offset == offset;
  };
  if (!is_at(state_.return_address, rip) || rip < 0 || rip > kMaxFrameOffset) {
    return without_cfa(FrameRule::Base::kUnsupported);
  }
  const bool has_stack_pointer = state_.cfa == Cfa::kMemory && state_.number == kStackRegister &&
                                 state_.added == 0 && state_.offset == rip - kAboveStackPointer &&
                                 (state_.stack_pointer.kind == PlaceKind::kUnspecified ||
                                  is_at(state_.stack_pointer, rip - kAboveStackPointer));
  if (!has_stack_pointer || !is_at(state_.frame_pointer, rip - kAboveFramePointer)) {
    return without_cfa(FrameRule::Base::kUnsupported);
  }
  FrameRule rule = without_cfa(FrameRule::Base::kSignal);
  rule.offset = static_cast<std::int32_t>(rip);
  if (!is_at(state_.rbx, rip - kAboveRbx)) rule.rbx = FrameRule::kRbxLost;
  return rule;
}

}  // namespace dt::symbol
