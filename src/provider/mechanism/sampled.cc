#include "provider/mechanism/sampled.h"

#include "machine/x86_64/registers.h"

namespace dt::provider {

kernel::ProgramSpec sample_program(std::string name) {
  kernel::ProgramSpec spec;
  spec.name = std::move(name);
  spec.type = BPF_PROG_TYPE_PERF_EVENT;
  return spec;
}

bpf::Reg SamplePrologue::argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) {
  // The context, struct bpf_perf_event_data, begins with struct pt_regs.
  const bpf::Reg pc = emitter.imm(0);
  if (number > 1) return pc;
  const bpf::Label done = emitter.label();
  const bpf::Reg privilege = emitter.load(8, context, machine::kSavedCs);
  emitter.alu_imm(bpf::Alu::kAnd, privilege, machine::kPrivilegeOfCs);
  emitter.jump_if_imm(number == 0 ? bpf::Cond::kNe : bpf::Cond::kEq, privilege, 0, done);
  emitter.load_to(pc, 8, context, machine::kSavedIp);
  emitter.bind(done);
  return pc;
}

}  // namespace dt::provider
