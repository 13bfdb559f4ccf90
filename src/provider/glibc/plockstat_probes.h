#pragma once
// The probes of the locks of processes: which of them a description of the plockstat provider
// denotes, and where their breakpoints are.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "provider/glibc/glibc_probes.h"
#include "provider/glibc/lock_code.h"
#include "provider/glibc/lock_prologue.h"

namespace dt::provider {

struct LockProbe {
  std::uint32_t key = 0;  // the process, the function, the outcome
  std::size_t function = 0;
  LockOutcome outcome = LockOutcome::kDone;
  std::int32_t pid = 0;
  std::string path;  // of the object, for us
  const LockCode* code = nullptr;

  LockCall call() const { return kLockFunctions[function].call; }
  bool is_of_waits() const {
    return outcome == LockOutcome::kBlock || outcome == LockOutcome::kBlocked;
  }
  // The key of the function's first outcome.
  std::uint32_t function_key() const { return key - key % kLockOutcomes; }
};

class LockProbes : public GlibcProbes {
 public:
  explicit LockProbes(OfProcesses of) : GlibcProbes("plockstat", "locks", std::move(of)) {}

  const LockProbe& probe(const probe::Description& description) const;

 protected:
  std::set<std::string_view> names() const override;
  std::vector<std::string_view> functions() const override;
  std::optional<probe::Refusal> refuse_known_name(const std::string& name) const override;
  Result<bool> of_object(std::int32_t pid, const symbol::ProcessObject& object,
                         const probe::Pattern& pattern, Answer& answer) override;

 private:
  // An error where it is glibc and not as it must be; null where it is none.
  const Result<std::unique_ptr<LockCode>>& code_of(const symbol::ProcessObject& object);

  std::unordered_map<std::string, LockProbe> probes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Result<std::unique_ptr<LockCode>>> codes_;
};

}  // namespace dt::provider
