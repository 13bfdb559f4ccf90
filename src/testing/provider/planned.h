#pragma once
// For tests of providers: what would be enabled.

#include <vector>

#include "provider/mechanism/provider.h"

namespace dt::provider::testing {

// The probes that a description denotes, with the programs that serve them together.
inline std::vector<probe::Probe> planned(ProviderCatalog& catalog, const char* pattern) {
  std::vector<probe::Probe> probes = catalog.match(*probe::parse_pattern(pattern));
  std::vector<probe::Probe*> enabled;
  for (probe::Probe& probe : probes) enabled.push_back(&probe);
  catalog.plan(enabled);
  return probes;
}

}  // namespace dt::provider::testing
