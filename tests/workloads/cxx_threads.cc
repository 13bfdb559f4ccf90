// cxx_threads: threads and conditions of C++, whose library makes pthreads of them. What a tracer
// must have seen, it prints:
//
//   want PROBE ARG0 COUNT        an address
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr int kThreads = 3, kRounds = 200;

std::map<std::pair<std::string, const void*>, long> told;
std::mutex telling;

void tell(const char* probe, const void* what) {
  const std::lock_guard<std::mutex> guard(telling);
  ++told[{probe, what}];
}

std::mutex mutex;
std::condition_variable changed;
int turn = 0;

void wait_for_turn(int mine) {
  std::unique_lock<std::mutex> lock(mutex);
  const void* const condition = changed.native_handle();
  for (int i = 0; i < kRounds; ++i) {
    while (turn != mine) {
      tell("cond-wait", condition);
      if (i % 2 == 0)
        changed.wait(lock);
      else
        changed.wait_for(lock, std::chrono::seconds(600));
      tell("cond-woken", condition);
    }
    turn = (turn + 1) % kThreads;
    tell("cond-broadcast", condition);
    changed.notify_all();
  }
}

const void* address(std::thread& thread) {
  return reinterpret_cast<const void*>(thread.native_handle());
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(wait_for_turn, i);
    for (const char* probe : {"create", "start", "exit"}) tell(probe, address(threads.back()));
  }
  for (std::thread& thread : threads) {
    for (const char* probe : {"join-start", "join-done"}) tell(probe, address(thread));
    thread.join();
  }
  std::unique_lock<std::mutex> lock(mutex);
  tell("cond-wait", changed.native_handle());
  tell("cond-woken", changed.native_handle());
  changed.wait_for(lock, std::chrono::milliseconds(1));
  tell("cond-signal", changed.native_handle());
  changed.notify_one();
  for (const auto& [what, count] : told) {
    std::printf("want %s %lx %ld\n", what.first.c_str(),
                reinterpret_cast<unsigned long>(what.second), count);
  }
}
