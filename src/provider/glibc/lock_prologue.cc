// See lock_prologue.h. What is read of a lock is glibc's since 2.25, on x86-64:
//
//   pthread_mutex_t    0 word   4 count   8 owner   12 users   16 kind
//   pthread_rwlock_t   0 readers   8, 12 words that are waited for   24 who writes

#include "provider/glibc/lock_prologue.h"

#include <linux/bpf.h>
#include <linux/futex.h>

#include <cerrno>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "kernel/bpf_call.h"
#include "machine/x86_64/calls.h"

namespace dt::provider {
namespace {

using bpf::Alu;
using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;
using bpf::StackSlot;

constexpr std::int32_t kCount = 4, kKind = 16, kCurrentWriter = 24;
constexpr std::int32_t kKindMask = 3, kRecursive = 1, kAdaptive = 3;
// Where in a lock for readers and writers they wait, besides its beginning.
constexpr std::int32_t kRwWords[] = {8, 12};
constexpr std::int32_t kOperationMask = 127, kLockPi2 = 13;  // FUTEX_LOCK_PI2 of Linux 5.14

// What is kept of a call, by { the thread, its stack pointer or the lock }.
// A call is recognised at its return by the stack pointer of its entry: calls of one thread that
// are active at the same time have different ones, so recursion needs no counter.
//
enum Note : std::int32_t {
  kLock = 0,
  kKey = 8,
  kCall = 16,  // LockCall
  kHeld = 24,  // of a release: it is held still; of a lock for readers and writers: to write
  kWaited = 32,
  kNoteBytes = 40,
};

constexpr std::int32_t number(LockCall call) { return static_cast<std::int32_t>(call); }
constexpr std::int32_t number(LockOutcome outcome) { return static_cast<std::int32_t>(outcome); }
constexpr std::int32_t number(LockPlace place) { return static_cast<std::int32_t>(place); }

class LockPrologue : public NotingPrologue {
 public:
  LockPrologue(bool tells_waits, const bpf::Machine& machine, Uprobes& uprobes)
      : NotingPrologue(kNoteBytes, machine, uprobes), tells_waits_(tells_waits) {}

  Reg enter(Emitter& e, Reg context, Label leave) override {
    begin_notes(e);
    for (Reg* one : {&lock_, &call_, &held_, &result_, &which_}) *one = e.reg();
    const Label is_return = e.label(), is_wait = e.label(), fires = e.label();
    const Reg cookie = find_cookie(e, context, true, leave), place = e.reg();
    e.mov(place, cookie);
    e.alu_imm(Alu::kRsh, place, 32);
    const Reg what = e.reg();
    e.mov(what, place);
    e.alu_imm(Alu::kAnd, what, 0xff);
    e.jump_if_imm(Cond::kEq, what, number(LockPlace::kReturn), is_return);
    if (tells_waits_) e.jump_if_imm(Cond::kEq, what, number(LockPlace::kWait), is_wait);
    begin(e, context, cookie, what, leave);
    e.jump(leave);
    e.bind(is_return);
    end(e, context, leave);
    if (!tells_waits_) return which_;
    e.jump(fires);
    e.bind(is_wait);
    wait(e, context, place, leave);
    e.bind(fires);
    return which_;
  }

  Reg argument(Emitter& e, Reg, std::uint32_t n) override {
    if (n == 0) return lock_;
    if (n > 2) return e.imm(0);
    return n == 1 ? second(e) : third(e);
  }
  bool argument_reads_user(std::uint32_t n) const override { return n == 1 || n == 2; }

 private:
  // pthread_cond_wait(condition, mutex): the lock is the second argument there.
  void begin(Emitter& e, Reg context, Reg cookie, Reg what, Label leave) const {
    const Label is_first = e.label(), known = e.label();
    const Reg key = e.reg(), lock = e.reg(), held = e.reg();
    e.mov32(key, cookie);
    e.load_to(lock, 8, context, machine::kFunctionArguments[0]);
    e.jump_if_imm(Cond::kNe, what, number(LockCall::kCondition), is_first);
    e.load_to(lock, 8, context, machine::kFunctionArguments[1]);
    e.bind(is_first);
    e.mov_imm(held, 1);
    e.jump_if_imm(Cond::kEq, what, number(LockCall::kWriter), known);
    e.mov_imm(held, 0);
    if (!tells_waits_) look_at_release(e, lock, what, held, known, leave);
    e.bind(known);
    write(e, kLock, lock);
    write(e, kKey, key);
    write(e, kCall, what);
    write(e, kHeld, held);
    write_imm(e, kWaited, 0);
    remember(e, e.load(8, context, machine::kSavedSp));
    if (tells_waits_) remember(e, lock);
  }

