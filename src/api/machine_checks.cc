// See machine_checks.h.

#include "api/machine_checks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/zones.h"
#include "support/nearest.h"

namespace dt::api {

namespace {

// The hint of an error: a name that is near, or all of them where these are few but not none.
std::string existing(const std::string& name, const std::set<std::string>& known) {
  constexpr std::size_t kMostShown = 20;
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string near = support::nearest(name, names);
  return !near.empty() ? support::did_you_mean(near)
         : !names.empty() && names.size() <= kMostShown
             ? fmt::format("these are: {}", fmt::join(names, " "))
             : std::string();
}

// ESRCH: no process is there, and one may come later. A command says by which of its options that
// is allowed.
Error absent(std::string text, std::string remedy) {
  return Error::of_code(std::move(text), ESRCH, std::move(remedy));
}

Status check_cpu(std::uint32_t cpu, const std::vector<int>& online) {
  if (std::find(online.begin(), online.end(), static_cast<int>(cpu)) != online.end()) {
    return {};
  }
  std::string those;
  for (const int each : online) {
    those += fmt::format(" {}", each);
  }
  return Error::of(fmt::format("could not enable tracing: CPU {} is not online", cpu),
                   "these are:" + those);
}

Status check_zone(const std::string& zone) {
  const std::optional<std::set<std::string>> known = kernel::zones();
  if (!known || known->contains(zone)) {
    return {};
  }
  return absent(fmt::format("could not enable tracing: there is no zone '{}'", zone),
                existing(zone, *known));
}

Status check_cgroup(const std::string& cgroup) {
  if (cgroup.find('/') != std::string::npos) {
    return Error::of(fmt::format("could not enable tracing: '{}' is no name of a cgroup", cgroup),
                     "it is one component of a path, such as nginx.service");
  }
  const std::set<std::string> known = kernel::cgroups();
  if (known.contains(cgroup)) {
    return {};
  }
  std::string text =
      fmt::format("could not enable tracing: no process is in a cgroup '{}'", cgroup);
  if (kernel::old_cgroups().contains(cgroup)) {
    return Error::of(
        std::move(text),
        "it is a cgroup of version 1, and only version 2 distinguishes threads: boot with "
        "systemd.unified_cgroup_hierarchy=1, or name processes by execname or progenyof()");
  }
  return absent(std::move(text), existing(cgroup, known));
}

}  // namespace

Status check_places(const Options& options, const std::vector<int>& online_cpus) {
  if (options.cpu) DT_TRY(check_cpu(*options.cpu, online_cpus));
  if (options.zdefs) return {};
  if (!options.zone.empty()) DT_TRY(check_zone(options.zone));
  return options.cgroup.empty() ? Status() : check_cgroup(options.cgroup);
}

}  // namespace dt::api
