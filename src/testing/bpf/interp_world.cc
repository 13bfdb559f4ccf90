// The memory and the maps of the interpreter's World.

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "support/check.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

constexpr unsigned kRegionBits = 32;
constexpr std::uint64_t kFirstRegion = 1;
constexpr std::uint64_t kMapHandle = 0xeb9f000000000000;  // + index of the map

}  // namespace

std::uint64_t AddressSpace::add(Region region) {
  regions_.push_back(std::make_unique<Region>(std::move(region)));
  return (regions_.size() - 1 + kFirstRegion) << kRegionBits;
}

void AddressSpace::remove(std::uint64_t address) {
  const std::uint64_t index = (address >> kRegionBits) - kFirstRegion;
  DT_CHECK(index < regions_.size() && regions_[index] != nullptr, "{:#x}", address);
  regions_[index].reset();
}

std::vector<std::uint8_t>* AddressSpace::bytes(std::uint64_t address) {
  const std::uint64_t index = (address >> kRegionBits) - kFirstRegion;
  return index < regions_.size() && regions_[index] ? &regions_[index]->bytes : nullptr;
}

Region* AddressSpace::find(std::uint64_t address, std::uint64_t size, std::uint64_t& offset,
                           std::string& error) {
  const std::uint64_t index = (address >> kRegionBits) - kFirstRegion;
  if (index >= regions_.size() || regions_[index] == nullptr) {
    error = fmt::format("access to {:#x}, which is no memory", address);
    return nullptr;
  }
  Region& region = *regions_[index];
  offset = address & ((std::uint64_t{1} << kRegionBits) - 1);
  if (offset + size > region.bytes.size()) {
    error =
        fmt::format("access to [{}, {}) of {} bytes", offset, offset + size, region.bytes.size());
    return nullptr;
  }
  return &region;
}

std::uint8_t* AddressSpace::read(std::uint64_t address, std::uint64_t size, std::string& error) {
  std::uint64_t offset = 0;
  Region* region = find(address, size, offset, error);
  if (region == nullptr) return nullptr;
  for (std::uint64_t i = offset; !region->written.empty() && i < offset + size; ++i) {
    if (region->written[i]) continue;
    error = fmt::format("read of [{}, {}), where {} was never written", offset, offset + size, i);
    return nullptr;
  }
  return region->bytes.data() + offset;
}

std::uint8_t* AddressSpace::write(std::uint64_t address, std::uint64_t size, std::string& error) {
  std::uint64_t offset = 0;
  Region* region = find(address, size, offset, error);
  if (region == nullptr) return nullptr;
  if (region->is_read_only) {
    error = "write to read-only memory";
    return nullptr;
  }
  for (std::uint64_t i = offset; !region->written.empty() && i < offset + size; ++i) {
    region->written[i] = true;
  }
  return region->bytes.data() + offset;
}

World::World(const Memory& plan, std::uint32_t hash_entries) : cpus(plan.machine.cpus) {
  const auto array = [this](MapKind kind, std::uint32_t bytes, std::uint32_t entries = 1) {
    if (bytes != 0) add_map({kind, 0}, ModelType::kArray, 4, bytes, entries);
  };
  array(MapKind::kGlobals, plan.globals_bytes);
  array(MapKind::kRodata, static_cast<std::uint32_t>(plan.rodata.size()));
  array(MapKind::kPercpu, plan.percpu_stride * plan.machine.cpus);
  array(MapKind::kScratch, plan.scratch_bytes, plan.machine.cpus * kScratchLevels);
  array(MapKind::kRegion, plan.region_bytes, plan.machine.cpus * kScratchLevels);
  if (!plan.rodata.empty()) *value({MapKind::kRodata, 0}) = plan.rodata;
  if (plan.uses_ring) add_map({MapKind::kRing, 0}, ModelType::kRing, 0, 0, 0);
  if (plan.tls_bytes != 0) {
    add_map({MapKind::kTls, 0}, ModelType::kTaskStorage, 4, plan.tls_bytes, hash_entries);
  }
  const auto hashes = [&](MapKind kind, const std::vector<HashMap>& maps) {
    for (std::uint32_t i = 0; i < maps.size(); ++i) {
      if (maps[i].key_bytes == 0) continue;
      add_map({kind, i}, ModelType::kHash, maps[i].key_bytes, maps[i].value_bytes, hash_entries);
    }
  };
  hashes(MapKind::kAgg, plan.aggs);
  for (std::uint32_t i = 0; i < plan.stacks.size(); ++i) {
    const HashMap element = plan.stacks[i].element();
    add_map({MapKind::kStacks, i}, ModelType::kHash, element.key_bytes, element.value_bytes,
            hash_entries);
  }
  hashes(MapKind::kAssoc, plan.assocs);
}

ModelMap& World::add_map(MapRef ref, ModelType type, std::uint32_t key_bytes,
                         std::uint32_t value_bytes, std::uint32_t max_entries) {
  DT_CHECK(map(ref) == nullptr, "{} twice", map_name(ref.kind));
  auto model = std::make_unique<ModelMap>();
  model->type = type;
  model->key_bytes = key_bytes;
  model->value_bytes = value_bytes;
  model->max_entries = max_entries;
  for (std::uint32_t i = 0; type == ModelType::kArray && i < max_entries; ++i) {
    Region region;
    region.bytes.resize(value_bytes);
    region.is_read_only = ref.kind == MapKind::kRodata;
    model->values[std::string(reinterpret_cast<const char*>(&i), sizeof(i))] =
        memory.add(std::move(region));
  }
  maps_.push_back({ref, std::move(model)});
  return *maps_.back().map;
}

ModelMap* World::map(MapRef ref) { return by_handle(handle(ref)); }

std::vector<std::uint8_t>* World::value(MapRef ref, const std::string& key) {
  ModelMap* model = map(ref);
  if (model == nullptr) return nullptr;
  const auto found = model->values.find(key);
  return found == model->values.end() ? nullptr : memory.bytes(found->second);
}

std::uint64_t World::handle(MapRef ref) const {
  const auto found = std::find_if(maps_.begin(), maps_.end(),
                                  [&](const Named& named) { return named.ref == ref; });
  if (found == maps_.end()) return 0;
  return kMapHandle + static_cast<std::uint64_t>(found - maps_.begin());
}

ModelMap* World::by_handle(std::uint64_t handle) {
  const std::uint64_t index = handle - kMapHandle;
  return index < maps_.size() ? maps_[index].map.get() : nullptr;
}

}  // namespace dt::bpf
