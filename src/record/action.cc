// The table of actions, in the order of ActionKind.

#include "record/action.h"

#include <array>

#include "support/check.h"

namespace dt::record {
namespace {

constexpr std::size_t kActions = static_cast<std::size_t>(ActionKind::kDefault) + 1;

constexpr std::array<ActionTraits, kActions> kTraits = {{
    // name, prints, uses_aggregations, is_urgent
    {"trace", true, false, false},      {"tracemem", true, false, false},
    {"print", true, false, false},      {"printm", true, false, false},
    {"pcap", true, false, false},       {"printf", true, false, false},
    {"printrow", true, false, false},   {"printa", true, true, true},
    {"stack", true, false, false},      {"ustack", true, false, false},
    {"sym", true, false, false},        {"exit", false, false, true},
    {"clear", false, true, true},       {"trunc", false, true, true},
    {"normalize", false, true, true},   {"denormalize", false, true, true},
    {"setopt", false, false, false},    {"freopen", false, false, false},
    {"ftruncate", false, false, false}, {"system", false, false, true},
    {"speculate", false, false, false}, {"commit", false, false, false},
    {"discard", false, false, false},   {"default", true, false, false},
}};

}  // namespace

const ActionTraits& traits(ActionKind kind) {
  const auto index = static_cast<std::size_t>(kind);
  DT_CHECK(index < kActions, "action kind {}", index);
  return kTraits[index];
}

}  // namespace dt::record
