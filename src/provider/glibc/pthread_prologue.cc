// See pthread_prologue.h. A thread's pthread_t is the address of its structure, which is where fs
// points (x86-64).

#include "provider/glibc/pthread_prologue.h"

#include <linux/bpf.h>

#include <cstddef>
#include <cstring>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "machine/x86_64/calls.h"

namespace dt::provider {
namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;
using bpf::StackSlot;

constexpr std::int32_t kSerialThread = -1;  // what pthread_barrier_wait() returns to one of them

// What is kept of a call, by { the thread, its stack pointer }. Of its last call a thread has the
// stack pointer, by { the thread, 0 }, and each call that of the one before it that has not
// returned, as it may be within it, in a handler of a signal.
enum Note : std::int32_t {
  kKey = 0,
  kCall = 8,  // PthreadCall
  kFirst = 16,
  kSecond = 24,
  kThird = 32,
  kOuter = 40,  // a stack pointer, or 0
  kNoteBytes = 48,
};
constexpr int kMostLeft = 4;  // calls that a thread has left behind and that are forgotten with it

template <typename T>
constexpr std::int32_t number(T value) {
  return static_cast<std::int32_t>(value);
}

class PthreadPrologue : public NotingPrologue {
 public:
  PthreadPrologue(const std::vector<PthreadRow>& rows, const bpf::Machine& machine,
                  Uprobes& uprobes)
      : NotingPrologue(kNoteBytes, machine, uprobes),
        rows_(rows),
        thread_base_(uprobes.thread_base_offset()) {}

  Reg enter(Emitter& e, Reg context, Label leave) override {
    begin_notes(e);
    for (Reg* one : {&which_, &call_, &first_, &second_, &third_, &fourth_, &address_, &read_}) {
      *one = e.reg();
      e.mov_imm(*one, 0);
    }
    const Label is_return = e.label(), is_start = e.label(), is_end = e.label(), fires = e.label();
    const Reg cookie = find_cookie(e, context, true, leave);
    const Reg what = e.reg(), number_of = e.reg();
    e.mov32(which_, cookie);
    e.mov(what, cookie);
    e.alu_imm(Alu::kRsh, what, 32);
    e.mov(call_, what);
    e.mov(number_of, what);
    e.alu_imm(Alu::kRsh, number_of, 16);
    e.alu_imm(Alu::kRsh, call_, 8);
    e.alu_imm(Alu::kAnd, call_, 0xff);
    e.alu_imm(Alu::kAnd, what, 0xff);
    e.jump_if_imm(Cond::kEq, what, number(PthreadPlace::kReturn), is_return);
    e.jump_if_imm(Cond::kEq, what, number(PthreadPlace::kStart), is_start);
    e.jump_if_imm(Cond::kEq, what, number(PthreadPlace::kEnd), is_end);
    begin(e, context, what, number_of, leave);
    e.jump(fires);
    e.bind(is_return);
    end_of_call(e, context, number_of, leave);
    e.jump(fires);
    e.bind(is_start);
    e.load_to(third_, 8, context, machine::kFunctionArguments[0]);
    of_thread(e, number_of);
    e.jump(fires);
    e.bind(is_end);
    forget_calls(e);
    of_thread(e, number_of);
    e.bind(fires);
    return which_;
  }

  Reg argument(Emitter& e, Reg, std::uint32_t n) override {
    const Reg own[] = {first_, second_, third_, fourth_};
    if (n >= std::size(own)) return e.imm(0);
    if (!argument_reads_user(n)) return own[n];
    const Label done = e.label();
    const Reg value = e.reg();
    e.mov(value, own[n]);
    e.jump_if_imm(Cond::kNe, read_, number(n) + 1, done);
    e.jump_if_imm(Cond::kEq, address_, 0, done);
    e.mov(value, load_user(e, address_));
    e.bind(done);
    return value;
  }
  bool argument_reads_user(std::uint32_t n) const override { return n < 3; }

 protected:
  std::vector<std::uint8_t> own_table() const override {
    static_assert(sizeof(PthreadRow) % 8 == 0);
    std::vector<std::uint8_t> bytes(rows_.size() * sizeof(PthreadRow));
    if (!bytes.empty()) std::memcpy(bytes.data(), rows_.data(), bytes.size());
    return bytes;
  }

 private:
  // Where fs points.
  Reg thread(Emitter& e) const {
    // Where it is not known, the program is refused.
    if (thread_base_ < 0) return e.imm(0);
    return e.load(8, e.call(BPF_FUNC_get_current_task_btf, {}), thread_base_);
  }

