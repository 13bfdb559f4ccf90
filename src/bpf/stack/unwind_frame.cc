// The routine that unwinds one frame of a user stack, which makes its caller the frame that is
// looked at: see unwind.h.
//
// A frame is unwound in four steps: the code that the program counter is in (mapping.cc); the rule
// for this place, by a search in the file's table; from the rule and the registers the CFA, which
// is the caller's stack pointer; and from the words below the CFA the return address and the
// caller's rbp.
//
//           | caller's frame       |
//    CFA -> +----------------------+  = rsp of the caller
//           | return address       |  -> kPc
//           | saved rbp (mostly)   |  -> kBp, at the rule's offset
//           | this frame's locals  |
//    rsp -> +----------------------+

#include "bpf/stack/unwind_state.h"
#include "machine/x86_64/registers.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kSearchSteps = kUnwindBlockShift;
// ucontext_t, at rsp when a signal's handler has returned.
constexpr std::int32_t kSignalIp = 168;
// Before rip.
constexpr std::int32_t kSignalBpBefore = 48, kSignalRbxBefore = 40, kSignalSpBefore = 8;
// The code to which a signal's handler returns calls rt_sigreturn(): `mov $15, %rax; syscall`. Not
// every library has an unwind rule that marks this code as a signal frame, so the code itself is
// compared: the first eight of its nine bytes, 48 c7 c0 0f 00 00 00 0f.
constexpr std::int64_t kSigreturnCode = 0x0f0000000fc0c748;

// `bytes` of the stack into kUser.
void read_user(Emitter& e, Reg state, Reg from, std::int32_t bytes, Label bad) {
  const Reg buffer = copy(e, state);
  e.alu_imm(Alu::kAdd, buffer, kUser);
  const Reg status = e.call(BPF_FUNC_probe_read_user, {buffer, e.imm(bytes), from});
  e.jump_if_imm(Cond::kSlt, status, 0, bad);
}

Reg plus(Emitter& e, Reg value, std::int32_t offset) {
  const Reg out = copy(e, value);
  e.alu_imm(Alu::kAdd, out, offset);
  return out;
}

// The chunk of the tables that has this number. A look-up in a map of maps gives a pointer to the
// inner map, and one in that the value. The verifier knows the size of the value from the example
// that the outer map was created with.
Reg chunk(Emitter& e, Reg number, Label none) {
  const StackSlot keys = e.stack(8);
  e.store(4, e.stack_address(keys), 0, number);
  e.store_imm(4, e.stack_address(keys), 4, 0);
  const Reg inner = e.call(BPF_FUNC_map_lookup_elem,
                           {e.map(unwind_map(UnwindMap::kTables)), e.stack_address(keys)});
  e.jump_if_imm(Cond::kEq, inner, 0, none);
  const Reg bytes = e.call(BPF_FUNC_map_lookup_elem, {inner, e.stack_address(keys, 4)});
  e.jump_if_imm(Cond::kEq, bytes, 0, none);
  return bytes;
}

// The address of item `number` of a size of 1 << shift in its chunk. The mask bounds the offset, so
// the verifier accepts the access whatever the number is. A wrong number, in tables that are being
// replaced, then reads wrong rows, and not beyond the chunk.
Reg in_chunk(Emitter& e, Reg bytes, Reg number, std::int32_t shift) {
  const Reg offset = e.held_copy(number);
  e.alu_imm(Alu::kLsh, offset, shift);
  e.alu_imm(Alu::kAnd, offset, static_cast<std::int32_t>(kUnwindChunkBytes) - (1 << shift));
  e.alu(Alu::kAdd, offset, bytes);
  return offset;
}

Reg chunk_of(Emitter& e, Reg number, std::int32_t shift, Label none) {
  constexpr std::int32_t kChunkShift = 18;
  static_assert(1U << kChunkShift == kUnwindChunkBytes);
  const Reg chunk_number = copy(e, number);
  e.alu_imm(Alu::kRsh, chunk_number, kChunkShift - shift);
  return chunk(e, chunk_number, none);
}

