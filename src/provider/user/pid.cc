// The pid provider: the functions of a process.
//
//   pid1234:libc.so.6:malloc:entry    before the function does anything
//   pid1234:libc.so.6:malloc:return   before the instruction with which it returns
//   pid1234:libc.so.6:malloc:1c       before the instruction at that offset
//   pid1234:a.out:-:401136            before the one at that address
//
// Probes are made when a description names them. One program serves all entries of functions
// that are given their arguments in the same places, one all returns and one all offsets, of
// all processes (uprobe.h); one link puts the breakpoints
// of a process into an object, or those of all processes (whose.h). Where the kernel has no such
// links, an event has all breakpoints of a process.
//
// A return probe is a breakpoint on each instruction that returns, and not a
// uretprobe: that replaces the return address by an address of the
// kernel, and a C++ exception that comes to it ends the program. It also tells
// which instruction it was, and does not lose deep recursion.

#include <algorithm>
#include <iterator>
#include <span>

#include "bpf/asm/reg.h"
#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "machine/x86_64/calls.h"
#include "provider/mechanism/parameter_names.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/uprobe.h"
#include "provider/mechanism/user_arguments.h"
#include "provider/user/pid_probes.h"
#include "support/check.h"

namespace dt::provider {
namespace {

// By PidKind.
constexpr const char* kPrograms[kPidKinds] = {"pid:entry",          "pid:return",
                                              "pid:offset",         "pid:entry-go",
                                              "pid:entry-go-stack", "pid:return-go-stack"};

const char* program_of(PidKind kind) { return kPrograms[static_cast<std::size_t>(kind)]; }

PidKind kind_of(const std::string& program) {
  const auto found = std::find(std::begin(kPrograms), std::end(kPrograms), program);
  DT_CHECK(found != std::end(kPrograms), "{}", program);
  return static_cast<PidKind>(found - std::begin(kPrograms));
}

bool is_entry(PidKind kind) {
  return kind == PidKind::kEntry || kind == PidKind::kGoEntry || kind == PidKind::kGoStackEntry;
}

// arg0... are the function's, as far as they are integers and pointers: some in
// registers, and the others on the stack behind the return address.
class EntryPrologue : public UprobePrologue {
 public:
  EntryPrologue(std::span<const std::int32_t> registers, const std::vector<std::int32_t>& whose,
                const bpf::Machine& machine, Uprobes& uprobes)
      : UprobePrologue(whose, machine, uprobes), registers_(registers) {}
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number < registers_.size()) return emitter.load(8, context, registers_[number]);
    const bpf::Reg address = emitter.load(8, context, machine::kSavedSp);
    const auto on_stack = static_cast<std::int32_t>(number - registers_.size());
    emitter.alu_imm(bpf::Alu::kAdd, address, (1 + on_stack) * 8);
    return load_user(emitter, address);
  }
  bool argument_reads_user(std::uint32_t number) const override {
    return number >= registers_.size();
  }

 private:
  std::span<const std::int32_t> registers_;
};

// arg0 is where in the function it is, arg1 what is returned, if that is in a register.
class ReturnPrologue : public UprobePrologue {
 public:
  ReturnPrologue(bool has_result, const std::vector<std::int32_t>& whose,
                 const bpf::Machine& machine, Uprobes& uprobes)
      : UprobePrologue(whose, machine, uprobes), has_result_(has_result) {}
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number == 0) return site_number(emitter);
    return number == 1 && has_result_ ? emitter.load(8, context, machine::kFunctionResult)
                                      : emitter.imm(0);
  }

 protected:
  bool uses_site_number() const override { return true; }

 private:
  bool has_result_;
};

// Within a function it is not known where its arguments are; uregs[] has the registers.
class OffsetPrologue : public UprobePrologue {
 public:
  using UprobePrologue::UprobePrologue;
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg, std::uint32_t) override {
    return emitter.imm(0);
  }
};

class PidProvider : public Provider {
 public:
  PidProvider(const types::Catalog& types, OfProcesses processes, std::shared_ptr<Uprobes> uprobes)
      : types_(types),
        probes_(std::make_unique<PidProbes>(types, std::move(processes))),
        uprobes_(std::move(uprobes)) {}

  std::string_view name() const override { return "pid"; }
  bool owns(std::string_view provider) const override {
    return provider == name() || provider == "pid*" || pid_of_provider(provider).has_value();
  }
  bool concerns(const probe::Pattern& pattern) const override {
    return may_be_numbered(pattern.provider, name());
  }

