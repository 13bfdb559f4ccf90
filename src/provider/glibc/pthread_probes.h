#pragma once
// The probes of the threads of processes: which of them a description of the pthread provider
// denotes, and where their breakpoints are.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "provider/glibc/glibc_probes.h"
#include "provider/glibc/pthread_code.h"
#include "provider/glibc/pthread_prologue.h"

namespace dt::provider {

// Keys are dense within a process: (process * functions + function) * outcomes + outcome. So the
// program computes which probe fires from the function's key and what it finds out at its return.
struct PthreadProbe {
  std::uint32_t key = 0;  // the process, the function, the outcome
  std::size_t function = 0;
  PthreadOutcome outcome = PthreadOutcome::kBegin;
  std::int32_t pid = 0;
  std::string path;  // of the object, for us
  const PthreadCode* code = nullptr;
  const std::map<std::uint64_t, std::uint32_t>* rows = nullptr;  // by the place's offset

  PthreadCall call() const { return kPthreadFunctions[function].call; }
  bool tells_of_return() const {
    return call() < PthreadCall::kCancel && outcome != PthreadOutcome::kBegin;
  }
  // The key of the first outcome of a function of the same process.
  std::uint32_t key_of(std::size_t other) const {
    const std::uint32_t process = key / kPthreadOutcomes / kPthreadFunctions.size();
    return static_cast<std::uint32_t>((process * kPthreadFunctions.size() + other) *
                                      kPthreadOutcomes);
  }
};

class PthreadProbes : public GlibcProbes {
 public:
  explicit PthreadProbes(OfProcesses of);

  const PthreadProbe& probe(const probe::Description& description) const;
  static std::vector<probe::Argument> arguments(const PthreadProbe& probe);
  // What is known of places, by their numbers.
  const std::vector<PthreadRow>& rows() const { return rows_; }

 protected:
  std::set<std::string_view> names() const override;
  std::vector<std::string_view> functions() const override;
  Result<bool> of_object(std::int32_t pid, const symbol::ProcessObject& object,
                         const probe::Pattern& pattern, Answer& answer) override;

 private:
  struct Found {
    PthreadCode code;
    std::map<std::uint64_t, std::uint32_t> rows;
  };
  // An error where it is glibc and not as it must be; null where it is none.
  // Kept by device and inode: one build of glibc is analysed once.
  const Result<std::unique_ptr<Found>>& code_of(const symbol::ProcessObject& object);
  Status number_places(const Image& image, Found& found);

  std::unordered_map<std::string, PthreadProbe> probes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Result<std::unique_ptr<Found>>> codes_;
  std::vector<PthreadRow> rows_;
};

}  // namespace dt::provider
