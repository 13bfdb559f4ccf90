// See maps.h.

#include "runtime/maps.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include "runtime/release.h"
#include "support/align.h"
#include "support/check.h"

namespace dt::runtime {
namespace {

// The size is a power of two in a field of 32 bits.
constexpr std::uint64_t kMaxRingBytes = 1ULL << 31;
constexpr std::uint32_t kMaxEntries = 1 << 24;
// What the kernel spends on an element of a hash beside key and value.
constexpr std::uint64_t kElementOverhead = 64;

// The least number of processes whose arguments are kept, where a script asks for them: the default
// of kernel.pid_max.
constexpr std::uint64_t kProcesses = 32768;

// A map that several aggregations or arrays share has room for each of them, up to a limit.
std::uint64_t rooms_of(const std::vector<std::uint32_t>& shared, std::size_t map) {
  constexpr std::ptrdiff_t kMostRooms = 8;
  const auto users = std::count(shared.begin(), shared.end(), map);
  return static_cast<std::uint64_t>(std::clamp(users, std::ptrdiff_t{1}, kMostRooms));
}

std::uint64_t round8(std::uint64_t size) { return support::align_up(size, 8); }

kernel::MapSpec array_spec(const char* name, std::uint64_t value_bytes, std::uint32_t entries,
                           std::uint32_t flags) {
  kernel::MapSpec spec;
  spec.name = name;
  spec.type = BPF_MAP_TYPE_ARRAY;
  spec.value_bytes = static_cast<std::uint32_t>(round8(value_bytes));
  spec.entries = entries;
  spec.flags = flags;
  return spec;
}

// Before 6.1 a hash that allocates its elements one by one is refused to perf
// event programs and can deadlock in others; there the elements are made at once.
std::uint32_t hash_flags(const std::string& release) {
  return is_before(release, 6, 1) ? 0 : BPF_F_NO_PREALLOC;
}

constexpr std::uint64_t kLeastBytes = 4096;
// One map may take this part of the memory that the system can give.
constexpr std::uint64_t kPartOfMemory = 4;

// What a map is to hold. Both numbers are for one of `shares`: a CPU, where each has its own part.
struct MapSize {
  std::uint64_t bytes = 0;  // that the options ask for
  std::uint64_t most = 0;   // that a map of its kind can hold
  std::uint64_t shares = 1;
  const char* what = "";  // in messages
};

// Makes a map of that size, or of less by halves until there is memory for it.
template <typename Create>
Result<Fd> create_fitting(const Sizes& sizes, const MapSize& asked,
                          std::vector<std::string>& notices, const Create& create) {
  std::uint64_t bytes = asked.bytes;
  if (!sizes.may_shrink && bytes > asked.most) {
    return Error::of(fmt::format("{} size {} is more than the {} that a map of the kernel can hold",
                                 asked.what, size_text(bytes), size_text(asked.most)),
                     "lower it, or set bufresize=auto");
  }
  if (sizes.may_shrink) {
    const std::uint64_t fair = sizes.memory_bytes / kPartOfMemory / asked.shares;
    const std::uint64_t most = std::max(std::min(asked.most, fair), kLeastBytes);
    while (bytes > most) {
      bytes /= 2;
    }
  }
  while (true) {
    Result<Fd> fd = create(bytes);
    if (fd.ok() && bytes < asked.bytes) {
      std::string notice = fmt::format("{} size lowered to {}", asked.what, size_text(bytes));
      if (std::find(notices.begin(), notices.end(), notice) == notices.end()) {
        notices.push_back(std::move(notice));
      }
    }
    if (fd.ok() || fd.error().code != ENOMEM || !sizes.may_shrink || bytes / 2 < kLeastBytes) {
      return fd;
    }
    bytes /= 2;
  }
}

// With what the kernel spends on it.
std::uint64_t element_bytes(const bpf::HashMap& element) {
  return kElementOverhead + round8(element.key_bytes) + round8(element.value_bytes);
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  constexpr std::pair<std::uint64_t, char> kUnits[] = {
      {1ULL << 40, 't'}, {1 << 30, 'g'}, {1 << 20, 'm'}, {1 << 10, 'k'}};
  for (const auto& [unit, letter] : kUnits) {
    if (bytes >= unit && bytes % unit == 0) {
      return fmt::format("{}{}", bytes / unit, letter);
    }
  }
  return fmt::format("{}", bytes);
}

// The kernel accepts powers of two that are multiples of a page.
std::size_t ring_size(std::uint64_t buffer_bytes, std::uint32_t cpus) {
  DT_CHECK(buffer_bytes <= kMaxRingBytes / cpus, "{} bytes, {} CPUs", buffer_bytes, cpus);
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::size_t{std::bit_ceil(std::max(buffer_bytes * cpus, page))};
}

kernel::MapSpec unwind_chunk_spec(const std::string& name) {
  return array_spec(name.c_str(), bpf::kUnwindChunkBytes, 1, BPF_F_MMAPABLE);
}

// The kernel counts entries, the option -x aggsize counts bytes.
std::uint32_t table_entries(std::uint64_t bytes, const bpf::HashMap& element) {
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(bytes / element_bytes(element), 1, kMaxEntries));
}

namespace {

struct TableNeed {
  std::string name;
  bpf::HashMap element;  // of no key: no table
  std::uint64_t bytes;   // for one of `shares`
  std::uint64_t shares;
  const char* what;  // in messages
  std::uint32_t flags;
};

Result<Maps::Table> create_table(kernel::Kernel& kernel, const TableNeed& need, const Sizes& sizes,
                                 std::vector<std::string>& notices) {
  Maps::Table table;
  if (need.element.key_bytes == 0) return table;
  table.spec.name = need.name;
  table.spec.type = BPF_MAP_TYPE_HASH;
  table.spec.key_bytes = need.element.key_bytes;
  table.spec.value_bytes = need.element.value_bytes;
  table.spec.flags = need.flags;
  const std::uint64_t most = kMaxEntries * element_bytes(need.element) / need.shares;
  const auto create = [&](std::uint64_t bytes) {
    table.spec.entries = table_entries(bytes * need.shares, need.element);
    return kernel.create_map(table.spec);
  };
  DT_ASSIGN(table.fd,
            create_fitting(sizes, {need.bytes, most, need.shares, need.what}, notices, create));
  return table;
}

Result<Fd> create_task_storage(kernel::Kernel& kernel, const char* name, std::uint32_t bytes) {
  kernel::MapSpec spec;
  spec.name = name;
  spec.type = BPF_MAP_TYPE_TASK_STORAGE;
  spec.value_bytes = bytes;
  spec.entries = 0;
  spec.flags = BPF_F_NO_PREALLOC;
  return kernel.create_map(spec);
}

}  // namespace

// What each CPU has of its own is in an ordinary array, one block behind another. A per-CPU array
// of the kernel cannot be mapped into our memory, and its values are limited to 32 KiB.
Status Maps::create_arrays(kernel::Kernel& kernel, const bpf::Memory& memory) {
  const std::uint32_t cpus = memory.machine.cpus;
  const std::uint32_t zero = 0;
  DT_ASSIGN(globals_,
            kernel.create_map(array_spec("dt_globals", memory.globals_bytes, 1, BPF_F_MMAPABLE)));
  DT_ASSIGN(globals_memory_, kernel.map_memory(globals_, memory.globals_bytes));

  stride_ = memory.percpu_stride;
  const std::uint64_t percpu_bytes = std::uint64_t{memory.percpu_stride} * cpus;
  DT_ASSIGN(percpu_, kernel.create_map(array_spec("dt_percpu", percpu_bytes, 1, BPF_F_MMAPABLE)));
  DT_ASSIGN(percpu_memory_, kernel.map_memory(percpu_, percpu_bytes));

  if (!memory.rodata.empty()) {
    std::vector<std::uint8_t> bytes = memory.rodata;
    bytes.resize(round8(bytes.size()));
    DT_ASSIGN(rodata_,
              kernel.create_map(array_spec("dt_rodata", bytes.size(), 1, BPF_F_RDONLY_PROG)));
    DT_TRY(kernel.update(rodata_, &zero, bytes.data()));
    // After it has been filled: from now on user space cannot write to it. The verifier then takes
    // what a program loads from it as constants.
    DT_TRY(kernel.freeze_map(rodata_));
  }
  if (memory.scratch_bytes > 0) {
    DT_ASSIGN(scratch_, kernel.create_map(array_spec("dt_scratch", memory.scratch_bytes,
                                                     cpus * bpf::kScratchLevels, 0)));
  }
  if (memory.region_bytes > 0) {
    DT_ASSIGN(region_, kernel.create_map(array_spec("dt_region", memory.region_bytes,
                                                    cpus * bpf::kScratchLevels, 0)));
  }
  return {};
}

Status Maps::create_tables(kernel::Kernel& kernel, const bpf::Memory& memory, const Sizes& sizes) {
  const std::uint32_t cpus = memory.machine.cpus;
  const std::uint32_t grows = hash_flags(kernel.release());
  const auto create = [&](const TableNeed& need) {
    return create_table(kernel, need, sizes, notices_);
  };
  for (std::size_t i = 0; i < memory.aggs.size(); ++i) {
    // A table takes memory for all the elements that it may get.
    const std::uint64_t rooms = rooms_of(memory.shared_aggs, i);
    DT_ASSIGN(Table made, create({fmt::format("dt_agg{}", i), memory.aggs[i],
                                  sizes.aggregation_bytes, cpus * rooms, "aggregation", grows}));
    aggs_.push_back(std::move(made));
  }
  for (std::size_t i = 0; i < memory.stacks.size(); ++i) {
    const bpf::StackTable& stacks = memory.stacks[i];
    DT_ASSIGN(Table made,
              create({fmt::format("dt_stacks{}", i), stacks.element(), sizes.aggregation_bytes,
                      std::uint64_t{cpus} * stacks.users, "aggregation", grows}));
    stacks_.push_back(std::move(made));
  }
  for (std::size_t i = 0; i < memory.assocs.size(); ++i) {
    // The room for processes is not what a script's own variables are given.
    const std::uint64_t least = i == memory.arguments ? kProcesses : memory.assocs[i].room;
    const std::uint64_t bytes =
        std::max(sizes.dynamic_bytes, least * element_bytes(memory.assocs[i]));
    DT_ASSIGN(Table made, create({fmt::format("dt_var{}", i), memory.assocs[i], bytes,
                                  rooms_of(memory.shared_assocs, i), "dynamic variable", grows}));
    assocs_.push_back(std::move(made));
  }
  // Programs of providers keep values in these maps while locks are held, where the kernel cannot
  // allocate memory: so the elements are allocated now.
  for (std::size_t i = 0; i < memory.kept.size(); ++i) {
    DT_ASSIGN(Table made, create({fmt::format("dt_kept{}", i), memory.kept[i], sizes.dynamic_bytes,
                                  1, "dynamic variable", 0}));
    kept_.push_back(std::move(made));
  }
  if (memory.tls_bytes > 0) {
    DT_ASSIGN(tls_, create_task_storage(kernel, "dt_tls", memory.tls_bytes));
  }
  if (memory.follows) {
    DT_ASSIGN(followed_, create_task_storage(kernel, "dt_followed", 8));
  }
  return {};
}

// See bpf/stack/unwind.h.
Status Maps::create_unwind(kernel::Kernel& kernel, bool with_sources) {
  const auto fd = [this](bpf::UnwindMap which) -> Fd& {
    return unwind_[static_cast<std::size_t>(which)];
  };
  // By file: its edition, as a program reads it from the inode, to where its rows are.
  kernel::MapSpec files;
  files.name = "dt_uw_files";
  files.type = BPF_MAP_TYPE_HASH;
  files.key_bytes = sizeof(bpf::UnwindFileKey);
  files.value_bytes = sizeof(bpf::UnwindFile);
  files.entries = bpf::kUnwindFiles;
  DT_ASSIGN(fd(bpf::UnwindMap::kFiles), kernel.create_map(files));
  // A map of maps is created from an example of its inner maps, of which the kernel copies the
  // properties. The example itself is not needed any more.
  DT_ASSIGN(const Fd chunk, kernel.create_map(unwind_chunk_spec("dt_uw_chunk")));
  kernel::MapSpec tables;
  tables.name = "dt_uw_tables";
  tables.type = BPF_MAP_TYPE_ARRAY_OF_MAPS;
  tables.value_bytes = 4;
  tables.entries = bpf::kUnwindChunks;
  tables.inner = chunk.get();
  DT_ASSIGN(fd(bpf::UnwindMap::kTables), kernel.create_map(tables));
  DT_ASSIGN(
      fd(bpf::UnwindMap::kRules),
      kernel.create_map(array_spec("dt_uw_rules", bpf::kUnwindRulesBytes, 1, BPF_F_MMAPABLE)));
  // Programs ask through this ring for tables of files that they have met.
  kernel::MapSpec wanted;
  wanted.name = "dt_uw_wanted";
  wanted.type = BPF_MAP_TYPE_RINGBUF;
  wanted.key_bytes = 0;
  wanted.value_bytes = 0;
  wanted.entries = bpf::kUnwindWantedBytes;
  DT_ASSIGN(fd(bpf::UnwindMap::kWanted), kernel.create_map(wanted));
  if (!with_sources) return {};
  kernel::MapSpec sources;
  sources.name = "dt_uw_sources";
  sources.type = BPF_MAP_TYPE_HASH;
  sources.key_bytes = sizeof(std::uint64_t);
  sources.value_bytes = sizeof(symbol::SourceRecord);
  sources.entries = bpf::kSourceRecords;
  DT_ASSIGN(fd(bpf::UnwindMap::kSources), kernel.create_map(sources));
  return {};
}

// One ring for all CPUs, of the sum of their sizes: records are then in the order in which they
// were reserved, across CPUs.
Status Maps::create_ring(kernel::Kernel& kernel, std::uint32_t cpus, const Sizes& sizes) {
  kernel::MapSpec spec;
  spec.name = "dt_ring";
  spec.type = BPF_MAP_TYPE_RINGBUF;
  spec.key_bytes = 0;
  spec.value_bytes = 0;
  const auto create = [&](std::uint64_t bytes) -> Result<Fd> {
    buffer_bytes_ = bytes;
    ring_bytes_ = ring_size(std::max(bytes, sizes.least_bytes / cpus + 1), cpus);
    spec.entries = static_cast<std::uint32_t>(ring_bytes_);
    return kernel.create_map(spec);
  };
  const MapSize asked = {sizes.buffer_bytes, kMaxRingBytes / cpus, cpus, "buffer"};
  DT_ASSIGN(ring_, create_fitting(sizes, asked, notices_, create));
  return {};
}

Result<Maps> Maps::create(kernel::Kernel& kernel, const bpf::Memory& memory, const Sizes& sizes) {
  Maps maps;
  DT_TRY(maps.create_arrays(kernel, memory));
  DT_TRY(maps.create_tables(kernel, memory, sizes));
  if (memory.uses_ring) {
    DT_TRY(maps.create_ring(kernel, memory.machine.cpus, sizes));
  }
  if (memory.uses_unwind) {
    DT_TRY(maps.create_unwind(kernel, memory.uses_sources));
  }
  return maps;
}

// -1: this run has no such map. link() reports it, since it would be a mistake of the code
// generator.
int Maps::find(const bpf::MapRef& ref) const {
  const auto table = [&](const std::vector<Table>& tables) {
    return ref.index < tables.size() ? tables[ref.index].fd.get() : -1;
  };
  switch (ref.kind) {
    case bpf::MapKind::kGlobals:
      return globals_.get();
    case bpf::MapKind::kRodata:
      return rodata_.get();
    case bpf::MapKind::kPercpu:
      return percpu_.get();
    case bpf::MapKind::kScratch:
      return scratch_.get();
    case bpf::MapKind::kRegion:
      return region_.get();
    case bpf::MapKind::kRing:
      return ring_.get();
    case bpf::MapKind::kTls:
      return tls_.get();
    case bpf::MapKind::kAgg:
      return table(aggs_);
    case bpf::MapKind::kStacks:
      return table(stacks_);
    case bpf::MapKind::kAssoc:
      return table(assocs_);
    case bpf::MapKind::kKept:
      return table(kept_);
    case bpf::MapKind::kFollowed:
      return followed_.get();
    case bpf::MapKind::kUnwind:
      return ref.index < unwind_.size() ? unwind_[ref.index].get() : -1;
  }
  return -1;
}

bpf::Control& Maps::control() const {
  return *reinterpret_cast<bpf::Control*>(globals_memory_.data);
}

}  // namespace dt::runtime
