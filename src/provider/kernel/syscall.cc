// The syscall provider: entry and return of every system call.
//
// Two programs serve all probes, one on the tracepoint sys_enter and one on
// sys_exit: leaving hundreds of per-call tracepoints would take half a minute.
// The call's number becomes the key (syscall_table.h, syscall_prologue.h).
//
// They are programs with types (BPF_TRACE_RAW_TP, known by the tracepoint's
// typedef in BTF), so that the registers are read with plain loads.
//
// With -x compat=solaris the names are those of Solaris (solaris_calls.h): the same keys with other
// names, arguments that begin where those of Solaris do, and -1 where a call failed.

#include <fmt/core.h>
#include <linux/bpf.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "provider/kernel/solaris_calls.h"
#include "provider/kernel/syscall_prologue.h"
#include "provider/kernel/syscall_table.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/tracepoint.h"
#include "types/type.h"

namespace dt::provider {
namespace {

constexpr const char* kEntry = "syscall:entry";
constexpr const char* kReturn = "syscall:return";

class SyscallProvider : public Provider {
 public:
  SyscallProvider(bool ia32, const types::Catalog& types, std::function<bool()> is_solaris)
      : ia32_(ia32), types_(types), asks_solaris_(std::move(is_solaris)) {}

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

  std::optional<std::uint32_t> places() const override {
    return static_cast<std::uint32_t>(2 * key_count());
  }
  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> probes;
    probes.reserve(2 * key_count());
    const auto add = [&](const char* module, const char* function) {
      probes.push_back({"syscall", module, function, "entry"});
      probes.push_back({"syscall", module, function, "return"});
    };
    // The module is the call of Linux.
    const auto add_call = [&](const char* name) {
      const SolarisCall* const other = is_solaris() ? find_solaris_call(name) : nullptr;
      add(other == nullptr ? "vmlinux" : name, other == nullptr ? name : other->name);
    };
    for (const Syscall& call : native_syscalls()) add_call(call.name);
    if (ia32_) {
      for (const Syscall& call : i386_only_syscalls()) add_call(call.name);
    }
    add("vmlinux", "nosys");
    if (is_solaris()) {
      add("clone", kSolarisThreadCall);
      for (const char* const absent : solaris_absent_calls()) add("none", absent);
    }
    return probes;
  }

  probe::Pattern as_here(probe::Pattern pattern) const override {
    if (is_solaris()) pattern.function = solaris_alias(pattern.function);
    return pattern;
  }

  // A call of illumos that Linux has by another name, or a function of the kernel.
  std::string why_not(const probe::Pattern& pattern) const override {
    const auto calls = native_syscalls();
    const auto is_it = [&](const Syscall& call) { return pattern.function == call.name; };
    const bool is_named = is_solaris() || std::any_of(calls.begin(), calls.end(), is_it);
    if (is_named) return {};
    const std::string call = call_of_function(pattern.function);
    return call.empty() ? name_of_linux(pattern.function) : call;
  }

  probe::Binding binding(const probe::Description& probe) const override {
    const char* const program = probe.name == "entry" ? kEntry : kReturn;
    if (probe.module == "none") {
      const auto absent = solaris_absent_calls();
      const auto at = std::find(absent.begin(), absent.end(), probe.function);
      return {program, kFirstAbsentKey + static_cast<std::uint32_t>(at - absent.begin())};
    }
    if (probe.function == kSolarisThreadCall) return {program, kSolarisThreadKey};
    const Syscall* const call = call_of(probe);
    return {program, call == nullptr ? kNosysKey : call->key};
  }

  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& probe) const override {
    if (probe.name == "return") return std::vector<probe::Argument>{{"long"}, {"long"}};
    const Syscall* const call = call_of(probe);
    if (call == nullptr || call->types == nullptr) return std::nullopt;
    std::vector<probe::Argument> arguments;
    for (std::string& type : without_shifted(probe, split(call->types))) {
      // What points anywhere points into the task's memory.
      const bool is_pointer = type.ends_with('*') || type.starts_with("cap_user_");
      arguments.push_back({std::move(type), is_pointer});
    }
    return arguments;
  }