// The rule for `place`, which is in the file; an UnwindRule as a word.
Reg find_rule(Unit& unit, Reg state, Reg place, Label none) {
  constexpr std::int32_t kBlockItem = 3, kRowItem = 2, kPlaceMask = (1 << kUnwindBlockShift) - 1;
  Emitter& e = unit.e;
  const Reg block = copy(e, place);
  e.alu_imm(Alu::kRsh, block, kUnwindBlockShift);
  e.alu(Alu::kSub, block, e.load(8, state, kFirstBlock));
  e.jump_if(Cond::kGe, block, e.load(8, state, kBlocks), none);
  e.alu(Alu::kAdd, block, e.load(8, state, kFirstIndex));
  const Reg entry = in_chunk(e, chunk_of(e, block, kBlockItem, none), block, kBlockItem);
  const Reg low = e.load(4, entry, offsetof(UnwindBlock, first_row));
  const Reg count = e.load(4, entry, offsetof(UnwindBlock, rows));
  e.jump_if_imm(Cond::kEq, count, 0, none);
  const Reg rows = chunk_of(e, low, kRowItem, none);
  const Reg key = copy(e, place);
  e.alu_imm(Alu::kAnd, key, kPlaceMask);
  e.alu_imm(Alu::kLsh, key, kUnwindRuleBits);
  // A row is place << 16 | rule. With the largest rule number, the key is not below any row of the
  // same place.
  e.alu_imm(Alu::kOr, key, (1 << kUnwindRuleBits) - 1);
  // The last row at or before the key, by halves; few rows need few steps. Without branches: `take`
  // is all ones where the row in the middle is at or before the key, and zero otherwise; the search
  // goes to the upper half by adding `half & take`. A branch would give the verifier two states in
  // each step, and 2^steps in all.
  std::vector<Label> steps;
  for (std::int32_t left = kSearchSteps; left >= 0; --left) steps.push_back(e.label());
  for (const std::int32_t left : {4, 7}) {
    e.jump_if_imm(Cond::kLe, count, 1 << left,
                  steps[static_cast<std::size_t>(kSearchSteps - left)]);
  }
  for (std::int32_t i = 0; i < kSearchSteps; ++i) {
    e.bind(steps[static_cast<std::size_t>(i)]);
    const Reg half = copy(e, count);
    e.alu_imm(Alu::kRsh, half, 1);
    const Reg take = copy(e, key);
    e.alu(Alu::kSub, take, e.load(4, in_chunk(e, rows, sum(e, low, half), kRowItem), 0));
    e.alu_imm(Alu::kArsh, take, 63);
    e.alu_imm(Alu::kXor, take, -1);
    e.alu(Alu::kAnd, take, half);
    e.alu(Alu::kAdd, low, take);
    e.alu(Alu::kSub, count, half);
  }
  const Reg row = e.held_copy(e.load(4, in_chunk(e, rows, low, kRowItem), 0));
  static_assert(kUnwindRules == 1 << 16);
  e.alu_imm(Alu::kAnd, row, static_cast<std::int32_t>(kUnwindRules) - 1);
  e.alu_imm(Alu::kLsh, row, 3);
  e.alu(Alu::kAdd, row, e.map_value(unwind_map(UnwindMap::kRules), 0));
  return e.load(8, row, 0);
}

// Writes emit_unwind_frame()'s function.
class FrameCode {
 public:
  FrameCode(Unit& unit, Reg state, Reg cache)
      : unit_(unit), e_(unit.e), state_(state), cache_(cache) {}

  void write() {
    const Label have = e_.label();
    const Reg place = e_.load(8, state_, kPc);
    e_.alu(Alu::kAdd, place, e_.load(8, state_, kExact));
    e_.alu_imm(Alu::kSub, place, 1);
    const Reg inside = copy(e_, place);
    e_.alu(Alu::kSub, inside, e_.load(8, state_, kBegin));
    e_.jump_if(Cond::kLt, inside, e_.load(8, state_, kSize), have);
    const Reg code = find_code();
    e_.jump_if_imm(Cond::kEq, code, kAwaited, awaited_);
    e_.jump_if_imm(Cond::kNe, code, kCode, end_);
    e_.mov(inside, place);
    e_.alu(Alu::kSub, inside, e_.load(8, state_, kBegin));
    e_.bind(have);
    if (unit_.memory.machine.unwind.with_sources) note_owner();
    e_.alu(Alu::kAdd, inside, e_.load(8, state_, kFileOffset));
    const Reg rule = find_rule(unit_, state_, inside, unknown_);
    base_ = copy(e_, rule);
    e_.alu_imm(Alu::kAnd, base_, 0xf);
    saved_ = copy(e_, rule);
    e_.alu_imm(Alu::kRsh, saved_, 4);
    e_.alu_imm(Alu::kAnd, saved_, 0xf);
    number_ = copy(e_, rule);
    e_.alu_imm(Alu::kRsh, number_, 8);
    e_.alu_imm(Alu::kAnd, number_, 0xff);
    bp_offset_ = copy(e_, rule);
    e_.alu_imm(Alu::kRsh, bp_offset_, 16);
    e_.sign_extend(bp_offset_, 2);
    rbx_ = copy(e_, rule);
    e_.alu_imm(Alu::kRsh, rbx_, 32);
    e_.alu_imm(Alu::kAnd, rbx_, 0xff);
    offset_ = rule;
    e_.alu_imm(Alu::kArsh, offset_, 40);
    find_cfa();
    read_saved();
    step_to_caller();
    frame_pointers();
    signal();
    e_.bind(awaited_);
    const Reg cut = e_.map_value(unwind_map(UnwindMap::kRules), kUnwindCutOffset);
    e_.atomic(Atomic::kAdd, 8, cut, 0, e_.imm(1));
    e_.bind(end_);
    e_.store_imm(8, state_, kPc, 0);
    ret_imm(e_, 0);
  }

