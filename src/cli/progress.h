#pragma once
// What takes its time, on a terminal: a line that says what is being done, once
// it has taken a second, and goes when it is done.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>

#include "support/fd.h"
#include "support/thread.h"

namespace dt::cli {

class Progress {
 public:
  static constexpr std::chrono::milliseconds kPatience{1000};

  // Writes to `fd` if that is a terminal, and nothing otherwise.
  explicit Progress(int fd, std::chrono::milliseconds patience = kPatience);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // The work that begins now, behind that before it; "" is none: then nothing
  // is shown any more when this returns.
  void begin(std::string what);
  // How far it has come.
  void step(std::size_t number, std::size_t of);

 private:
  using Clock = std::chrono::steady_clock;

  void run();
  void show();
  void clear();
  void put(const std::string& text);

  const std::chrono::milliseconds patience_;
  Fd terminal_;  // non-blocking: one that is stopped must not stop us
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  std::size_t number_ = 0, of_ = 0;
  Clock::time_point since_;
  bool is_shown_ = false, is_over_ = false;
  support::Thread thread_;  // last: it uses the others
};

}  // namespace dt::cli
