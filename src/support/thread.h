#pragma once
// A thread, and the error when the kernel has no more of them: std::thread throws it, and nothing
// here catches.

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "support/result.h"

namespace dt::support {

// Takes no signals: those are for the threads that handle them. Its end is waited for where this
// ends.
class Thread {
 public:
  // The error is pthread_create(3)'s; EAGAIN: a limit of the user, of the control group or of the
  // kernel.
  static Result<Thread> start(std::function<void()> work);
  Thread();
  Thread(Thread&& from) noexcept;
  Thread& operator=(Thread&& from) noexcept;
  ~Thread();

  bool is_running() const { return running_ != nullptr; }
  // Waits for its end, if it was started.
  void join();

 private:
  struct Running;
  explicit Thread(std::unique_ptr<Running> running);
  std::unique_ptr<Running> running_;  // null: not started, or joined
};

// What a thread finds out.
template <typename T>
class Later {
 public:
  // nullopt: there are no more threads, and the caller does the work itself.
  template <typename Work>
  static std::optional<Later> start(Work work) {
    Later later;
    later.found_ = std::make_unique<std::optional<T>>();
    auto thread = Thread::start(
        [to = later.found_.get(), work = std::move(work)]() mutable { to->emplace(work()); });
    if (!thread.ok()) return std::nullopt;
    later.thread_ = std::move(*thread);
    return later;
  }
  Later(Later&&) noexcept = default;
  Later& operator=(Later&& from) noexcept {
    thread_ = std::move(from.thread_);  // first: the thread before it writes to what follows
    found_ = std::move(from.found_);
    return *this;
  }
  ~Later() = default;
  // Waits for it. Once.
  T take() {
    thread_.join();
    return std::move(**found_);
  }

 private:
  Later() = default;
  std::unique_ptr<std::optional<T>> found_;
  Thread thread_;  // last: it writes to what is above
};

// Later<what `work` gives>, with its work begun.
template <typename Work>
std::optional<Later<std::invoke_result_t<Work>>> beside(Work work) {
  return Later<std::invoke_result_t<Work>>::start(std::move(work));
}

}  // namespace dt::support
