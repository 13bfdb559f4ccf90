// See exits.h.

#include "bpf/program/exits.h"

#include <algorithm>

namespace dt::bpf {

namespace {

bool calls_exit(const ir::Block& block) {
  return std::any_of(block.insts.begin(), block.insts.end(),
                     [](const ir::Inst& inst) { return inst.op == ir::Op::kExit; });
}

bool errors_exit(const ir::Program& program, const enabling::Plan& plan) {
  return std::any_of(plan.error_clauses.begin(), plan.error_clauses.end(),
                     [&](const enabling::ClauseBinding& binding) {
                       const std::vector<ir::Block>& blocks =
                           program.clauses[binding.clause].body.blocks;
                       return std::any_of(blocks.begin(), blocks.end(), calls_exit);
                     });
}

}  // namespace

bool outlives_exit(const enabling::ProgramPlan& plan) {
  const auto is_end = [](const probe::Probe& probe) {
    return probe.description.provider == "dtrace" && probe.description.name == "END";
  };
  return std::all_of(plan.probes.begin(), plan.probes.end(), is_end);
}

// Only behind a clause that may have called exit(), directly or through ERROR, is the state looked
// at again. In all other programs there is no code for it.
std::vector<std::vector<bool>> ends_on_exit(const ir::Program& program, const enabling::Plan& plan,
                                            const std::vector<ir::Fused>& parts) {
  const bool do_errors = errors_exit(program, plan);
  bool before = false;  // in any of the parts before
  std::vector<std::vector<bool>> all;
  for (const ir::Fused& part : parts) {
    // By clause: whether the one before it may have called exit().
    std::vector<bool> ends(part.clauses.size() + 1, false);
    ends[0] = before;
    for (std::size_t i = 0; i < part.clauses.size(); ++i) {
      ends[i + 1] = do_errors && part.clauses[i].may_fault;
    }
    for (ir::BlockId b = 0; b < part.fn.blocks.size(); ++b) {
      const std::uint32_t clause = part.block_clause[b];
      if (clause != ir::kNone && calls_exit(part.fn.blocks[b])) ends[clause + 1] = true;
    }
    before = std::find(ends.begin(), ends.end(), true) != ends.end();
    ends.pop_back();
    all.push_back(std::move(ends));
  }
  return all;
}

}  // namespace dt::bpf