  // `bytes` of user memory; where they cannot be read, the firing is dropped.
  Reg must_read(Emitter& e, Reg from, std::int32_t bytes, Label leave) const {
    const Label is_read = e.label();
    const StackSlot word = e.stack(8);
    const Reg failed =
        e.call(BPF_FUNC_probe_read_user, {e.stack_address(word), e.imm(bytes), from});
    e.jump_if_imm(Cond::kEq, failed, 0, is_read);
    count_drop();
    e.jump(leave);
    e.bind(is_read);
    return e.load(static_cast<std::uint32_t>(bytes), e.stack_address(word), 0);
  }

  // The address of a row.
  Reg row(Emitter& e, Reg number_of, Label leave) const {
    const Reg entry = e.map_value({bpf::MapKind::kRodata, 0}, own_table_at());
    const Reg offset = e.held_copy(number_of);
    e.jump_if_imm(Cond::kGe, offset, static_cast<std::int32_t>(rows_.size()), leave);
    e.alu_imm(Alu::kMul, offset, std::int32_t{sizeof(PthreadRow)});
    e.alu(Alu::kAdd, entry, offset);
    return entry;
  }

  void begin(Emitter& e, Reg context, Reg what, Reg number_of, Label leave) const {
    const Label is_plain = e.label(), counts = e.label(), fires = e.label();
    e.load_to(first_, 8, context, machine::kFunctionArguments[0]);
    e.load_to(second_, 8, context, machine::kFunctionArguments[1]);
    e.jump_if_imm(Cond::kLt, call_, number(PthreadCall::kSignal), is_plain);
    e.jump_if_imm(Cond::kGt, call_, number(PthreadCall::kBroadcast), is_plain);
    leave_if_inner(e, context, number_of, leave);
    e.bind(is_plain);
    e.jump_if_imm(Cond::kNe, call_, number(PthreadCall::kCreate), counts);
    e.load_to(second_, 8, context, machine::kFunctionArguments[2]);
    e.load_to(third_, 8, context, machine::kFunctionArguments[3]);
    e.bind(counts);
    e.jump_if_imm(Cond::kNe, what, number(PthreadPlace::kNotingEntry), fires);
    note(e, e.load(8, context, machine::kSavedSp));
    e.bind(fires);
    const Label has_two = e.label();
    e.mov_imm(third_, 0);
    e.jump_if_imm(Cond::kEq, call_, number(PthreadCall::kCondition), has_two);
    e.jump_if_imm(Cond::kEq, call_, number(PthreadCall::kKill), has_two);
    e.mov_imm(second_, 0);
    e.bind(has_two);
  }

  void note(Emitter& e, Reg stack) const {
    const Label is_first = e.label(), linked = e.label();
    const Reg outer = e.reg();
    e.mov_imm(outer, 0);
    choose(e, e.imm(0));
    const Reg last = look_up(e, is_first);
    e.load_to(outer, 8, last, kOuter);
    e.store(8, last, kOuter, stack);
    e.jump_if(Cond::kNe, outer, stack, linked);
    // The one before it at the same place has never returned.
    e.mov_imm(outer, 0);
    choose(e, stack);
    e.load_to(outer, 8, look_up(e, linked), kOuter);
    e.jump(linked);
    e.bind(is_first);
    write(e, kKey, outer);
    write(e, kCall, outer);
    write(e, kFirst, outer);
    write(e, kSecond, outer);
    write(e, kThird, outer);
    write(e, kOuter, stack);
    remember(e, outer);
    e.bind(linked);
    write(e, kKey, which_);
    write(e, kCall, call_);
    write(e, kFirst, first_);
    write(e, kSecond, second_);
    write(e, kThird, third_);
    write(e, kOuter, outer);
    remember(e, stack);
  }

  // pthread_cond_wait() may signal the condition itself, to hand on what it does not need.
  void leave_if_inner(Emitter& e, Reg context, Reg number_of, Label leave) const {
    const Reg caller = must_read(e, e.load(8, context, machine::kSavedSp), 8, leave);
    const Reg distance = e.reg();
    e.mov(distance, caller);
    e.alu(Alu::kSub, distance, e.load(8, context, machine::kSavedIp));
    const Reg entry = row(e, number_of, leave);
    for (std::size_t i = 0; i < PthreadCode::kMostRanges; ++i) {
      const auto at =
          static_cast<std::int32_t>(offsetof(PthreadRow, inner) + i * sizeof(PthreadRow::Range));
      const Reg from = e.load(4, entry, at), within = e.reg();
      e.sign_extend(from, 4);
      e.mov(within, distance);
      e.alu(Alu::kSub, within, from);
      e.jump_if(Cond::kLt, within, e.load(4, entry, at + 4), leave);
    }
  }

