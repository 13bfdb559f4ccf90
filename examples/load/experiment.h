// An experiment: which workloads are served by which threads, and when their requests come.
#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "parameter.h"

namespace load {

/// Threads that serve requests.
struct Pool {
  unsigned threads = 1;
  std::chrono::nanoseconds quantum{};  ///< how long a step takes
  /// Whether a thread takes the next request as soon as it is free, and requests do not come at
  /// times of their own.
  bool benchmark = false;
  int cpu = -1;  ///< the CPU of all threads; -1: any
};

/// When the requests of a step come.
enum class Arrival {
  kAtOnce,       ///< all at the beginning of the step
  kUniform,      ///< in equal intervals
  kExponential,  ///< in intervals of an exponential distribution, as independent users send them
};

struct Stream {
  std::string name, type, pool;
  Arrival arrival = Arrival::kAtOnce;
  unsigned steps = 1, requests = 1;  ///< steps, and requests of each
  nlohmann::json params;
};

struct Experiment {
  std::string name;
  std::map<std::string, Pool> pools;
  std::vector<Stream> streams;
};

/// \throws std::runtime_error  what is missing or unknown, by its path
Experiment read_experiment(const nlohmann::json& text);

/// Sets a member of an experiment.
/// \param assignment  workloads:open:params:created_files=320; the value is JSON, or else a string
/// \throws std::runtime_error  there is no such member
void set_member(nlohmann::json& text, const std::string& assignment);

/// Each member as set_member() takes it.
std::vector<std::string> list_members(const nlohmann::json& text);

}  // namespace load
