// Workloads that need no kernel: the CPU, and locks.
#include <pthread.h>

#include <chrono>
#include <deque>
#include <stdexcept>
#include <thread>

#include "workloads.h"

namespace load {
namespace {

using Clock = std::chrono::steady_clock;

class BusyWait : public Workload {
 public:
  void serve(const nlohmann::json& request, unsigned) override {
    const std::int64_t cycles = request.at("num_cycles").get<std::int64_t>();
    for (volatile std::int64_t i = 0; i < cycles;) i = i + 1;
  }
};

class Mutex : public Workload {
 public:
  explicit Mutex(std::size_t mutexes) : locks_(mutexes) {}

  void serve(const nlohmann::json& request, unsigned) override {
    hold(request.at("mutex").get<std::size_t>() % locks_.size(), request.at("hold_us").get<long>());
  }

  std::vector<Count> counts() const override {
    std::vector<Count> all;
    for (std::size_t i = 0; i < locks_.size(); ++i) {
      all.push_back({"mutex " + std::to_string(i) + " taken", locks_[i].taken});
      all.push_back({"mutex " + std::to_string(i) + " taken after more than 1 ms", locks_[i].slow});
    }
    return all;
  }

 private:
  struct Lock {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    std::atomic<std::uint64_t> taken = 0, slow = 0;
  };
  // A function of its own, with a short name, for stacks.
  [[gnu::noinline]] void hold(std::size_t number, long microseconds) {
    Lock& lock = locks_[number];
    const Clock::time_point asked = Clock::now();
    pthread_mutex_lock(&lock.mutex);
    // A lock that is held asleep is waited for whatever the number of CPUs.
    const bool slow = Clock::now() - asked > std::chrono::milliseconds(1);
    std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
    pthread_mutex_unlock(&lock.mutex);
    ++lock.taken;
    if (slow) ++lock.slow;
  }

  // Never moved: a mutex has an address.
  std::deque<Lock> locks_;
};

}  // namespace

std::unique_ptr<Workload> make_busy_wait(const nlohmann::json&, unsigned) {
  return std::make_unique<BusyWait>();
}

std::unique_ptr<Workload> make_mutex(const nlohmann::json& params, unsigned) {
  const std::size_t mutexes = params.at("mutexes").get<std::size_t>();
  if (mutexes == 0) throw std::runtime_error("mutexes: there must be one at least");
  return std::make_unique<Mutex>(mutexes);
}

}  // namespace load
