#pragma once
// The whole program, as the consumer sees it.

#include <cstdint>
#include <string>
#include <vector>

#include "record/aggregation.h"
#include "record/layout.h"
#include "support/ids.h"

namespace dt::record {

constexpr std::uint32_t kNoArgument = ~0U;

// A place in the script where a firing can fault.
struct FaultSite {
  Span span;
  std::uint32_t action = 0;       // 1-based within the clause, 0 = predicate
  std::uint32_t code_offset = 0;  // index of the BPF instruction; ERROR's arg3
  // The probe's argument whose value is the address that is read in the process, or kNoArgument.
  std::uint32_t argument = kNoArgument;
};

struct EpidInfo {
  ProbeId probe;             // for names and ids in rows
  std::uint32_t layout = 0;  // index into Schema::layouts
  // Whether the firing may make another record behind this one that acts on aggregations.
  bool has_more = false;
};

struct ProbeNames {
  ProbeId id;
  std::string provider, module, function, name;
};

struct Schema {
  std::uint32_t speculations = 0;  // how many there can be at a time: see record/speculation.h
  std::vector<Layout> layouts;     // those of each clause, in program order; at least one
  std::vector<AggLayout> aggregations;
  std::vector<EpidInfo> epids;     // index = epid value - 1
  std::vector<ProbeNames> probes;  // sorted by id; those enabled
  std::vector<std::string> stems;  // probe::Binding::stem of those, each once
  std::vector<FaultSite> fault_sites;
};

// nullptr when the id is not in the schema.
const ProbeNames* find_probe(const Schema& schema, ProbeId id);

}  // namespace dt::record
