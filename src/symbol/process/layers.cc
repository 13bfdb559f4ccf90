// See layers.h.

#include "symbol/process/layers.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>

#include "support/text.h"
#include "symbol/process/process.h"

namespace dt::symbol {
namespace {

using support::take;

constexpr std::size_t kMaxMountinfoBytes = 16U << 20;
// More layers have not been seen; Docker makes 128 at most.
constexpr std::size_t kMaxLayers = 512;

// "lowerdir=/a:/b" or, of a newer way to mount, "lowerdir+=/a"; the only other layer is "upperdir".
void add_option(std::string_view option, std::vector<std::string>& directories) {
  const std::string_view name = take(option, '=');
  if (name != "lowerdir" && name != "lowerdir+" && name != "upperdir") return;
  while (!option.empty() && directories.size() < kMaxLayers) {
    const std::string_view one = take(option, ':');
    if (!one.empty()) directories.emplace_back(one);
  }
}

}  // namespace

// A line is "70 67 0:40 / /m rw,relatime shared:1 - overlay overlay rw,lowerdir=/a:/b,upperdir=/c".
std::vector<std::string> layer_directories(std::string_view mountinfo, std::uint64_t device) {
  const std::string wanted = fmt::format("{}:{}", major(device), minor(device));
  std::vector<std::string> directories;
  while (!mountinfo.empty()) {
    std::string_view line = take(mountinfo, '\n');
    const std::size_t type = line.find(" - overlay ");
    if (type == line.npos) continue;
    std::string_view options = line.substr(line.rfind(' ') + 1);
    take(line, ' ');
    take(line, ' ');
    if (take(line, ' ') != wanted) continue;
    while (!options.empty()) add_option(take(options, ','), directories);
    return directories;
  }
  return directories;
}

std::vector<std::uint64_t> layer_devices(pid_t pid, std::uint64_t device) {
  // Devices of file systems without a disk have the major number 0.
  if (major(device) != 0) return {};
  std::vector<std::uint64_t> devices;
  for (const std::string& directory : layer_directories(
           read_file(fmt::format("/proc/{}/mountinfo", pid), kMaxMountinfoBytes), device)) {
    struct stat status {};
    if (::stat(directory.c_str(), &status) != 0) continue;
    if (std::find(devices.begin(), devices.end(), status.st_dev) == devices.end()) {
      devices.push_back(status.st_dev);
    }
  }
  return devices;
}

}  // namespace dt::symbol
