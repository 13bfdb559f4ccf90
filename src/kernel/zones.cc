// See zones.h.
//
// The kernel does not say where a cgroup namespace has its root. But a process's
// cgroup is shown as the reader of /proc/PID/cgroup sees it: read from outside and
// from within the namespace, what the two paths do not share is the root. A thread of
// ours goes in and comes back; the rest of us stays where it is. The thread
// does the same for host names.

#include "kernel/zones.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "kernel/containers.h"
#include "support/fd.h"
#include "support/file.h"
#include "support/thread.h"
#include "support/whole_number.h"

namespace dt::kernel {

namespace {

// Of the first namespaces, the same in all kernels.
constexpr ino_t kFirstProcesses = 0xeffffffc, kFirstCgroups = 0xeffffffb, kFirstHosts = 0xeffffffe;

// A process beside our cgroup namespace is shown with "/.." in front.
void add_components(const std::string& path, std::set<std::string>& names) {
  std::istringstream components(path);
  for (std::string name; std::getline(components, name, '/');) {
    if (!name.empty() && name != "..") names.insert(name);
  }
}

// 0: the process has ended, or has no such namespace.
ino_t space_of(const std::string& process, const char* kind) {
  struct stat space {};
  return ::stat((process + "/ns/" + kind).c_str(), &space) == 0 ? space.st_ino : 0;
}

// The path in the tree of cgroup v2, as we see it.
// A line of cgroup v2 has hierarchy 0 and no controllers ("0::/path"); lines of v1 have other
// numbers.
std::optional<std::string> cgroup_of(const std::string& process) {
  constexpr std::string_view kUnified = "0::", kDeleted = " (deleted)";
  std::ifstream file(process + "/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(kUnified, 0) != 0) continue;
    if (line.ends_with(kDeleted)) line.resize(line.size() - kDeleted.size());
    return line.substr(kUnified.size());
  }
  return std::nullopt;
}

// Those in the trees of v1, of each controller.
void add_old_names(const std::string& process, std::set<std::string>& names) {
  std::ifstream file(process + "/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t path = line.find(":/");
    if (line.rfind("0::", 0) != 0 && path != line.npos)
      add_components(line.substr(path + 1), names);
  }
}

constexpr std::string_view kSpaceBegin = "pid:[", kSpaceEnd = "]";

// Where the tree of cgroup v2 is mounted; "" where it is not.
std::string tree_of_cgroups() {
  std::ifstream mounts("/proc/self/mounts");
  std::string device, place, kind, rest;
  while (mounts >> device >> place >> kind && std::getline(mounts, rest)) {
    if (kind == "cgroup2") return place;
  }
  return "";
}

// Visits the directories of all processes.
template <typename Visit>
void each_process(Visit visit) {
  for (const std::int32_t pid : support::numbers_in("/proc")) visit(fmt::format("/proc/{}", pid));
}

std::string process_path(std::int32_t pid) { return fmt::format("/proc/{}", pid); }

class Search {
 public:
  Search()
      : home_(::open("/proc/thread-self/ns/cgroup", O_RDONLY | O_CLOEXEC)),
        own_host_(::open("/proc/thread-self/ns/uts", O_RDONLY | O_CLOEXEC)) {}

  std::set<std::string> run() {
    std::set<std::string> names = {"global"};
    each_process([&](const std::string& process) {
      const ino_t space = space_of(process, "pid");
      if (space == 0 || space == kFirstProcesses) return;
      if (const auto zone = zone_of(process); zone && !zone->empty()) names.insert(*zone);
    });
    return names;
  }

  // See zones_of().
  std::set<std::string> of(const std::string& host, const std::set<std::string>& numbers) {
    std::set<std::string> names;
    each_process([&](const std::string& process) {
      const ino_t space = space_of(process, "pid");
      if (space == 0 || space == kFirstProcesses) return;
      const bool is_meant =
          (!host.empty() && is_called(process, host)) || has_number(process, numbers);
      if (!is_meant) return;
      const std::string zone = zone_of(process).value_or("");
      // Other names need not be one's own: within each machine of systemd-nspawn it is "payload".
      const bool has_own = !container_number(zone).empty();
      names.insert(has_own ? zone : space_name(static_cast<std::uint32_t>(space)));
    });
    return names;
  }

 private:
  bool has_number(const std::string& process, const std::set<std::string>& numbers) const {
    if (numbers.empty()) return false;
    std::set<std::string> groups;
    add_old_names(process, groups);
    add_components(cgroup_of(process).value_or(""), groups);
    return std::any_of(groups.begin(), groups.end(), [&](const std::string& group) {
      return numbers.contains(std::string(container_number(group)));
    });
  }

  // A namespace of host names is entered once.
  bool is_called(const std::string& process, const std::string& host) {
    const ino_t space = space_of(process, "uts");
    if (space == 0 || space == kFirstHosts) return false;
    if (const auto known = hosts_.find(space); known != hosts_.end()) return known->second == host;
    const Fd within(::open((process + "/ns/uts").c_str(), O_RDONLY | O_CLOEXEC));
    if (!within.valid() || ::setns(within.get(), CLONE_NEWUTS) != 0) return false;
    utsname names{};
    const bool has_name = ::uname(&names) == 0;
    if (::setns(own_host_.get(), CLONE_NEWUTS) != 0) return false;
    hosts_[space] = has_name ? names.nodename : "";
    return hosts_[space] == host;
  }

