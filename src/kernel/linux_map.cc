// LinuxKernel: maps.

#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "kernel/bpf_call.h"
#include "kernel/btf.h"
#include "kernel/linux.h"

namespace dt::kernel {
namespace {

// 15 characters and a NUL; longer names are cut. The kernel accepts letters, digits, '_' and '.'.
void set_name(char* to, std::size_t size, const std::string& name) {
  std::memcpy(to, name.data(), std::min(name.size(), size - 1));
}

int create(const MapSpec& spec, int btf_fd) {
  bpf_attr attr = zero_attr();
  attr.map_type = spec.type;
  attr.key_size = spec.key_bytes;
  attr.value_size = spec.value_bytes;
  attr.max_entries = spec.entries;
  attr.map_flags = spec.flags;
  set_name(attr.map_name, sizeof attr.map_name, spec.name);
  if (btf_fd >= 0) {
    attr.btf_fd = static_cast<std::uint32_t>(btf_fd);
    attr.btf_key_type_id = kStorageKeyType;
    attr.btf_value_type_id = kStorageValueType;
  }
  if (spec.inner >= 0) {
    attr.inner_map_fd = static_cast<std::uint32_t>(spec.inner);
  }
  return bpf_call(BPF_MAP_CREATE, attr);
}

bpf_attr element(const Fd& map, const void* key, const void* value) {
  bpf_attr attr = zero_attr();
  attr.map_fd = static_cast<std::uint32_t>(map.get());
  attr.key = to_u64(key);
  attr.value = to_u64(value);
  return attr;
}

Status element_call(bpf_cmd command, const Fd& map, const void* key, const void* value,
                    std::uint64_t flags = BPF_ANY) {
  bpf_attr attr = element(map, key, value);
  attr.flags = flags;
  const int result = bpf_call(command, attr);
  return result < 0 ? Status(bpf_error(command, {}, -result)) : Status();
}

// Moves the calling thread from CPU to CPU, and in the end back to the CPUs on which it may run.
// CPU_ALLOC instead of cpu_set_t, which has room for 1024 CPUs only.
class Pinned {
 public:
  explicit Pinned(std::size_t cpus) : cpus_(cpus), before_(CPU_ALLOC(cpus)), one_(CPU_ALLOC(cpus)) {
    is_good_ = before_ != nullptr && one_ != nullptr &&
               ::sched_getaffinity(0, CPU_ALLOC_SIZE(cpus_), before_) == 0;
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() {
    if (is_good_) ::sched_setaffinity(0, CPU_ALLOC_SIZE(cpus_), before_);
    CPU_FREE(before_);
    CPU_FREE(one_);
  }

  bool move_to(int cpu) {
    if (!is_good_) return false;
    CPU_ZERO_S(CPU_ALLOC_SIZE(cpus_), one_);
    CPU_SET_S(static_cast<std::size_t>(cpu), CPU_ALLOC_SIZE(cpus_), one_);
    return ::sched_setaffinity(0, CPU_ALLOC_SIZE(cpus_), one_) == 0;
  }

 private:
  std::size_t cpus_;
  cpu_set_t* before_;
  cpu_set_t* one_;
  bool is_good_;
};

}  // namespace

// The thread itself moves to each CPU: the kernel takes an element from the cache of the CPU that
// runs the system call, and returns it there. A CPU on which we may not run keeps the few elements
// that it has.
Status LinuxKernel::set_elements_aside(const Fd& map, const MapSpec& spec) {
  const std::vector<std::uint8_t> key(spec.key_bytes, 0xff);
  const std::vector<std::uint8_t> value(spec.value_bytes, 0);
  Pinned pinned(possible_cpus());
  for (const int cpu : online_cpus()) {
    if (!pinned.move_to(cpu)) continue;
    DT_TRY(update(map, key.data(), value.data()));
    DT_TRY(erase(map, key.data()));
  }
  return {};
}

Result<Fd> LinuxKernel::create_map(const MapSpec& spec) {
  Fd btf;
  if (spec.type == BPF_MAP_TYPE_TASK_STORAGE) {
    DT_ASSIGN(btf, load_storage_btf(spec.name, spec.value_bytes));
  }
  const int fd = create(spec, btf.get());
  if (fd < 0) {
    return bpf_error(BPF_MAP_CREATE, spec.name, -fd);
  }
  return Fd(fd);
}

Status LinuxKernel::freeze_map(const Fd& map) {
  bpf_attr attr = zero_attr();
  attr.map_fd = static_cast<std::uint32_t>(map.get());
  const int result = bpf_call(BPF_MAP_FREEZE, attr);
  return result < 0 ? Status(bpf_error(BPF_MAP_FREEZE, {}, -result)) : Status();
}

Status LinuxKernel::update(const Fd& map, const void* key, const void* value) {
  return element_call(BPF_MAP_UPDATE_ELEM, map, key, value);
}

Status LinuxKernel::insert(const Fd& map, const void* key, const void* value) {
  return element_call(BPF_MAP_UPDATE_ELEM, map, key, value, BPF_NOEXIST);
}

Status LinuxKernel::lookup(const Fd& map, const void* key, void* value) {
  return element_call(BPF_MAP_LOOKUP_ELEM, map, key, value);
}

Status LinuxKernel::erase(const Fd& map, const void* key) {
  return element_call(BPF_MAP_DELETE_ELEM, map, key, nullptr);
}

// The memory of an array with BPF_F_MMAPABLE begins on a page and ends on one; the value needs not
// fill the last.
Result<Kernel::Mapping> LinuxKernel::map_memory(const Fd& map, std::size_t size) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t bytes = (size + page - 1) / page * page;
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map.get(), 0);
  if (memory == MAP_FAILED) {
    const int code = errno;
    Error error = support::system_error("mmap of a BPF map", code);
    error.remedy = remedy(code);
    return error;
  }
  Mapping mapping;
  mapping.data = static_cast<std::uint8_t*>(memory);
  mapping.size = bytes;
  return mapping;
}

// The kernel waits for all running programs when user space replaces an inner
// map, so that the old one can be given up safely. (A sleepable program is not
// waited for as such; ours stand in an RCU read section unless they wait for memory.)
Status LinuxKernel::wait_grace_period() {
  const std::lock_guard lock(grace_);
  if (!outer_.valid()) {
    MapSpec spec;
    spec.name = "dt_inner";
    DT_ASSIGN(Fd inner, create_map(spec));
    spec.name = "dt_grace";
    spec.type = BPF_MAP_TYPE_ARRAY_OF_MAPS;
    spec.value_bytes = 4;
    spec.inner = inner.get();
    DT_ASSIGN(outer_, create_map(spec));
    inner_ = std::move(inner);
  }
  const std::uint32_t key = 0;
  const int value = inner_.get();
  Status status = update(outer_, &key, &value);
  return status.ok() ? Status() : Status(std::move(status.error()).with("wait for running probes"));
}

}  // namespace dt::kernel