  std::vector<std::string> argument_names(const probe::Description& probe) const override {
    const Syscall* const call = probe.name == "entry" ? call_of(probe) : nullptr;
    return call == nullptr || call->names == nullptr ? std::vector<std::string>()
                                                     : without_shifted(probe, split(call->names));
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine& machine) const override {
    return syscall_prologue(program == kReturn, ia32_ ? machine.task_status : -1, key_count(),
                            is_solaris());
  }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    const char* const type = program == kEntry ? "btf_trace_sys_enter" : "btf_trace_sys_exit";
    const std::uint32_t number = types_.number(types::Tag::kNone, type, "vmlinux");
    if (number == 0 && !types_.errors().empty()) {
      return Error::of(types_.errors(),
                       has_no_types(types_)
                           ? "system calls are traced by the kernel's own type information: "
                             "use a kernel built with CONFIG_DEBUG_INFO_BTF"
                           : "");
    }
    if (number == 0) {
      return Error::of(fmt::format("the kernel's BTF has no type '{}'", type),
                       "this kernel traces no system calls: use one built with "
                       "CONFIG_HAVE_SYSCALL_TRACEPOINTS and CONFIG_DEBUG_INFO_BTF");
    }
    kernel::ProgramSpec spec;
    spec.name = program == kEntry ? "dt_sys_enter" : "dt_sys_exit";
    spec.type = BPF_PROG_TYPE_TRACING;
    spec.expected_attach = BPF_TRACE_RAW_TP;
    spec.attach_btf_id = number;
    return spec;
  }

  // The program knows its tracepoint by its type.
  std::string source(const std::string& program) const override {
    return program == kEntry ? "typed tracepoint sys_enter" : "typed tracepoint sys_exit";
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string&, std::span<const probe::Probe>,
                                             const Fd& fd, kernel::Kernel& kernel) const override {
    return attach_tracepoint("", fd, kernel);
  }

 private:
  std::size_t key_count() const {
    return native_syscalls().size() + (ia32_ ? i386_only_syscalls().size() : 0) + 1 +
           (is_solaris() ? 1 + solaris_absent_calls().size() : 0);
  }

  bool is_solaris() const { return asks_solaris_ && asks_solaris_(); }

  static const Syscall* call_of(const probe::Description& probe) {
    return find_syscall(probe.module == "vmlinux" ? probe.function : probe.module);
  }

  // For the names that the kernel's functions and events of a call have: __x64_sys_read,
  // sys_enter_read.
  static std::string call_of_function(std::string_view function) {
    for (const std::string_view prefix : {"__x64_sys_", "__ia32_sys_", "__se_sys_", "__do_sys_",
                                          "ksys_", "sys_enter_", "sys_exit_", "SyS_", "sys_"}) {
      if (!function.starts_with(prefix)) continue;
      const Syscall* const call = find_syscall(function.substr(prefix.size()));
      if (call != nullptr) {
        return fmt::format("{} belongs to the system call {}: syscall::{}:{}", function, call->name,
                           call->name, prefix == "sys_exit_" ? "return" : "entry");
      }
    }
    return {};
  }

  // The arguments that the call of Solaris has, too.
  static std::vector<std::string> without_shifted(const probe::Description& probe,
                                                  std::vector<std::string> all) {
    const SolarisCall* const call =
        probe.module == "vmlinux" ? nullptr : find_solaris_call(probe.module);
    const std::size_t shift = call == nullptr ? 0 : std::min<std::size_t>(call->shift, all.size());
    all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shift));
    return all;
  }

  static std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
      const std::size_t comma = text.find(", ");
      parts.emplace_back(text.substr(0, comma));
      text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 2);
    }
    return parts;
  }

  bool ia32_;
  const types::Catalog& types_;
  std::function<bool()> asks_solaris_;
};

}  // namespace

std::unique_ptr<Provider> syscall_provider(bool ia32, const types::Catalog& types,
                                           std::function<bool()> is_solaris) {
  return std::make_unique<SyscallProvider>(ia32, types, std::move(is_solaris));
}

// The kernel offers this knob of the 32-bit vDSO with IA32_EMULATION only.
bool kernel_runs_ia32() {
  struct stat status {};
  return ::stat("/proc/sys/abi/vsyscall32", &status) == 0;
}

}  // namespace dt::provider
