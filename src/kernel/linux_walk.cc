// LinuxKernel: walks over all elements of a map, in batches.
//
// A hash is read bucket by bucket under the bucket's lock, so that an element
// that is there throughout is seen exactly once, whatever else is added or
// deleted meanwhile.

#include <algorithm>
#include <cerrno>
#include <set>

#include "kernel/bpf_call.h"
#include "kernel/linux.h"

namespace dt::kernel {
namespace {

constexpr std::size_t kBatchBytes = 1 << 20;
constexpr std::size_t kMaxBatch = 4096;
constexpr std::size_t kMinBatch = 64;

// True when the error says "no such command for this map type".
bool is_unsupported(int code) {
  return code == EINVAL || code == kNotSupported || code == EOPNOTSUPP;
}

}  // namespace

Status LinuxKernel::for_each(const Fd& map, const MapSpec& spec, const Visit& visit) {
  const std::size_t element = std::size_t{spec.key_bytes} + spec.value_bytes;
  std::size_t capacity = std::clamp(kBatchBytes / element, kMinBatch, kMaxBatch);
  std::vector<std::uint8_t> keys(capacity * spec.key_bytes);
  std::vector<std::uint8_t> values(capacity * spec.value_bytes);
  // The position is opaque: the kernel writes it to `out_batch`, and gets it back as `in_batch` of
  // the next call.
  // Where to go on: a bucket number for hashes, a key for others.
  std::vector<std::uint8_t> from(std::max<std::size_t>(spec.key_bytes, 8));
  std::vector<std::uint8_t> to(from.size());
  bool first = true;
  while (true) {
    bpf_attr attr = zero_attr();
    attr.batch.in_batch = first ? 0 : to_u64(from.data());
    attr.batch.out_batch = to_u64(to.data());
    attr.batch.keys = to_u64(keys.data());
    attr.batch.values = to_u64(values.data());
    attr.batch.count = static_cast<std::uint32_t>(capacity);
    attr.batch.map_fd = static_cast<std::uint32_t>(map.get());
    const int result = bpf_call(BPF_MAP_LOOKUP_BATCH, attr);
    if (result == -EINTR) {
      continue;
    }
    if (result == -ENOSPC && capacity < spec.entries) {
      // One bucket holds more than the batch: nothing was read, try again.
      capacity = std::min<std::size_t>(capacity * 2, spec.entries);
      keys.resize(capacity * spec.key_bytes);
      values.resize(capacity * spec.value_bytes);
      continue;
    }
    if (first && is_unsupported(-result)) {
      return walk_by_key(map, spec, visit);
    }
    if (result < 0 && result != -ENOENT) {
      return bpf_error(BPF_MAP_LOOKUP_BATCH, spec.name, -result);
    }
    for (std::size_t i = 0; i < attr.batch.count; ++i) {
      visit(keys.data() + i * spec.key_bytes, values.data() + i * spec.value_bytes);
    }
    if (result == -ENOENT) {  // that was the last batch
      return {};
    }
    from.swap(to);
    first = false;
  }
}

// Kernels or map types without batches. The keys are collected first: when the
// key at hand is deleted under us the kernel starts again from the beginning.
Status LinuxKernel::walk_by_key(const Fd& map, const MapSpec& spec, const Visit& visit) {
  std::set<std::vector<std::uint8_t>> keys;
  std::vector<std::uint8_t> at;
  std::vector<std::uint8_t> next(spec.key_bytes);
  // A restart costs one pass; the limit keeps a table in flux from holding us.
  const std::size_t limit = std::size_t{spec.entries} * 4 + 1024;
  for (std::size_t step = 0; step < limit; ++step) {
    bpf_attr attr = zero_attr();
    attr.map_fd = static_cast<std::uint32_t>(map.get());
    attr.key = at.empty() ? 0 : to_u64(at.data());
    attr.next_key = to_u64(next.data());
    const int result = bpf_call(BPF_MAP_GET_NEXT_KEY, attr);
    if (result == -ENOENT) {
      break;
    }
    if (result < 0) {
      return bpf_error(BPF_MAP_GET_NEXT_KEY, spec.name, -result);
    }
    keys.insert(next);
    at = next;
  }
  std::vector<std::uint8_t> value(spec.value_bytes);
  for (const std::vector<std::uint8_t>& key : keys) {
    Status status = lookup(map, key.data(), value.data());
    if (status.ok()) {
      visit(key.data(), value.data());
    } else if (status.error().code != ENOENT) {
      return std::move(status.error());
    }
  }
  return {};
}

// `count` is read and written: the kernel returns how many keys it has deleted before the one at
// which it stopped.
Status LinuxKernel::erase_all(const Fd& map, const MapSpec& spec,
                              std::span<const std::uint8_t> keys) {
  const std::size_t total = keys.size() / spec.key_bytes;
  std::size_t done = 0;
  while (done < total) {
    const std::uint8_t* const at = keys.data() + done * spec.key_bytes;
    const std::size_t count = std::min(total - done, kMaxBatch);
    bpf_attr attr = zero_attr();
    attr.batch.keys = to_u64(at);
    attr.batch.count = static_cast<std::uint32_t>(count);
    attr.batch.map_fd = static_cast<std::uint32_t>(map.get());
    const int result = bpf_call(BPF_MAP_DELETE_BATCH, attr);
    if (result >= 0) {
      done += count;
    } else if (is_unsupported(-result)) {
      Status status = erase(map, at);
      if (!status.ok() && status.error().code != ENOENT) {
        return std::move(status.error());
      }
      ++done;
    } else if (result == -ENOENT) {
      done += attr.batch.count + 1;  // those before the key that is gone, and that key
    } else if (result == -EINTR || result == -EAGAIN) {
      done += attr.batch.count;
    } else {
      return bpf_error(BPF_MAP_DELETE_BATCH, spec.name, -result);
    }
  }
  return {};
}

}  // namespace dt::kernel
