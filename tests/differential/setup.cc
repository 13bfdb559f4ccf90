// See setup.h.

#include "setup.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "kernel/features.h"
#include "runtime/machine.h"
#include "types/type.h"

namespace dt::differential {
namespace {

// Puts the bytes that scripts read where they look for them.
bool place_user_memory() {
  void* page = ::mmap(reinterpret_cast<void*>(kUserPage), kUserPageBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_POPULATE, -1, 0);
  if (page == MAP_FAILED) return false;
  ::mlock(page, kUserPageBytes);
  const std::vector<std::uint8_t> bytes = user_page();
  std::memcpy(page, bytes.data(), bytes.size());
  return true;
}

// The `worker`th CPU that we may use, going round; -1 when that cannot be known.
int cpu_of(std::uint32_t worker) {
  cpu_set_t cpus;
  if (::sched_getaffinity(0, sizeof cpus, &cpus) != 0) return -1;
  std::vector<int> usable;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &cpus)) usable.push_back(cpu);
  }
  return usable.empty() ? -1 : usable[worker % usable.size()];
}

// Stays on one CPU under a known name; nothing else about us changes.
std::string become(std::uint32_t worker, Identity& identity) {
  const int cpu = cpu_of(worker);
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (cpu >= 0) CPU_SET(static_cast<std::size_t>(cpu), &cpus);
  if (::sched_setaffinity(0, sizeof cpus, &cpus) != 0) return "cannot stay on one CPU";
  if (!place_user_memory()) return "cannot map the page that scripts read";
  ::prctl(PR_SET_NAME, identity.name.c_str());
  identity.pid = static_cast<std::uint32_t>(::getpid());
  identity.tid = static_cast<std::uint32_t>(::gettid());
  identity.ppid = static_cast<std::uint32_t>(::getppid());
  identity.uid = ::getuid();
  identity.gid = ::getgid();
  identity.cpu = static_cast<std::uint32_t>(cpu);
  return "";
}

}  // namespace

std::string use_kernel(kernel::Kernel& kernel, std::uint32_t worker, Setup& setup) {
  if (::geteuid() != 0) return "not root";
  const Status able = kernel::try_feature(kernel, kernel::Feature::kProgramRun);
  if (!able.ok()) return able.error().text;
  Identity identity = setup.identity;
  if (const std::string why = become(worker, identity); !why.empty()) return why;
  types::Catalog types;
  types.add_source(types::kernel_btf_source());
  setup.machine = runtime::describe_machine(kernel, &types);
  setup.identity = identity;
  setup.kernel = &kernel;
  return "";
}

}  // namespace dt::differential
