// How many records a firing may make, and which of them belong together.

#include <algorithm>
#include <optional>

#include "enabling/plan.h"
#include "ir/dominance.h"

namespace dt::enabling {

namespace {

// What a clause may record in one firing.
struct Recording {
  std::uint32_t records = 0;                      // at most
  std::optional<std::uint32_t> records_at_fault;  // at most, where it may fault
  bool acts = false;                              // on aggregations
  std::vector<bool> has_more;  // by layout: whether one that acts may follow in the clause
};

// Every jump goes forward, so one pass over the blocks finds how many records precede, and one
// backwards what follows.
Recording recording_of(const ir::EcbDesc& clause) {
  const std::vector<ir::Block>& blocks = clause.body.blocks;
  Recording result;
  result.has_more.resize(std::max<std::size_t>(clause.layouts.size(), 1));
  std::vector<std::uint32_t> made(blocks.size(), 0);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    for (const ir::Inst& inst : blocks[b].insts) {
      if (inst.op == ir::Op::kEmit) ++made[b];
      if (ir::may_fault(inst)) {
        result.records_at_fault = std::max(result.records_at_fault.value_or(0), made[b]);
      }
    }
    result.records = std::max(result.records, made[b]);
    ir::for_each_target(blocks[b].end, [&](const ir::Target& target) {
      made[target.block] = std::max(made[target.block], made[b]);
    });
  }
  std::vector<bool> acts_from(blocks.size(), false);
  for (std::size_t b = blocks.size(); b-- > 0;) {
    bool acts = false;
    ir::for_each_target(blocks[b].end,
                        [&](const ir::Target& target) { acts |= acts_from[target.block]; });
    for (auto inst = blocks[b].insts.rbegin(); inst != blocks[b].insts.rend(); ++inst) {
      if (inst->op != ir::Op::kEmit) continue;
      if (acts) result.has_more[inst->index] = true;
      acts |= record::acts_on_aggregations(clause.layouts[inst->index]);
    }
    acts_from[b] = acts;
    result.acts |= acts;
  }
  return result;
}

class Numbering {
 public:
  Numbering(const ir::Program& program, Plan& plan) : plan_(plan) {
    for (const ir::EcbDesc& clause : program.clauses) clauses_.push_back(recording_of(clause));
    for (const ClauseBinding& binding : plan.error_clauses) {
      of_error_.records += clauses_[binding.clause].records;
      of_error_.acts |= clauses_[binding.clause].acts;
    }
  }

  void run() {
    const bool any_acts = std::any_of(clauses_.begin(), clauses_.end(),
                                      [](const Recording& clause) { return clause.acts; });
    for (ProgramPlan& program : plan_.programs) {
      program.numbers_firings = records_several(program);
      if (any_acts && program.numbers_firings) mark_those_before_others(program);
    }
    // ERROR's clauses are of many programs, and no place in their order is known.
    for (const ClauseBinding& binding : plan_.error_clauses) {
      if (!any_acts) continue;
      for (std::uint32_t layout = 0; layout < clauses_[binding.clause].has_more.size(); ++layout) {
        info(binding.epids[0] + layout * binding.stride).has_more = true;
      }
    }
  }

 private:
  record::EpidInfo& info(std::uint32_t epid) { return plan_.schema.epids[epid - 1]; }

  std::uint32_t most_records(const ClauseBinding& binding) const {
    const Recording& clause = clauses_[binding.clause];
    if (!clause.records_at_fault) return clause.records;
    return std::max(clause.records, *clause.records_at_fault + 1 + of_error_.records);
  }

  bool acts(const ClauseBinding& binding) const {
    const Recording& clause = clauses_[binding.clause];
    return clause.acts || (clause.records_at_fault && of_error_.acts);
  }

  // Whether one firing of any of its probes may make more than one record.
  bool records_several(const ProgramPlan& program) const {
    std::uint32_t everywhere = 0, most = 0;
    std::vector<std::uint32_t> by_slot(program.probes.size(), 0);
    for (const ClauseBinding& binding : program.clauses) {
      const std::uint32_t records = most_records(binding);
      if (records == 0) continue;
      if (binding.dense) {
        everywhere += records;
      } else {
        for (std::size_t slot = 0; slot < binding.epids.size(); ++slot) {
          if (binding.epids[slot] != 0) most = std::max(most, by_slot[slot] += records);
        }
      }
      if (everywhere + most > 1) return true;
    }
    return false;
  }

  void mark_those_before_others(const ProgramPlan& program) {
    std::vector<bool> acts_later(program.probes.size(), false);
    for (auto binding = program.clauses.rbegin(); binding != program.clauses.rend(); ++binding) {
      for (std::uint32_t slot = 0; slot < acts_later.size(); ++slot) {
        if (binding->epid(slot) == 0) continue;
        const std::vector<bool>& has_more = clauses_[binding->clause].has_more;
        for (std::uint32_t layout = 0; layout < has_more.size(); ++layout) {
          info(binding->epid(slot) + layout * binding->stride).has_more =
              has_more[layout] || acts_later[slot];
        }
        if (acts(*binding)) acts_later[slot] = true;
      }
    }
  }

  Plan& plan_;
  std::vector<Recording> clauses_;  // by clause
  Recording of_error_;              // of ERROR's clauses together
};

}  // namespace

void number_firings(const ir::Program& program, Plan& plan) { Numbering(program, plan).run(); }

}  // namespace dt::enabling
