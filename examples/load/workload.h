// What the requests of an experiment do.
#pragma once

#include <nlohmann/json.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace load {

/// A number of the report: what a tracer of this workload should find.
struct Count {
  std::string what;
  std::uint64_t number;
};

/// One type of request. A workload is made before tracing can matter, serves requests in many
/// threads at once, and counts what it did.
class Workload {
 public:
  virtual ~Workload() = default;

  /// Serves one request.
  /// \param request  a value for each parameter
  /// \param worker   the number of the thread that serves it, from 0
  virtual void serve(const nlohmann::json& request, unsigned worker) = 0;

  /// Called after the last request.
  virtual std::vector<Count> counts() const { return {}; }
};

/// \param type     busy_wait, file_opener, proc_starter, fileio, mutex or http
/// \param params   the parameters as the experiment has them
/// \param workers  how many threads serve requests
/// \throws std::runtime_error  no such type, a parameter that it lacks, a file that cannot be made
std::unique_ptr<Workload> make_workload(const std::string& type, const nlohmann::json& params,
                                        unsigned workers);

/// The types, for messages.
std::string workload_types();

}  // namespace load
