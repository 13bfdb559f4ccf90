// The syscall provider: entry and return of every system call.
//
// Two programs serve all probes, one on the raw tracepoint sys_enter and one
// on sys_exit: leaving hundreds of per-call tracepoints would take half a
// minute. The call's number becomes the key (syscall_table.h). What the kernel
// hands a raw tracepoint's program:
//
//   sys_enter: u64 ctx[] = { struct pt_regs *, number }
//   sys_exit:  u64 ctx[] = { struct pt_regs *, return value }
//
// The pt_regs pointer may not be followed from there, but the same registers
// come typed, and so readable without a copy, from bpf_task_pt_regs().
//
// 32-bit tasks make calls with i386's numbers and registers. They are known by
// a bit in thread_info.status, and take a path out of the way of all others.

#include <sys/stat.h>

#include <cstring>

#include "provider/all.h"
#include "provider/syscall_table.h"

namespace dt::provider {
namespace {

constexpr std::int32_t kGetCurrentTaskBtf = 158;  // BPF helpers
constexpr std::int32_t kTaskPtRegs = 175;
constexpr std::int32_t kCompatBit = 2;  // TS_COMPAT in thread_info.status

// struct pt_regs of x86-64: an interface since kprobes, fixed.
constexpr std::int32_t kOrigAx = 120;
constexpr std::int32_t kArguments[6] = {112, 104, 96, 56, 72, 64};      // di si dx r10 r8 r9
constexpr std::int32_t kI386Arguments[6] = {40, 88, 96, 104, 112, 32};  // bx cx dx si di bp

constexpr std::uint32_t kNumberArgument = 6;  // arg6 is the call's number as the task gave it

constexpr const char* kEntry = "syscall:entry";
constexpr const char* kReturn = "syscall:return";

class SyscallPrologue : public bpf::Prologue {
 public:
  // `compat_offset`: where thread_info.status is in task_struct; -1 when there
  // are no 32-bit tasks to tell apart.
  SyscallPrologue(bool is_return, std::int32_t compat_offset)
      : is_return_(is_return), compat_offset_(compat_offset) {}

