// Importing BTF into the catalogue.

#include "types/btf_source.h"

#include <algorithm>

namespace dt::types {
namespace {

// The kernel puts variables of each CPU into this section; its addresses are offsets in the CPU's
// block.
constexpr std::string_view kPerCpuSection = ".data..percpu";
// One walk over all types costs less than an index, and most scripts ask for few names or none.
constexpr int kIndexAfter = 8;

bool is_transparent(BtfKind kind) {
  return kind == BtfKind::kTypedef || kind == BtfKind::kConst || kind == BtfKind::kVolatile ||
         kind == BtfKind::kRestrict || kind == BtfKind::kTypeTag;
}

// The built-in node when C knows the type, so that `int` is one type.
std::optional<TypeId> builtin(const Catalog& catalog, std::string_view name, Kind kind,
                              std::uint32_t size) {
  const auto found = catalog.find(Tag::kNone, name, "C");
  if (!found) return std::nullopt;
  const Type& type = catalog.at(*found);
  return type.kind == kind && type.size == size ? found : std::nullopt;
}

}  // namespace

bool BtfSource::open() {
  if (btf_) return true;
  if (!error_.empty()) return false;
  if (options_.base != nullptr && !options_.base->open()) {
    error_ = options_.base->error();
    return false;
  }
  Result<FileBytes> bytes = open_();
  if (!bytes.ok()) {
    error_ = bytes.error().text;
    return false;
  }
  file_ = std::move(*bytes);
  const Btf* const base = options_.base == nullptr ? nullptr : &*options_.base->btf_;
  Result<Btf> parsed = Btf::parse(file_.bytes(), base);
  if (!parsed.ok()) {
    error_ = options_.where + ": " + parsed.error().text;
    return false;
  }
  btf_ = std::move(parsed).value();
  if (options_.find_index) index_ = options_.find_index(file_.bytes());
  if (index_) btf_->use(*index_);
  return true;
}

std::string BtfSource::error() const {
  const bool is_damaged = btf_ && !btf_->damage().empty();
  return is_damaged ? options_.where + ": BTF: " + btf_->damage() : error_;
}

std::optional<TypeId> BtfSource::find(Catalog& catalog, Tag tag, std::string_view name) {
  if (!open()) return std::nullopt;
  const auto id = find_id(tag, name);
  if (!id) return std::nullopt;
  const TypeId type = import(catalog, *id, 0);
  return options_.is_userland ? catalog.userland(type) : type;
}

std::optional<Object> BtfSource::find_object(Catalog& catalog, std::string_view name) {
  if (!open()) return std::nullopt;
  auto id = find_function(name);
  if (!id) id = btf_->find(name, [](BtfKind kind) { return kind == BtfKind::kVar; });
  if (!id) return std::nullopt;
  const Btf::Record record = btf_->at(*id);
  Object object;
  object.type = import(catalog, record.size, 0);
  object.is_per_cpu = record.kind == BtfKind::kVar && is_per_cpu(*id);
  if (options_.is_userland) object.type = catalog.userland(object.type);
  return object;
}

// Few types are enumerations: they are looked for once.
template <typename Visit>
void BtfSource::each_enumeration(Visit visit) {
  if (!enumerations_) {
    enumerations_.emplace();
    const std::uint32_t count = btf_->type_count();
    for (std::uint32_t id = btf_->first_id(); id < count; ++id) {
      if (Btf::enumerator_words(btf_->at(id).kind) != 0) enumerations_->push_back(id);
    }
  }
  for (const std::uint32_t id : *enumerations_) visit(id, btf_->at(id));
}

// An enumerator has no entry of its own. Without an index, all enumerations are walked, but only
// for a name that stands among the strings.
std::vector<EnumeratorPlace> BtfSource::find_enumerators(Catalog& catalog, std::string_view name) {
  std::vector<EnumeratorPlace> found;
  if (!open()) return found;
  const auto visit = [&](std::uint32_t id, const Btf::Record& record, auto is_named) {
    const std::size_t words = Btf::enumerator_words(record.kind);
    for (std::uint32_t i = 0; words != 0 && i < record.count; ++i) {
      if (!is_named(btf_->word(record, i * words))) continue;
      TypeId type = import(catalog, id, 0);
      if (options_.is_userland) type = catalog.userland(type);
      found.push_back({type, enumerator(record, i).value});
      return;
    }
  };
  if (const auto ids = index_ ? index_->enumerations_with(name) : std::nullopt) {
    for (const std::uint32_t id : *ids) {
      visit(id, btf_->at(id), [&](std::uint32_t word) { return btf_->string(word) == name; });
    }
    return found;
  }
  const std::optional<std::uint32_t> offset = btf_->string_offset(name);
  if (!offset) return found;
  each_enumeration([&](std::uint32_t id, const Btf::Record& record) {
    visit(id, record, [&](std::uint32_t word) { return word == *offset; });
  });
  return found;
}

std::vector<std::string_view> BtfSource::enumerator_names() {
  std::vector<std::string_view> names;
  if (!open()) return names;
  each_enumeration([&](std::uint32_t, const Btf::Record& record) {
    const std::size_t words = Btf::enumerator_words(record.kind);
    for (std::uint32_t i = 0; i < record.count; ++i) {
      names.push_back(btf_->string(btf_->word(record, i * words)));
    }
  });
  return names;
}

std::uint32_t BtfSource::function_number(std::string_view name) {
  if (found_ && name == expected_) {
    const std::uint32_t number = found_->take().value_or(0);
    found_.reset();
    return number;
  }
  return open() ? find_function(name).value_or(0) : 0;
}

// Begins to look for the function beside the compilation, in which the look-up would take a
// noticeable part without an index: bpf_rdonly_cast() is at the end of more than 100,000 types.
// With a reader of its own, as readers remember what they have walked.
void BtfSource::expect_function(std::string_view name) {
  if (options_.base != nullptr || !expected_.empty() || !open() || index_) return;
  expected_ = name;
  // Without a thread for it, it will be looked for when it is asked for.
  found_ = support::beside([this]() -> std::optional<std::uint32_t> {
    const Result<Btf> btf = Btf::parse(file_.bytes());
    if (!btf.ok()) return std::nullopt;
    return btf->find(expected_, [](BtfKind kind) { return kind == BtfKind::kFunc; });
  });
}

// Without a kept index: a walk over all types takes as long as thousands of look-ups in one.
template <typename Accept>
std::optional<std::uint32_t> BtfSource::find_named(Index& index, std::string_view name,
                                                   Accept accept) {
  if (index_ || (index.ids.empty() && ++index.questions < kIndexAfter)) {
    return btf_->find(name, accept);
  }
  if (index.ids.empty()) {
    const std::uint32_t count = btf_->type_count();
    for (std::uint32_t id = btf_->first_id(); id < count; ++id) {
      const Btf::Record record = btf_->at(id);
      if (!accept(record.kind)) continue;
      if (const std::string_view own = btf_->string(record.name); !own.empty())
        index.ids.try_emplace(own, id);
    }
  }
  const auto found = index.ids.find(name);
  return found == index.ids.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint32_t> BtfSource::find_function(std::string_view name) {
  return find_named(functions_, name, [](BtfKind kind) { return kind == BtfKind::kFunc; });
}

// A section lists the variables that are in it.
bool BtfSource::is_per_cpu(std::uint32_t variable) const {
  const auto section =
      btf_->find(kPerCpuSection, [](BtfKind kind) { return kind == BtfKind::kDatasec; });
  if (!section) return false;
  const Btf::Record record = btf_->at(*section);
  for (std::uint32_t i = 0; i < record.count; ++i) {
    if (btf_->word(record, std::size_t{i} * 3) == variable) return true;
  }
  return false;
}

std::uint32_t BtfSource::number(Tag tag, std::string_view name) {
  return open() ? find_id(tag, name).value_or(0) : 0;
}

std::vector<std::string> BtfSource::names(Tag tag) {
  std::vector<std::string> out;
  if (!open()) return out;
  for (std::uint32_t id = btf_->first_id(); id < btf_->type_count(); ++id) {
    const Btf::Record record = btf_->at(id);
    const BtfKind kind = record.kind;
    const bool wanted = tag == Tag::kStruct  ? kind == BtfKind::kStruct
                        : tag == Tag::kUnion ? kind == BtfKind::kUnion
                        : tag == Tag::kEnum  ? kind == BtfKind::kEnum || kind == BtfKind::kEnum64
                                             : kind == BtfKind::kTypedef;
    const std::string_view name = btf_->string(record.name);
    if (wanted && !name.empty()) out.emplace_back(name);
  }
  return out;
}

void BtfSource::complete(Catalog& catalog, TypeId id) {
  const auto known = btf_ids_.find(id);
  if (known == btf_ids_.end()) return;
  const Btf::Record record = btf_->at(known->second);
  Type type = aggregate_head(record);
  type.members.reserve(record.count);
  for (std::uint32_t i = 0; i < record.count; ++i) {
    type.members.push_back(member(catalog, record, i));
  }
  catalog.define(id, std::move(type));
}

std::optional<std::uint32_t> BtfSource::find_id(Tag tag, std::string_view name) {
  switch (tag) {
    case Tag::kNone:
      return find_named(plain_, name, [](BtfKind kind) {
        return kind == BtfKind::kTypedef || kind == BtfKind::kInt || kind == BtfKind::kFloat;
      });
    case Tag::kStruct:
      return find_aggregate(BtfKind::kStruct, false, name);
    case Tag::kUnion:
      return find_aggregate(BtfKind::kUnion, true, name);
    case Tag::kEnum:
      return btf_->find(
          name, [](BtfKind kind) { return kind == BtfKind::kEnum || kind == BtfKind::kEnum64; });
  }
  return std::nullopt;
}

// The definition, or else its forward.
std::optional<std::uint32_t> BtfSource::find_aggregate(BtfKind wanted, bool is_union,
                                                       std::string_view name) const {
  if (auto id = btf_->find(name, [&](BtfKind kind) { return kind == wanted; })) return id;
  auto id = btf_->find(name, [](BtfKind kind) { return kind == BtfKind::kFwd; });
  return id && btf_->at(*id).flag == is_union ? id : std::nullopt;
}

// Types refer to each other in circles (`struct list_head` has pointers to itself). The entry in
// types_ stands before make() is called, so the inner reference finds it; structures are in
// addition imported without members, which are completed on demand. So importing task_struct does
// not import half of the kernel.
TypeId BtfSource::import(Catalog& catalog, std::uint32_t id, int depth) {
  if (id == 0 || depth > kMaxDepth) return catalog.void_type();
  if (id < btf_->first_id()) return options_.base->import(catalog, id, depth);
  // A type that refers to itself without a struct between finds void here.
  const auto [known, is_new] = types_.try_emplace(id, catalog.void_type());
  if (!is_new) return known->second;
  const TypeId made = make(catalog, id, depth);
  types_[id] = made;
  return made;
}

TypeId BtfSource::make(Catalog& catalog, std::uint32_t id, int depth) {
  const Btf::Record record = btf_->at(id);
  const auto target = [&] { return import(catalog, record.size, depth + 1); };
  switch (record.kind) {
    case BtfKind::kVoid:
    case BtfKind::kVar:
    case BtfKind::kDatasec:
      return catalog.void_type();
    case BtfKind::kInt:
      return make_int(catalog, record);
    case BtfKind::kFloat:
      return make_float(catalog, record);
    case BtfKind::kPtr:
      return catalog.pointer_to(target());
    case BtfKind::kArray:
      return catalog.array_of(import(catalog, btf_->word(record, 0), depth + 1),
                              btf_->word(record, 2));
    case BtfKind::kStruct:
    case BtfKind::kUnion: {
      const TypeId made = catalog.add_incomplete(aggregate_head(record), *this);
      btf_ids_.emplace(made, id);
      return made;
    }
    case BtfKind::kEnum:
    case BtfKind::kEnum64:
      return make_enum(catalog, record);
    case BtfKind::kFwd: {
      Type type;
      type.kind = Kind::kForward;
      type.name = btf_->string(record.name);
      type.is_union_forward = record.flag;
      return catalog.add(std::move(type));
    }
    case BtfKind::kTypedef:
      return make_typedef(catalog, record, target());
    case BtfKind::kConst:
      return catalog.constant(target());
    // `__user` and `__percpu` of the kernel's sources, where the kernel was built by a compiler
    // that records them.
    case BtfKind::kTypeTag: {
      const TypeId tagged = target();
      const std::string_view tag = btf_->string(record.name);
      return tag == "user"     ? catalog.userland(tagged)
             : tag == "percpu" ? catalog.per_cpu(tagged)
                               : tagged;
    }
    case BtfKind::kVolatile:
    case BtfKind::kRestrict:
    case BtfKind::kFunc:
    case BtfKind::kDeclTag:
      return target();
    case BtfKind::kFuncProto:
      return make_function(catalog, record, depth);
  }
  return catalog.void_type();
}

Type BtfSource::aggregate_head(const Btf::Record& record) const {
  Type type;
  type.kind = record.kind == BtfKind::kUnion ? Kind::kUnion : Kind::kStruct;
  type.name = btf_->string(record.name);
  type.size = record.size;
  return type;
}

Member BtfSource::member(Catalog& catalog, const Btf::Record& record, std::uint32_t index) {
  const std::size_t at = std::size_t{index} * 3;
  const std::uint32_t type = btf_->word(record, at + 1);
  const std::uint32_t offset = btf_->word(record, at + 2);
  Member member;
  member.name = btf_->string(btf_->word(record, at));
  member.type = import(catalog, type, 0);
  member.bit_offset = offset;
  // The flag of a structure says that its members' offsets have two parts: the size of a bit-field
  // in bits 31-24, the offset in bits in 23-0. Without the flag, all 32 bits are the offset.
  if (record.flag) {
    member.bit_offset = offset & 0xffffff;
    member.bit_size = offset >> 24;
  } else {
    narrow_int(type, member);
  }
  return member;
}

// Before the struct's flag existed, a bit-field was an int of fewer bits.
void BtfSource::narrow_int(std::uint32_t type, Member& member) const {
  Btf::Record record = btf_->at(type);
  for (int depth = 0; depth < kMaxDepth && is_transparent(record.kind); ++depth) {
    record = btf_->at(record.size);
  }
  if (record.kind != BtfKind::kInt) return;
  const std::uint32_t encoding = btf_->word(record, 0);
  const std::uint32_t bits = encoding & 0xff;
  const std::uint32_t offset = encoding >> 16 & 0xff;
  if (bits == 0 || std::uint64_t{bits} == std::uint64_t{record.size} * 8) return;
  member.bit_offset += offset;
  member.bit_size = bits;
}

// Bits 24-27 of the word: 1 signed, 2 char, 4 bool.
TypeId BtfSource::make_int(Catalog& catalog, const Btf::Record& record) const {
  const std::string_view name = btf_->string(record.name);
  if (const auto own = builtin(catalog, name, Kind::kInt, record.size)) return *own;
  const std::uint32_t encoding = btf_->word(record, 0) >> 24;
  Type type;
  type.kind = Kind::kInt;
  type.name = name;
  type.size = record.size;
  type.is_signed = (encoding & 1) != 0;
  type.is_char = (encoding & 2) != 0;
  type.is_bool = (encoding & 4) != 0;
  return catalog.add(std::move(type));
}

TypeId BtfSource::make_float(Catalog& catalog, const Btf::Record& record) const {
  const std::string_view name = btf_->string(record.name);
  if (const auto own = builtin(catalog, name, Kind::kFloat, record.size)) return *own;
  Type type;
  type.kind = Kind::kFloat;
  type.name = name;
  type.size = record.size;
  type.is_signed = true;
  return catalog.add(std::move(type));
}

TypeId BtfSource::make_typedef(Catalog& catalog, const Btf::Record& record, TypeId target) const {
  Type type;
  type.kind = Kind::kTypedef;
  type.name = btf_->string(record.name);
  type.target = target;
  type.size = catalog.size_of(target);
  return catalog.add(std::move(type));
}

TypeId BtfSource::make_enum(Catalog& catalog, const Btf::Record& record) const {
  Type type;
  type.kind = Kind::kEnum;
  type.name = btf_->string(record.name);
  type.size = record.size;
  type.is_signed = record.flag;
  type.enumerators.reserve(record.count);
  for (std::uint32_t i = 0; i < record.count; ++i) {
    type.enumerators.push_back(enumerator(record, i));
  }
  return catalog.add(std::move(type));
}

Enumerator BtfSource::enumerator(const Btf::Record& record, std::uint32_t index) const {
  const bool is_wide = record.kind == BtfKind::kEnum64;
  const std::size_t at = std::size_t{index} * (is_wide ? 3 : 2);
  const std::uint32_t low = btf_->word(record, at + 1);
  // An enumerator has 32 bits; the flag says whether they are signed.
  std::uint64_t value = low;
  if (is_wide) {
    value |= std::uint64_t{btf_->word(record, at + 2)} << 32;
  } else if (record.flag || record.size < 4) {
    value = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(low)});
  }
  return {std::string(btf_->string(btf_->word(record, at))), static_cast<std::int64_t>(value)};
}

// The entry of a function (kFunc) has only a name and leads to its prototype, whose parameters are
// pairs of name and type.
TypeId BtfSource::make_function(Catalog& catalog, const Btf::Record& record, int depth) {
  Type type;
  type.kind = Kind::kFunction;
  type.target = import(catalog, record.size, depth + 1);
  for (std::uint32_t i = 0; i < record.count; ++i) {
    const std::size_t at = std::size_t{i} * 2;
    const std::uint32_t name = btf_->word(record, at);
    const std::uint32_t parameter = btf_->word(record, at + 1);
    // A last parameter of type 0 (void) stands for "...".
    if (parameter == 0 && i + 1 == record.count) {
      type.is_variadic = true;
      break;
    }
    Member member;
    member.name = btf_->string(name);
    member.type = import(catalog, parameter, depth + 1);
    type.members.push_back(std::move(member));
  }
  return catalog.add(std::move(type));
}

}  // namespace dt::types
