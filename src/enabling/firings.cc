// How many records a firing may make, and which of them belong together.

#include <algorithm>

#include "enabling/plan.h"

namespace dt::enabling {

namespace {

// What a clause may record in one firing.
struct Recording {
  std::uint32_t records = 0;
  bool acts = false;  // on aggregations
  bool may_fault = false;
};

Recording recording_of(const ir::EcbDesc& clause) {
  Recording result;
  result.acts = record::acts_on_aggregations(clause.layout);
  for (const ir::Block& block : clause.body.blocks) {
    for (const ir::Inst& inst : block.insts) {
      if (inst.op == ir::Op::kEmit) result.records = 1;
      result.may_fault |= ir::may_fault(inst);
    }
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
      if (any_acts) info(binding.epids[0]).has_more = true;
    }
  }

 private:
  record::EpidInfo& info(std::uint32_t epid) { return plan_.schema.epids[epid - 1]; }

  std::uint32_t most_records(const ClauseBinding& binding) const {
    const Recording& clause = clauses_[binding.clause];
    return std::max(clause.records, clause.may_fault ? 1 + of_error_.records : 0);
  }

  bool acts(const ClauseBinding& binding) const {
    const Recording& clause = clauses_[binding.clause];
    return clause.acts || (clause.may_fault && of_error_.acts);
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
        info(binding->epid(slot)).has_more = acts_later[slot];
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
