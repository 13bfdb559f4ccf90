#include "provider/kernel/syscall_prologue.h"

#include <linux/bpf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "ir/ir.h"
#include "machine/x86_64/calls.h"
#include "probe/given_arguments.h"
#include "provider/kernel/solaris_calls.h"
#include "provider/kernel/syscall_table.h"
#include "support/check.h"

namespace dt::provider {
namespace {

// bpf_prog_*, bpf_trace_run2 and __bpf_trace_sys_enter or _exit.
constexpr std::uint32_t kFramesOfTracer = 3;

constexpr std::int32_t kFirstRestart = 512, kLastRestart = 516;  // ERESTART... of the kernel
constexpr std::uint32_t kNumberArgument = 6;  // arg6 is the call's number as the task gave it

// The numbers by which a task can make the call with a key.
struct Numbers {
  std::vector<std::uint32_t> wide;  // native and x32
  std::vector<std::uint32_t> i386;
};

Numbers numbers_of(std::uint32_t key) {
  Numbers numbers;
  if (key <= kLastSyscall) numbers.wide.push_back(key);
  const std::vector<std::uint16_t> table = key_table();
  for (std::uint32_t i = 0; i < kX32Numbers + kI386Numbers; ++i) {
    if (table[i] != key) continue;
    if (i < kX32Numbers)
      numbers.wide.push_back(kX32Bit | i);
    else
      numbers.i386.push_back(i - kX32Numbers);
  }
  return numbers;
}

class SyscallPrologue : public bpf::Prologue {
 public:
  SyscallPrologue(bool is_return, std::int32_t compat_offset, std::size_t key_count,
                  bool is_solaris)
      : is_return_(is_return),
        compat_offset_(compat_offset),
        key_count_(key_count),
        is_solaris_(is_solaris) {}

  std::size_t key_count() const override { return key_count_; }
  std::uint32_t stack_frames_to_skip() const override { return kFramesOfTracer; }

  // `nosys` alone has too many numbers to compare with.
  bool prepare(const Needs& needs) override {
    needs_ = needs;
    if (needs.only_key == kNosysKey || is_solaris_) needs_.only_key.reset();
    needs_.key = needs_.key || is_solaris_;  // where the arguments are depends on it
    return needs_.only_key.has_value();
  }

