#pragma once
// What a Tracer runs once its programs are compiled: tracing itself (live.h), or what was
// recorded (replay.h).

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/options/request.h"
#include "support/diagnostics.h"
#include "support/result.h"

namespace dt::api {

class Run {
 public:
  using Clock = std::chrono::steady_clock;

  virtual ~Run() = default;
  // Everything up to the point at which probes are attached but do nothing yet.
  virtual Status enable() = 0;
  // From here on events are recorded: BEGIN first, then those of all probes. At its end, go()
  // resumes the processes of -c, which have waited at their start.
  virtual Status go() = 0;
  // Until `deadline`, or until the run is to end, which is false.
  virtual Result<bool> poll(Clock::time_point deadline) = 0;
  // Without a reader.
  virtual Status hold(std::uint32_t most_ms) = 0;
  // END, what is left in the ring, the last drops, and the aggregations.
  virtual Status stop() = 0;
  virtual int exit_status() const = 0;

  // `ready` is called when `fd` becomes readable, also while a reader of the
  // output is waited for.
  virtual Status watch(int fd, std::function<void()> ready) = 0;
  virtual void interrupt(bool terminates) = 0;
  virtual bool is_interrupted() const = 0;
  // The output is another one now; before anything was read.
  virtual void write_to(const Place& place) = 0;
  virtual void print(std::string_view text) = 0;
  // As system() of a script does, but what is in the buffer of the output remains there.
  virtual Status run_command(const std::string& command) = 0;
  virtual Status read(std::uint32_t aggregation,
                      const std::function<void(const dtrace::Row&)>& visit) = 0;

  // The place in the script that the verifier has refused.
  virtual const std::optional<Diagnostic>& rejected() const = 0;
};

// What dtrace exits with when something has failed.
constexpr int kFailed = 1;

// What a process that was given `status` exits with: its low eight bits. A status that is not
// 0 is never shown as success.
constexpr int process_status(std::int32_t status) {
  constexpr std::uint32_t kBits = 0xff;
  const auto low = static_cast<int>(static_cast<std::uint32_t>(status) & kBits);
  return low == 0 && status != 0 ? kFailed : low;
}

}  // namespace dt::api