  probe::ProviderAttributes attributes() const override {
    using enum probe::Stability;
    using enum probe::DependencyClass;
    return {.provider = {kEvolving, kEvolving, kIsa},
            .module = {kPrivate, kPrivate, kUnknown},
            .function = {kPrivate, kPrivate, kUnknown},
            .name = {kEvolving, kEvolving, kIsa},
            .args = {kPrivate, kPrivate, kUnknown}};
  }

  std::vector<probe::Description> list() const override { return {}; }
  bool creates_all() const override { return true; }
  std::vector<probe::Description> create(const probe::Pattern& pattern) const override {
    return probes_->ask(pattern).probes;
  }
  std::optional<probe::Refusal> refusal(const probe::Pattern& pattern) const override {
    return probes_->ask(pattern).refusal;
  }

  probe::Binding binding(const probe::Description& description) const override {
    const PidProbe& probe = probes_->probe(description);
    return {program_of(probe.kind), probe.key,
            probe.whose == kItsOwn ? std::string() : std::string(name())};
  }

  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& description) const override {
    const PidProbe& probe = probes_->probe(description);
    if (probe.kind == PidKind::kOffset) return std::nullopt;
    auto arguments = user_arguments(description, types_);
    for (auto alias = probe.aliases.begin(); !arguments && alias != probe.aliases.end(); ++alias) {
      arguments = user_arguments(
          {description.provider, description.module, *alias, description.name}, types_);
    }
    return arguments;
  }

  std::vector<std::string> argument_names(const probe::Description& description) const override {
    const PidProbe& probe = probes_->probe(description);
    if (!is_entry(probe.kind)) return {};
    const std::string module = fmt::format("{}`{}", description.provider, description.module);
    auto names = parameter_names(types_, description.function, module);
    for (auto alias = probe.aliases.begin(); names.empty() && alias != probe.aliases.end();
         ++alias) {
      names = parameter_names(types_, *alias, module);
    }
    return names;
  }

  // A function may be a single instruction.
  int turn(const std::string& program) const override {
    return is_entry(kind_of(program)) ? 0 : kind_of(program) == PidKind::kOffset ? 1 : 2;
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine& machine) const override {
    const PidKind kind = kind_of(program);
    const std::vector<std::int32_t>& whose = probes_->whose(kind);
    const auto entry = [&](std::span<const std::int32_t> registers) {
      return std::make_unique<EntryPrologue>(registers, whose, machine, *uprobes_);
    };
    switch (kind) {
      case PidKind::kEntry:
        return entry(machine::kFunctionArguments);
      case PidKind::kGoEntry:
        return entry(machine::kGoArguments);
      case PidKind::kGoStackEntry:
        return entry({});
      case PidKind::kReturn:
      case PidKind::kGoStackReturn:
        return std::make_unique<ReturnPrologue>(kind == PidKind::kReturn, whose, machine,
                                                *uprobes_);
      case PidKind::kOffset:
        return std::make_unique<OffsetPrologue>(whose, machine, *uprobes_);
    }
    return nullptr;
  }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    return uprobes_->program_spec(program);
  }

  std::string source(const std::string& program) const override {
    const PidKind kind = kind_of(program);
    const char* const where = is_entry(kind)             ? "where functions begin"
                              : kind == PidKind::kOffset ? "in functions"
                                                         : "where functions return";
    return fmt::format("breakpoints {} ({})", where, uprobes_->way());
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string&,
                                             std::span<const probe::Probe> probes, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    std::vector<UprobePlace> places;
    for (const probe::Probe& one : probes) {
      const PidProbe& probe = probes_->probe(one.description);
      for (const PidProbe::Place& place : probe.places) {
        const std::uint64_t cookie = uprobe_cookie(probe.key, place.site.function_offset);
        places.push_back({&one, place.path, probe.pid, {place.site.offset, cookie, place.counter}});
      }
    }
    return uprobes_->attach(std::move(places), fd, kernel);
  }

 private:
  const types::Catalog& types_;
  std::unique_ptr<PidProbes> probes_;
  std::shared_ptr<Uprobes> uprobes_;
};

}  // namespace

std::unique_ptr<Provider> pid_provider(const types::Catalog& types, OfProcesses processes,
                                       std::shared_ptr<Uprobes> uprobes) {
  return std::make_unique<PidProvider>(types, std::move(processes), std::move(uprobes));
}

}  // namespace dt::provider
