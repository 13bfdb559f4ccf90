// See ctf.h.

#include "types/ctf.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

namespace dt::types {
namespace {

constexpr std::uint16_t kCtfMagic = 0xcff1, kMagicOfGnu = 0xdff2;
constexpr std::uint64_t kArchiveMagic = 0x8b47f2a4d7623eeb;
constexpr std::uint8_t kVersionNarrow = 2, kVersionWide = 3, kVersionGnu = 4;
constexpr std::size_t kPreambleBytes = 4, kHeaderBytes = 36, kGnuHeaderBytes = 52;

// Flags.
constexpr std::uint8_t kCompressed = 1, kHasFunctionIndexes = 2, kDynamicStrings = 8;

// A dictionary's sizes are claims of the file. An archive may contain thousands of dictionaries
// that each inflate to a thousand times their size, so there is one budget for all of them.
constexpr std::uint64_t kMaxBytes = std::uint64_t{64} << 20;  // of all dictionaries of a file
constexpr std::size_t kMaxTypes = std::size_t{4} << 20;       // of one
constexpr std::uint64_t kMaxDictionaries = 16384;
// zlib compresses at most 1032 to 1: a match of 258 bytes takes at least 2 bits.
constexpr std::uint64_t kMaxRatio = 1032;
// A string's number has 31 bits and one that says which table it is in: that of the dictionary, or
// that of the symbols in the file around it, so that names of symbols need not be in the file
// twice.
constexpr std::uint32_t kExternal = 0x80000000;

Error bad_ctf(std::string text) { return Error::of("CTF: " + std::move(text)); }

template <typename T>
T load(Ctf::Bytes bytes, std::size_t at) {
  T value{};
  if (at <= bytes.size() && sizeof value <= bytes.size() - at) {
    std::memcpy(&value, bytes.data() + at, sizeof value);
  }
  return value;
}

std::string_view text_at(Ctf::Bytes strings, std::size_t at) {
  if (at >= strings.size()) return {};
  const auto* const text = reinterpret_cast<const char*>(strings.data()) + at;
  const std::size_t size = ::strnlen(text, strings.size() - at);
  return size == strings.size() - at ? std::string_view() : std::string_view(text, size);
}

// Others refer to a type in its place.
bool has_size(CtfKind kind) {
  return kind == CtfKind::kInteger || kind == CtfKind::kFloat || kind == CtfKind::kArray ||
         kind == CtfKind::kStruct || kind == CtfKind::kUnion || kind == CtfKind::kEnum ||
         kind == CtfKind::kSlice;
}

}  // namespace

Result<std::unique_ptr<Ctf>> Ctf::parse(Bytes bytes, std::uint64_t& budget) {
  std::unique_ptr<Ctf> ctf(new Ctf());
  DT_TRY(ctf->read_header(bytes, budget));
  ctf->walk();
  return ctf;
}

Status Ctf::read_header(Bytes bytes, std::uint64_t& budget) {
  if (bytes.size() < kPreambleBytes) return bad_ctf("it is cut off");
  const auto magic = load<std::uint16_t>(bytes, 0);
  const std::uint8_t version = bytes[2], flags = bytes[3];
  if (magic == 0xf1cf || magic == 0xf2df)
    return bad_ctf("it is of a machine of the other byte order");
  if (magic != kCtfMagic && magic != kMagicOfGnu) return bad_ctf("it does not begin as such");
  form_.is_gnu = magic == kMagicOfGnu;
  const bool is_known =
      form_.is_gnu ? version == kVersionGnu : version == kVersionNarrow || version == kVersionWide;
  if (!is_known) return bad_ctf(fmt::format("version {} is not read", version));
  form_.is_wide = version != kVersionNarrow;
  uses_dynamic_symbols_ = form_.is_gnu && (flags & kDynamicStrings) != 0;
  has_function_types_ = form_.is_gnu && (flags & kHasFunctionIndexes) != 0;

  // The offsets of sections are ascending, and count from the end of the header.
  const std::size_t header = form_.is_gnu ? kGnuHeaderBytes : kHeaderBytes;
  if (bytes.size() < header) return bad_ctf("its header is cut off");
  const auto field = [&](std::size_t index) {
    return load<std::uint32_t>(bytes, kPreambleBytes + index * sizeof(std::uint32_t));
  };
  parent_name_ = field(1);
  if (form_.is_gnu) unit_name_ = field(2);
  const std::size_t first = form_.is_gnu ? 3 : 2;
  const std::size_t sections = form_.is_gnu ? 8 : 5;  // labels ... strings
  std::vector<std::uint64_t> starts;
  for (std::size_t i = 0; i < sections; ++i) starts.push_back(field(first + i));
  const std::uint64_t size = starts.back() + field(first + sections);
  if (!std::is_sorted(starts.begin(), starts.end())) return bad_ctf("its sections overlap");

  Bytes body = bytes.subspan(header);
  if ((flags & kCompressed) != 0) {
    if (size > budget || size / kMaxRatio > body.size())
      return bad_ctf("it is larger than it can be");
    budget -= size;
    inflated_.resize(size);
    uLongf filled = size;
    const int status = ::uncompress(inflated_.data(), &filled, body.data(), body.size());
    if (status != Z_OK || filled != size) return bad_ctf("its compressed part is damaged");
    body = inflated_;
  }
  if (size > body.size()) return bad_ctf("it is cut off");
  const auto section = [&](std::size_t index) {
    const std::uint64_t end = index + 1 < starts.size() ? starts[index + 1] : size;
    return body.subspan(starts[index], end - starts[index]);
  };
  functions_ = section(2);
  if (form_.is_gnu) function_names_ = section(4);
  types_ = section(sections - 2);
  strings_ = section(sections - 1);
  return {};
}

// A number beyond the section reads as 0, which is no type and the empty string.
std::uint32_t Ctf::word(std::size_t at) const { return load<std::uint32_t>(types_, at); }
std::uint32_t Ctf::half(std::size_t at) const { return load<std::uint16_t>(types_, at); }

// In 32 bits: kind 31-26, root 25, count 23-0. In 16: kind 15-11, root 10, count 9-0.
// root or not | kind | count
std::pair<CtfKind, std::uint32_t> Ctf::info(std::uint32_t number) const {
  const std::uint32_t kind = form_.is_wide ? number >> 26 : number >> 11;
  return {static_cast<CtfKind>(std::min(kind, kCtfKinds)),
          number & (form_.is_wide ? 0x00ffffffu : 0x3ffu)};
}

// A size that does not fit the short field of a record stands behind it as 64 bits; the short field
// is then all ones.
Ctf::Record Ctf::decode(std::size_t at) const {
  Record record;
  record.name = word(at);
  const std::uint32_t info = id(at + 4);
  record.type = id(at + 4 + id_bytes());
  std::tie(record.kind, record.count) = this->info(info);
  record.is_root = (info & (form_.is_wide ? 1u << 25 : 1u << 10)) != 0;
  // The same field is the size of a type that has one, and the number of the type that others refer
  // to.
  record.size = record.type;
  record.entries = at + 4 + 2 * id_bytes();
  const std::uint32_t large = form_.is_wide ? 0xffffffffu : 0xffffu;
  if (record.type == large && has_size(record.kind)) {
    record.size = std::uint64_t{word(record.entries)} << 32 | word(record.entries + 4);
    record.entries += 8;
  }
  // A member's offset is in bits: from 2^29 bytes on (8192 in the narrow form) it may not fit its
  // field, and all members of such a structure have the long form, those at its beginning too.
  record.is_large = record.size >= (form_.is_wide ? std::uint64_t{1} << 29 : 8192);
  return record;
}

std::size_t Ctf::entry_bytes(const Record& record) const {
  const std::size_t count = record.count;
  switch (record.kind) {
    case CtfKind::kInteger:
    case CtfKind::kFloat:
      return 4;
    case CtfKind::kArray:
      return 2 * id_bytes() + 4;
    case CtfKind::kFunction:
      // Filled up to an even number, so that the next record begins at a multiple of 4 with numbers
      // of 16 bits, too. GNU keeps the rule.
      return (count + count % 2) * id_bytes();
    case CtfKind::kStruct:
    case CtfKind::kUnion:
      return count * (record.is_large ? 16 : 4 + 2 * id_bytes());
    case CtfKind::kEnum:
      return count * 8;
    case CtfKind::kSlice:
      return 8;
    case CtfKind::kUnknown:
    case CtfKind::kPointer:
    case CtfKind::kForward:
    case CtfKind::kTypedef:
    case CtfKind::kVolatile:
    case CtfKind::kConst:
    case CtfKind::kRestrict:
      break;
  }
  return 0;
}

void Ctf::walk() {
  for (std::size_t at = 0; at < types_.size();) {
    const Record record = decode(at);
    // As in BTF, a type's number is its place in the sequence: behind a record of unknown length no
    // number is known.
    // Only GNU has slices, the last kind.
    const bool is_known =
        static_cast<std::uint32_t>(record.kind) < (form_.is_gnu ? kCtfKinds : kCtfKinds - 1);
    const std::size_t end = record.entries + entry_bytes(record);
    if (!is_known || end > types_.size() || offsets_.size() == kMaxTypes) {
      damage_ = fmt::format("type {} is damaged", offsets_.size() + 1);
      return;
    }
    offsets_.push_back(static_cast<std::uint32_t>(at));
    at = end;
  }
}

Ctf::Record Ctf::at(std::uint32_t index) const {
  return index == 0 || index > offsets_.size() ? Record() : decode(offsets_[index - 1]);
}

std::string_view Ctf::string(std::uint32_t reference) const {
  return (reference & kExternal) != 0 ? text_at(external_strings_, reference & ~kExternal)
                                      : text_at(strings_, reference);
}

// name, type, (padding,) offset; GNU has the type behind the first word of the offset.
Ctf::Member Ctf::member(const Record& record, std::uint32_t index) const {
  const std::size_t bytes = record.is_large ? 16 : 4 + 2 * id_bytes();
  const std::size_t at = record.entries + std::size_t{index} * bytes;
  Member out;
  out.name = word(at);
  if (!form_.is_wide) {
    out.type = half(at + 4);
    out.bit_offset =
        record.is_large ? std::uint64_t{word(at + 8)} << 32 | word(at + 12) : half(at + 6);
    return out;
  }
  const std::size_t offset = form_.is_gnu ? at + 4 : at + 8;
  out.type = form_.is_gnu ? word(at + 8) : word(at + 4);
  out.bit_offset =
      record.is_large ? std::uint64_t{word(offset)} << 32 | word(at + 12) : word(offset);
  return out;
}

Ctf::Array Ctf::array(const Record& record) const {
  return {id(record.entries), word(record.entries + 2 * id_bytes())};
}

std::uint32_t Ctf::argument(const Record& record, std::uint32_t index) const {
  return id(record.entries + std::size_t{index} * id_bytes());
}

std::pair<std::uint32_t, std::int32_t> Ctf::enumerator(const Record& record,
                                                       std::uint32_t index) const {
  const std::size_t at = record.entries + std::size_t{index} * 8;
  return {word(at), static_cast<std::int32_t>(word(at + 4))};
}

Ctf::Encoding Ctf::encoding(const Record& record) const {
  if (record.kind == CtfKind::kSlice) {
    return {0, half(record.entries + 4), half(record.entries + 6)};
  }
  // flags (31-24) | first bit (23-16) | number of bits (15-0)
  const std::uint32_t data = word(record.entries);
  return {data >> 24, data >> 16 & 0xff, data & 0xffff};
}

std::uint32_t Ctf::sliced(const Record& record) const { return word(record.entries); }

std::uint32_t Ctf::function_length() const {
  return static_cast<std::uint32_t>(functions_.size() / id_bytes());
}

std::uint32_t Ctf::function_number(std::uint32_t at) const {
  const std::size_t place = std::size_t{at} * id_bytes();
  return form_.is_wide ? load<std::uint32_t>(functions_, place)
                       : load<std::uint16_t>(functions_, place);
}

std::uint32_t Ctf::function_name_count() const {
  return static_cast<std::uint32_t>(function_names_.size() / sizeof(std::uint32_t));
}

std::string_view Ctf::function_name(std::uint32_t at) const {
  return string(load<std::uint32_t>(function_names_, std::size_t{at} * sizeof(std::uint32_t)));
}

namespace {

// header | (name, dictionary) ... | names | size and dictionary ...; the places of dictionaries
// count from the start of their table, those of names from the start of theirs.
Result<std::vector<CtfDictionary>> read_archive(Ctf::Bytes bytes) {
  constexpr std::size_t kArchiveHeader = 40, kEntry = 16;
  const auto count = load<std::uint64_t>(bytes, 16);
  const auto names = load<std::uint64_t>(bytes, 24), table = load<std::uint64_t>(bytes, 32);
  if (bytes.size() < kArchiveHeader || count > kMaxDictionaries ||
      count > (bytes.size() - kArchiveHeader) / kEntry || names > bytes.size() ||
      table > bytes.size()) {
    return bad_ctf("its archive is damaged");
  }
  std::vector<CtfDictionary> out;
  std::uint64_t budget = kMaxBytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = kArchiveHeader + i * kEntry;
    const auto name = load<std::uint64_t>(bytes, entry),
               place = load<std::uint64_t>(bytes, entry + 8);
    const std::uint64_t left = bytes.size() - table;
    if (place > left || left - place < sizeof(std::uint64_t))
      return bad_ctf("its archive is damaged");
    const std::size_t at = table + place;
    const auto size = load<std::uint64_t>(bytes, at);
    if (size > bytes.size() - at - sizeof size) return bad_ctf("its archive is damaged");
    DT_ASSIGN(auto ctf, Ctf::parse(bytes.subspan(at + sizeof size, size), budget));
    const std::string_view text =
        name > bytes.size() - names ? std::string_view() : text_at(bytes, names + name);
    out.push_back({std::string(text), std::move(ctf)});
  }
  return out;
}

}  // namespace

Result<std::vector<CtfDictionary>> read_ctf(Ctf::Bytes bytes) {
  if (load<std::uint64_t>(bytes, 0) == kArchiveMagic) return read_archive(bytes);
  std::uint64_t budget = kMaxBytes;
  DT_ASSIGN(auto ctf, Ctf::parse(bytes, budget));
  std::vector<CtfDictionary> out;
  out.push_back({{}, std::move(ctf)});
  return out;
}

}  // namespace dt::types
