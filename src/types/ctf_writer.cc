// See ctf_writer.h.
//
// A type has its number from its place in the file, and is given it when something refers to it:
// records are written in the order of a queue, and each may add to its end. Before, it is decided
// which structures are written whole: those whose members are known, and those that others
// contain. The others are declarations.

#include "types/ctf_writer.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "types/catalog_state.h"
#include "types/ctf.h"

namespace dt::types {
namespace {

constexpr std::uint16_t kGnuMagic = 0xdff2;
constexpr std::uint8_t kVersion = 4, kNewFunctions = 2;
constexpr std::uint32_t kRoot = 1u << 25, kMaxCount = 0x00ffffff;
constexpr std::uint32_t kLargeBytes = 1u << 29;
constexpr std::uint64_t kConstant = 1;  // of Catalog::State::qualified

// CTF is in the byte order of the machine that it is of: here, little-endian.
void put(std::string& to, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) to += static_cast<char>(value >> shift & 0xff);
}

bool has_members(Kind kind) { return kind == Kind::kStruct || kind == Kind::kUnion; }

class Writer {
 public:
  Writer(const Catalog& catalog, std::uint32_t string_bytes)
      : catalog_(catalog), state_(Catalog::State::of(catalog)), string_bytes_(string_bytes) {
    for (const auto& [key, copy] : state_.qualified) {
      copies_.emplace(copy, Copy{TypeId(static_cast<std::uint32_t>(key >> 32)),
                                 (key & 0xffffffff) == kConstant});
    }
    for (const NameMap* all : {state_.names, state_.script_names}) {
      for (const NameMap& names : std::span(all, std::size(state_.names))) {
        for (const auto& [name, id] : names) declared_.insert(id);
      }
    }
  }

  std::string write(CtfContent content) {
    std::vector<TypeId> wanted;
    const auto count = static_cast<std::uint32_t>(state_.types.size());
    for (std::uint32_t i = state_.builtin_count; i < count; ++i) {
      const TypeId id(i);
      if (!has_name(id) || copies_.contains(id)) continue;
      if (content == CtfContent::kAll || declared_.contains(id)) wanted.push_back(id);
    }
    for (const TypeId id : wanted) {
      if (!state_.pending.contains(id)) need_whole(id);
    }
    // The members of a structure that is written whole must be complete themselves, if they are
    // structures by value; a pointer needs no more than a declaration.
    while (!to_complete_.empty()) {
      const TypeId id = to_complete_.back();
      to_complete_.pop_back();
      const std::vector<Member> members = catalog_.at(id).members;  // a copy: more may arrive
      for (const Member& member : members) need_whole(member.type);
    }
    for (const TypeId id : wanted) reference(id);
    while (written_ < queue_.size()) write_record(queue_[written_++]);
    choose_roots();
    return finish();
  }

 private:
  // A qualified copy of a type.
  struct Copy {
    TypeId original;
    bool is_const = false;
  };
  // What has a record: a type, the const-qualified one, or the first bits of it.
  struct Item {
    TypeId type;
    bool is_const = false;
    std::uint32_t bits = 0;
    auto operator<=>(const Item&) const = default;
  };
  // A name that several types may have; one of them is found by it.
  struct Named {
    std::size_t at = 0;  // of the record's second word
    std::string name;
    int space = 0;
    bool is_forward = false;
  };

  const Type& at(TypeId id) const { return state_.types[id.value]; }

  bool has_name(TypeId id) const {
    const Type& type = at(id);
    return !type.name.empty() && (has_members(type.kind) || type.kind == Kind::kForward ||
                                  type.kind == Kind::kEnum || type.kind == Kind::kTypedef);
  }

  // The type without qualifiers; an array's are those of its elements.
  Item plain(TypeId id) const {
    Item item{id};
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      const auto copy = copies_.find(item.type);
      if (copy == copies_.end() || at(item.type).kind == Kind::kArray) break;
      item.type = copy->second.original;
      item.is_const = item.is_const || copy->second.is_const;
    }
    return item;
  }

