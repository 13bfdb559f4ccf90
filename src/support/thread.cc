#include "support/thread.h"

#include <pthread.h>
#include <signal.h>

namespace dt::support {

struct Thread::Running {
  std::function<void()> work;
  pthread_t id{};

  static void* run(void* self) {
    static_cast<Running*>(self)->work();
    return nullptr;
  }
};

Thread::Thread() = default;
Thread::Thread(std::unique_ptr<Running> running) : running_(std::move(running)) {}
Thread::Thread(Thread&& from) noexcept = default;
Thread::~Thread() { join(); }

Thread& Thread::operator=(Thread&& from) noexcept {
  join();
  running_ = std::move(from.running_);
  return *this;
}

Result<Thread> Thread::start(std::function<void()> work) {
  auto running = std::make_unique<Running>();
  running->work = std::move(work);
  // A thread begins with the mask of the one that creates it.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const int code = ::pthread_create(&running->id, nullptr, Running::run, running.get());
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (code != 0) return system_error("create a thread", code);
  return Thread(std::move(running));
}

void Thread::join() {
  if (running_ == nullptr) return;
  ::pthread_join(running_->id, nullptr);
  running_.reset();
}

}  // namespace dt::support
