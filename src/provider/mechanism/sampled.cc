#include "provider/mechanism/sampled.h"

namespace dt::provider {
namespace {

// The start of struct bpf_perf_event_data is struct pt_regs.
constexpr std::int32_t kIp = 128, kCs = 136;
constexpr std::int32_t kPrivilege = 3;  // of cs: not 0 in user mode

}  // namespace

kernel::ProgramSpec sample_program(std::string name) {
  kernel::ProgramSpec spec;
  spec.name = std::move(name);
  spec.type = BPF_PROG_TYPE_PERF_EVENT;
  return spec;
}

bpf::Reg SamplePrologue::argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) {
  const bpf::Reg pc = emitter.imm(0);
  if (number > 1) return pc;
  const bpf::Label done = emitter.label();
  const bpf::Reg privilege = emitter.load(8, context, kCs);
  emitter.alu_imm(bpf::Alu::kAnd, privilege, kPrivilege);
  emitter.jump_if_imm(number == 0 ? bpf::Cond::kNe : bpf::Cond::kEq, privilege, 0, done);
  emitter.load_to(pc, 8, context, kIp);
  emitter.bind(done);
  return pc;
}

}  // namespace dt::provider