  // The structure that an object of this type contains is written whole.
  void need_whole(TypeId id) {
    for (int depth = 0; depth < kMaxDepth; ++depth) {
      id = plain(id).type;
      if (at(id).kind != Kind::kArray && at(id).kind != Kind::kTypedef) break;
      id = at(id).target;
    }
    if (has_members(at(id).kind) && whole_.insert(id).second) to_complete_.push_back(id);
  }

  std::uint32_t string(const std::string& text) {
    if (text.empty()) return 0;
    const auto [at, is_new] =
        string_at_.try_emplace(text, static_cast<std::uint32_t>(strings_.size()));
    if (is_new) strings_ += text + '\0';
    return at->second;
  }

  std::uint32_t reference(TypeId id, std::uint32_t bits = 0) {
    Item item = plain(id);
    item.bits = bits;
    return number(item);
  }

  std::uint32_t number(const Item& item) {
    const auto [at, is_new] =
        numbers_.try_emplace(item, static_cast<std::uint32_t>(queue_.size() + 1));
    if (is_new) queue_.push_back(item);
    return at->second;
  }

  // name | kind, root, count | size or type
  void record(CtfKind kind, const std::string& name, std::size_t count, std::uint32_t third,
              int space = -1) {
    put(types_, string(name));
    if (!name.empty() && space >= 0) {
      named_.push_back({types_.size(), name, space, kind == CtfKind::kForward});
    }
    put(types_, static_cast<std::uint32_t>(kind) << 26 |
                    static_cast<std::uint32_t>(std::min<std::size_t>(count, kMaxCount)));
    put(types_, third);
  }

  void write_record(const Item& item) {
    if (item.bits != 0) return write_slice(item);
    if (item.is_const) return record(CtfKind::kConst, "", 0, number({item.type}));
    const Type type = at(item.type);  // a copy: more may arrive
    switch (type.kind) {
      case Kind::kVoid:
        return write_number(CtfKind::kInteger, "void", 0, Ctf::kSigned);
      case Kind::kInt:
        return write_number(CtfKind::kInteger, type.name, type.size,
                            (type.is_signed ? Ctf::kSigned : 0) | (type.is_char ? Ctf::kChar : 0) |
                                (type.is_bool ? Ctf::kBool : 0));
      case Kind::kFloat:
        return write_number(CtfKind::kFloat, type.name, type.size,
                            type.size == 4   ? Ctf::kSingle
                            : type.size == 8 ? Ctf::kDouble
                                             : Ctf::kLongDouble);
      case Kind::kPointer:
        return record(CtfKind::kPointer, "", 0, reference(type.target));
      case Kind::kArray:
        return write_array(type.target, type.count);
      case Kind::kStruct:
      case Kind::kUnion:
      case Kind::kForward:
        return whole_.contains(item.type) ? write_members(item.type) : write_forward(type);
      case Kind::kEnum:
        return write_enum(type);
      case Kind::kFunction:
        return write_function(type);
      case Kind::kTypedef:
        return record(CtfKind::kTypedef, type.name, 0, reference(type.target), kOrdinary);
      case Kind::kString:
        return write_array(catalog_.char_type(), string_bytes_);
      case Kind::kStack:
      case Kind::kSymbol:
      case Kind::kUserSymbol:
        return record(CtfKind::kUnknown, "", 0, 0);
    }
  }

  void write_number(CtfKind kind, const std::string& name, std::uint32_t size,
                    std::uint32_t format) {
    record(kind, name, 0, size, kOrdinary);
    put(types_, format << 24 | std::min<std::uint32_t>(size * 8, 0xffff));
  }

  // Bits of a type: of the smallest storage that has room for them.
  // CTF has no size of bits in a member. A bit-field is a type of its own: a slice, of some bits of
  // another type.
  void write_slice(const Item& item) {
    const std::uint32_t size = std::bit_ceil((item.bits + 7) / 8);
    record(CtfKind::kSlice, "", 0, size);
    put(types_, number({item.type, item.is_const}));
    put(types_, item.bits << 16);
  }

  void write_array(TypeId element, std::uint32_t count) {
    record(CtfKind::kArray, "", 0, 0);
    put(types_, reference(element));
    put(types_, reference(catalog_.integer(8, false)));
    put(types_, count);
  }

