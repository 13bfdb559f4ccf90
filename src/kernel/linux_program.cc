// LinuxKernel: programs, and what makes them run.

#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "kernel/bpf_call.h"
#include "kernel/btf.h"
#include "kernel/linux.h"
#include "kernel/netfilter.h"
#include "kernel/nudge.h"
#include "kernel/verifier_log.h"

namespace dt::kernel {
namespace {

constexpr std::size_t kFirstLogBytes = 64 << 10;
constexpr std::size_t kLastLogBytes = 16 << 20;
constexpr std::size_t kMaxContextWords = 12;  // what BPF_PROG_RUN of a raw tracepoint accepts
// A signal ends a verification, and SIGSTOP cannot be blocked. Each retry takes one more signal, so
// that the limit is only for a kernel with another reason.
constexpr int kLoadRetries = 100'000;

// What the verifier gets besides the program itself.
struct Facts {
  FunctionTypes types;
  const Fd& module;  // whose BTF has spec.attach_btf_id; not valid: the kernel's
};

// `log` may be empty: then none is asked for.
int load_program(const ProgramSpec& spec, std::span<const bpf_insn> insns, const Facts& facts,
                 std::span<char> log) {
  const FunctionTypes& types = facts.types;
  static constexpr char kLicense[] = "GPL";  // tells the kernel which helpers may be used
  bpf_attr attr = zero_attr();
  attr.prog_type = spec.type;
  if (spec.expected_attach == kNetfilterAttach) attr.prog_type = kNetfilterProgram;
  attr.insn_cnt = static_cast<std::uint32_t>(insns.size());
  attr.insns = to_u64(insns.data());
  attr.license = to_u64(kLicense);
  attr.prog_flags = spec.flags;
  attr.expected_attach_type = spec.expected_attach;
  attr.attach_btf_id = spec.attach_btf_id;
  if (facts.module.valid()) {
    attr.attach_btf_obj_fd = static_cast<std::uint32_t>(facts.module.get());
  }
  std::memcpy(attr.prog_name, spec.name.data(),
              std::min(spec.name.size(), sizeof attr.prog_name - 1));
  if (types.btf.valid()) {
    attr.prog_btf_fd = static_cast<std::uint32_t>(types.btf.get());
    attr.func_info_rec_size = sizeof(FunctionInfo);
    attr.func_info = to_u64(types.functions.data());
    attr.func_info_cnt = static_cast<std::uint32_t>(types.functions.size());
  }
  if (!log.empty()) {
    attr.log_buf = to_u64(log.data());
    attr.log_size = static_cast<std::uint32_t>(log.size());
    attr.log_level = 1;
  }
  int result = bpf_call(BPF_PROG_LOAD, attr);
  for (int i = 0; result == -EAGAIN && i < kLoadRetries; ++i) {  // a signal arrived
    result = bpf_call(BPF_PROG_LOAD, attr);
  }
  return result;
}

// The verifier's log of a program that it refuses.
// The program is loaded once more for its log. The size that a log needs is not known before: the
// kernel says ENOSPC when it was too small.
std::string fetch_log(const ProgramSpec& spec, std::span<const bpf_insn> insns,
                      const Facts& facts) {
  std::string log;
  for (std::size_t size = kFirstLogBytes; size <= kLastLogBytes; size *= 16) {
    log.assign(size, '\0');
    const int result = load_program(spec, insns, facts, log);
    if (result >= 0) {  // accepted this time: the first time, memory was short
      Fd(result).reset();
      return {};
    }
    if (result != -ENOSPC) {
      break;
    }
  }
  log.resize(std::strlen(log.c_str()));
  return log;
}

// Loads one layout of the program. -ENOTSUPP when it is the JIT that failed, whatever the kernel
// calls it: kernel/nudge.h says when that happens, and what helps.
int load_layout(const ProgramSpec& spec, std::span<const bpf_insn> insns, const Facts& facts) {
  // Without a log the verifier is a good deal faster.
  const int fd = load_program(spec, insns, facts, {});
  if (fd >= 0) {
    if (!is_left_to_interpreter(fd)) {
      return fd;
    }
    Fd(fd).reset();
    return -kNotSupported;
  }
  const bool failed =
      fd == -EINVAL && fetch_log(spec, insns, facts).find(kJitFailed) != std::string::npos;
  return failed ? -kNotSupported : fd;
}

// The verifier's errno says little (EACCES and EINVAL for most things): what counts is the last
// line of its log.
Error refusal(const ProgramSpec& spec, std::span<const bpf_insn> insns, const Facts& facts,
              int code, bool want_log) {
  // The first two come from before the verifier, and the third from a signal.
  const bool verifier = code != EPERM && code != EMFILE && code != EAGAIN;
  std::string log = want_log && verifier ? fetch_log(spec, insns, facts) : std::string();
  const std::string reason = verifier_reason(log);
  Error error = bpf_error(BPF_PROG_LOAD, spec.name, code);
  if (!reason.empty()) {
    error.code = code == E2BIG ? E2BIG : EINVAL;
    error.text = fmt::format("bpf(BPF_PROG_LOAD) of '{}': the verifier refused the program: {}",
                             spec.name, reason);
  }
  if (code == E2BIG) {
    error.remedy =
        "the clauses of this probe are too much for one program; use fewer or simpler ones";
  } else if (!reason.empty()) {
    error.remedy.clear();
  }
  error.log = std::move(log);
  return error;
}

}  // namespace

Result<Fd> LinuxKernel::load_program(const ProgramSpec& spec, std::span<const bpf_insn> insns,
                                     bool want_log) {
  std::vector<bpf_insn> accepting;  // of netfilter
  if (spec.expected_attach == kNetfilterAttach) {
    accepting.assign(insns.begin(), insns.end());
    DT_TRY(accept_every_packet(accepting));
    read_kernel_only(accepting);
    insns = accepting;
  }
  Fd module;
  if (!spec.attach_module.empty() && spec.attach_module != "vmlinux") {
    DT_ASSIGN(module, open_kernel_btf(spec.attach_module));
  }
  DT_ASSIGN(FunctionTypes types, load_function_btf(spec.name, insns, spec.functions));
  const Facts facts{std::move(types), module};
  bool is_first = true;
  const int fd = load_in_some_layout(
      insns, spec.functions,
      [&](std::span<const bpf_insn> layout, std::span<const Function> functions) {
        if (std::exchange(is_first, false)) {
          return load_layout(spec, layout, facts);
        }
        Result<FunctionTypes> moved = load_function_btf(spec.name, layout, functions);
        return moved.ok() ? load_layout(spec, layout, {std::move(*moved), module}) : -kNotSupported;
      });
  if (fd < 0) {
    return refusal(spec, insns, facts, -fd, want_log);
  }
  return Fd(fd);
}

// BPF_PROG_RUN of a raw tracepoint takes an array of words instead of the tracepoint's arguments:
// what the program reads as ctx[i].
Result<RunResult> LinuxKernel::run(const Fd& program, std::span<const std::uint64_t> args,
                                   int cpu) {
  std::array<std::uint64_t, kMaxContextWords> context = {};
  std::copy_n(args.begin(), std::min(args.size(), context.size()), context.begin());
  bpf_attr attr = zero_attr();
  attr.test.prog_fd = static_cast<std::uint32_t>(program.get());
  attr.test.ctx_in = to_u64(context.data());
  attr.test.ctx_size_in = sizeof context;
  const int on = cpu >= 0 ? cpu : home_cpu_;
  if (on >= 0) {
    attr.test.flags = BPF_F_TEST_RUN_ON_CPU;
    attr.test.cpu = static_cast<std::uint32_t>(on);
  }
  const int result = bpf_call(BPF_PROG_TEST_RUN, attr);
  if (result < 0) {
    return bpf_error(BPF_PROG_TEST_RUN, {}, -result);
  }
  return RunResult{attr.test.retval};
}

// Programs of type TRACING (tp_btf, fentry) are attached by this command, too. Their target was
// fixed at load by attach_btf_id, and the kernel refuses a name in addition.
Result<Fd> LinuxKernel::attach_raw_tracepoint(const std::string& name, const Fd& program) {
  bpf_attr attr = zero_attr();
  attr.raw_tracepoint.name = name.empty() ? 0 : to_u64(name.c_str());
  attr.raw_tracepoint.prog_fd = static_cast<std::uint32_t>(program.get());
  const int fd = bpf_call(BPF_RAW_TRACEPOINT_OPEN, attr);
  if (fd < 0) {
    Error error = bpf_error(BPF_RAW_TRACEPOINT_OPEN, name, -fd);
    if (fd == -ENOENT) {
      error.remedy = "this kernel has no such tracepoint";
    }
    return error;
  }
  return Fd(fd);
}

// The kernel skips a program on a CPU that is in the middle of this program already, as when a
// probe is in a function that a helper calls. It counts these firings and says nothing else about
// them.
Result<std::uint64_t> LinuxKernel::missed_firings(const Fd& program) {
  bpf_prog_info info;
  std::memset(&info, 0, sizeof info);
  const int result = bpf_info(program.get(), &info, sizeof info);
  if (result < 0) {
    return bpf_error(BPF_OBJ_GET_INFO_BY_FD, {}, -result);
  }
  return std::uint64_t{info.recursion_misses};
}

}  // namespace dt::kernel
