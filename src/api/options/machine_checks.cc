// See machine_checks.h.

#include "api/options/machine_checks.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "kernel/containers.h"
#include "kernel/zones.h"
#include "support/nearest.h"
#include "support/whole_number.h"

namespace dt::api {

namespace {

// The hint of an error: a name that is near, or all of them where these are few but not none. Of
// containers, the names that people give.
std::string existing(const std::string& name, const std::set<std::string>& known) {
  constexpr std::size_t kMostShown = 20;
  const std::vector<kernel::NamedContainer> named =
      kernel::named_containers(kernel::container_owners);
  std::set<std::string> said;
  for (const std::string& each : known) said.insert(kernel::said_name(each, named));
  const std::vector<std::string_view> names(said.begin(), said.end());
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

// One of several is no choice of ours.
Result<std::string> only_one(const std::string& said, const char* kind,
                             const std::set<std::string>& meant,
                             const std::vector<kernel::NamedContainer>& named) {
  if (meant.size() == 1) return *meant.begin();
  std::set<std::string> names;
  for (const std::string& each : meant) names.insert(kernel::said_name(each, named));
  return Error::of(
      fmt::format("could not enable tracing: '{}' is the name of {} {}", said, meant.size(), kind),
      fmt::format("these are: {}", fmt::join(names, " ")));
}

// The process that the name denotes; a number of 12 digits is that of a container.
std::optional<std::int32_t> process_said(const std::string& said) {
  const auto pid = support::whole_number<std::int32_t>(said);
  return pid && kernel::process_space(*pid) ? pid : std::nullopt;
}

// An error of a process that is not where it was looked for says where it is, if it is anywhere.
std::string elsewhere(std::int32_t pid, bool is_elsewhere, const char* option, const char* place) {
  return is_elsewhere ? fmt::format("{}={} is the {} that it is in", option, pid, place)
                      : fmt::format("-p {} traces the process", pid);
}

// The containers with these numbers or this name. Not every zone is called after the number: of
// Podman with crun the processes are in libpod-NUMBER.scope/container.
std::set<std::string> zones_meant(const std::string& said, const std::set<std::string>& known,
                                  const std::vector<kernel::NamedContainer>& named) {
  std::set<std::string> groups = known;
  groups.merge(kernel::cgroups());
  groups.merge(kernel::old_cgroups());
  std::set<std::string> numbers = kernel::numbers_meant(said, named, groups);
  std::set<std::string> meant = kernel::groups_meant(said, numbers, known);
  if (meant.empty()) return kernel::zones_of(said, numbers);
  if (kernel::container_number(*meant.begin()).empty()) return meant;
  for (const std::string& zone : meant) numbers.erase(std::string(kernel::container_number(zone)));
  if (!numbers.empty()) meant.merge(kernel::zones_of("", numbers));
  return meant;
}

Result<std::string> meant_zone(const std::string& said) {
  const std::set<std::string> known = kernel::zones().value_or(std::set<std::string>());
  if (said == "global" || known.contains(said) || kernel::space_number(said)) return said;
  if (const auto pid = process_said(said)) {
    const std::uint32_t space = kernel::process_space(*pid).value_or(0);
    if (space != 0) return kernel::space_name(space);
    return Error::of(fmt::format("could not enable tracing: process {} is in no container", *pid),
                     elsewhere(*pid, !kernel::cgroup_of_process(*pid).value_or("").empty(),
                               "cgroup", "control group"));
  }
  if (said.starts_with("pid:[")) {
    return Error::of(
        fmt::format("could not enable tracing: '{}' is no container's namespace", said),
        "zone=global is what is in no container");
  }
  const std::vector<kernel::NamedContainer> named =
      kernel::named_containers(kernel::container_owners);
  const std::set<std::string> meant = zones_meant(said, known, named);
  return meant.empty() ? said : only_one(said, "containers", meant, named);
}

Result<std::string> meant_cgroup(const std::string& said) {
  const std::set<std::string> known = kernel::cgroups();
  if (known.contains(said) || said.starts_with('/')) return said;
  if (const auto pid = process_said(said)) {
    std::string own = kernel::cgroup_of_process(*pid).value_or("");
    if (!own.empty()) return own;
    return Error::of(
        fmt::format("could not enable tracing: process {} is in no control group of "
                    "version 2 but the root",
                    *pid),
        elsewhere(*pid, kernel::process_space(*pid).value_or(0) != 0, "zone", "container"));
  }
  const std::vector<kernel::NamedContainer> named =
      kernel::named_containers(kernel::container_owners);
  const std::set<std::string> numbers = kernel::numbers_meant(said, named, known);
  const std::set<std::string> meant = kernel::groups_meant(said, numbers, known);
  return meant.empty() ? said : only_one(said, "control groups", meant, named);
}

Status check_zone(const std::string& zone) {
  if (const auto space = kernel::space_number(zone)) {
    if (kernel::is_space_alive(*space)) return {};
    return absent(fmt::format("could not enable tracing: no process is in '{}'", zone), "");
  }
  const std::optional<std::set<std::string>> known = kernel::zones();
  if (!known || known->contains(zone)) {
    return {};
  }
  // A service is no container.
  const std::set<std::string> group = kernel::groups_meant(zone, {}, kernel::cgroups());
  return absent(fmt::format("could not enable tracing: there is no zone '{}'", zone),
                group.empty() ? existing(zone, *known)
                              : fmt::format("cgroup={} is a control group", *group.begin()));
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
        "systemd.unified_cgroup_hierarchy=1, or name processes by execname or progenyof(); a "
        "container also has a zone");
  }
  return absent(std::move(text), existing(cgroup, known));
}

}  // namespace

Status find_places(Options& options) {
  if (!options.zone.empty()) {
    DT_ASSIGN(options.zone, meant_zone(options.zone));
  }
  if (!options.cgroup.empty()) {
    DT_ASSIGN(options.cgroup, meant_cgroup(options.cgroup));
  }
  return {};
}

Status check_places(const Options& options, const std::vector<int>& online_cpus) {
  if (options.cpu) DT_TRY(check_cpu(*options.cpu, online_cpus));
  if (options.zdefs) return {};
  if (!options.zone.empty()) DT_TRY(check_zone(options.zone));
  return options.cgroup.empty() ? Status() : check_cgroup(options.cgroup);
}

}  // namespace dt::api
