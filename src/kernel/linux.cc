// LinuxKernel: construction, and what it says about the machine.

#include "kernel/linux.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace dt::kernel {
namespace {

constexpr int kMaxCpuNumber = 1 << 16;

std::string read_small_file(const char* path) {
  const Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  std::array<char, 4096> text = {};
  const ssize_t size = file.valid() ? ::read(file.get(), text.data(), text.size()) : 0;
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : std::string();
}

}  // namespace

// "0-3,8,10-11". A kernel can have gaps in the list, after a CPU was taken offline.
std::vector<int> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    int first = 0;
    auto parsed = std::from_chars(at, end, first);
    if (parsed.ec != std::errc() || first < 0) {
      break;
    }
    int last = first;
    at = parsed.ptr;
    if (at < end && *at == '-') {
      parsed = std::from_chars(at + 1, end, last);
      if (parsed.ec != std::errc()) {
        break;
      }
      at = parsed.ptr;
    }
    for (int cpu = first; cpu <= last && cpu < kMaxCpuNumber; ++cpu) {
      cpus.push_back(cpu);
    }
    if (at >= end || *at != ',') {
      break;
    }
    ++at;
  }
  return cpus;
}

LinuxKernel::LinuxKernel() {
  // Kernels before 5.11 charge maps to RLIMIT_MEMLOCK. Not being allowed to
  // raise it is no error: newer ones do not ask.
  const rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
  static_cast<void>(::setrlimit(RLIMIT_MEMLOCK, &unlimited));
}

const std::vector<int>& LinuxKernel::possible() {
  if (possible_.empty()) {
    possible_ = parse_cpu_list(read_small_file("/sys/devices/system/cpu/possible"));
    if (possible_.empty()) {  // no sysfs (a bare chroot)
      const long count = ::sysconf(_SC_NPROCESSORS_CONF);
      for (int cpu = 0; cpu < std::max(1L, count); ++cpu) {
        possible_.push_back(cpu);
      }
    }
  }
  return possible_;
}

// The highest number + 1, and not how many there are: blocks of memory are found by the number of
// the CPU.
std::uint32_t LinuxKernel::possible_cpus() {
  return static_cast<std::uint32_t>(possible().back()) + 1;
}

std::vector<int> LinuxKernel::online_cpus() {
  std::vector<int> cpus = parse_cpu_list(read_small_file("/sys/devices/system/cpu/online"));
  return cpus.empty() ? possible() : cpus;
}

std::string LinuxKernel::release() {
  utsname names = {};
  return ::uname(&names) == 0 ? std::string(names.release) : std::string();
}

std::unique_ptr<Kernel> linux_kernel() { return std::make_unique<LinuxKernel>(); }

Kernel::Mapping::Mapping(Mapping&& other) noexcept
    : data(std::exchange(other.data, nullptr)), size(std::exchange(other.size, 0)) {}

Kernel::Mapping& Kernel::Mapping::operator=(Mapping&& other) noexcept {
  if (this != &other) {
    if (data != nullptr) {
      ::munmap(data, size);
    }
    data = std::exchange(other.data, nullptr);
    size = std::exchange(other.size, 0);
  }
  return *this;
}

Kernel::Mapping::~Mapping() {
  if (data != nullptr) {
    ::munmap(data, size);
  }
}

}  // namespace dt::kernel
