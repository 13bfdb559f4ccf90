// BTF, the kernel's type information (Documentation/bpf/btf.rst): a header, records of types, and
// strings.
//
//   record:  name | info: flag (31), kind (28-24), vlen (15-0) | size, or another type's number
//            then what its kind adds: a fixed part, and a part for each of vlen
//
// A type's number is its place in the sequence, and nothing says where record N begins: finding it
// means walking over all before it. The kernel has more than 100,000 records, and most questions
// are about few of them, so the walk goes only as far as it is asked to, and its offsets are kept.
//
// A module's BTF continues the kernel's: its numbers and the offsets of its strings begin where
// those of the base end.
//
// BTF may come from a file of any user's program, so each offset and count is compared with the
// size of its section before it is used.

#include "types/btf.h"

#include <algorithm>
#include <cstring>

namespace dt::types {
namespace {

constexpr std::uint16_t kBtfMagic = 0xeb9f;
constexpr std::size_t kRecordBytes = 12;
constexpr std::uint32_t kKinds = 20;
constexpr std::size_t kRecordsPerWalk = 1024;
constexpr std::uint32_t kNowhere = 0xffffffff;

// Bytes of a record's entries: a fixed part and a part for each of vlen.
struct Extra {
  std::uint8_t fixed, each;
};
// By BTF_KIND_*: an integer has a word (encoding, offset, bits), an array three; a member has three
// words (name, type, offset), an enumerator two (name, value) or three, a parameter two, a variable
// in a section three (type, offset, size).
constexpr Extra kExtra[kKinds] = {
    {0, 0}, {4, 0}, {0, 0}, {12, 0}, {0, 12}, {0, 12}, {0, 8}, {0, 0}, {0, 0}, {0, 0},
    {0, 0}, {0, 0}, {0, 0}, {0, 8},  {4, 0},  {0, 12}, {0, 0}, {4, 0}, {0, 0}, {0, 12},
};

struct Header {
  std::uint16_t magic;
  std::uint8_t version, flags;
  std::uint32_t header_bytes, type_offset, type_bytes, string_offset, string_bytes;
};
static_assert(sizeof(Header) == 24);

Error bad_btf(std::string text) { return Error::of("BTF: " + std::move(text)); }

}  // namespace

Result<Btf> Btf::parse(std::span<const std::uint8_t> bytes, const Btf* base) {
  Header header;
  if (bytes.size() < sizeof header) return bad_btf("too short for a header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic == 0x9feb) return bad_btf("of the other byte order");
  if (header.magic != kBtfMagic) return bad_btf("does not begin with its magic number");
  if (header.version != 1) return bad_btf(fmt::format("version {} is not known", header.version));
  if (header.header_bytes < sizeof header || header.header_bytes > bytes.size()) {
    return bad_btf("header length out of range");
  }
  const std::span<const std::uint8_t> body = bytes.subspan(header.header_bytes);
  const auto fits = [&](std::uint32_t offset, std::uint32_t size) {
    return offset <= body.size() && size <= body.size() - offset;
  };
  if (!fits(header.type_offset, header.type_bytes)) return bad_btf("types lie beyond the end");
  if (!fits(header.string_offset, header.string_bytes))
    return bad_btf("strings lie beyond the end");
  Btf btf;
  btf.types_ = body.subspan(header.type_offset, header.type_bytes);
  btf.strings_ = body.subspan(header.string_offset, header.string_bytes);
  if (base != nullptr) {
    btf.base_ = base;
    btf.first_id_ = base->type_count();
    btf.first_string_ = static_cast<std::uint32_t>(base->strings_.size());
  }
  return btf;
}

// The length of the record at `at`, of the type `id`; nullopt: it is damaged.
std::optional<std::size_t> Btf::record_bytes(std::size_t at, std::uint32_t id) const {
  if (at > types_.size() || types_.size() - at < kRecordBytes) {
    damage_ = fmt::format("type {} is cut off", id);
    return std::nullopt;
  }
  const std::uint32_t info = load(at + 4);
  const std::uint32_t kind = info >> 24 & 0x1f;
  if (kind == 0 || kind >= kKinds) {
    damage_ = fmt::format("type {} is of the unknown kind {}", id, kind);
    return std::nullopt;
  }
  const std::size_t extra = kExtra[kind].fixed + std::size_t{kExtra[kind].each} * (info & 0xffff);
  if (extra > types_.size() - at - kRecordBytes) {
    damage_ = fmt::format("type {} is cut off", id);
    return std::nullopt;
  }
  return kRecordBytes + extra;
}

// Walks on for some records; false at the end. Damage ends the walk for good: the position of the
// next record is unknown when the length of this one is. What was read before stays valid.
bool Btf::walk() const {
  const std::size_t before = offsets_.size();
  while (next_ < types_.size() && damage_.empty() && offsets_.size() < before + kRecordsPerWalk) {
    const std::optional<std::size_t> bytes = record_bytes(next_, walked_count());
    if (!bytes) break;
    offsets_.push_back(static_cast<std::uint32_t>(next_));
    next_ += *bytes;
  }
  return offsets_.size() > before;
}

std::optional<std::string> Btf::make_index() const {
  if (base_ != nullptr || !damage().empty()) return std::nullopt;
  BtfIndexMaker maker;
  for (std::uint32_t id = first_id_; id < walked_count(); ++id) {
    const Record record = at(id);
    maker.add_type(offsets_[id - first_id_], string(record.name));
    const std::size_t words = enumerator_words(record.kind);
    for (std::uint32_t i = 0; words != 0 && i < record.count; ++i) {
      maker.add_enumerator(string(word(record, i * words)));
    }
  }
  return maker.bytes();
}

bool Btf::is_walked(std::uint32_t id) const {
  while (id >= walked_count()) {
    if (!walk()) return false;
  }
  return true;
}

std::uint32_t Btf::type_count() const {
  if (index_ != nullptr) return index_->type_count();
  while (walk()) {
  }
  return walked_count();
}

const std::string& Btf::damage() const {
  while (index_ == nullptr && walk()) {
  }
  return damage_;
}

std::uint32_t Btf::load(std::size_t at) const {
  std::uint32_t value = 0;
  if (at <= types_.size() && types_.size() - at >= sizeof value) {
    std::memcpy(&value, types_.data() + at, sizeof value);
  }
  return value;
}

BtfKind Btf::kind_at(std::size_t at) const {
  return static_cast<BtfKind>(load(at + 4) >> 24 & 0x1f);
}

// Walks over the records of its group.
std::optional<std::size_t> Btf::indexed_position(std::uint32_t id) const {
  if (id >= index_->type_count()) return std::nullopt;
  const std::uint32_t group = id / BtfIndex::kStride;
  const auto [known, is_new] = groups_.try_emplace(group);
  if (is_new) {
    known->second.fill(kNowhere);
    const std::uint32_t first = std::max(group * BtfIndex::kStride, 1u);
    const std::uint32_t end = std::min((group + 1) * BtfIndex::kStride, index_->type_count());
    std::size_t at = index_->start_of(id);
    for (std::uint32_t each = first; each < end; ++each) {
      const std::optional<std::size_t> bytes = record_bytes(at, each);
      if (!bytes) break;
      known->second[each % BtfIndex::kStride] = static_cast<std::uint32_t>(at);
      at += *bytes;
    }
  }
  const std::uint32_t at = known->second[id % BtfIndex::kStride];
  return at == kNowhere ? std::nullopt : std::optional<std::size_t>(at);
}

std::optional<std::size_t> Btf::position(std::uint32_t id) const {
  if (id < first_id_) return std::nullopt;
  if (index_ != nullptr) return indexed_position(id);
  if (!is_walked(id)) return std::nullopt;
  return offsets_[id - first_id_];
}

// A number that does not exist gives void (an empty record): callers need not distinguish a damaged
// reference from `void`.
Btf::Record Btf::at(std::uint32_t id) const {
  if (id == 0) return {};
  if (id < first_id_) return base_ == nullptr ? Record{} : base_->at(id);
  const std::optional<std::size_t> at = position(id);
  if (!at) return {};
  const std::uint32_t info = load(*at + 4);
  return {static_cast<BtfKind>(info >> 24 & 0x1f),
          info >> 31 != 0,
          load(*at),
          load(*at + 8),
          info & 0xffff,
          *at + kRecordBytes,
          this};
}

std::uint32_t Btf::word(const Record& record, std::size_t index) const {
  if (record.home == nullptr) return 0;
  return record.home->load(record.entries + index * sizeof(std::uint32_t));
}

std::string_view Btf::string(std::uint32_t offset) const {
  if (offset < first_string_) return base_->string(offset);
  offset -= first_string_;
  if (offset >= strings_.size()) return {};
  const char* const text = reinterpret_cast<const char*>(strings_.data()) + offset;
  return {text, ::strnlen(text, strings_.size() - offset)};
}

// Strings are stored once each, in the base or here, so a name is compared by
// its offset.
std::optional<std::uint32_t> Btf::string_offset(std::string_view name) const {
  if (name.empty() || name.find('\0') != std::string_view::npos) return std::nullopt;
  if (base_ != nullptr) {
    if (const auto known = base_->string_offset(name)) return known;
  }
  // Between two NULs, so that the end of a longer name does not count. One search over all strings
  // is faster than comparing the name of each record.
  std::string needle(1, '\0');
  needle += name;
  needle += '\0';
  const void* const hit = ::memmem(strings_.data(), strings_.size(), needle.data(), needle.size());
  if (hit == nullptr) return std::nullopt;
  const std::ptrdiff_t at = static_cast<const std::uint8_t*>(hit) - strings_.data();
  return first_string_ + static_cast<std::uint32_t>(at) + 1;
}

}  // namespace dt::types