  // A cgroup namespace is entered once, however many processes are in it.
  std::optional<std::string> zone_of(const std::string& process) {
    const std::optional<std::string> path = cgroup_of(process);
    const ino_t space = space_of(process, "cgroup");
    if (!path || space == 0) return std::nullopt;
    const std::string own = last_component(*path);
    if (space == kFirstCgroups) return own;
    if (const auto known = roots_.find(space); known != roots_.end()) {
      return known->second.empty() ? own : known->second;
    }
    const std::optional<std::string> inside = seen_from_within(process);
    const auto root = inside ? namespace_root(*path, *inside) : std::nullopt;
    if (!root) return std::nullopt;
    const std::string name = roots_[space] = last_component(*root);
    return name.empty() ? own : name;
  }

  // setns(2) moves the calling thread only. If the way back failed, the thread would stay within;
  // it does nothing else and ends with the search.
  std::optional<std::string> seen_from_within(const std::string& process) const {
    const Fd space(::open((process + "/ns/cgroup").c_str(), O_RDONLY | O_CLOEXEC));
    if (!space.valid() || ::setns(space.get(), CLONE_NEWCGROUP) != 0) return std::nullopt;
    std::optional<std::string> path = cgroup_of(process);
    if (::setns(home_.get(), CLONE_NEWCGROUP) != 0) return std::nullopt;
    return path;
  }

  Fd home_, own_host_;
  std::map<ino_t, std::string> roots_;  // by namespace: the name of its root
  std::map<ino_t, std::string> hosts_;  // by namespace: the host name
};

}  // namespace

std::string last_component(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "/.." in front: the process is outside of the root of its own namespace.
std::optional<std::string> namespace_root(const std::string& outside, const std::string& inside) {
  if (inside.rfind("/..", 0) == 0) return std::nullopt;
  const std::string below = inside == "/" ? "" : inside;
  if (!outside.ends_with(below)) return std::nullopt;
  const std::string root = outside.substr(0, outside.size() - below.size());
  return root.empty() ? "/" : root;
}

std::uint32_t own_process_space() {
  const ino_t space = space_of("/proc/self", "pid");
  return space == kFirstProcesses ? 0 : static_cast<std::uint32_t>(space);
}

std::set<std::string> cgroups() {
  std::set<std::string> names;
  each_process(
      [&](const std::string& process) { add_components(cgroup_of(process).value_or(""), names); });
  return names;
}

std::set<std::string> old_cgroups() {
  std::set<std::string> names;
  each_process([&](const std::string& process) { add_old_names(process, names); });
  return names;
}

// Of the path in a tree of v1 the owner is not looked for: the engines of users have no groups
// there.
ContainerOwners container_owners() {
  ContainerOwners owners;
  const std::string tree = tree_of_cgroups();
  each_process([&](const std::string& process) {
    std::set<std::string> old;
    add_old_names(process, old);
    for (const std::string& group : old) {
      if (const std::string_view number = container_number(group); !number.empty()) {
        owners[std::string(number)].insert(0);
      }
    }
    const std::string path = cgroup_of(process).value_or("");
    for (std::size_t begin = 0, end = 0; begin < path.size(); begin = end) {
      end = std::min(path.find('/', begin + 1), path.size());
      const std::string_view group = std::string_view(path).substr(begin + 1, end - begin - 1);
      const std::string_view number = container_number(group);
      struct stat status {};
      if (number.empty()) continue;
      const bool is_there = ::stat((tree + path.substr(0, end)).c_str(), &status) == 0;
      owners[std::string(number)].insert(is_there ? status.st_uid : 0);
    }
  });
  return owners;
}

std::string space_name(std::uint32_t inode) {
  return fmt::format("{}{}{}", kSpaceBegin, inode, kSpaceEnd);
}

std::optional<std::uint32_t> space_number(std::string_view name) {
  if (!name.starts_with(kSpaceBegin) || !name.ends_with(kSpaceEnd)) return std::nullopt;
  name.remove_prefix(kSpaceBegin.size());
  name.remove_suffix(kSpaceEnd.size());
  const auto number = support::whole_number<std::uint32_t>(name);
  return number == 0U || number == kFirstProcesses ? std::nullopt : number;
}

std::optional<std::uint32_t> process_space(std::int32_t pid) {
  const ino_t space = space_of(process_path(pid), "pid");
  if (space == 0) return std::nullopt;
  return space == kFirstProcesses ? 0 : static_cast<std::uint32_t>(space);
}

bool is_space_alive(std::uint32_t inode) {
  bool found = false;
  each_process(
      [&](const std::string& process) { found = found || space_of(process, "pid") == inode; });
  return found;
}

std::optional<std::string> cgroup_of_process(std::int32_t pid) {
  const std::optional<std::string> path = cgroup_of(process_path(pid));
  return path ? std::optional(last_component(*path)) : std::nullopt;
}

std::set<std::string> zones_of(const std::string& host, const std::set<std::string>& numbers) {
  std::set<std::string> names;
  auto thread = support::Thread::start([&] { names = Search().of(host, numbers); });
  if (thread.ok()) thread->join();
  return names;
}

std::optional<std::set<std::string>> zones() {
  if (own_process_space() != 0 || space_of("/proc/self", "cgroup") != kFirstCgroups) {
    return std::nullopt;
  }
  std::set<std::string> names;
  auto thread = support::Thread::start([&names] { names = Search().run(); });
  if (!thread.ok()) return std::nullopt;
  thread->join();
  return names;
}

}  // namespace dt::kernel
