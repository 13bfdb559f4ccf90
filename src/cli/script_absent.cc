// See script_absent.h.

#include "cli/script_absent.h"

#include <fmt/core.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "support/nearest.h"

namespace dt::cli {
namespace {

using dtrace::ScriptOption;
using Named = std::vector<std::pair<std::string, std::string>>;
using Type = ScriptOption::Type;

constexpr std::string_view kDisks = "/sys/class/block", kDevices = "/sys/class/net";

struct Value {
  const ScriptOption* option = nullptr;
  std::string shown;  // "option -d"
  std::string text;
};

// The values that were given, and not left out.
std::vector<Value> values_of(const dtrace::ScriptUsage& usage, const Named& named_args,
                             const std::vector<std::string>& arguments) {
  std::vector<Value> values;
  for (const ScriptOption& flag : usage.flags) {
    for (const auto& [name, text] : named_args) {
      if (flag.name == name && !text.empty()) {
        values.push_back({&flag, fmt::format("option -{}", flag.letter), text});
      }
    }
  }
  const std::size_t count = std::min(usage.arguments.size(), arguments.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (!arguments[i].empty()) {
      values.push_back({&usage.arguments[i], usage.arguments[i].name, arguments[i]});
    }
  }
  return values;
}

bool is_there(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

bool is_entry(std::string_view directory, const std::string& name) {
  return name != "." && name != ".." && name.find('/') == std::string::npos &&
         is_there(std::filesystem::path(directory) / name);
}

// The names in a directory, the first of them.
std::string entries(std::string_view directory, std::string_view before) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    // Loop devices without a file, and the parts of disks, are not what is looked for.
    const std::string name = entry.path().filename();
    const bool is_unused = directory == kDisks && name.starts_with("loop") &&
                           !is_there(entry.path() / "loop/backing_file");
    if (!is_unused && !is_there(entry.path() / "partition")) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i) {
    out += (i == 0 ? std::string(before) : ", ") + names[i];
  }
  return names.size() > kMost ? out + " ..." : out;
}

Absent absent_process(const Value& value) {
  std::int32_t number = 0;
  const char* const end = value.text.data() + value.text.size();
  const bool is_number = std::from_chars(value.text.data(), end, number).ec == std::errc();
  if (is_number && ::kill(number, 0) != 0 && errno == ESRCH) {
    return {
        fmt::format("{}: there is no {} {}", value.shown, value.option->name, number),  // no name
        "", false};
  }
  return {};
}

Absent absent_disk(const Value& value) {
  // The kernel names the disks that pages are written to by number: "8:0".
  if (is_entry("/sys/class/bdi", value.text)) {
    return {};
  }
  if (!is_entry(kDisks, value.text)) {
    return {fmt::format("{}: there is no disk {}", value.shown, value.text),
            entries(kDisks, "these are: ")};
  }
  const std::filesystem::path part = std::filesystem::path(kDisks) / value.text;
  if (!is_there(part / "partition")) {
    return {};
  }
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(part, error);
  return {fmt::format("{}: {} is a partition, and requests are those of a disk", value.shown,
                      value.text),
          fmt::format("write {}", real.parent_path().filename().string()), false};
}

Absent absent_device(const Value& value) {
  if (is_entry(kDevices, value.text)) {
    return {};
  }
  return {fmt::format("{}: there is no device {} of the network", value.shown, value.text),
          entries(kDevices, "these are: ")};
}

Absent absent_file_system(const Value& value) {
  std::vector<std::string> names;
  std::ifstream file("/proc/filesystems");
  for (std::string line; std::getline(file, line);) {
    names.push_back(line.substr(line.find('\t') + 1));
  }
  if (names.empty() || std::find(names.begin(), names.end(), value.text) != names.end()) {
    return {};
  }
  return {fmt::format("{}: this kernel has no type {} of file systems", value.shown, value.text),
          support::did_you_mean(support::nearest(value.text, {names.begin(), names.end()}))};
}

Absent absent_terminal(const Value& value) {
  if (is_there(value.text)) {
    return {};
  }
  return {fmt::format("{}: there is no terminal {}", value.shown, value.text),
          "tty in the other terminal prints its name"};
}

constexpr std::pair<Type, Absent (*)(const Value&)> kLooks[] = {
    {Type::kProcess, absent_process},   {Type::kDisk, absent_disk},
    {Type::kDevice, absent_device},     {Type::kFileSystem, absent_file_system},
    {Type::kTerminal, absent_terminal},
};

bool is_unit(const std::string& name) {
  const std::size_t at = name.find('@'), dot = name.rfind('.');
  const bool is_instance = at < dot && dot != std::string::npos;
  for (const std::string_view directory :
       {"/etc/systemd/system", "/run/systemd/system", "/run/systemd/transient",
        "/run/systemd/generator", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",
        "/lib/systemd/system"}) {
    if (is_entry(directory, name) ||
        (is_instance && is_entry(directory, name.substr(0, at + 1) + name.substr(dot)))) {
      return true;
    }
  }
  return false;
}

bool is_control_group(const std::string& name) {
  constexpr std::size_t kMost = 20000;  // of groups that are looked at
  std::ifstream mounts("/proc/self/mounts");
  std::size_t seen = 0;
  for (std::string device, place, type, rest; mounts >> device >> place >> type;) {
    std::getline(mounts, rest);
    if (type != "cgroup2") {
      continue;
    }
    std::error_code error;
    const auto skip = std::filesystem::directory_options::skip_permission_denied;
    std::filesystem::recursive_directory_iterator at(place, skip, error), end;
    for (; !error && at != end && seen < kMost; at.increment(error)) {
      std::error_code none;
      if (at->is_directory(none) && ++seen > 0 && at->path().filename() == name) {
        return true;
      }
    }
  }
  return seen >= kMost;
}

}  // namespace

std::string hint_of(const Absent& absent) {
  if (!absent.may_come) {
    return absent.hint;
  }
  return absent.hint + (absent.hint.empty() ? "" : "; ") + "with -Z it may come later";
}

Absent find_absent(const dtrace::ScriptUsage& usage, const Named& named_args,
                   const std::vector<std::string>& arguments) {
  for (const Value& value : values_of(usage, named_args, arguments)) {
    for (const auto& [type, look] : kLooks) {
      if (value.option->type != type) continue;
      Absent absent = look(value);
      if (!absent.text.empty()) return absent;
    }
  }
  return {};
}

std::string absent_service(const dtrace::ScriptUsage& usage, const Named& named_args,
                           const std::vector<std::string>& arguments) {
  for (const Value& value : values_of(usage, named_args, arguments)) {
    if (value.option->type == Type::kService && !is_unit(value.text) &&
        !is_control_group(value.text)) {
      const std::string service = value.text + ".service";
      return fmt::format("there is no unit {}, and no control group of this name yet{}", value.text,
                         is_unit(service) ? fmt::format("; did you mean {}?", service) : "");
    }
  }
  return "";
}

}  // namespace dt::cli
