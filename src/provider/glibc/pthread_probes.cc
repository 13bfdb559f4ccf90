// See pthread_probes.h.

#include "provider/glibc/pthread_probes.h"

#include <algorithm>

#include "support/check.h"
#include "symbol/process/object_path.h"

namespace dt::provider {
namespace {

using symbol::ProcessObject;

struct Named {
  PthreadCall call;
  PthreadOutcome outcome;
  const char* name;
  std::vector<probe::Argument> arguments;
};

// Every probe there is, and what it passes.
const std::vector<Named>& all_named() {
  using enum PthreadCall;
  using enum PthreadOutcome;
  const probe::Argument thread{"unsigned long", false}, pointer{"void *", true};
  const probe::Argument text{"const char *", true}, number{"int", false};
  static const std::vector<Named> kAll = {
      {kCreate, kDone, "create", {thread, pointer, pointer, number}},
      {kThread, kBegin, "start", {thread, pointer, pointer}},
      {kThread, kDone, "exit", {thread, pointer}},
      {kMain, kDone, "exit", {thread, pointer}},
      {kJoin, kBegin, "join-start", {thread}},
      {kJoin, kDone, "join-done", {thread, number, pointer}},
      {kDetach, kDone, "detach", {thread, number}},
      {kName, kDone, "setname", {thread, text, number}},
      {kCancel, kBegin, "cancel", {thread}},
      {kKill, kBegin, "kill", {thread, number}},
      {kCondition, kBegin, "cond-wait", {pointer, pointer}},
      {kCondition, kDone, "cond-woken", {pointer, pointer, number}},
      {kSignal, kBegin, "cond-signal", {pointer}},
      {kBroadcast, kBegin, "cond-broadcast", {pointer}},
      {kBarrier, kBegin, "barrier-wait", {pointer}},
      {kBarrier, kDone, "barrier-done", {pointer, number}},
      {kSemaphore, kBegin, "sem-wait", {pointer}},
      {kSemaphore, kDone, "sem-acquired", {pointer}},
      {kSemaphore, kFailed, "sem-error", {pointer, number}},
      {kPost, kBegin, "sem-post", {pointer}},
  };
  return kAll;
}

bool has(const PthreadCode& code, const Named& named, std::size_t function) {
  if (named.call == PthreadCall::kThread) return code.thread.has_value();
  if (named.call == PthreadCall::kMain) return code.main_end.has_value();
  if (named.outcome == PthreadOutcome::kFailed && !code.error_number) return false;
  return !code.functions[function].entries.empty();
}

}  // namespace

// A place that nothing is known of has the first row.
PthreadProbes::PthreadProbes(OfProcesses of)
    : GlibcProbes("pthread", "threads", std::move(of)), rows_(1) {}

std::set<std::string_view> PthreadProbes::names() const {
  std::set<std::string_view> all;
  for (const Named& one : all_named()) all.insert(one.name);
  return all;
}

std::vector<std::string_view> PthreadProbes::functions() const {
  std::vector<std::string_view> all;
  for (const PthreadFunction& one : kPthreadFunctions) all.emplace_back(one.name);
  return all;
}

std::vector<probe::Argument> PthreadProbes::arguments(const PthreadProbe& probe) {
  for (const Named& one : all_named()) {
    if (one.call == probe.call() && one.outcome == probe.outcome) return one.arguments;
  }
  return {};
}

const PthreadProbe& PthreadProbes::probe(const probe::Description& description) const {
  const auto found = probes_.find(probe::to_string(description));
  DT_CHECK(found != probes_.end(), "{}", probe::to_string(description));
  return found->second;
}

Status PthreadProbes::number_places(const Image& image, Found& found) {
  const auto add = [&](std::uint64_t offset, const PthreadRow& row) {
    const auto known = std::find(rows_.begin(), rows_.end(), row);
    found.rows[offset] = static_cast<std::uint32_t>(known - rows_.begin());
    if (known == rows_.end()) rows_.push_back(row);
  };
  const auto distance = [&](std::uint64_t to, std::uint64_t offset) {
    return static_cast<std::int32_t>(to - image.elf().address_of(offset).value_or(0));
  };
  for (std::size_t i = 0; i < kPthreadFunctions.size(); ++i) {
    const PthreadCall call = kPthreadFunctions[i].call;
    if (call == PthreadCall::kSignal || call == PthreadCall::kBroadcast) {
      for (const std::uint64_t offset : found.code.functions[i].entries) {
        PthreadRow row;
        for (std::size_t n = 0; n < found.code.inner.size(); ++n) {
          const PthreadCode::Range& range = found.code.inner[n];
          row.inner[n] = {distance(range.from, offset),
                          static_cast<std::uint32_t>(range.to - range.from)};
        }
        add(offset, row);
      }
    }
    if (call != PthreadCall::kSemaphore || !found.code.error_number) continue;
    const ErrorNumber& error = *found.code.error_number;
    for (const std::uint64_t offset : found.code.functions[i].returns) {
      PthreadRow row;
      if (error.address) row.error_word = distance(*error.address, offset);
      row.error_offset = error.offset;
      add(offset, row);
    }
  }
  if (rows_.size() > kMostPthreadNumber) return Error::of("there are too many glibcs");
  return {};
}

const Result<std::unique_ptr<PthreadProbes::Found>>& PthreadProbes::code_of(
    const ProcessObject& object) {
  const std::pair key(object.device, object.inode);
  const auto known = codes_.find(key);
  if (known != codes_.end()) return known->second;
  const auto read = [&]() -> Result<std::unique_ptr<Found>> {
    const std::unique_ptr<Image> image = open_glibc(object);
    if (image == nullptr) return std::unique_ptr<Found>();
    if (!object.is_program && image->functions().named("pthread_create").empty()) {
      return Error::of("before 2.34, glibc has them in another library");
    }
    auto found = std::make_unique<Found>();
    DT_ASSIGN(found->code, pthread_code(*image));
    DT_TRY(number_places(*image, *found));
    return found;
  };
  return codes_.emplace(key, read()).first->second;
}

Result<bool> PthreadProbes::of_object(std::int32_t pid, const ProcessObject& object,
                                      const probe::Pattern& pattern, Answer& answer) {
  const Result<std::unique_ptr<Found>>& found = code_of(object);
  if (!found.ok()) return found.error();
  if (*found == nullptr) return false;
  if (!is_meant(object, pattern.module)) return true;
  const PthreadCode& code = (*found)->code;
  const std::string path = symbol::path_of(object);
  for (std::size_t i = 0; i < kPthreadFunctions.size(); ++i) {
    if (!probe::field_matches(pattern.function, kPthreadFunctions[i].name)) continue;
    for (const Named& one : all_named()) {
      if (one.call != kPthreadFunctions[i].call || !has(code, one, i) ||
          !probe::field_matches(pattern.name, one.name)) {
        continue;
      }
      probe::Description described = description(pid, object, kPthreadFunctions[i].name, one.name);
      const std::size_t functions = std::size_t{number_of(pid)} * kPthreadFunctions.size() + i;
      const auto key = static_cast<std::uint32_t>(functions * kPthreadOutcomes) +
                       static_cast<std::uint32_t>(one.outcome);
      probes_.try_emplace(probe::to_string(described),
                          PthreadProbe{key, i, one.outcome, pid, path, &code, &(*found)->rows});
      answer.probes.push_back(std::move(described));
    }
  }
  const bool is_of_thread = pattern.name == "start" || pattern.name == "exit";
  if (answer.probes.empty() && is_of_thread && !code.thread) {
    return Error::of(code.why_no_thread);
  }
  return true;
}

}  // namespace dt::provider