  // What kind of release it is, as long as its thread has the lock: when the function returns,
  // another thread may have the lock, and a mutex may have been freed. Where the kind cannot be
  // read, the firing is dropped.
  void look_at_release(Emitter& e, Reg lock, Reg what, Reg held, Label known, Label leave) const {
    constexpr std::int32_t kRead = kKind + 4 - kCount;
    const Label is_rw = e.label(), is_read = e.label(), is_lost = e.label();
    const StackSlot words = e.stack(kRead);
    const Reg from = e.reg();
    e.mov(from, lock);
    e.jump_if_imm(Cond::kEq, what, number(LockCall::kRwRelease), is_rw);
    e.jump_if_imm(Cond::kNe, what, number(LockCall::kMutexRelease), known);
    e.alu_imm(Alu::kAdd, from, kCount);
    const Reg mutex =
        e.call(BPF_FUNC_probe_read_user, {e.stack_address(words), e.imm(kRead), from});
    e.jump_if_imm(Cond::kNe, mutex, 0, is_lost);
    const Reg kind = e.load(4, e.stack_address(words), kKind - kCount);
    e.alu_imm(Alu::kAnd, kind, kKindMask);
    e.jump_if_imm(Cond::kNe, kind, kRecursive, known);
    const Reg count = e.load(4, e.stack_address(words), 0);
    e.jump_if_imm(Cond::kLe, count, 1, known);
    e.mov_imm(held, 1);
    e.jump(known);
    e.bind(is_rw);
    e.alu_imm(Alu::kAdd, from, kCurrentWriter);
    const Reg rw = e.call(BPF_FUNC_probe_read_user, {e.stack_address(words), e.imm(4), from});
    e.jump_if_imm(Cond::kEq, rw, 0, is_read);
    e.bind(is_lost);
    count_drop();
    e.jump(leave);
    e.bind(is_read);
    const Reg writer = e.load(4, e.stack_address(words), 0);
    e.jump_if_imm(Cond::kEq, writer, 0, known);
    e.mov_imm(held, 1);
  }

  void take(Emitter& e, Reg note) const {
    e.load_to(lock_, 8, note, kLock);
    e.load_to(which_, 8, note, kKey);
    e.load_to(call_, 8, note, kCall);
    e.load_to(held_, 8, note, kHeld);
  }

  void end(Emitter& e, Reg context, Label leave) const {
    choose(e, e.load(8, context, machine::kSavedSp));
    take(e, look_up(e, leave));
    forget(e);
    e.load_to(result_, 4, context, machine::kFunctionResult);
    success(e);
    if (!tells_waits_) {
      const Label done = e.label();
      e.jump_if_imm(Cond::kEq, result_, 0, done);
      // A condition fails where the release of its mutex fails, which has been reported.
      e.jump_if_imm(Cond::kEq, call_, number(LockCall::kCondition), leave);
      e.alu_imm(Alu::kAdd, which_, number(LockOutcome::kFailed));
      e.bind(done);
      return;
    }
    choose(e, lock_);
    const Reg waited = e.load(8, look_up(e, leave), kWaited);
    forget(e);
    e.jump_if_imm(Cond::kEq, waited, 0, leave);
    e.alu_imm(Alu::kAdd, which_, number(LockOutcome::kBlocked));
  }

  // result_ = 0 where the thread has the lock although the function returns an error. EOWNERDEAD:
  // the last owner of a robust mutex died, and the caller owns it now. ETIMEDOUT of a condition:
  // the time is over, and the mutex is taken again before the function returns.
  void success(Emitter& e) const {
    const Label fails = e.label(), has_it = e.label();
    e.jump_if_imm(Cond::kEq, result_, EOWNERDEAD, has_it);
    e.jump_if_imm(Cond::kNe, call_, number(LockCall::kCondition), fails);
    e.jump_if_imm(Cond::kNe, result_, ETIMEDOUT, fails);
    e.bind(has_it);
    e.mov_imm(result_, 0);
    e.bind(fails);
  }