 private:
  // Tried again, as another thread may be changing what is mapped there.
  Reg find_code() {
    constexpr int kSlotTries = 4;
    const Label known = e_.label();
    const Reg code = e_.reg();
    for (int i = 0; i < kSlotTries; ++i) {
      e_.mov(code, e_.call_subprogram(unit_.routine(Routine::Kind::kUnwindCode), {state_, cache_}));
      if (i + 1 < kSlotTries) e_.jump_if_imm(Cond::kNe, code, kNoCode, known);
    }
    e_.bind(known);
    return code;
  }
  void on(UnwindBase base, Label label) {
    e_.jump_if_imm(Cond::kEq, base_, static_cast<std::int32_t>(base), label);
  }
  void on(UnwindSaved saved, Label label) {
    e_.jump_if_imm(Cond::kEq, saved_, static_cast<std::int32_t>(saved), label);
  }

  void note_owner() {
    const Reg from = e_.load(8, state_, kBegin);
    e_.alu(Alu::kSub, from, e_.load(8, state_, kFileOffset));
    e_.store(8, state_, kOwnerAt, from);
    e_.store(8, state_, kOwner, e_.load(8, state_, kInterpreter));
  }

  void find_cfa() {
    const Label sp = e_.label(), bp = e_.label(), add = e_.label(), done = e_.label();
    const Label memory = e_.label(), reg = e_.label(), plt = e_.label(), sp_memory = e_.label();
    const Label bp_memory = e_.label(), other = e_.label(), found = e_.label();
    cfa_ = e_.reg();
    on(UnwindBase::kStackPointer, sp);
    on(UnwindBase::kFramePointer, bp);
    on(UnwindBase::kUnknown, unknown_);
    on(UnwindBase::kSignal, signal_);
    on(UnwindBase::kFramePointerMemory, bp_memory);
    on(UnwindBase::kStackPointerMemory, sp_memory);
    on(UnwindBase::kPlt, plt);
    on(UnwindBase::kRegister, reg);
    on(UnwindBase::kOtherStack, other);
    e_.jump(end_);
    e_.bind(other);
    e_.load_to(cfa_, 8, state_, kBp);
    e_.alu(Alu::kAdd, cfa_, offset_);
    e_.jump(found);
    add_offset_to(bp_memory, sp_memory, memory);
    read_user(e_, state_, cfa_, 8, end_);
    e_.load_to(cfa_, 8, state_, kUser);
    e_.alu(Alu::kAdd, cfa_, number_);
    e_.jump(done);
    e_.bind(plt);
    find_offset_in_plt(sp);
    e_.bind(reg);
    load_cfa_of_register(add);
    add_offset_to(bp, sp, add);
    e_.bind(done);
    // Callers are further up: a CFA at or below rsp cannot be. It would be damaged tables or a
    // damaged stack, and could make the walk go in circles.
    e_.jump_if(Cond::kLe, cfa_, e_.load(8, state_, kSp), end_);
    e_.bind(found);
    note_rbx();
  }

  // The CFA is the offset and a register of the frame: rbp at the first label, rsp at the second
  // one. Code that has loaded another register jumps to `add`.
  void add_offset_to(Label bp, Label sp, Label add) {
    e_.bind(bp);
    e_.load_to(cfa_, 8, state_, kBp);
    e_.jump(add);
    e_.bind(sp);
    e_.load_to(cfa_, 8, state_, kSp);
    e_.bind(add);
    e_.alu(Alu::kAdd, cfa_, offset_);
  }