  std::vector<std::uint8_t> table() const override {
    const std::vector<std::uint16_t> keys = key_table();
    std::vector<std::uint8_t> bytes(keys.size() * sizeof keys[0]);
    std::memcpy(bytes.data(), keys.data(), bytes.size());
    return bytes;
  }
  void table_at(std::uint32_t offset) override { table_offset_ = offset; }

  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) override {
    DT_CHECK(table_offset_ != ir::kNone, "the generator places a prologue's table before enter()");
    bpf::Reg task;
    if (is_return_ || compat_offset_ >= 0) task = emitter.call(kGetCurrentTaskBtf, {});
    const bpf::Reg key = emitter.reg();
    if (is_return_) {
      const bpf::Reg number = emitter.load(8, registers(emitter, task), kOrigAx);
      // -1: not the end of a system call but of a signal handler (sigreturn).
      emitter.jump_if_imm(bpf::Cond::kEq, number, -1, leave);
      emitter.mov32(key, number);
    } else {
      emitter.mov32(key, emitter.load(8, context, 8));
    }
    number_to_key(emitter, key, task);
    return key;
  }

  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number == kNumberArgument) return call_number(emitter, context);
    if (is_return_) return number < 2 ? emitter.load(8, context, 8) : emitter.imm(0);
    if (number >= std::size(kArguments)) return emitter.imm(0);
    const bpf::Reg task = emitter.call(kGetCurrentTaskBtf, {});
    const bpf::Reg regs = registers(emitter, task);
    const bpf::Reg value = emitter.load(8, regs, kArguments[number]);
    if (compat_.valid()) {
      const bpf::Label native = emitter.label();
      emitter.jump_if_imm(bpf::Cond::kEq, compat_, 0, native);
      emitter.load_to(value, 4, regs, kI386Arguments[number]);
      emitter.bind(native);
    }
    return value;
  }

  // A call failed when it returned -4095..-1. What the kernel uses among
  // itself to restart a call (ERESTARTSYS = 512, ...) is shown as it is.
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
    emitter.bind(done);
    return error;
  }

 private:
  static bpf::Reg registers(bpf::Emitter& emitter, bpf::Reg task) {
    return emitter.call(kTaskPtRegs, {task});
  }

  bpf::Reg call_number(bpf::Emitter& emitter, bpf::Reg context) const {
    if (!is_return_) return emitter.load(8, context, 8);
    return emitter.load(8, registers(emitter, emitter.call(kGetCurrentTaskBtf, {})), kOrigAx);
  }

  // Turns the number in `key` into the key. The way of a named native call
  // falls through a few compares; the rest looks into the table.
  void number_to_key(bpf::Emitter& emitter, bpf::Reg key, bpf::Reg task) {
    const bpf::Label known = emitter.label(), odd = emitter.label(), i386 = emitter.label();
    if (compat_offset_ >= 0) {
      compat_ = emitter.load(4, task, compat_offset_);
      emitter.alu_imm(bpf::Alu::kAnd, compat_, kCompatBit);
      emitter.jump_if_imm(bpf::Cond::kNe, compat_, 0, i386);
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
  std::uint32_t table_offset_ = ir::kNone;
  bpf::Reg compat_;  // not 0 in a 32-bit call; invalid when there are none
};

// Detaches when its descriptor is closed.
class RawTracepoint : public Attachment {
 public:
  explicit RawTracepoint(Fd link) : link_(std::move(link)) {}

 private:
  Fd link_;
};

class SyscallProvider : public Provider {
 public:
  explicit SyscallProvider(bool ia32) : ia32_(ia32) {}

  std::string_view name() const override { return "syscall"; }

  probe::ProviderAttributes attributes() const override {
    using enum probe::Stability;
    using enum probe::DependencyClass;
    return {.provider = {kEvolving, kEvolving, kCommon},
            .module = {kPrivate, kPrivate, kUnknown},
            .function = {kUnstable, kUnstable, kIsa},
            .name = {kEvolving, kEvolving, kCommon},
            .args = {kUnstable, kUnstable, kIsa}};
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> probes;
    probes.reserve(2 * (native_syscalls().size() + i386_only_syscalls().size() + 1));
    const auto add = [&](const char* function) {
      probes.push_back({"syscall", "vmlinux", function, "entry"});
      probes.push_back({"syscall", "vmlinux", function, "return"});
    };
    for (const Syscall& call : native_syscalls()) add(call.name);
    if (ia32_) {
      for (const Syscall& call : i386_only_syscalls()) add(call.name);
    }
    add("nosys");
    return probes;
  }

  probe::Binding binding(const probe::Description& probe) const override {
    const Syscall* const call = find_syscall(probe.function);
    return {probe.name == "entry" ? kEntry : kReturn, call == nullptr ? kNosysKey : call->key};
  }

  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& probe) const override {
    if (probe.name == "return") return std::vector<probe::Argument>{{"long"}, {"long"}};
    const Syscall* const call = find_syscall(probe.function);
    if (call == nullptr || call->types == nullptr) return std::nullopt;
    return split(call->types);
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine& machine) const override {
    return std::make_unique<SyscallPrologue>(program == kReturn, ia32_ ? machine.task_status : -1);
  }

  kernel::ProgramSpec program_spec(const std::string& program) const override {
    kernel::ProgramSpec spec;
    spec.name = program == kEntry ? "dt_sys_enter" : "dt_sys_exit";
    spec.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
    return spec;
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string& program, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    DT_ASSIGN(Fd link,
              kernel.attach_raw_tracepoint(program == kEntry ? "sys_enter" : "sys_exit", fd));
    return std::unique_ptr<Attachment>(std::make_unique<RawTracepoint>(std::move(link)));
  }

 private:
  // What points anywhere points into the task's memory.
  static std::vector<probe::Argument> split(std::string_view types) {
    std::vector<probe::Argument> arguments;
    while (!types.empty()) {
      const std::size_t comma = types.find(", ");
      const std::string_view type = types.substr(0, comma);
      const bool is_pointer = type.ends_with('*') || type.starts_with("cap_user_");
      arguments.push_back({std::string(type), is_pointer});
      types.remove_prefix(comma == std::string_view::npos ? types.size() : comma + 2);
    }
    return arguments;
  }

  bool ia32_;
};

}  // namespace

std::unique_ptr<Provider> syscall_provider(bool ia32) {
  return std::make_unique<SyscallProvider>(ia32);
}

// The kernel offers this knob of the 32-bit vDSO with IA32_EMULATION only.
bool kernel_runs_ia32() {
  struct stat status {};
  return ::stat("/proc/sys/abi/vsyscall32", &status) == 0;
}

}  // namespace dt::provider
