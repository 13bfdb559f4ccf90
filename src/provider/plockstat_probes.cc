// See plockstat_probes.h.

#include "provider/plockstat_probes.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "support/check.h"
#include "support/nearest.h"

namespace dt::provider {
namespace {

using symbol::ProcessObject;

constexpr std::string_view kName = "plockstat";

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

std::vector<std::string> names() {
  std::set<std::string> all;
  for (const LockFunction& function : kLockFunctions) {
    for (const LockOutcome outcome : kOutcomes) {
      if (const char* name = name_of(function, outcome)) all.insert(name);
    }
  }
  return {all.begin(), all.end()};
}

std::optional<probe::Refusal> refuse_name(const std::string& name) {
  if (name.empty() || !probe::is_literal(name)) return std::nullopt;
  if (name == "mutex-spin" || name == "mutex-spun") {
    return probe::Refusal{"D_PROC_NAME",
                          fmt::format("there is no probe '{}': glibc spins for adaptive mutexes "
                                      "only, and nothing tells of it",
                                      name),
                          "mutex-block tells when a thread begins to sleep"};
  }
  const std::vector<std::string> all = names();
  if (std::find(all.begin(), all.end(), name) != all.end()) return std::nullopt;
  const std::string near = support::nearest(name, {all.begin(), all.end()});
  return probe::Refusal{"D_PROC_NAME", fmt::format("'{}' is no probe of locks", name),
                        near.empty() ? std::string() : fmt::format("did you mean '{}'?", near)};
}

// Of a process that has glibc, when nothing in it matches.
probe::Refusal refuse_pattern(const probe::Pattern& pattern) {
  std::vector<std::string> functions;
  for (const LockFunction& function : kLockFunctions) functions.emplace_back(function.name);
  const bool is_known = std::any_of(functions.begin(), functions.end(), [&](const auto& one) {
    return probe::field_matches(pattern.function, one);
  });
  const std::string near =
      is_known ? "" : support::nearest(pattern.function, {functions.begin(), functions.end()});
  std::string hint =
      "the module is libc.so.6, or the program that has glibc in it; the function "
      "is one that the program calls, and does what the probe tells";
  if (!near.empty()) hint = fmt::format("did you mean '{}'?", near);
  return no_match(pattern, std::move(hint));
}

}  // namespace

const LockProbe& LockProbes::probe(const probe::Description& description) const {
  const auto found = probes_.find(probe::to_string(description));
  DT_CHECK(found != probes_.end(), "{}", probe::to_string(description));
  return found->second;
}

const Result<std::unique_ptr<LockCode>>& LockProbes::code_of(const ProcessObject& object) {
  const std::pair key(object.device, object.inode);
  const auto known = codes_.find(key);
  if (known != codes_.end()) return known->second;
  const auto read = [&]() -> Result<std::unique_ptr<LockCode>> {
    if (!object.is_program && !symbol::is_called(object, "libc")) {
      return std::unique_ptr<LockCode>();
    }
    const Result<std::unique_ptr<Image>> image = Image::open(object);
    if (!image.ok() || !is_glibc(**image)) return std::unique_ptr<LockCode>();
    DT_ASSIGN(LockCode code, lock_code(**image));
    return std::make_unique<LockCode>(std::move(code));
  };
  return codes_.emplace(key, read()).first->second;
}

void LockProbes::of_object(std::int32_t pid, const ProcessObject& object, const LockCode& code,
                           const probe::Pattern& pattern, Answer& answer) {
  const std::uint32_t process =
      processes_.try_emplace(pid, static_cast<std::uint32_t>(processes_.size())).first->second;
  for (std::size_t i = 0; i < kLockFunctions.size(); ++i) {
    if (code.functions[i].returns.empty() ||
        !probe::field_matches(pattern.function, kLockFunctions[i].name)) {
      continue;
    }
    for (const LockOutcome outcome : kOutcomes) {
      const char* const name = name_of(kLockFunctions[i], outcome);
      if (name == nullptr || !probe::field_matches(pattern.name, name)) continue;
      probe::Description description{fmt::format("{}{}", kName, pid), object.name,
                                     kLockFunctions[i].name, name};
      const std::size_t functions = std::size_t{process} * kLockFunctions.size() + i;
      const auto key = static_cast<std::uint32_t>(functions * kLockOutcomes) +
                       static_cast<std::uint32_t>(outcome);
      probes_.try_emplace(probe::to_string(description),
                          LockProbe{key, i, outcome, pid, object.open_path, &code});
      answer.probes.push_back(std::move(description));
    }
  }
}

void LockProbes::of_process(std::int32_t pid, const probe::Pattern& pattern, Answer& answer) {
  const Result<std::vector<ProcessObject>> objects = symbol::objects_of(pid);
  if (!objects.ok()) {
    answer.refusal = probe::Refusal{
        "D_PROC_GRAB",
        fmt::format("failed to grab process {}: {}", pid, std::strerror(objects.error().code)), ""};
    return;
  }
  bool has_glibc = false;
  for (const ProcessObject& object : *objects) {
    const Result<std::unique_ptr<LockCode>>& code = code_of(object);
    if (!code.ok()) {
      answer.refusal =
          probe::Refusal{"D_PROC_CREATEFAIL",
                         fmt::format("the locks of {} in process {} cannot be traced: {}",
                                     object.name, pid, code.error().text),
                         ""};
      return;
    }
    has_glibc |= *code != nullptr;
    if (*code != nullptr && is_meant(object, pattern.module))
      of_object(pid, object, **code, pattern, answer);
  }
  if (has_glibc) {
    if (answer.probes.empty()) answer.refusal = refuse_pattern(pattern);
    return;
  }
  answer.refusal = probe::Refusal{
      "D_PROC_LIB",
      fmt::format("process {} has no glibc, whose locks plockstat knows: no libc.so.6, and no "
                  "symbols of it in the program",
                  pid),
      ""};
}

const LockProbes::Answer& LockProbes::ask(const probe::Pattern& pattern) {
  const std::string key =
      fmt::format("{}:{}:{}:{}", pattern.provider, pattern.module, pattern.function, pattern.name);
  const auto [it, is_new] = answers_.try_emplace(key);
  Answer& answer = it->second;
  if (!is_new) return answer;
  answer.refusal = refuse_name(pattern.name);
  if (answer.refusal) return answer;
  MeantProcesses meant = processes_meant(pattern.provider, kName, of_);
  if (meant.refusal) {
    answer.refusal = std::move(meant.refusal);
    return answer;
  }
  if (!meant.is_pattern) {
    of_process(meant.processes.front(), pattern, answer);
    return answer;
  }
  for (const std::int32_t pid : meant.processes) {
    Answer one;
    of_process(pid, pattern, one);
    std::move(one.probes.begin(), one.probes.end(), std::back_inserter(answer.probes));
  }
  return answer;
}

}  // namespace dt::provider
