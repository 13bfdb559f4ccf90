#pragma once
// A BPF interpreter for tests: runs an Object without a kernel, in a World of
// modelled maps, tasks and foreign memory.
//
// It is stricter than a CPU, and where it can tell, as strict as the kernel's
// verifier: a read of a register or stack byte that was never written, an
// access out of bounds, a misaligned stack access, a record that is neither
// submitted nor discarded and a program that does not end are errors.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bpf/layout/memory.h"
#include "bpf/program/generate.h"

namespace dt::bpf {

// Memory that programs address by pointer; each region has its own 4 GiB of
// address space, so that an overrun never lands in another.
struct Region {
  std::vector<std::uint8_t> bytes;
  std::vector<bool> written;  // by byte; empty: all of it counts as written
  bool is_stack = false;
  bool is_read_only = false;
};

class AddressSpace {
 public:
  // Returns the address of the region's first byte.
  std::uint64_t add(Region region);
  void remove(std::uint64_t address);                       // of the first byte
  std::vector<std::uint8_t>* bytes(std::uint64_t address);  // of a whole region
  // The bytes [address, address+size) or nullptr, with `error` set.
  std::uint8_t* read(std::uint64_t address, std::uint64_t size, std::string& error);
  std::uint8_t* write(std::uint64_t address, std::uint64_t size, std::string& error);

 private:
  Region* find(std::uint64_t address, std::uint64_t size, std::uint64_t& offset,
               std::string& error);
  std::vector<std::unique_ptr<Region>> regions_;  // by address / 4 GiB; removed ones are null
};

enum class ModelType : std::uint8_t { kArray, kHash, kTaskStorage, kRing };

struct RingRecord {
  std::vector<std::uint8_t> bytes;
  std::uint64_t flags = 0;
};

struct ModelMap {
  ModelType type = ModelType::kArray;
  std::uint32_t key_bytes = 4, value_bytes = 0, max_entries = 1;
  // By key (an array: its u32 index; task storage: the task's address), the
  // address of the value. A per-CPU hash has one for each CPU, end to end.
  std::map<std::string, std::uint64_t> values;
  std::vector<RingRecord> records;     // ring: submitted, oldest first
  std::uint64_t ring_bytes = 1 << 20;  // ring: what fits before a reserve fails
};

struct Task {
  std::uint64_t pid_tgid = (std::uint64_t{100} << 32) | 101;
  std::uint64_t uid_gid = (std::uint64_t{20} << 32) | 10;  // gid, uid
  std::string comm = "model";
  std::uint64_t task_struct = 0xffff888000010000;  // give it bytes in kernel_memory
  std::uint64_t pt_regs = 0xffff888000020000;
};

// Foreign memory: bytes by start address.
using ForeignMemory = std::map<std::uint64_t, std::vector<std::uint8_t>>;

class World {
 public:
  World() = default;
  // The maps that a run with this Memory has.
  explicit World(const Memory& memory, std::uint32_t hash_entries = 1024);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  ModelMap& add_map(MapRef ref, ModelType type, std::uint32_t key_bytes, std::uint32_t value_bytes,
                    std::uint32_t max_entries);
  ModelMap* map(MapRef ref);
  // The value at `key`, nullptr when there is none; without a key, an array's
  // first. For a per-CPU hash the values of all CPUs.
  std::vector<std::uint8_t>* value(MapRef ref, const std::string& key = std::string(4, '\0'));

  // What a program's register holds when it names a map.
  std::uint64_t handle(MapRef ref) const;  // 0 when there is no such map
  ModelMap* by_handle(std::uint64_t handle);

  std::uint32_t cpus = 1, cpu = 0;
  std::uint64_t now_ns = 1000;  // each reading of the clock adds 1
  Task task;
  ForeignMemory kernel_memory, user_memory;
  // Addresses of pages of user memory that are not resident; bpf_copy_from_user()
  // brings them in.
  std::set<std::uint64_t> absent_pages;
  std::vector<std::uint32_t> kernel_calls;  // of functions of the kernel, by BTF number
  std::vector<std::uint64_t> kernel_stack, user_stack;
  std::uint64_t function_ip = 0, attach_cookie = 0;

  AddressSpace memory;

 private:
  struct Named {
    MapRef ref;
    std::unique_ptr<ModelMap> map;
  };
  std::vector<Named> maps_;
};

struct RunResult {
  std::string error;  // empty when the program ended by itself
  std::uint64_t value = 0;
  std::uint64_t instructions = 0;
  bool ok() const { return error.empty(); }
};

constexpr std::uint64_t kInstructionBudget = 10'000'000;

// Runs the program on `context`, which it may change.
RunResult run(const Object& object, World& world, std::span<std::uint8_t> context,
              std::uint64_t budget = kInstructionBudget);

}  // namespace dt::bpf
