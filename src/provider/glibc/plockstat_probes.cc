// See plockstat_probes.h.

#include "provider/glibc/plockstat_probes.h"

#include "support/check.h"
#include "symbol/process/object_path.h"

namespace dt::provider {
namespace {

using symbol::ProcessObject;

// The probe's name for what can come of the call; null when that does not happen.
const char* name_of(const LockFunction& function, LockOutcome outcome) {
  const bool is_rw = function.call >= LockCall::kReader;
  switch (outcome) {
    case LockOutcome::kDone:
      if (function.call == LockCall::kMutexRelease) return "mutex-release";
      if (function.call == LockCall::kRwRelease) return "rw-release";
      return is_rw ? "rw-acquire" : "mutex-acquire";
    case LockOutcome::kFailed:
      if (function.call == LockCall::kCondition || function.call == LockCall::kRwRelease) {
        return nullptr;
      }
      return is_rw ? "rw-error" : "mutex-error";
    case LockOutcome::kBlock:
      return !function.waits ? nullptr : is_rw ? "rw-block" : "mutex-block";
    case LockOutcome::kBlocked:
      return !function.waits ? nullptr : is_rw ? "rw-blocked" : "mutex-blocked";
  }
  return nullptr;
}

constexpr LockOutcome kOutcomes[] = {LockOutcome::kDone, LockOutcome::kFailed, LockOutcome::kBlock,
                                     LockOutcome::kBlocked};

}  // namespace

const LockProbe& LockProbes::probe(const probe::Description& description) const {
  const auto found = probes_.find(probe::to_string(description));
  DT_CHECK(found != probes_.end(), "{}", probe::to_string(description));
  return found->second;
}

std::set<std::string_view> LockProbes::names() const {
  std::set<std::string_view> all;
  for (const LockFunction& function : kLockFunctions) {
    for (const LockOutcome outcome : kOutcomes) {
      if (const char* name = name_of(function, outcome)) all.insert(name);
    }
  }
  return all;
}

std::vector<std::string_view> LockProbes::functions() const {
  std::vector<std::string_view> all;
  for (const LockFunction& one : kLockFunctions) all.emplace_back(one.name);
  return all;
}

std::optional<probe::Refusal> LockProbes::refuse_known_name(const std::string& name) const {
  if (name != "mutex-spin" && name != "mutex-spun") return std::nullopt;
  return probe::Refusal{probe::Refusal::Code::kNoName,
                        fmt::format("there is no probe '{}': glibc spins for adaptive mutexes "
                                    "only, and nothing tells of it",
                                    name),
                        "mutex-block tells when a thread begins to sleep"};
}

const Result<std::unique_ptr<LockCode>>& LockProbes::code_of(const ProcessObject& object) {
  const std::pair key(object.device, object.inode);
  const auto known = codes_.find(key);
  if (known != codes_.end()) return known->second;
  const auto read = [&]() -> Result<std::unique_ptr<LockCode>> {
    const std::unique_ptr<Image> image = open_glibc(object);
    if (image == nullptr) return std::unique_ptr<LockCode>();
    DT_ASSIGN(LockCode code, lock_code(*image));
    return std::make_unique<LockCode>(std::move(code));
  };
  return codes_.emplace(key, read()).first->second;
}

Result<bool> LockProbes::of_object(std::int32_t pid, const ProcessObject& object,
                                   const probe::Pattern& pattern, Answer& answer) {
  const Result<std::unique_ptr<LockCode>>& code = code_of(object);
  if (!code.ok()) return code.error();
  if (*code == nullptr) return false;
  if (!is_meant(object, pattern.module)) return true;
  const std::string path = symbol::path_of(object);
  for (std::size_t i = 0; i < kLockFunctions.size(); ++i) {
    if ((*code)->functions[i].returns.empty() ||
        !probe::field_matches(pattern.function, kLockFunctions[i].name)) {
      continue;
    }
    for (const LockOutcome outcome : kOutcomes) {
      const char* const name = name_of(kLockFunctions[i], outcome);
      if (name == nullptr || !probe::field_matches(pattern.name, name)) continue;
      probe::Description described = description(pid, object, kLockFunctions[i].name, name);
      const std::size_t functions = std::size_t{number_of(pid)} * kLockFunctions.size() + i;
      const auto key = static_cast<std::uint32_t>(functions * kLockOutcomes) +
                       static_cast<std::uint32_t>(outcome);
      probes_.try_emplace(probe::to_string(described),
                          LockProbe{key, i, outcome, pid, path, code->get()});
      answer.probes.push_back(std::move(described));
    }
  }
  return true;
}

}  // namespace dt::provider