  void write_forward(const Type& type) {
    const bool is_union = type.kind == Kind::kUnion || type.is_union_forward;
    record(CtfKind::kForward, type.name, 0,
           static_cast<std::uint32_t>(is_union ? CtfKind::kUnion : CtfKind::kStruct),
           is_union ? kUnions : kStructs);
  }

  void write_members(TypeId id) {
    const Type type = catalog_.at(id);
    const bool is_union = type.kind == Kind::kUnion;
    record(is_union ? CtfKind::kUnion : CtfKind::kStruct, type.name, type.members.size(), type.size,
           is_union ? kUnions : kStructs);
    for (const Member& member : type.members) {
      put(types_, string(member.name));
      if (type.size >= kLargeBytes) {
        put(types_, 0);
        put(types_, reference(member.type, member.bit_size));
        put(types_, member.bit_offset);
      } else {
        put(types_, member.bit_offset);
        put(types_, reference(member.type, member.bit_size));
      }
    }
  }

  void write_enum(const Type& type) {
    std::vector<const Enumerator*> written;
    for (const Enumerator& one : type.enumerators) {
      const bool fits = one.value >= std::numeric_limits<std::int32_t>::min() &&
                        one.value <= std::numeric_limits<std::uint32_t>::max();
      if (fits) written.push_back(&one);
    }
    record(CtfKind::kEnum, type.name, written.size(), type.size, kEnums);
    for (const Enumerator* const one : written) {
      put(types_, string(one->name));
      put(types_, static_cast<std::uint32_t>(one->value));
    }
  }

  void write_function(const Type& type) {
    const std::size_t count = type.members.size() + (type.is_variadic ? 1 : 0);
    record(CtfKind::kFunction, "", count, reference(type.target));
    for (const Member& parameter : type.members) put(types_, reference(parameter.type));
    for (std::size_t i = type.members.size(); i < count + count % 2; ++i) put(types_, 0);
  }

  // Of the types of one name, a definition is found by it before a declaration, and the first
  // before others.
  void choose_roots() {
    std::unordered_map<std::string, const Named*> roots[kSpaces];
    for (const bool is_forward : {false, true}) {
      for (const Named& one : named_) {
        if (one.is_forward != is_forward) continue;
        if (!roots[one.space].try_emplace(one.name, &one).second) continue;
        types_[one.at + 3] =
            static_cast<char>(static_cast<std::uint8_t>(types_[one.at + 3]) | kRoot >> 24);
      }
    }
  }

  std::string finish() {
    std::string out;
    put(out, kGnuMagic | kVersion << 16 | kNewFunctions << 24);
    const std::uint32_t unit = string(std::string(kCtfOfOurs));
    // It has no parent; labels, objects, functions, their indices and variables have nothing, so
    // that types begin there too.
    for (const std::uint32_t field : {0u, 0u, unit, 0u, 0u, 0u, 0u, 0u, 0u, 0u}) put(out, field);
    put(out, static_cast<std::uint32_t>(types_.size()));
    put(out, static_cast<std::uint32_t>(strings_.size()));
    return out + types_ + strings_;
  }

  // Names of C that do not meet.
  static constexpr int kOrdinary = 0, kStructs = 1, kUnions = 2, kEnums = 3, kSpaces = 4;

  const Catalog& catalog_;
  const Catalog::State& state_;
  std::uint32_t string_bytes_;
  std::unordered_map<TypeId, Copy> copies_;
  std::unordered_set<TypeId> declared_, whole_;
  std::vector<TypeId> to_complete_;
  std::map<Item, std::uint32_t> numbers_;
  std::vector<Item> queue_;
  std::size_t written_ = 0;
  std::vector<Named> named_;
  std::unordered_map<std::string, std::uint32_t> string_at_;
  std::string types_, strings_ = std::string(1, '\0');
};

}  // namespace

std::string ctf_of(const Catalog& catalog, CtfContent content, std::uint32_t string_bytes) {
  return Writer(catalog, string_bytes).write(content);
}

}  // namespace dt::types
