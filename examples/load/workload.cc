#include "workload.h"

#include <map>
#include <stdexcept>

#include "workloads.h"

namespace load {
namespace {

using Maker = std::unique_ptr<Workload> (*)(const nlohmann::json&, unsigned);

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> all = {
      {"busy_wait", make_busy_wait}, {"file_opener", make_file_opener},
      {"fileio", make_fileio},       {"http", make_http},
      {"mutex", make_mutex},         {"proc_starter", make_proc_starter},
  };
  return all;
}

}  // namespace

std::string workload_types() {
  std::string text;
  for (const auto& [name, maker] : makers()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::unique_ptr<Workload> make_workload(const std::string& type, const nlohmann::json& params,
                                        unsigned workers) {
  const auto found = makers().find(type);
  if (found == makers().end()) {
    throw std::runtime_error("no workload type \"" + type + "\"; there are " + workload_types());
  }
  return found->second(params, workers);
}

}  // namespace load
