#pragma once
// What processes do while they are traced, so that addresses in their code have names when they
// have ended. The kernel reports all processes; if it does not permit this, those of -c and -p
// are looked at now and then.

#include <chrono>
#include <memory>
#include <vector>

#include "kernel/process_events.h"

namespace dt::runtime {
class Process;
class Session;
}  // namespace dt::runtime

namespace dt::symbol {
class Resolver;
}

namespace dt::api {

class ProcessNames {
 public:
  using Clock = std::chrono::steady_clock;

  // All references must outlive this.
  ProcessNames(const std::vector<runtime::Process>& processes, symbol::Resolver& resolver,
               runtime::Session& session)
      : processes_(processes), resolver_(resolver), session_(session) {}

  // Before the first probe records: a process that starts and ends between the two would have no
  // names.
  void follow(const std::vector<int>& cpus);
  // When probes record, and before the processes of -c and -p go on.
  void begin();

  // Learns what has happened until now.
  void learn();
  // The same, if anything has happened.
  void learn_pending();
  // Looks at the processes of -c and -p, if it is time.
  void look();
  // When learn() or look() is to be called at the latest.
  Clock::time_point next(Clock::time_point now) const;

 private:
  void open_events(const std::vector<int>& cpus);

  const std::vector<runtime::Process>& processes_;
  symbol::Resolver& resolver_;
  runtime::Session& session_;
  std::unique_ptr<kernel::ProcessEvents> events_;
  bool knows_all_ = false;  // processes that there were at the beginning
  Clock::time_point next_look_ = Clock::time_point::max();
  std::chrono::nanoseconds look_every_{};
};

}  // namespace dt::api
