// See pthread_probes.h.

#include "provider/pthread_probes.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "support/check.h"
#include "support/nearest.h"

namespace dt::provider {
namespace {

using symbol::ProcessObject;

constexpr std::string_view kName = "pthread";

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

std::optional<probe::Refusal> refuse_name(const std::string& name) {
  if (name.empty() || !probe::is_literal(name)) return std::nullopt;
  std::set<std::string_view> all;
  for (const Named& one : all_named()) all.insert(one.name);
  if (all.contains(name)) return std::nullopt;
  const std::string near = support::nearest(name, {all.begin(), all.end()});
  return probe::Refusal{"D_PROC_NAME", fmt::format("'{}' is no probe of threads", name),
                        near.empty() ? std::string() : fmt::format("did you mean '{}'?", near)};
}

// Of a process that has glibc, when nothing in it matches.
probe::Refusal refuse_pattern(const probe::Pattern& pattern) {
  std::vector<std::string> functions;
  for (const PthreadFunction& one : kPthreadFunctions) functions.emplace_back(one.name);
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

bool has(const PthreadCode& code, const Named& named, std::size_t function) {
  if (named.call == PthreadCall::kThread) return code.thread.has_value();
  if (named.call == PthreadCall::kMain) return code.main_end.has_value();
  if (named.outcome == PthreadOutcome::kFailed && !code.error_number) return false;
  return !code.functions[function].entries.empty();
}

}  // namespace

// A place that nothing is known of has the first row.
PthreadProbes::PthreadProbes(OfProcesses of) : of_(std::move(of)), rows_(1) {}

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
  if (rows_.size() > kMostPthreadNumber) return Error{"there are too many glibcs", 0, "", ""};
  return {};
}

const Result<std::unique_ptr<PthreadProbes::Found>>& PthreadProbes::code_of(
    const ProcessObject& object) {
  const std::pair key(object.device, object.inode);
  const auto known = codes_.find(key);
  if (known != codes_.end()) return known->second;
  const auto read = [&]() -> Result<std::unique_ptr<Found>> {
    if (!object.is_program && !symbol::is_called(object, "libc")) return std::unique_ptr<Found>();
    const Result<std::unique_ptr<Image>> image = Image::open(object);
    if (!image.ok() || !is_glibc(**image)) return std::unique_ptr<Found>();
    if (!object.is_program && (*image)->functions().named("pthread_create").empty()) {
      return Error{"before 2.34, glibc has them in another library", 0, "", ""};
    }
    auto found = std::make_unique<Found>();
    DT_ASSIGN(found->code, pthread_code(**image));
    DT_TRY(number_places(**image, *found));
    return found;
  };
  return codes_.emplace(key, read()).first->second;
}

void PthreadProbes::of_object(std::int32_t pid, const ProcessObject& object, const Found& found,
                              const probe::Pattern& pattern, Answer& answer) {
  const std::uint32_t process =
      processes_.try_emplace(pid, static_cast<std::uint32_t>(processes_.size())).first->second;
  for (std::size_t i = 0; i < kPthreadFunctions.size(); ++i) {
    if (!probe::field_matches(pattern.function, kPthreadFunctions[i].name)) continue;
    for (const Named& one : all_named()) {
      if (one.call != kPthreadFunctions[i].call || !has(found.code, one, i) ||
          !probe::field_matches(pattern.name, one.name)) {
        continue;
      }
      probe::Description description{fmt::format("{}{}", kName, pid), object.name,
                                     kPthreadFunctions[i].name, one.name};
      const std::size_t functions = std::size_t{process} * kPthreadFunctions.size() + i;
      const auto key = static_cast<std::uint32_t>(functions * kPthreadOutcomes) +
                       static_cast<std::uint32_t>(one.outcome);
      probes_.try_emplace(
          probe::to_string(description),
          PthreadProbe{key, i, one.outcome, pid, object.open_path, &found.code, &found.rows});
      answer.probes.push_back(std::move(description));
    }
  }
}

void PthreadProbes::of_process(std::int32_t pid, const probe::Pattern& pattern, Answer& answer) {
  const Result<std::vector<ProcessObject>> objects = symbol::objects_of(pid);
  if (!objects.ok()) {
    answer.refusal = probe::Refusal{
        "D_PROC_GRAB",
        fmt::format("failed to grab process {}: {}", pid, std::strerror(objects.error().code)), ""};
    return;
  }
  const Found* last = nullptr;
  const auto refuse = [&](const std::string& object, const std::string& why) {
    answer.refusal = probe::Refusal{
        "D_PROC_CREATEFAIL",
        fmt::format("the threads of {} in process {} cannot be traced: {}", object, pid, why), ""};
  };
  std::string name;
  for (const ProcessObject& object : *objects) {
    const Result<std::unique_ptr<Found>>& found = code_of(object);
    if (!found.ok()) return refuse(object.name, found.error().text);
    if (*found == nullptr) continue;
    last = found->get();
    name = object.name;
    if (is_meant(object, pattern.module)) of_object(pid, object, *last, pattern, answer);
  }
  if (last == nullptr) {
    answer.refusal = probe::Refusal{
        "D_PROC_LIB",
        fmt::format("process {} has no glibc, whose threads pthread knows: no libc.so.6, and no "
                    "symbols of it in the program",
                    pid),
        ""};
    return;
  }
  if (!answer.probes.empty()) return;
  const bool is_of_thread = pattern.name == "start" || pattern.name == "exit";
  if (is_of_thread && !last->code.thread) return refuse(name, last->code.why_no_thread);
  answer.refusal = refuse_pattern(pattern);
}

const PthreadProbes::Answer& PthreadProbes::ask(const probe::Pattern& pattern) {
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
