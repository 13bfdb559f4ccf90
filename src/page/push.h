#pragma once
// dtrace's side of -x push: a process of its own without rights, which sends metrics to a
// collector. Tracing never waits for it.
//
//     dtrace --- messages: their length, then their bytes ---> dtrace-push ---> collector
//     dtrace <--- a line: how many were sent and lost, and why ---

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "support/fd.h"
#include "support/result.h"

namespace dt::page {

class PushProcess {
 public:
  // More does not wait: it is lost.
  static constexpr std::size_t kMostWaiting = 16 << 20;

  // `program` is what becomes the process, under the name "dtrace-push".
  static Result<std::unique_ptr<PushProcess>> start(const std::string& url,
                                                    const std::string& program);
  ~PushProcess();
  PushProcess(const PushProcess&) = delete;
  PushProcess& operator=(const PushProcess&) = delete;

  void send(std::string_view message);
  // As much as the process takes now, and what it has said.
  void flush();
  bool has_waiting() const { return sent_ < waiting_.size(); }
  // Nothing is sent behind this: until what waits is sent or lost, for at most `most`.
  void finish(std::chrono::milliseconds most);
  // How many messages a collector has taken, and how many are lost.
  std::uint64_t taken() const { return taken_; }
  std::uint64_t lost() const { return given_ - taken_; }
  // Why the first of them was lost; empty while none is.
  const std::string& why() const { return why_; }

 private:
  PushProcess() = default;
  void hear();
  void take_report(std::string_view line);

  Fd pipe_;
  pid_t pid_ = -1;
  std::string url_, waiting_, heard_, why_;
  std::size_t sent_ = 0;  // of what waits
  std::uint64_t given_ = 0, taken_ = 0;
};

// The process itself; its exit status.
int run_push_process();

}  // namespace dt::page
