// What the BPF helpers do, as far as generated programs use them. Results and
// error numbers are the kernel's.

#include "testing/bpf/interp_helper.h"

#include <fmt/core.h>
#include <linux/bpf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bpf/asm/insn.h"

namespace dt::bpf {
namespace {

std::uint64_t failure(int number) { return static_cast<std::uint64_t>(std::int64_t{-number}); }

ModelMap* map_argument(HelperCall& call, std::initializer_list<ModelType> types) {
  ModelMap* map = call.world.by_handle(call.args[0]);
  if (map == nullptr) {
    call.error = "the first argument is no map";
  } else if (std::find(types.begin(), types.end(), map->type) == types.end()) {
    call.error = "the helper is not for this type of map";
    map = nullptr;
  }
  return map;
}

// The key that argument `which` points at.
bool key_argument(HelperCall& call, const ModelMap& map, int which, std::string& key) {
  const std::uint8_t* bytes = call.world.memory.read(call.args[which], map.key_bytes, call.error);
  if (bytes == nullptr) return false;
  key.assign(reinterpret_cast<const char*>(bytes), map.key_bytes);
  return true;
}

constexpr std::initializer_list<ModelType> kKeyed = {ModelType::kArray, ModelType::kHash};

void map_lookup(HelperCall& call) {
  ModelMap* map = map_argument(call, kKeyed);
  std::string key;
  if (map == nullptr || !key_argument(call, *map, 1, key)) return;
  const auto found = map->values.find(key);
  call.result = found == map->values.end() ? 0 : found->second;
}

void map_update(HelperCall& call) {
  ModelMap* map = map_argument(call, kKeyed);
  std::string key;
  if (map == nullptr || !key_argument(call, *map, 1, key)) return;
  World& world = call.world;
  const std::uint8_t* from = world.memory.read(call.args[2], map->value_bytes, call.error);
  if (from == nullptr) return;
  const std::uint64_t flags = call.args[3];
  auto found = map->values.find(key);
  const bool exists = found != map->values.end();
  if (map->type == ModelType::kArray && !exists) {
    call.result = failure(E2BIG);
  } else if (exists && flags == BPF_NOEXIST) {
    call.result = failure(EEXIST);
  } else if (!exists && flags == BPF_EXIST) {
    call.result = failure(ENOENT);
  } else if (!exists && map->values.size() >= map->max_entries) {
    call.result = failure(E2BIG);
  } else {
    if (!exists) {
      Region region;
      region.bytes.resize(map->value_bytes);
      found = map->values.emplace(key, world.memory.add(std::move(region))).first;
    }
    const std::uint64_t to = found->second;
    std::memmove(world.memory.write(to, map->value_bytes, call.error), from, map->value_bytes);
  }
}

void map_delete(HelperCall& call) {
  ModelMap* map = map_argument(call, {ModelType::kHash});
  std::string key;
  if (map == nullptr || !key_argument(call, *map, 1, key)) return;
  const auto found = map->values.find(key);
  if (found == map->values.end()) {
    call.result = failure(ENOENT);
    return;
  }
  call.state.deleted.push_back(found->second);
  map->values.erase(found);
}

void task_storage(HelperCall& call, bool is_delete) {
  ModelMap* map = map_argument(call, {ModelType::kTaskStorage});
  if (map == nullptr) return;
  if (call.args[1] != call.world.task.task_struct) {
    call.error = "task storage of what is no task";
    return;
  }
  const std::string key(reinterpret_cast<const char*>(&call.args[1]), sizeof(std::uint64_t));
  auto found = map->values.find(key);
  if (is_delete) {
    if (found == map->values.end()) {
      call.result = failure(ENOENT);
      return;
    }
    call.state.deleted.push_back(found->second);
    map->values.erase(found);
    return;
  }
  if (found == map->values.end()) {
    const bool creates = (call.args[3] & BPF_LOCAL_STORAGE_GET_F_CREATE) != 0;
    if (!creates || map->values.size() >= map->max_entries) return;
    Region region;
    region.bytes.resize(map->value_bytes);
    if (call.args[2] != 0) {
      const std::uint8_t* initial =
          call.world.memory.read(call.args[2], map->value_bytes, call.error);
      if (initial == nullptr) return;
      region.bytes.assign(initial, initial + map->value_bytes);
    }
    found = map->values.emplace(key, call.world.memory.add(std::move(region))).first;
  }
  call.result = found->second;
}

// Bytes at a foreign address, as many as there are up to `size`.
std::span<const std::uint8_t> foreign(World& world, const ForeignMemory& memory,
                                      std::uint64_t address, std::uint64_t size) {
  const auto after = memory.upper_bound(address);
  if (after != memory.begin()) {
    const auto& [start, bytes] = *std::prev(after);
    const std::uint64_t offset = address - start;
    if (offset < bytes.size()) {
      return {bytes.data() + offset, std::min<std::uint64_t>(size, bytes.size() - offset)};
    }
  }
  const std::vector<std::uint8_t>* own =
      &memory == &world.kernel_memory ? world.memory.bytes(address) : nullptr;
  const std::uint64_t offset = address & 0xffffffff;
  if (own == nullptr || offset >= own->size()) return {};
  return {own->data() + offset, std::min<std::uint64_t>(size, own->size() - offset)};
}

// The memory that the plain helpers read: the process's at an address in the
// lower half, unless the model has given the kernel memory there.
const ForeignMemory& either(const HelperCall& call) {
  World& world = call.world;
  const bool is_user =
      call.args[2] >> 63 == 0 && foreign(world, world.kernel_memory, call.args[2], 1).empty();
  return is_user ? world.user_memory : world.kernel_memory;
}

constexpr std::uint64_t kPageBytes = 4096;

// How many of `size` bytes at a user address are before the first page that is not resident.
std::uint64_t resident(const World& world, std::uint64_t address, std::uint64_t size) {
  const auto absent = world.absent_pages.lower_bound(address & -kPageBytes);
  if (absent == world.absent_pages.end()) return size;
  return std::min(size, *absent > address ? *absent - address : 0);
}

void bring_in(World& world, std::uint64_t address, std::uint64_t size) {
  auto page = world.absent_pages.lower_bound(address & -kPageBytes);
  while (page != world.absent_pages.end() && *page < address + size) {
    page = world.absent_pages.erase(page);
  }
}

void probe_read(HelperCall& call, const ForeignMemory& memory, bool is_string) {
  const std::uint64_t size = call.args[1];
  std::uint8_t* to = call.world.memory.write(call.args[0], size, call.error);
  if (to == nullptr || size == 0) return;
  auto from = foreign(call.world, memory, call.args[2], size);
  if (&memory == &call.world.user_memory) {
    from = from.first(std::min(from.size(), resident(call.world, call.args[2], size)));
  }
  const auto fail = [&] {
    std::memset(to, 0, size);
    call.result = failure(EFAULT);
  };
  if (!is_string) {
    if (from.size() < size) return fail();
    std::memmove(to, from.data(), size);
    return;
  }
  const auto nul = std::find(from.begin(), from.end(), std::uint8_t{0});
  std::uint64_t length = static_cast<std::uint64_t>(nul - from.begin());
  if (nul == from.end() && from.size() < size) return fail();
  length = std::min(length, size - 1);
  std::memmove(to, from.data(), length);
  to[length] = 0;
  call.result = length + 1;
}

void current_comm(HelperCall& call) {
  const std::uint64_t size = call.args[1];
  std::uint8_t* to = call.world.memory.write(call.args[0], size, call.error);
  if (to == nullptr || size == 0) return;
  std::memset(to, 0, size);
  const std::string& comm = call.world.task.comm;
  std::memcpy(to, comm.data(), std::min<std::uint64_t>({comm.size(), size - 1, 15}));
}

void get_stack(HelperCall& call) {
  const std::uint64_t size = call.args[2], flags = call.args[3];
  std::uint8_t* to = call.world.memory.write(call.args[1], size, call.error);
  if (to == nullptr) return;
  const bool is_user = (flags & BPF_F_USER_STACK) != 0;
  const std::vector<std::uint64_t>& frames =
      is_user ? call.world.user_stack : call.world.kernel_stack;
  const std::size_t skip = std::min<std::size_t>(flags & BPF_F_SKIP_FIELD_MASK, frames.size());
  const std::size_t count = std::min<std::size_t>(frames.size() - skip, size / 8);
  std::memset(to, 0, size);
  if (count != 0) std::memcpy(to, frames.data() + skip, count * 8);
  call.result = count * 8;
}

// ---- Ring buffer -------------------------------------------------------------

constexpr std::uint64_t kRecordHeader = 8;

bool fits_ring(const HelperCall& call, const ModelMap& map, std::uint64_t size) {
  std::uint64_t used = 0;
  for (const RingRecord& record : map.records) used += record.bytes.size() + kRecordHeader;
  for (const auto& [address, owner] : call.state.reserved) {
    if (owner == &map) used += call.world.memory.bytes(address)->size() + kRecordHeader;
  }
  return used + size + kRecordHeader <= map.ring_bytes;
}

void ring_reserve(HelperCall& call) {
  ModelMap* map = map_argument(call, {ModelType::kRing});
  if (map == nullptr || !fits_ring(call, *map, call.args[1])) return;
  Region region;
  region.bytes.resize(call.args[1]);
  region.written.resize(call.args[1], false);
  call.result = call.world.memory.add(std::move(region));
  call.state.reserved[call.result] = map;
}

void ring_finish(HelperCall& call, bool submits) {
  const auto found = call.state.reserved.find(call.args[0]);
  if (found == call.state.reserved.end()) {
    call.error = "no reserved record at this address";
    return;
  }
  World& world = call.world;
  if (submits) {
    const std::uint64_t size = world.memory.bytes(found->first)->size();
    const std::uint8_t* bytes = world.memory.read(found->first, size, call.error);
    if (bytes == nullptr) {
      call.error = "submitted record: " + call.error;
      return;
    }
    found->second->records.push_back({{bytes, bytes + size}, call.args[1]});
  }
  world.memory.remove(found->first);
  call.state.reserved.erase(found);
}

void ring_output(HelperCall& call) {
  ModelMap* map = map_argument(call, {ModelType::kRing});
  if (map == nullptr) return;
  const std::uint8_t* bytes = call.world.memory.read(call.args[1], call.args[2], call.error);
  if (bytes == nullptr) return;
  if (!fits_ring(call, *map, call.args[2])) {
    call.result = failure(EAGAIN);
    return;
  }
  map->records.push_back({{bytes, bytes + call.args[2]}, call.args[3]});
}

}  // namespace

void call_helper(HelperCall& call) {
  World& world = call.world;
  switch (call.number) {
    case BPF_FUNC_map_lookup_elem:
      return map_lookup(call);
    case BPF_FUNC_map_update_elem:
      return map_update(call);
    case BPF_FUNC_map_delete_elem:
      return map_delete(call);
    case BPF_FUNC_task_storage_get:
      return task_storage(call, false);
    case BPF_FUNC_task_storage_delete:
      return task_storage(call, true);
    case BPF_FUNC_probe_read:
    case BPF_FUNC_probe_read_str:
      return probe_read(call, either(call), call.number == BPF_FUNC_probe_read_str);
    case BPF_FUNC_probe_read_kernel:
      return probe_read(call, world.kernel_memory, false);
    case BPF_FUNC_probe_read_kernel_str:
      return probe_read(call, world.kernel_memory, true);
    case BPF_FUNC_copy_from_user:
      bring_in(world, call.args[2], call.args[1]);
      [[fallthrough]];
    case BPF_FUNC_probe_read_user:
      return probe_read(call, world.user_memory, false);
    case BPF_FUNC_probe_read_user_str:
      return probe_read(call, world.user_memory, true);
    case BPF_FUNC_get_current_comm:
      return current_comm(call);
    case BPF_FUNC_get_stack:
      return get_stack(call);
    case BPF_FUNC_ringbuf_reserve:
      return ring_reserve(call);
    case BPF_FUNC_ringbuf_submit:
      return ring_finish(call, true);
    case BPF_FUNC_ringbuf_discard:
      return ring_finish(call, false);
    case BPF_FUNC_ringbuf_output:
      return ring_output(call);
    case BPF_FUNC_ktime_get_ns:
    case BPF_FUNC_ktime_get_boot_ns:
    case BPF_FUNC_ktime_get_coarse_ns:
    case BPF_FUNC_ktime_get_tai_ns:
      call.result = world.now_ns++;
      return;
    case BPF_FUNC_get_prandom_u32:
      call.result = 4;
      return;
    case BPF_FUNC_get_smp_processor_id:
      call.result = world.cpu;
      return;
    case BPF_FUNC_get_current_pid_tgid:
      call.result = world.task.pid_tgid;
      return;
    case BPF_FUNC_get_current_uid_gid:
      call.result = world.task.uid_gid;
      return;
    case BPF_FUNC_get_current_task:
    case BPF_FUNC_get_current_task_btf:
      call.result = world.task.task_struct;
      return;
    case BPF_FUNC_task_pt_regs:
      call.result = world.task.pt_regs;
      return;
    case BPF_FUNC_get_func_ip:
      call.result = world.function_ip;
      return;
    case BPF_FUNC_get_attach_cookie:
      call.result = world.attach_cookie;
      return;
    default: {
      const char* name = helper_name(call.number);
      call.error = fmt::format("the interpreter has no helper {} ({})", call.number,
                               name == nullptr ? "unknown" : name);
    }
  }
}

}  // namespace dt::bpf