  // Whether it is this thread's first futex call that waits for a lock that it is after. A thread
  // that waits makes the system call futex(2), some more than once for one lock. The address is the
  // lock's own word for a mutex; a lock for readers and writers has two more words that threads
  // wait on.
  void wait(Emitter& e, Reg context, Reg place, Label leave) const {
    const Label waits = e.label(), found = e.label();
    const Reg operation = e.load(8, context, machine::kFunctionArguments[1]), address = e.reg(),
              note = e.reg();
    const Reg flips = e.reg();
    e.mov(flips, place);
    e.alu_imm(Alu::kRsh, flips, 16);
    e.alu_imm(Alu::kRsh, place, 8);
    e.alu(Alu::kAnd, operation, place);
    e.alu(Alu::kXor, operation, flips);
    e.alu_imm(Alu::kAnd, operation, kOperationMask);
    for (const std::int32_t one : {FUTEX_WAIT, FUTEX_WAIT_BITSET, FUTEX_LOCK_PI, kLockPi2}) {
      e.jump_if_imm(Cond::kEq, operation, one, waits);
    }
    e.jump(leave);
    e.bind(waits);
    e.load_to(address, 8, context, machine::kFunctionArguments[0]);
    choose(e, address);
    e.mov(note, find(e));
    e.jump_if_imm(Cond::kNe, note, 0, found);
    std::int32_t before = 0;
    for (const std::int32_t word : kRwWords) {
      const Label next = e.label();
      e.alu_imm(Alu::kAdd, address, before - word);
      before = word;
      choose(e, address);
      e.mov(note, find(e));
      e.jump_if_imm(Cond::kEq, note, 0, next);
      e.jump_if_imm(Cond::kGe, e.load(8, note, kCall), number(LockCall::kReader), found);
      e.bind(next);
    }
    e.jump(leave);
    e.bind(found);
    e.jump_if_imm(Cond::kNe, e.load(8, note, kWaited), 0, leave);
    e.store_imm(8, note, kWaited, 1);
    take(e, note);
    e.mov_imm(result_, 1);  // it has not had it yet
    e.alu_imm(Alu::kAdd, which_, number(LockOutcome::kBlock));
  }

  // 1 when the thread has the lock.
  void had(Emitter& e, Reg value) const {
    const Label done = e.label();
    e.mov_imm(value, 0);
    e.jump_if_imm(Cond::kNe, result_, 0, done);
    e.mov_imm(value, 1);
    e.bind(done);
  }

  Reg second(Emitter& e) const {
    const Label done = e.label(), acquired = e.label();
    const Reg value = e.reg();
    e.mov(value, held_);
    e.jump_if_imm(Cond::kGe, call_, number(LockCall::kReader), done);
    if (tells_waits_) {
      had(e, value);
      e.bind(done);
      return value;
    }
    e.jump_if_imm(Cond::kEq, result_, 0, acquired);
    e.mov(value, result_);
    e.jump(done);
    e.bind(acquired);
    e.jump_if_imm(Cond::kEq, call_, number(LockCall::kMutexRelease), done);
    e.mov(value, load_word(e, kKind));
    e.alu_imm(Alu::kAnd, value, kKindMask);
    const Label is_recursive = e.label();
    e.jump_if_imm(Cond::kEq, value, kRecursive, is_recursive);
    e.mov_imm(value, 0);
    e.jump(done);
    e.bind(is_recursive);
    const Reg count = load_word(e, kCount);
    e.mov_imm(value, 0);
    e.jump_if_imm(Cond::kLe, count, 1, done);
    e.mov_imm(value, 1);
    e.bind(done);
    return value;
  }

  Reg third(Emitter& e) const {
    const Label done = e.label(), is_rw = e.label();
    const Reg value = e.reg();
    e.mov_imm(value, 0);
    e.jump_if_imm(Cond::kGe, call_, number(LockCall::kReader), is_rw);
    if (!tells_waits_) {
      e.jump_if_imm(Cond::kEq, call_, number(LockCall::kMutexRelease), done);
      e.jump_if_imm(Cond::kNe, result_, 0, done);
      const Reg kind = load_word(e, kKind);
      e.alu_imm(Alu::kAnd, kind, kKindMask);
      e.jump_if_imm(Cond::kNe, kind, kAdaptive, done);
      e.mov_imm(value, -1);
    }
    e.jump(done);
    e.bind(is_rw);
    if (tells_waits_)
      had(e, value);
    else
      e.mov(value, result_);
    e.bind(done);
    return value;
  }

  // Of the lock, which the thread has.
  Reg load_word(Emitter& e, std::int32_t offset) const {
    const Reg address = e.reg();
    e.mov(address, lock_);
    e.alu_imm(Alu::kAdd, address, offset);
    const Reg value = load_user(e, address);
    e.zero_extend(value, 4);
    return value;
  }

  bool tells_waits_;
  Reg lock_, call_, held_, result_, which_;
};

}  // namespace

std::unique_ptr<bpf::Prologue> lock_prologue(bool tells_waits, const bpf::Machine& machine,
                                             Uprobes& uprobes) {
  return std::make_unique<LockPrologue>(tells_waits, machine, uprobes);
}

}  // namespace dt::provider
