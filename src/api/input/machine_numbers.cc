// The numbers are those of /proc/loadavg and sysinfo(2), as uptime(1) and free(1) show them.

#include "api/input/machine_numbers.h"

#include <sys/ioctl.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <string_view>

#include "ir/ir.h"
#include "support/file.h"

namespace dt::api {
namespace {

using record::Supply;
using SystemInfo = struct ::sysinfo;

// With what can be freed for it, which only /proc/meminfo knows: "MemAvailable:  123456 kB".
std::int64_t available_bytes() {
  const auto text = support::read_file("/proc/meminfo");
  if (!text.ok()) return 0;
  constexpr std::string_view kName = "\nMemAvailable:";
  const std::size_t at = text->find(kName);
  long kib = 0;
  return at != std::string::npos && std::sscanf(text->c_str() + at + kName.size(), "%ld", &kib) == 1
             ? std::int64_t{kib} * 1024
             : 0;
}

std::int64_t of_memory(unsigned long SystemInfo::*units) {
  SystemInfo memory{};
  ::sysinfo(&memory);
  return static_cast<std::int64_t>(memory.*units) * memory.mem_unit;
}

winsize size_of(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return {};
  return size;
}

std::int64_t uptime_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

std::size_t terminal_columns(int fd) { return size_of(fd).ws_col; }

// "0.42 0.36 0.30 2/345 6789"
MachineNumbers::LoadAverages MachineNumbers::read_loads() {
  LoadAverages out;
  const auto text = support::read_file("/proc/loadavg");
  if (!text.ok()) return out;
  long whole[3] = {};
  long hundredths[3] = {};
  long running = 0;
  long threads = 0;
  const int found =
      std::sscanf(text->c_str(), "%ld.%2ld %ld.%2ld %ld.%2ld %ld/%ld", &whole[0], &hundredths[0],
                  &whole[1], &hundredths[1], &whole[2], &hundredths[2], &running, &threads);
  if (found != 8) return out;
  for (int i = 0; i < 3; ++i) out.minutes[i] = whole[i] * 100 + hundredths[i];
  out.running = running;
  out.threads = threads;
  return out;
}

const MachineNumbers::LoadAverages& MachineNumbers::loads() {
  if (!loads_) loads_ = read_loads();
  return *loads_;
}

std::int64_t MachineNumbers::get(Supply which) {
  switch (which) {
    case Supply::kNone:
      return 0;
    case Supply::kColumns:
      return size_of(output_).ws_col;
    case Supply::kLines:
      return size_of(output_).ws_row;
    case Supply::kCpus:
      return ::sysconf(_SC_NPROCESSORS_ONLN);
    case Supply::kLoad1:
      return loads().minutes[0];
    case Supply::kLoad5:
      return loads().minutes[1];
    case Supply::kLoad15:
      return loads().minutes[2];
    case Supply::kRunning:
      return loads().running;
    case Supply::kThreads:
      return loads().threads;
    case Supply::kMemAvailable:
      return available_bytes();
    case Supply::kMemFree:
      return of_memory(&SystemInfo::freeram);
    case Supply::kMemTotal:
      return of_memory(&SystemInfo::totalram);
    case Supply::kSwapFree:
      return of_memory(&SystemInfo::freeswap);
    case Supply::kSwapTotal:
      return of_memory(&SystemInfo::totalswap);
    case Supply::kUptime:
      return uptime_ns();
  }
  return 0;
}

std::vector<MachineVariable> machine_variables(const ir::Program& program) {
  std::vector<MachineVariable> out;
  for (std::uint32_t i = 0; i < program.variables.size(); ++i) {
    std::string_view name = program.variables[i].name;
    if (!name.starts_with(ir::kMachineNumber)) continue;
    name.remove_prefix(ir::kMachineNumber.size());
    name.remove_suffix(1);
    out.push_back({i, record::supply_of_machine(name)});
  }
  return out;
}

}  // namespace dt::api
