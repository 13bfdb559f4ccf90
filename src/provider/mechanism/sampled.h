#pragma once
// What the providers share whose probes are perf events.

#include <vector>

#include "bpf/layout/prologue.h"
#include "provider/mechanism/provider.h"
#include "support/fd.h"

namespace dt::provider {

// arg0 is the PC when the kernel was interrupted, arg1 when a program was.
class SamplePrologue : public bpf::Prologue {
 public:
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg, bpf::Label) override { return emitter.imm(0); }
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override;
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }
};

kernel::ProgramSpec sample_program(std::string name);

// The events of all CPUs that are online.
class SampledCpus : public Attachment {
 public:
  explicit SampledCpus(std::vector<Fd> events) : events_(std::move(events)) {}

 private:
  std::vector<Fd> events_;
};

// Attaches one event on every CPU that is online; `attach` takes the CPU.
template <typename Attach>
Result<std::unique_ptr<Attachment>> sample_cpus(kernel::Kernel& kernel, const Attach& attach) {
  std::vector<Fd> events;
  for (const int cpu : kernel.online_cpus()) {
    Result<Fd> event = attach(cpu);
    if (event.ok()) {
      events.push_back(std::move(event).value());
    } else if (event.error().code != ENODEV) {  // it went offline just now
      return std::move(event.error()).with(fmt::format("sample CPU {}", cpu));
    }
  }
  if (events.empty()) return Error::of_code("sample every CPU: none is online", ENODEV);
  return std::unique_ptr<Attachment>(std::make_unique<SampledCpus>(std::move(events)));
}

}  // namespace dt::provider
