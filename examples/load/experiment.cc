#include "experiment.h"

#include <algorithm>
#include <initializer_list>
#include <stdexcept>

namespace load {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& path, const std::string& what) {
  throw std::runtime_error(path + ": " + what);
}

// A member that is misspelt must not be a default in silence.
void check_members(const json& object, const std::string& path,
                   std::initializer_list<const char*> known) {
  if (!object.is_object()) fail(path, "not an object");
  for (const auto& [name, value] : object.items()) {
    const bool found =
        std::any_of(known.begin(), known.end(), [&](const char* one) { return name == one; });
    if (!found) fail(path + ":" + name, "unknown");
  }
}

const json& member(const json& object, const std::string& path, const std::string& name) {
  if (!object.contains(name)) fail(path + ":" + name, "missing");
  return object.at(name);
}

unsigned positive(const json& object, const std::string& path, const std::string& name) {
  const json& value = member(object, path, name);
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1) {
    fail(path + ":" + name, "not a number above 0: " + value.dump());
  }
  return value.get<unsigned>();
}

Pool read_pool(const json& text, const std::string& path) {
  check_members(text, path, {"num_threads", "quantum", "disp", "cpu"});
  Pool pool;
  pool.threads = positive(text, path, "num_threads");
  pool.quantum = std::chrono::nanoseconds(member(text, path, "quantum").get<std::int64_t>());
  pool.cpu = text.value("cpu", -1);
  const std::string dispatcher = member(text, path, "disp").value("type", "");
  if (dispatcher != "round-robin" && dispatcher != "benchmark") {
    fail(path + ":disp:type", "round-robin or benchmark, not \"" + dispatcher + "\"");
  }
  pool.benchmark = dispatcher == "benchmark";
  return pool;
}

Arrival read_arrival(const json& text, const std::string& path) {
  const std::string type = text.value("type", "");
  if (type == "simple") return Arrival::kAtOnce;
  const std::string distribution = text.value("distribution", "");
  if (type == "iat" && distribution == "exponential") return Arrival::kExponential;
  if (type == "iat" && distribution == "uniform") return Arrival::kUniform;
  fail(path, "type is simple, or iat with distribution exponential or uniform: " + text.dump());
}

Stream read_stream(const json& text, const std::string& name, const json& steps) {
  const std::string path = "workloads:" + name;
  check_members(text, path, {"wltype", "threadpool", "rqsched", "params"});
  Stream stream;
  stream.name = name;
  stream.type = member(text, path, "wltype").get<std::string>();
  stream.pool = member(text, path, "threadpool").get<std::string>();
  stream.arrival = read_arrival(member(text, path, "rqsched"), path + ":rqsched");
  stream.params = member(text, path, "params");
  const json& step = member(steps, "steps", name);
  check_members(step, "steps:" + name, {"num_steps", "num_requests"});
  stream.steps = positive(step, "steps:" + name, "num_steps");
  stream.requests = positive(step, "steps:" + name, "num_requests");
  return stream;
}

void list_below(const json& text, const std::string& path, std::vector<std::string>& lines) {
  if (!text.is_object()) {
    lines.push_back(path + "=" + text.dump());
    return;
  }
  for (const auto& [name, value] : text.items()) {
    list_below(value, path.empty() ? name : path + ":" + name, lines);
  }
}

}  // namespace

Experiment read_experiment(const json& text) {
  check_members(text, "experiment", {"name", "steps", "threadpools", "workloads"});
  Experiment experiment;
  experiment.name = member(text, "experiment", "name").get<std::string>();
  for (const auto& [name, pool] : member(text, "experiment", "threadpools").items()) {
    experiment.pools[name] = read_pool(pool, "threadpools:" + name);
  }
  const json& steps = member(text, "experiment", "steps");
  for (const auto& [name, workload] : member(text, "experiment", "workloads").items()) {
    experiment.streams.push_back(read_stream(workload, name, steps));
    const std::string& pool = experiment.streams.back().pool;
    if (experiment.pools.count(pool) == 0) {
      fail("workloads:" + name + ":threadpool", "no threadpool \"" + pool + "\"");
    }
  }
  return experiment;
}

void set_member(json& text, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) fail(assignment, "not MEMBER=VALUE");
  std::string path = assignment.substr(0, equals), value = assignment.substr(equals + 1);
  json* at = &text;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    if (!at->is_object() || !at->contains(name)) fail(path, "no such member; -l lists them");
    at = &at->at(name);
    begin = end + 1;
  }
  const json parsed = json::parse(value, nullptr, false);
  *at = parsed.is_discarded() ? json(value) : parsed;
}

std::vector<std::string> list_members(const json& text) {
  std::vector<std::string> lines;
  list_below(text, "", lines);
  return lines;
}

}  // namespace load