  // An entry of the PLT has 16 bytes and pushes a word on its way, so how far rsp is below the CFA
  // depends on where in the entry the instruction is: it is 16 from `offset_` on, and 8 before.
  // Goes on at `sp`, where the offset is added to rsp.
  void find_offset_in_plt(Label sp) {
    const Label before_push = e_.label();
    e_.load_to(cfa_, 8, state_, kPc);
    e_.alu_imm(Alu::kAnd, cfa_, 15);
    e_.jump_if(Cond::kLt, cfa_, offset_, before_push);
    e_.mov_imm(offset_, 16);
    e_.jump(sp);
    e_.bind(before_push);
    e_.mov_imm(offset_, 8);
    e_.jump(sp);
  }

  // Goes on at `add` with the value of the register that the rule names. The innermost frame's are
  // among the saved registers. Of its callers only rbx is followed: it is still there, or in
  // memory.
  void load_cfa_of_register(Label add) {
    const Label in_register = e_.label(), in_memory = e_.label();
    e_.jump_if_imm(Cond::kNe, e_.load(8, state_, kInnermost), 0, in_register);
    e_.jump_if_imm(Cond::kNe, number_, machine::kSavedBx, end_);
    const Reg at = e_.load(8, state_, kRbx);
    e_.jump_if_imm(Cond::kGt, at, kRbxLost, in_memory);
    e_.jump_if_imm(Cond::kEq, at, kRbxLost, end_);
    e_.bind(in_register);
    e_.alu(Alu::kAdd, number_, e_.load(8, state_, kRegisters));
    e_.mov(cfa_, Sight(unit_, state_, number_, 0).word(0));
    e_.jump(add);
    e_.bind(in_memory);
    read_user(e_, state_, at, 8, end_);
    e_.load_to(cfa_, 8, state_, kUser);
    e_.jump(add);
  }

  // Where the caller's is; seldom is it looked at.
  void note_rbx() {
    const Label done = e_.label(), note = e_.label();
    const Reg at = e_.reg();
    e_.jump_if_imm(Cond::kEq, rbx_, symbol::FrameRule::kRbxSame, done);
    e_.mov_imm(at, kRbxLost);
    e_.jump_if_imm(Cond::kEq, rbx_, symbol::FrameRule::kRbxLost, note);
    e_.mov(at, cfa_);
    e_.alu_imm(Alu::kLsh, rbx_, 3);
    e_.alu(Alu::kSub, at, rbx_);
    e_.bind(note);
    e_.store(8, state_, kRbx, at);
    e_.bind(done);
  }

  // The return address, and rbp: mostly both are in the last words below the CFA.
  void read_saved() {
    const Label apart = e_.label(), same = e_.label(), at_bp = e_.label(), at_cfa = e_.label();
    const Label read_bp = e_.label(), lost = e_.label();
    pc_ = e_.reg();
    on(UnwindSaved::kSame, same);
    e_.jump_if_imm(Cond::kNe, saved_, static_cast<std::int32_t>(UnwindSaved::kAtCfa), apart);
    e_.jump_if_imm(Cond::kSlt, bp_offset_, -kUserBytes, apart);
    e_.jump_if_imm(Cond::kSgt, bp_offset_, -16, apart);
    read_user(e_, state_, plus(e_, cfa_, -kUserBytes), kUserBytes, apart);
    e_.load_to(pc_, 8, state_, kUser + kUserBytes - 8);
    const Reg at = e_.held_copy(bp_offset_);
    e_.alu_imm(Alu::kAnd, at, kUserBytes - 8);
    e_.alu(Alu::kAdd, at, state_);
    e_.store(8, state_, kBp, e_.load(8, at, kUser));
    e_.jump(step_);

    e_.bind(apart);
    on(UnwindSaved::kAtCfa, at_cfa);
    on(UnwindSaved::kAtFramePointer, at_bp);
    e_.bind(lost);
    e_.store_imm(8, state_, kBp, 0);
    e_.jump(same);
    const Reg from = e_.reg();
    e_.bind(at_bp);
    e_.load_to(from, 8, state_, kBp);
    e_.jump(read_bp);
    e_.bind(at_cfa);
    e_.mov(from, cfa_);
    e_.bind(read_bp);
    e_.alu(Alu::kAdd, from, bp_offset_);
    read_user(e_, state_, from, 8, lost);
    e_.store(8, state_, kBp, e_.load(8, state_, kUser));
    e_.bind(same);
    read_user(e_, state_, plus(e_, cfa_, -8), 8, end_);
    e_.load_to(pc_, 8, state_, kUser);
    e_.jump(step_);
  }

