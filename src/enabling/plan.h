#pragma once
// Program x probes -> ECBs: what is enabled, and which program serves it.
//
// An ECB is a clause bound to a probe; its number is the EPID, given in the
// order of clauses and, within a clause, of programs, layouts and slots: where a clause has
// several layouts, a record's EPID tells which of them it has. All
// enabled probes that share a Binding::program are served by one BPF program,
// which learns at run time which of them fired: the prologue yields the probe's
// `key` (a system call's number), from which the generated code gets the dense
// `slot`.
//
// A clause with several descriptions fires once for each of them that matches
// the probe. So a clause stands in a program as often as one of the program's
// probes is matched by it: the first binding holds every probe's first match,
// the second binding the second matches, next to each other.

#include <cstdint>
#include <string>
#include <vector>

#include "ir/ir.h"
#include "probe/probe.h"
#include "record/schema.h"

namespace dt::enabling {

// A clause within one program.
struct ClauseBinding {
  std::uint32_t clause = 0;  // index into ir::Program::clauses
  // EPID by slot; 0 where the clause does not apply to the slot. When `dense`,
  // only the first slot's.
  std::vector<std::uint32_t> epids;
  // True when it applies to every slot with consecutive EPIDs: epid = epids[0] + slot.
  bool dense = false;

  // From the EPID of one of the clause's layouts to that of the next one.
  std::uint32_t stride = 0;

  // The EPID at a slot, of the clause's first layout, by which its faults and D's epid name the
  // clause; 0 where the clause does not apply.
  std::uint32_t epid(std::uint32_t slot) const { return dense ? epids[0] + slot : epids[slot]; }
};

struct ProgramPlan {
  std::string program;                 // Binding::program
  std::vector<probe::Probe> probes;    // by slot, ascending by key
  std::vector<ClauseBinding> clauses;  // in program order
  // Whether a firing may make more than one record: then its records have its number.
  bool numbers_firings = false;
};

// clauses[clause].points[point] of the program.
struct UnmatchedPoint {
  std::uint32_t clause = 0, point = 0;
  bool operator==(const UnmatchedPoint&) const = default;
};

struct Plan {
  std::vector<ProgramPlan> programs;  // BEGIN and END among them, not ERROR
  // ERROR's clauses, run inside the program that faulted; absent when none.
  std::vector<ClauseBinding> error_clauses;
  probe::Probe error_probe;
  record::Schema schema;  // fault_sites are filled in by generation
  // What matched no probe, unless EnableOptions allows it; then the rest of the plan is of no use.
  std::vector<UnmatchedPoint> unmatched;
  // Probes matched by each source, for "matched N probes" (index = source).
  std::vector<std::uint32_t> matched;
};

struct EnableOptions {
  bool allow_zero_matches = false;  // -Z
};

// Asks the catalogue; touches no kernel. A point that matches nothing is in Plan::unmatched, the
// first of those with the same text.
Plan enable(const ir::Program& program, const probe::Catalog& probes,
            const EnableOptions& options = {});

// Sets ProgramPlan::numbers_firings and record::EpidInfo::has_more. enable() has done
// so; a plan that was made by hand need it.
void number_firings(const ir::Program& program, Plan& plan);

// The text of -xdump=ecbs.
std::string print(const Plan& plan, const ir::Program& program);

}  // namespace dt::enabling
