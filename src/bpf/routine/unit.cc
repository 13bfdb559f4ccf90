// See unit.h.

#include "bpf/routine/unit.h"

#include <cstddef>

namespace dt::bpf {

std::uint32_t Unit::add_site(const record::FaultSite& site, Label label) {
  const std::size_t number = schema.fault_sites.size() + sites.size();
  sites.push_back({site, label});
  return static_cast<std::uint32_t>(number);
}

Label Unit::routine(Routine::Kind kind, std::uint32_t first, std::uint32_t second) {
  const Routine wanted = {kind, first, second};
  for (const auto& [known, label] : routines) {
    if (known == wanted) return label;
  }
  return routines.emplace_back(wanted, e.label()).second;
}

}  // namespace dt::bpf