  // Makes the caller the frame that is looked at, and returns 1: there is one more.
  void step_to_caller() {
    const Label take = e_.label();
    e_.bind(step_);
    e_.store(8, state_, kSp, cfa_);
    e_.store_imm(8, state_, kExact, 0);
    e_.store_imm(8, state_, kInnermost, 0);
    e_.store(8, state_, kPc, pc_);
    const Label replaced = e_.label();
    e_.jump_if(Cond::kEq, pc_, e_.load(8, state_, kTrampoline), replaced);
    // An address outside of code is no caller.
    const Reg inside = plus(e_, pc_, -1);
    e_.alu(Alu::kSub, inside, e_.load(8, state_, kBegin));
    e_.jump_if(Cond::kLt, inside, e_.load(8, state_, kSize), take);
    const Reg code = find_code();
    e_.jump_if_imm(Cond::kEq, code, kNoCode, end_);
    e_.bind(take);
    ret_imm(e_, 1);
    e_.bind(replaced);
    if (unit_.memory.machine.unwind.return_stack < 0) {
      return e_.jump(end_);
    }
    e_.jump_if_imm(Cond::kEq, pc_, 0, end_);
    e_.alu_imm(Alu::kSub, cfa_, 8);
    e_.store(8, state_, kReturnSlot, cfa_);
    e_.call_subprogram(unit_.routine(Routine::Kind::kUnwindReturn), {state_});
    e_.jump(take);
  }

  // The step for code of which no table says anything: code that was made at run time, or that is
  // written in assembler. By the convention of the ABI, rbp points to the saved rbp, and behind
  // that is the return address. It is believed only if it is aligned and above rsp.
  void frame_pointers() {
    e_.bind(unknown_);
    const Label is_signal = e_.label();
    read_user(e_, state_, e_.load(8, state_, kPc), 8, end_);
    e_.jump_if(Cond::kEq, e_.load(8, state_, kUser), e_.imm(kSigreturnCode), is_signal);
    const Reg bp = e_.load(8, state_, kBp);
    const Reg odd = copy(e_, bp);
    e_.alu_imm(Alu::kAnd, odd, 7);
    e_.jump_if_imm(Cond::kNe, odd, 0, end_);
    e_.jump_if(Cond::kLt, bp, e_.load(8, state_, kSp), end_);
    read_user(e_, state_, bp, 16, end_);
    e_.mov(cfa_, bp);
    e_.alu_imm(Alu::kAdd, cfa_, 16);
    e_.store(8, state_, kBp, e_.load(8, state_, kUser));
    e_.load_to(pc_, 8, state_, kUser + 8);
    e_.store_imm(8, state_, kRbx, kRbxLost);
    e_.jump(step_);
    e_.bind(is_signal);
    e_.mov_imm(rbx_, symbol::FrameRule::kRbxSame);
    e_.mov_imm(offset_, kSignalIp);
    e_.jump(signal_);
  }

  void signal() {
    e_.bind(signal_);
    const Reg from = e_.load(8, state_, kSp);
    e_.alu(Alu::kAdd, from, offset_);
    e_.alu_imm(Alu::kSub, from, kSignalBpBefore);
    read_user(e_, state_, from, kSignalBpBefore + 8, end_);
    e_.store(8, state_, kBp, e_.load(8, state_, kUser));
    e_.store(8, state_, kSp, e_.load(8, state_, kUser + kSignalBpBefore - kSignalSpBefore));
    e_.store(8, state_, kPc, e_.load(8, state_, kUser + kSignalBpBefore));
    const Label known = e_.label(), lost = e_.label();
    e_.jump_if_imm(Cond::kEq, rbx_, symbol::FrameRule::kRbxLost, lost);
    e_.alu_imm(Alu::kAdd, from, kSignalBpBefore - kSignalRbxBefore);
    e_.store(8, state_, kRbx, from);
    e_.jump(known);
    e_.bind(lost);
    e_.store_imm(8, state_, kRbx, kRbxLost);
    e_.bind(known);
    e_.store_imm(8, state_, kExact, 1);
    e_.store_imm(8, state_, kInnermost, 0);
    ret_imm(e_, 1);
  }

  Unit& unit_;
  Emitter& e_;
  Reg state_, cache_, base_, saved_, number_, bp_offset_, rbx_, offset_, cfa_, pc_;
  Label end_ = e_.label(), awaited_ = e_.label(), unknown_ = e_.label(), signal_ = e_.label(),
        step_ = e_.label();
};

}  // namespace

void emit_unwind_frame(Unit& unit, Label name) {
  const std::vector<Reg> r =
      begin_routine(unit.e, name, "dt_unwind_frame", {kStateParameter, kCache});
  FrameCode(unit, r[0], r[1]).write();
}

}  // namespace dt::bpf
