// The dtrace provider: BEGIN, END and ERROR, probes of tracing itself.
//
// Nothing is attached. The runtime runs the programs of BEGIN and END itself;
// ERROR's clauses become part of the programs in which a fault can happen, and
// the code generator gives them their arguments.

#include "bpf/asm/reg.h"
#include "bpf/layout/prologue.h"
#include "probe/dtrace_probes.h"
#include "provider/mechanism/providers.h"

namespace dt::provider {
namespace {

class TracingPrologue : public bpf::Prologue {
 public:
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg, bpf::Label) override { return emitter.imm(0); }
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg, std::uint32_t) override {
    return emitter.imm(0);
  }
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }
  bool runs_when_inactive() const override { return true; }
};

class NothingAttached : public Attachment {};

class DtraceProvider : public Provider {
 public:
  std::string_view name() const override { return "dtrace"; }

  probe::ProviderAttributes attributes() const override {
    using enum probe::Stability;
    using enum probe::DependencyClass;
    return {.provider = {kStable, kStable, kCommon},
            .module = {kPrivate, kPrivate, kUnknown},
            .function = {kPrivate, kPrivate, kUnknown},
            .name = {kStable, kStable, kCommon},
            .args = {kStable, kStable, kCommon}};
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> all;
    for (const char* name : probe::kDtraceProbes) all.push_back({"dtrace", "", "", name});
    return all;
  }

  probe::Binding binding(const probe::Description& probe) const override {
    return {"dtrace:" + probe.name, 0};
  }

  std::optional<std::vector<probe::Argument>> arguments(const probe::Description&) const override {
    return std::vector<probe::Argument>{};
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string&, const bpf::Machine&) const override {
    return std::make_unique<TracingPrologue>();
  }

  Role role(const std::string& program) const override {
    if (program == "dtrace:BEGIN") return Role::kBegin;
    return program == "dtrace:END" ? Role::kEnd : Role::kAttached;
  }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    kernel::ProgramSpec spec;
    spec.name = "dt_" + program.substr(program.find(':') + 1);
    spec.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
    return spec;
  }

  std::string source(const std::string&) const override { return "dtrace itself"; }

  Result<std::unique_ptr<Attachment>> attach(const std::string&, std::span<const probe::Probe>,
                                             const Fd&, kernel::Kernel&) const override {
    return std::unique_ptr<Attachment>(std::make_unique<NothingAttached>());
  }
};

}  // namespace

std::unique_ptr<Provider> dtrace_provider() { return std::make_unique<DtraceProvider>(); }

}  // namespace dt::provider
