// See btf_index.h.

#include "types/btf_index.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstring>

namespace dt::types {
namespace {

// Another form of the index has another number, as the files of other versions of dtrace are in the
// same place.
constexpr char kMagic[16] = "dtrace types 1\n";
// In an entry's number: the name is that of an enumerator.
constexpr std::uint32_t kOfEnumerator = 1u << 31;
// The kernel's own limit is 2^20 types; a bucket has some eight entries.
constexpr std::uint32_t kMostTypes = 1u << 24, kMostEntries = 1u << 26, kEntriesOfBucket = 8;
constexpr std::size_t kEntryBytes = 8;

// FNV-1a, as std::hash may differ between builds that read the same file.
std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619u;
  }
  return hash;
}

template <typename T>
void append(std::string& to, const std::vector<T>& values) {
  to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

}  // namespace

// Number 0 has no record: the first of the first group is number 1.
void BtfIndexMaker::add_type(std::size_t begin, std::string_view name) {
  ++last_;
  if (last_ == 1 || last_ % BtfIndex::kStride == 0) {
    starts_.push_back(static_cast<std::uint32_t>(begin));
  }
  if (!name.empty()) entries_.push_back({hash_of(name), last_});
}

void BtfIndexMaker::add_enumerator(std::string_view name) {
  entries_.push_back({hash_of(name), last_ | kOfEnumerator});
}

std::optional<std::string> BtfIndexMaker::bytes() const {
  if (last_ == 0 || last_ >= kMostTypes || entries_.size() > kMostEntries) return std::nullopt;
  BtfIndex::Head head;
  std::memcpy(head.magic, kMagic, sizeof kMagic);
  head.type_count = last_ + 1;
  head.entries = static_cast<std::uint32_t>(entries_.size());
  head.buckets = std::bit_ceil(head.entries / kEntriesOfBucket + 1);
  // Counted, so that the entries of a bucket stay in the order of their numbers.
  std::vector<std::uint32_t> buckets(head.buckets + 1);
  for (const Entry& entry : entries_) ++buckets[(entry.hash & (head.buckets - 1)) + 1];
  for (std::uint32_t i = 0; i < head.buckets; ++i) buckets[i + 1] += buckets[i];
  std::vector<std::uint32_t> next = buckets;
  std::vector<Entry> sorted(entries_.size());
  for (const Entry& entry : entries_) sorted[next[entry.hash & (head.buckets - 1)]++] = entry;

  std::string out(reinterpret_cast<const char*>(&head), sizeof head);
  append(out, starts_);
  append(out, buckets);
  append(out, sorted);
  return out;
}

std::optional<BtfIndex> BtfIndex::of(std::string bytes) {
  BtfIndex index;
  index.bytes_ = std::move(bytes);
  const std::size_t size = index.bytes_.size();
  return opened(std::move(index), size);
}

std::optional<BtfIndex> BtfIndex::of(Fd file, std::size_t offset) {
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return std::nullopt;
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size < offset) return std::nullopt;
  BtfIndex index;
  index.file_ = std::move(file);
  index.offset_ = offset;
  return opened(std::move(index), size - offset);
}

std::optional<BtfIndex> BtfIndex::opened(BtfIndex index, std::size_t bytes) {
  Head& head = index.head_;
  if (bytes < sizeof head || !index.read(0, &head, sizeof head)) return std::nullopt;
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0) return std::nullopt;
  if (head.type_count == 0 || head.type_count > kMostTypes || head.entries > kMostEntries ||
      head.buckets > kMostEntries || !std::has_single_bit(head.buckets)) {
    return std::nullopt;
  }
  index.starts_.resize(start_count(head.type_count));
  const std::size_t words = index.starts_.size() + head.buckets + 1;
  if (bytes != sizeof head + words * sizeof(std::uint32_t) + head.entries * kEntryBytes ||
      !index.read(sizeof head, index.starts_.data(),
                  index.starts_.size() * sizeof(std::uint32_t))) {
    return std::nullopt;
  }
  return index;
}

bool BtfIndex::read(std::size_t offset, void* to, std::size_t bytes) const {
  if (file_.valid()) {
    const auto wanted = static_cast<ssize_t>(bytes);
    return ::pread(file_.get(), to, bytes, static_cast<off_t>(offset_ + offset)) == wanted;
  }
  if (offset > bytes_.size() || bytes > bytes_.size() - offset) return false;
  std::memcpy(to, bytes_.data() + offset, bytes);
  return true;
}

std::optional<std::vector<std::uint32_t>> BtfIndex::types_named(std::string_view name) const {
  return candidates(name, false);
}

std::optional<std::vector<std::uint32_t>> BtfIndex::enumerations_with(std::string_view name) const {
  return candidates(name, true);
}

std::optional<std::vector<std::uint32_t>> BtfIndex::candidates(std::string_view name,
                                                               bool of_enumerator) const {
  const std::uint32_t hash = hash_of(name);
  const std::size_t directory = sizeof head_ + starts_.size() * sizeof(std::uint32_t);
  const std::size_t bucket = hash & (head_.buckets - 1);
  std::uint32_t bounds[2];
  if (!read(directory + bucket * sizeof bounds[0], bounds, sizeof bounds)) return std::nullopt;
  if (bounds[0] > bounds[1] || bounds[1] > head_.entries) return std::nullopt;
  std::vector<std::array<std::uint32_t, 2>> entries(bounds[1] - bounds[0]);  // hash, number
  const std::size_t first = directory + (std::size_t{head_.buckets} + 1) * sizeof bounds[0];
  if (!read(first + bounds[0] * kEntryBytes, entries.data(), entries.size() * kEntryBytes)) {
    return std::nullopt;
  }
  std::vector<std::uint32_t> ids;
  for (const auto& [entry_hash, number] : entries) {
    const std::uint32_t id = number & ~kOfEnumerator;
    const bool is_of_enumerator = (number & kOfEnumerator) != 0;
    if (entry_hash == hash && is_of_enumerator == of_enumerator && id < head_.type_count &&
        (ids.empty() || ids.back() != id)) {
      ids.push_back(id);
    }
  }
  return ids;
}

}  // namespace dt::types
