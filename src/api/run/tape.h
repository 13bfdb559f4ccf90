#pragma once
// -x record: what a run's consumer is given, on its way into a file (recording/).

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/options/request.h"
#include "consumer/output/output.h"
#include "consumer/tap.h"
#include "front/outcome.h"
#include "recording/names.h"
#include "recording/reads.h"
#include "recording/writer.h"
#include "support/fd.h"
#include "support/result.h"
#include "symbol/resolve/resolver.h"

namespace dt::consumer {
class Consumer;
}

namespace dt::api {

struct Compiled;

class Tape final : public consumer::Tap {
 public:
  // Into the file that the options name, or standard output for "-". `compiled` must outlive
  // this.
  static Result<std::unique_ptr<Tape>> open(const Compiled& compiled, const Request& request);
  ~Tape() override = default;

  // The resolver and the source of the run, such that the tape records each of their answers.
  std::unique_ptr<symbol::Resolver> resolver(std::unique_ptr<symbol::Resolver> inner);
  record::AggregationSource& source(record::AggregationSource& inner);
  // Makes it the tap of a consumer, whose `advise` is asked for hints.
  void join(consumer::Consumer& consumer,
            std::function<std::string(ProbeId probe, std::uint32_t argument)> advise);

  void record(consumer::FiringId firing, consumer::Bytes bytes) override;
  void drops(std::span<const std::uint64_t> counters) override;
  void message(std::string_view text) const;
  void outcome(const front::Outcome& outcome);
  // `refreshed` is called at each moment at which all aggregations were read.
  void when_refreshed(std::function<void(std::int64_t time_ns)> refreshed) {
    refreshed_ = std::move(refreshed);
  }
  void interrupted();
  // The run has not begun: the file is removed, and what it has replaced has its name again.
  void discard();
  // All records are there; `status` is that of the last line of structured output.
  void finish(std::int32_t status, bool prints, std::int64_t time_ns);
  void end(int status);

  using Clock = recording::Writer::Clock;
  // When look() has something to do next.
  Clock::time_point due() const { return std::min(writer_.due(), next_refresh_); }
  // Reads aggregations and writes what there is, when it is time. Once: why nothing more can
  // be written.
  const Error* look(Clock::time_point now);
  void flush() { writer_.flush(); }
  // Once: why nothing more can be written.
  const Error* take_error();
  bool is_only_output() const { return is_stdout_; }
  // When it was begun: ns since 1970.
  std::int64_t start_ns() const { return start_ns_; }
  void when_full(int wake_fd, consumer::FileOutput::GiveUp give_up) {
    output_.when_full(wake_fd, std::move(give_up));
  }

 private:
  Tape(const Compiled& compiled, Fd fd, int given, std::string name);
  void keep_at_most(std::uint64_t bytes);
  void keep_size();

  const Compiled& compiled_;
  Fd fd_;
  bool is_stdout_;
  bool has_replaced_ = false;  // an earlier recording of this name
  consumer::FileOutput output_;
  recording::Writer writer_;
  recording::Put put_;
  bool is_of_outcomes_ = false;  // what handlers at home do is recorded: none of these is there
  recording::TapingResolver* names_ = nullptr;  // outlives every call of this
  std::unique_ptr<recording::TapingSource> source_;
  consumer::Consumer* consumer_ = nullptr;
  std::function<void(std::int64_t time_ns)> refreshed_;
  std::uint64_t records_ = 0;
  bool has_said_error_ = false;
  std::int64_t start_ns_ = 0;
  Clock::time_point next_refresh_;
  std::optional<Error> size_error_;  // why the file cannot be kept small
  std::map<std::pair<bool, std::int64_t>, std::string> accounts_;  // that were named
  std::vector<std::uint64_t> counters_;                            // of drops
};

// The name of this machine.
std::string host_name();

// The program of a run as its recording has it, and the options that its output depends on.
void take_options(const std::vector<std::pair<std::string, std::string>>& recorded,
                  Options& options);

}  // namespace dt::api
