// What each provider gives --self-test to try, from the table of providers.

#include <algorithm>
#include <string_view>

#include "dtrace/tracer.h"

namespace dtrace {
namespace {

using Work = Trial::Work;
constexpr Work kPackets = Work::kPackets, kThreads = Work::kThreads;

std::vector<std::string> split(std::string_view features) {
  std::vector<std::string> out;
  while (!features.empty()) {
    const std::size_t end = std::min(features.find('|'), features.size());
    out.emplace_back(features.substr(0, end));
    features.remove_prefix(std::min(end + 1, features.size()));
  }
  return out;
}

Trial trial(const char* provider, std::string_view features, const char* command,
            const char* probe) {
  return {provider, probe, Work::kCommand, command, split(features)};
}

Trial trial(const char* provider, std::string_view features, Work work, const char* probe) {
  return {provider, probe, work, {}, split(features)};
}

}  // namespace

std::vector<Trial> trials() {
  std::vector<Trial> all;
#define DT_UNTRIED
#define DT_TRIAL(probe) all.push_back(trial(name, "", Work::kNone, probe));
#define DT_TRIAL_BY(work, probe) all.push_back(trial(name, "", work, probe));
#define DT_TRIAL_WITH(features, work, probe) all.push_back(trial(name, features, work, probe));
#define DT_PROVIDER(provider, made, tried)               \
  {                                                      \
    [[maybe_unused]] const char* const name = #provider; \
    tried                                                \
  }
#define DT_TABLE_PROVIDER(provider, tried) DT_PROVIDER(provider, , tried)
#include "provider/mechanism/providers.def"
#undef DT_UNTRIED
#undef DT_TRIAL
#undef DT_TRIAL_BY
#undef DT_TRIAL_WITH
#undef DT_PROVIDER
#undef DT_TABLE_PROVIDER
  return all;
}

}  // namespace dtrace