  std::vector<std::uint8_t> table() const override {
    if (!needs_.key || needs_.only_key) return {};
    const std::vector<std::uint16_t> keys = key_table();
    std::vector<std::uint8_t> bytes(keys.size() * sizeof keys[0]);
    std::memcpy(bytes.data(), keys.data(), bytes.size());
    return bytes;
  }
  void table_at(std::uint32_t offset) override { table_offset_ = offset; }

  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) override {
    if (compat_offset_ >= 0 && !is_return_ && needs_.arguments) compat_ = emitter.imm(0);
    bpf::Reg key;
    if (is_return_) {
      const bpf::Reg number = emitter.load(8, registers(emitter, context), machine::kSavedOrigAx);
      // -1: not the end of a system call but of a signal handler (sigreturn).
      emitter.jump_if_imm(bpf::Cond::kEq, number, -1, leave);
      key = number;
    } else if (needs_.key) {
      key = emitter.load(8, context, 8);
    }
    if (!needs_.key) {
      only_compat(emitter, context);
      return {};
    }
    emitter.zero_extend(key, 4);
    if (needs_.only_key)
      leave_unless_only(emitter, key, context, leave);
    else
      number_to_key(emitter, key, context);
    if (is_solaris_) as_on_solaris(emitter, key, context);
    return key;
  }

  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number == kNumberArgument) {
      if (!is_return_) return emitter.load(8, context, 8);
      return emitter.load(8, registers(emitter, context), machine::kSavedOrigAx);
    }
    if (is_return_) return number < 2 ? result(emitter, context) : given(emitter, context, number);
    const bpf::Reg value = passed(emitter, context, number);
    if (shift_.valid()) {
      for (std::uint32_t shift = 1; shift <= kMostShift; ++shift) {
        const bpf::Label other = emitter.label();
        emitter.jump_if_imm(bpf::Cond::kNe, shift_, static_cast<std::int32_t>(shift), other);
        emitter.mov(value, passed(emitter, context, number + shift));
        emitter.bind(other);
      }
      if (number == 1) {
        const bpf::Label other = emitter.label();
        emitter.jump_if_imm(bpf::Cond::kNe, shift_, kIsFstat, other);
        emitter.mov(value, passed(emitter, context, 2));
        emitter.bind(other);
      }
      with_sign(emitter, value, number);
    }
    return value;
  }

  // A call failed when it returned -4095..-1. By ERESTARTSYS (512) to ERESTART_RESTARTBLOCK
  // (516) the kernel tells itself that a signal has come. No program sees these: behind this
  // probe the call is started again, or its error is EINTR.
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg context) override {
    if (!is_return_) return emitter.imm(0);
    const bpf::Reg result = emitter.load(8, context, 8);
    const bpf::Reg error = emitter.reg();
    const bpf::Label done = emitter.label();
    emitter.mov_imm(error, 0);
    emitter.jump_if_imm(bpf::Cond::kSge, result, 0, done);
    emitter.jump_if_imm(bpf::Cond::kSlt, result, -4095, done);
    emitter.mov(error, result);
    emitter.neg(error);
    emitter.jump_if_imm(bpf::Cond::kLt, error, kFirstRestart, done);
    emitter.jump_if_imm(bpf::Cond::kGt, error, kLastRestart, done);
    emitter.mov_imm(error, EINTR);
    emitter.bind(done);
    return error;
  }

 private:
  static constexpr std::uint32_t kMostShift = 2;
  // Instead of a shift: newfstatat() of a descriptor, whose structure is its third argument.
  static constexpr std::int32_t kIsFstat = 3;

  // Arguments of type int that are negative in ordinary use. The kernel reads 32 bits of them, and
  // compilers leave zeros above: kill(-7, 1) passes 0xfffffff9.
  struct Narrow {
    const char* call;
    std::uint32_t argument;
  };
  static constexpr Narrow kNarrow[] = {{"kill", 0}, {"wait4", 0}, {"mmap", 4}};

  void with_sign(bpf::Emitter& emitter, bpf::Reg value, std::uint32_t number) const {
    for (const Narrow& narrow : kNarrow) {
      if (narrow.argument != number) continue;
      const bpf::Label other = emitter.label();
      emitter.jump_if_imm(bpf::Cond::kNe, key_, key_of(narrow.call), other);
      emitter.sign_extend(value, 4);
      emitter.bind(other);
    }
  }

  // An argument as the task passed it.
  bpf::Reg passed(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) {
    if (number >= machine::kSystemCallArguments.size()) return emitter.imm(0);
    const bpf::Reg regs = registers(emitter, context);
    const bpf::Reg value = emitter.load(8, regs, machine::kSystemCallArguments.at(number));
    if (compat_.valid()) {
      const bpf::Label native = emitter.label();
      emitter.jump_if_imm(bpf::Cond::kEq, compat_, 0, native);
      emitter.load_to(value, 4, regs, machine::kI386SystemCallArguments.at(number));
      emitter.bind(native);
    }
    return value;
  }

  bpf::Reg given(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) {
    constexpr auto& kGiven = probe::kGivenArguments;
    const auto found = std::find(kGiven.begin(), kGiven.end(), number);
    if (found == kGiven.end() || is_solaris_) return emitter.imm(0);
    const auto which = static_cast<std::size_t>(found - kGiven.begin());
    const bpf::Reg regs = registers(emitter, context);
    const bpf::Reg value = emitter.load(8, regs, machine::kSystemCallArguments.at(which));
    if (compat_offset_ < 0) return value;
    const bpf::Label native = emitter.label();
    const bpf::Reg compat = tell_compat(emitter, context, native);
    emitter.jump_if_imm(bpf::Cond::kEq, compat, 0, native);
    emitter.load_to(value, 4, regs, machine::kI386SystemCallArguments.at(which));
    emitter.bind(native);
    return value;
  }

  // A call that failed has returned -1 on Solaris; errno is beside it.
  bpf::Reg result(bpf::Emitter& emitter, bpf::Reg context) const {
    const bpf::Reg value = emitter.load(8, context, 8);
    if (!is_solaris_) return value;
    const bpf::Label done = emitter.label();
    emitter.jump_if_imm(bpf::Cond::kSge, value, 0, done);
    emitter.jump_if_imm(bpf::Cond::kSlt, value, -4095, done);
    emitter.mov_imm(value, -1);
    emitter.bind(done);
    return value;
  }

  static std::int32_t key_of(const char* name) {
    return static_cast<std::int32_t>(find_syscall(name)->key);
  }

  // A word of the caller's memory, 0 where it cannot be read: the call fails then, too. It is read
  // before the call and after it, and the kernel does not write it.
  static bpf::Reg user_word(bpf::Emitter& emitter, std::int32_t bytes, bpf::Reg from) {
    const bpf::StackSlot slot = emitter.stack(8);
    const bpf::Reg word = emitter.imm(0);
    const bpf::Label unread = emitter.label();
    const bpf::Reg status = emitter.call(BPF_FUNC_probe_read_user,
                                         {emitter.stack_address(slot), emitter.imm(bytes), from});
    emitter.jump_if_imm(bpf::Cond::kNe, status, 0, unread);
    emitter.load_to(word, static_cast<std::uint32_t>(bytes), emitter.stack_address(slot), 0);
    emitter.bind(unread);
    return word;
  }

  // clone() and clone3() make a thread or a process. The flags of clone3() are the first word of
  // its structure. In what was made, the structure is not to be read: it is mostly on the stack of
  // the caller, who may have returned since. There the identifiers tell.
  void tell_threads(bpf::Emitter& emitter, bpf::Reg key, bpf::Reg context) {
    constexpr std::int32_t kThread = 0x10000;  // CLONE_THREAD
    const bpf::Label same = emitter.label(), makes = emitter.label(), in_memory = emitter.label(),
                     known = emitter.label(), is_thread = emitter.label();
    emitter.jump_if_imm(bpf::Cond::kEq, key, key_of("clone3"), makes);
    emitter.jump_if_imm(bpf::Cond::kNe, key, key_of("clone"), same);
    emitter.bind(makes);
    if (is_return_) {
      const bpf::Label is_caller = emitter.label();
      emitter.jump_if_imm(bpf::Cond::kNe, emitter.load(8, context, 8), 0, is_caller);
      const bpf::Reg process = emitter.call(BPF_FUNC_get_current_pid_tgid, {});
      const bpf::Reg thread = emitter.reg();
      emitter.mov(thread, process);
      emitter.alu_imm(bpf::Alu::kRsh, process, 32);
      emitter.alu_imm(bpf::Alu::kLsh, thread, 32);
      emitter.alu_imm(bpf::Alu::kRsh, thread, 32);
      emitter.jump_if(bpf::Cond::kNe, process, thread, is_thread);
      emitter.jump(same);
      emitter.bind(is_caller);
    }
    const bpf::Reg flags = emitter.reg();
    emitter.jump_if_imm(bpf::Cond::kEq, key, key_of("clone3"), in_memory);
    emitter.mov(flags, passed(emitter, context, 0));
    emitter.jump(known);
    emitter.bind(in_memory);
    emitter.mov(flags, user_word(emitter, 8, passed(emitter, context, 0)));
    emitter.bind(known);
    emitter.alu_imm(bpf::Alu::kAnd, flags, kThread);
    emitter.jump_if_imm(bpf::Cond::kEq, flags, 0, same);
    emitter.bind(is_thread);
    emitter.mov_imm(key, kSolarisThreadKey);
    emitter.bind(same);
  }

  // The C library's fstat(fd) is newfstatat(fd, "", AT_EMPTY_PATH) today.
  void tell_fstat(bpf::Emitter& emitter, bpf::Reg key, bpf::Reg context) {
    constexpr std::int32_t kEmptyPath = 0x1000;  // AT_EMPTY_PATH
    const bpf::Label same = emitter.label();
    emitter.jump_if_imm(bpf::Cond::kNe, key, key_of("newfstatat"), same);
    const bpf::Reg flags = emitter.reg();
    emitter.mov(flags, passed(emitter, context, 3));
    emitter.alu_imm(bpf::Alu::kAnd, flags, kEmptyPath);
    emitter.jump_if_imm(bpf::Cond::kEq, flags, 0, same);
    const bpf::Reg first = user_word(emitter, 1, passed(emitter, context, 1));
    emitter.jump_if_imm(bpf::Cond::kNe, first, 0, same);
    emitter.mov_imm(key, key_of("fstat"));
    if (shift_.valid()) emitter.mov_imm(shift_, kIsFstat);
    emitter.bind(same);
  }

  // Tells what a call is on Solaris, and by how much its arguments are shifted.
  void as_on_solaris(bpf::Emitter& emitter, bpf::Reg key, bpf::Reg context) {
    if (!is_return_ && needs_.arguments) shift_ = emitter.imm(0);
    key_ = key;
    tell_threads(emitter, key, context);
    tell_fstat(emitter, key, context);
    if (!shift_.valid()) return;
    for (const SolarisCall& call : solaris_calls()) {
      if (call.shift == 0) continue;
      const bpf::Label other = emitter.label();
      emitter.jump_if_imm(bpf::Cond::kNe, key, key_of(call.linux_name), other);
      emitter.mov_imm(shift_, call.shift);
      emitter.bind(other);
    }
  }

  static bpf::Reg registers(bpf::Emitter& emitter, bpf::Reg context) {
    return emitter.load(8, context, 0);
  }

  // Jumps to `native` after a 64-bit call; otherwise goes on with the bit that
  // tells calls by i386's numbers in the register that is returned.
  bpf::Reg tell_compat(bpf::Emitter& emitter, bpf::Reg context, bpf::Label native) {
    const bpf::Label unsure = emitter.label();
    const bpf::Reg regs = registers(emitter, context);
    emitter.jump_if_imm(bpf::Cond::kNe, emitter.load(2, regs, machine::kSavedCs), machine::kUserCs,
                        unsure);
    const bpf::Reg ip = emitter.load(8, regs, machine::kSavedIp);
    emitter.jump_if(bpf::Cond::kEq, emitter.load(8, regs, machine::kSavedCx), ip, native);
    emitter.bind(unsure);
    const bpf::Reg task = emitter.call(BPF_FUNC_get_current_task_btf, {});
    const bpf::Reg status = compat_.valid() ? compat_ : emitter.reg();
    emitter.load_to(status, 4, task, compat_offset_);
    emitter.alu_imm(bpf::Alu::kAnd, status, machine::kCompatCall);
    return status;
  }

  // The key does not matter, but where the arguments are does.
  void only_compat(bpf::Emitter& emitter, bpf::Reg context) {
    if (!compat_.valid()) return;
    const bpf::Label native = emitter.label();
    tell_compat(emitter, context, native);
    emitter.bind(native);
  }

  // Most calls are others, and their number differs, whichever process makes them.
  void leave_unless_only(bpf::Emitter& emitter, bpf::Reg number, bpf::Reg context,
                         bpf::Label leave) {
    const bool ia32 = compat_offset_ >= 0;
    const Numbers numbers = numbers_of(*needs_.only_key);
    const bpf::Label ours = emitter.label(), wide = emitter.label(), i386 = emitter.label();
    const auto jump_when = [&](std::uint32_t equals, bpf::Label to) {
      emitter.jump_if_imm(bpf::Cond::kEq, number, static_cast<std::int32_t>(equals), to);
    };
    for (const std::uint32_t n : numbers.wide) jump_when(n, ia32 ? wide : ours);
    if (ia32) {
      for (const std::uint32_t n : numbers.i386) jump_when(n, i386);
    }
    emitter.jump(leave);
    if (ia32 && !numbers.wide.empty()) {
      emitter.bind(wide);
      const bpf::Reg compat = tell_compat(emitter, context, ours);
      emitter.jump_if_imm(bpf::Cond::kEq, compat, 0, ours);
      for (const std::uint32_t n : numbers.i386) jump_when(n, ours);
      emitter.jump(leave);
    }
    if (ia32 && !numbers.i386.empty()) {
      emitter.bind(i386);
      const bpf::Reg compat = tell_compat(emitter, context, leave);
      emitter.jump_if_imm(bpf::Cond::kEq, compat, 0, leave);
    }
    emitter.bind(ours);
  }

  // Turns the number in `key` into the key. The way of a named native call
  // falls through a few compares; the rest looks into the table.
  void number_to_key(bpf::Emitter& emitter, bpf::Reg key, bpf::Reg context) {
    DT_CHECK(table_offset_ != ir::kNone, "the generator places a prologue's table before enter()");
    const bpf::Label known = emitter.label(), odd = emitter.label(), i386 = emitter.label();
    if (compat_offset_ >= 0) {
      const bpf::Label native = emitter.label();
      const bpf::Reg compat = tell_compat(emitter, context, native);
      emitter.jump_if_imm(bpf::Cond::kNe, compat, 0, i386);
      emitter.bind(native);
    }
    emitter.jump_if_imm(bpf::Cond::kGt, key, kLastSyscall, odd);
    const bpf::Reg in_hole = emitter.reg();
    emitter.mov(in_hole, key);
    emitter.alu_imm(bpf::Alu::kSub, in_hole, kHoleBegin);
    emitter.jump_if_imm(bpf::Cond::kGe, in_hole, kHoleEnd - kHoleBegin, known);

    emitter.bind(odd);
    const bpf::Label nosys = emitter.label();
    const bpf::Reg x32 = emitter.reg();
    emitter.mov(x32, key);
    emitter.alu_imm(bpf::Alu::kAnd, x32, kX32Bit);
    emitter.jump_if_imm(bpf::Cond::kEq, x32, 0, nosys);
    emitter.alu_imm(bpf::Alu::kAnd, key, ~static_cast<std::int32_t>(kX32Bit));
    look_up(emitter, key, 0, kX32Numbers, nosys);
    emitter.jump(known);

    if (compat_offset_ >= 0) {
      emitter.bind(i386);
      look_up(emitter, key, kX32Numbers, kI386Numbers, nosys);
      emitter.jump(known);
    }
    emitter.bind(nosys);
    emitter.mov_imm(key, kNosysKey);
    emitter.bind(known);
  }

  void look_up(bpf::Emitter& emitter, bpf::Reg key, std::uint32_t first, std::uint32_t count,
               bpf::Label nosys) const {
    emitter.jump_if_imm(bpf::Cond::kGe, key, static_cast<std::int32_t>(count), nosys);
    emitter.alu_imm(bpf::Alu::kLsh, key, 1);
    const bpf::Reg entry = emitter.map_value({bpf::MapKind::kRodata, 0}, table_offset_ + first * 2);
    emitter.alu(bpf::Alu::kAdd, entry, key);
    emitter.load_to(key, 2, entry, 0);
    // The table holds no higher key; this tells the verifier.
    emitter.jump_if_imm(bpf::Cond::kGt, key, kNosysKey, nosys);
  }

  bool is_return_;
  std::int32_t compat_offset_;
  std::size_t key_count_;
  Needs needs_;
  std::uint32_t table_offset_ = ir::kNone;
  bool is_solaris_;
  bpf::Reg compat_;  // not 0 in a 32-bit call; invalid when that makes no difference
  bpf::Reg shift_;   // of the arguments; invalid when there is none
  bpf::Reg key_;     // the call; valid where shift_ is
};

}  // namespace

std::unique_ptr<bpf::Prologue> syscall_prologue(bool is_return, std::int32_t compat_offset,
                                                std::size_t key_count, bool is_solaris) {
  return std::make_unique<SyscallPrologue>(is_return, compat_offset, key_count, is_solaris);
}

}  // namespace dt::provider
