// The probes of a program by number.

#include "record/schema.h"

#include <algorithm>

namespace dt::record {

const ProbeNames* find_probe(const Schema& schema, ProbeId id) {
  const auto it =
      std::lower_bound(schema.probes.begin(), schema.probes.end(), id,
                       [](const ProbeNames& names, ProbeId wanted) { return names.id < wanted; });
  return it != schema.probes.end() && it->id == id ? &*it : nullptr;
}

}  // namespace dt::record