  void end_of_call(Emitter& e, Reg context, Reg number_of, Label leave) const {
    choose(e, e.load(8, context, machine::kSavedSp));
    const Reg note = look_up(e, leave);
    e.load_to(which_, 8, note, kKey);
    e.load_to(call_, 8, note, kCall);
    e.load_to(first_, 8, note, kFirst);
    e.load_to(second_, 8, note, kSecond);
    e.load_to(third_, 8, note, kThird);
    const Label is_over = e.label();
    const Reg outer = e.load(8, note, kOuter);
    forget(e);
    choose(e, e.imm(0));
    e.store(8, look_up(e, is_over), kOuter, outer);
    e.bind(is_over);
    const Reg result = e.load(4, context, machine::kFunctionResult);
    e.sign_extend(result, 4);
    e.alu_imm(Alu::kAdd, which_, number(PthreadOutcome::kDone));
    tell(e, context, number_of, result, leave);
  }

  // Makes arguments of what the call was given and its result.
  void tell(Emitter& e, Reg context, Reg number_of, Reg result, Label leave) const {
    const Label is_create = e.label(), is_join = e.label(), is_barrier = e.label();
    const Label is_semaphore = e.label(), is_detach = e.label(), done = e.label();
    e.jump_if_imm(Cond::kEq, call_, number(PthreadCall::kCreate), is_create);
    e.jump_if_imm(Cond::kEq, call_, number(PthreadCall::kJoin), is_join);
    e.jump_if_imm(Cond::kEq, call_, number(PthreadCall::kDetach), is_detach);
    e.jump_if_imm(Cond::kEq, call_, number(PthreadCall::kBarrier), is_barrier);
    e.jump_if_imm(Cond::kEq, call_, number(PthreadCall::kSemaphore), is_semaphore);
    e.mov(third_, result);  // of a condition, behind the mutex, and of setname, behind the name
    e.jump(done);

    e.bind(is_create);
    e.mov(fourth_, result);
    e.mov(address_, first_);
    e.mov_imm(first_, 0);
    e.mov_imm(read_, 1);
    e.jump_if_imm(Cond::kEq, result, 0, done);
    e.mov_imm(address_, 0);
    e.jump(done);

    e.bind(is_join);
    e.mov(address_, second_);
    e.mov(second_, result);
    e.mov_imm(third_, 0);
    e.mov_imm(read_, 3);
    e.jump_if_imm(Cond::kEq, result, 0, done);
    e.mov_imm(address_, 0);
    e.jump(done);

    e.bind(is_barrier);
    e.mov_imm(second_, 1);
    e.jump_if_imm(Cond::kEq, result, kSerialThread, done);
    e.mov_imm(second_, 0);
    e.jump(done);

    e.bind(is_semaphore);
    e.mov_imm(second_, 0);
    e.jump_if_imm(Cond::kEq, result, 0, done);
    e.alu_imm(Alu::kAdd, which_, 1);
    e.mov(second_, error_number_of(e, context, number_of, leave));
    e.jump(done);

    e.bind(is_detach);
    e.mov(second_, result);
    e.bind(done);
  }

  // errno, after a call that has failed.
  Reg error_number_of(Emitter& e, Reg context, Reg number_of, Label leave) const {
    const Label known = e.label();
    const Reg entry = row(e, number_of, leave), distance = e.reg(), word = e.reg();
    e.load_to(word, 4, entry, offsetof(PthreadRow, error_word));
    e.load_to(distance, 4, entry, offsetof(PthreadRow, error_offset));
    e.sign_extend(distance, 4);
    e.jump_if_imm(Cond::kEq, word, 0, known);
    e.sign_extend(word, 4);
    e.alu(Alu::kAdd, word, e.load(8, context, machine::kSavedIp));
    e.mov(distance, must_read(e, word, 8, leave));
    e.bind(known);
    e.alu(Alu::kAdd, distance, thread(e));
    return must_read(e, distance, 4, leave);
  }

  // The thread itself, and what is at `offset` of its structure.
  void of_thread(Emitter& e, Reg offset) const {
    e.mov(first_, thread(e));
    e.mov(address_, first_);
    e.alu(Alu::kAdd, address_, offset);
    e.mov_imm(read_, 2);
  }

  // What the thread was in when it was cancelled.
  void forget_calls(Emitter& e) const {
    const Label none = e.label();
    const Reg stack = e.reg();
    e.mov_imm(stack, 0);
    for (int i = 0; i <= kMostLeft; ++i) {
      choose(e, stack);
      e.load_to(stack, 8, look_up(e, none), kOuter);
      forget(e);
      e.jump_if_imm(Cond::kEq, stack, 0, none);
    }
    e.bind(none);
  }

  const std::vector<PthreadRow>& rows_;
  std::int32_t thread_base_;
  Reg which_, call_, first_, second_, third_, fourth_;
  Reg address_, read_;  // what argument number read_ - 1 is read from
};

}  // namespace

std::unique_ptr<bpf::Prologue> pthread_prologue(const std::vector<PthreadRow>& rows,
                                                const bpf::Machine& machine, Uprobes& uprobes) {
  return std::make_unique<PthreadPrologue>(rows, machine, uprobes);
}

}  // namespace dt::provider
