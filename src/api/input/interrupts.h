#pragma once
// Requests to end a run: by signals, and by Tracer::interrupt().

#include <chrono>
#include <string>

namespace dt::api {

class Interrupts {
 public:
  using Clock = std::chrono::steady_clock;

  // `terminates`: by SIGTERM or SIGHUP. timeout(1) and service managers signal a process and then
  // its group, half a millisecond apart: that is one request.
  void add(bool terminates, Clock::time_point now = Clock::now()) {
    constexpr std::chrono::milliseconds kOneRequest{500};
    if (count_ == 0 || now - last_ >= kOneRequest) {
      ++count_;
      last_ = now;
    }
    terminates_ = terminates_ || terminates;
  }
  int count() const { return count_; }
  bool any() const { return count_ > 0; }
  // A second request gives results up: it comes from a person who has waited for them.
  bool is_repeated() const { return count_ > 1; }
  bool terminates() const { return terminates_; }

  // Results are printed from now on. A request that comes later is one to stop that.
  void begin_results() { before_results_ = count_; }
  // Before the results, the first request ends the run, and leaves what is being printed.
  bool ends_printing() const { return count_ > before_results_; }
  // The message that reports it.
  std::string discarded() const {
    return std::string("interrupted") + (is_repeated() ? " twice" : "") +
           ": aggregations that were not printed yet are discarded";
  }

 private:
  int count_ = 0;
  int before_results_ = 1;
  bool terminates_ = false;
  Clock::time_point last_;
};

}  // namespace dt::api
