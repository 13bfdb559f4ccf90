// The line is written by a thread, since one call of the kernel can take long.

#include "cli/progress.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

namespace dt::cli {

Progress::Progress(int fd, std::chrono::milliseconds patience) : patience_(patience) {
  if (::isatty(fd) == 1) {
    terminal_ = Fd(::open(fmt::format("/proc/self/fd/{}", fd).c_str(),
                          O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  }
}

Progress::~Progress() {
  begin("");
  if (thread_.is_running()) {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
}

void Progress::begin(std::string what) {
  if (!terminal_.valid()) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (what_.empty()) {
    since_ = Clock::now();
  }
  what_ = std::move(what);
  of_ = 0;
  if (what_.empty()) {
    clear();
  } else if (!thread_.is_running()) {
    // Where there are no more threads, nothing is shown.
    if (auto thread = support::Thread::start([this] { run(); }); thread.ok()) {
      thread_ = std::move(*thread);
    }
  }
  changed_.notify_one();
}

void Progress::step(std::size_t number, std::size_t of) {
  const std::lock_guard lock(mutex_);
  number_ = number;
  of_ = of;
}

void Progress::run() {
  constexpr std::chrono::milliseconds kShowAgain{250};
  std::unique_lock lock(mutex_);
  while (!is_over_) {
    if (what_.empty()) {
      changed_.wait(lock);
      continue;
    }
    const Clock::time_point now = Clock::now();
    if (now - since_ < patience_) {
      changed_.wait_until(lock, since_ + patience_);
    } else {
      show();
      changed_.wait_for(lock, kShowAgain);
    }
  }
}

void Progress::show() {
  const auto s = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since_).count();
  std::string text = "\rdtrace: " + what_;
  if (of_ > 1) {
    text += fmt::format(", {} of {}", number_, of_);
  }
  put(text + fmt::format(", {} s\x1b[K", s));
  is_shown_ = true;
}

void Progress::clear() {
  if (is_shown_) {
    put("\r\x1b[K");
    is_shown_ = false;
  }
}

// A terminal that has no room goes without.
void Progress::put(const std::string& text) {
  static_cast<void>(!::write(terminal_.get(), text.data(), text.size()));
}

}  // namespace dt::cli
