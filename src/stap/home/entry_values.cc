// See entry_values.h.

#include "stap/home/entry_values.h"

#include <fmt/core.h>

namespace dt::stap {
namespace {

std::int64_t thread_of(const Firing& firing) {
  return firing.contexts[static_cast<std::size_t>(Fn::tid)].number;
}

Value local_value(const Handler& handler, const Machine& machine, const std::string& name) {
  for (const auto& one : handler.locals) {
    if (one->name == name) return machine.last_local(one->slot);
  }
  return {};
}

}  // namespace

void EntryValues::keep(const Handler& entry, const Firing& firing, const Machine& machine) {
  constexpr std::size_t kMostThreads = 1 << 17, kMostNested = 64;
  if (kept_.size() > kMostThreads) {
    skipped_ += static_cast<std::int64_t>(kept_.size());
    kept_.clear();
  }
  std::vector<Kept>& all = kept_[{&entry, thread_of(firing)}];
  if (is_syscall(entry.events.front().kind)) all.clear();
  if (all.size() >= kMostNested) all.erase(all.begin());
  Kept made;
  for (std::size_t i = 0; i < entry.entry_count; ++i) {
    made.values.push_back(local_value(entry, machine, fmt::format("{}{}", kEntryPrefix, i)));
    made.faults.push_back(local_value(entry, machine, fmt::format("__fault_{}", i)).text);
  }
  all.push_back(std::move(made));
}

bool EntryValues::restore(const Handler& handler, const Handler& entry, Firing& firing) {
  const auto found = kept_.find({&entry, thread_of(firing)});
  if (found == kept_.end()) return false;
  const Kept kept = std::move(found->second.back());
  found->second.pop_back();
  if (found->second.empty()) kept_.erase(found);
  firing.faults.assign(handler.provided.size(), "");
  for (std::size_t i = 0; i < handler.provided.size(); ++i) {
    const std::string& name = handler.provided[i].name;
    if (!name.starts_with(kEntryPrefix)) continue;
    const std::size_t which = std::stoul(name.substr(kEntryPrefix.size()));
    firing.provided[i] = kept.values[which];
    firing.faults[i] = kept.faults[which];
  }
  return true;
}

}  // namespace dt::stap
