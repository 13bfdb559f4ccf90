// A load generator: serves the requests that an experiment describes, and then says what it did, so
// that what a tracer shows can be checked.
//
//   make && ./load file_opener.json -s workloads:open:params:created_files=320
//
// README.md describes the experiments.

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <fstream>
#include <mutex>
#include <system_error>
#include <thread>

#include "experiment.h"
#include "workload.h"

namespace load {
namespace {

using Clock = std::chrono::steady_clock;

// Requests that wait for a thread.
class Queue {
 public:
  void put(nlohmann::json request) {
    {
      const std::lock_guard guard(mutex_);
      waiting_.push_back(std::move(request));
    }
    changed_.notify_one();
  }

  void close() {
    {
      const std::lock_guard guard(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  // Whether there was one; false after close(), when all are taken.
  bool take(nlohmann::json& request) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return false;
    request = std::move(waiting_.front());
    waiting_.pop_front();
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<nlohmann::json> waiting_;
  bool closed_ = false;
};

// How long requests took, of one thread.
struct Times {
  std::uint64_t requests = 0;
  Clock::duration sum{}, longest{};

  void add(Clock::duration one) {
    ++requests;
    sum += one;
    longest = std::max(longest, one);
  }
};

// The requests of one stream, from a thread that sends them to threads that serve them.
class Run {
 public:
  Run(const Stream& stream, const Pool& pool, std::uint64_t seed)
      : stream_(stream), pool_(pool), random_(seed), times_(pool.threads) {
    for (const auto& [name, text] : stream.params.items()) {
      parameters_.emplace_back(name, Parameter(stream.name + ":params:" + name, text, ++seed));
    }
    workload_ = make_workload(stream.type, stream.params, pool.threads);
    // A free thread of a benchmark takes the next request; else each has requests of its own.
    queues_ = std::vector<Queue>(pool.benchmark ? 1 : pool.threads);
  }

  void start() {
    for (unsigned i = 0; i < pool_.threads; ++i) {
      threads_.emplace_back([this, i] { guarded([&] { serve(i); }); });
    }
    threads_.emplace_back([this] { guarded([&] { send(); }); });
  }

  void finish() {
    for (std::thread& thread : threads_) thread.join();
    if (error_ != nullptr) std::rethrow_exception(error_);
  }

  void report() const {
    Times all;
    for (const Times& one : times_) {
      all.requests += one.requests;
      all.sum += one.sum;
      all.longest = std::max(all.longest, one.longest);
    }
    const auto us = [](Clock::duration time) {
      return static_cast<long>(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
    };
    std::printf("%s: %llu requests of %s, mean %ld us, longest %ld us\n", stream_.name.c_str(),
                static_cast<unsigned long long>(all.requests), stream_.type.c_str(),
                us(all.sum / std::max<Clock::rep>(1, static_cast<Clock::rep>(all.requests))),
                us(all.longest));
    for (const Count& count : workload_->counts()) {
      std::printf("  %-44s %llu\n", count.what.c_str(),
                  static_cast<unsigned long long>(count.number));
    }
  }

 private:
  template <typename Work>
  void guarded(Work work) {
    try {
      work();
    } catch (...) {
      {
        const std::lock_guard guard(error_mutex_);
        if (error_ == nullptr) error_ = std::current_exception();
      }
      for (Queue& queue : queues_) queue.close();
    }
  }

  nlohmann::json draw() {
    nlohmann::json request = nlohmann::json::object();
    for (auto& [name, parameter] : parameters_) request[name] = parameter.draw();
    return request;
  }

  // How long after the beginning of the step each request comes.
  std::vector<Clock::duration> arrivals() {
    const double mean = static_cast<double>(pool_.quantum.count()) / stream_.requests;
    std::exponential_distribution<double> interval(1 / mean);
    std::vector<Clock::duration> all;
    double at = 0;
    for (unsigned i = 0; i < stream_.requests; ++i) {
      all.emplace_back(static_cast<Clock::rep>(at));
      if (stream_.arrival == Arrival::kUniform) at += mean;
      if (stream_.arrival == Arrival::kExponential) at += interval(random_);
    }
    return all;
  }

  void send() {
    Clock::time_point begin = Clock::now();
    std::size_t turn = 0;
    for (unsigned step = 0; step < stream_.steps; ++step, begin += pool_.quantum) {
      for (const Clock::duration after : arrivals()) {
        if (!pool_.benchmark) std::this_thread::sleep_until(begin + after);
        queues_[turn++ % queues_.size()].put(draw());
      }
      if (!pool_.benchmark) std::this_thread::sleep_until(begin + pool_.quantum);
    }
    for (Queue& queue : queues_) queue.close();
  }

  void serve(unsigned worker) {
    if (pool_.cpu >= 0) {
      cpu_set_t set;
      CPU_ZERO(&set);
      CPU_SET(static_cast<unsigned>(pool_.cpu), &set);
      if (sched_setaffinity(0, sizeof set, &set) != 0) {
        throw std::system_error(errno, std::generic_category(),
                                "threadpools:" + stream_.pool + ":cpu");
      }
    }
    nlohmann::json request;
    while (queues_[worker % queues_.size()].take(request)) {
      const Clock::time_point begin = Clock::now();
      workload_->serve(request, worker);
      times_[worker].add(Clock::now() - begin);
    }
  }

  const Stream& stream_;
  const Pool& pool_;
  std::mt19937_64 random_;
  std::vector<std::pair<std::string, Parameter>> parameters_;
  std::unique_ptr<Workload> workload_;
  std::vector<Queue> queues_;
  std::vector<Times> times_;
  std::vector<std::thread> threads_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

void run(const nlohmann::json& text) {
  const Experiment experiment = read_experiment(text);
  std::vector<std::unique_ptr<Run>> runs;
  std::uint64_t seed = 1;
  for (const Stream& stream : experiment.streams) {
    runs.push_back(std::make_unique<Run>(stream, experiment.pools.at(stream.pool), seed));
    seed += 1000;
  }
  for (const auto& one : runs) one->start();
  for (const auto& one : runs) one->finish();
  for (const auto& one : runs) one->report();
}

nlohmann::json read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::system_error(errno, std::generic_category(), path);
  return nlohmann::json::parse(file);
}

int main(int argc, char** argv) {
  std::vector<std::string> assignments;
  bool list = false;
  for (int option = 0; (option = getopt(argc, argv, "ls:")) != -1;) {
    if (option == 'l') {
      list = true;
    } else if (option == 's') {
      assignments.emplace_back(optarg);
    } else {
      return 2;
    }
  }
  if (optind != argc - 1) {
    std::fprintf(stderr, "usage: load [-l] [-s MEMBER=VALUE]... EXPERIMENT.json\n");
    return 2;
  }
  try {
    nlohmann::json text = read_file(argv[optind]);
    for (const std::string& assignment : assignments) set_member(text, assignment);
    if (list) {
      for (const std::string& line : list_members(text)) std::puts(line.c_str());
    } else {
      run(text);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "load: %s\n", error.what());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace load

int main(int argc, char** argv) { return load::main(argc, argv); }
