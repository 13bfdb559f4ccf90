// Importing CTF's types into the catalogue.

#include "types/ctf_source.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>
#include <utility>

namespace dt::types {
namespace {

constexpr std::uint64_t kMaxSectionBytes = std::uint64_t{256} << 20;
constexpr std::uint32_t kMaxFieldBits = 64;
constexpr std::uint32_t kMaxCtfMembers = 1 << 20;
constexpr std::uint32_t kMaxArguments = 1 << 12;

std::uint32_t cut(std::uint64_t size) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(size, std::numeric_limits<std::uint32_t>::max()));
}

// Bytes of which nothing more is known.
TypeId bytes_only(Catalog& catalog, std::uint64_t size) {
  Type type;
  type.kind = Kind::kStruct;
  type.size = cut(size);
  return catalog.add(std::move(type));
}

// Instead of a type, a forward has the kind of what it declares; in older files, 0.
CtfKind declared(const Ctf::Record& record) {
  return record.type == static_cast<std::uint32_t>(CtfKind::kUnion)  ? CtfKind::kUnion
         : record.type == static_cast<std::uint32_t>(CtfKind::kEnum) ? CtfKind::kEnum
                                                                     : CtfKind::kStruct;
}

std::optional<Tag> named_by(const Ctf::Record& record) {
  switch (record.kind == CtfKind::kForward ? declared(record) : record.kind) {
    case CtfKind::kStruct:
      return Tag::kStruct;
    case CtfKind::kUnion:
      return Tag::kUnion;
    case CtfKind::kEnum:
      return Tag::kEnum;
    case CtfKind::kTypedef:
    case CtfKind::kInteger:
    case CtfKind::kFloat:
      return Tag::kNone;
    case CtfKind::kUnknown:
    case CtfKind::kPointer:
    case CtfKind::kArray:
    case CtfKind::kFunction:
    case CtfKind::kForward:
    case CtfKind::kVolatile:
    case CtfKind::kConst:
    case CtfKind::kRestrict:
    case CtfKind::kSlice:
      break;
  }
  return std::nullopt;
}

bool is_see_through(CtfKind kind) {
  return kind == CtfKind::kTypedef || kind == CtfKind::kConst || kind == CtfKind::kVolatile ||
         kind == CtfKind::kRestrict;
}

std::optional<TypeId> of_c(const Catalog& catalog, std::string_view name, Kind kind,
                           std::uint64_t size) {
  const auto found = catalog.find(Tag::kNone, name, "C");
  if (!found) return std::nullopt;
  const Type& type = catalog.at(*found);
  return type.kind == kind && type.size == size ? found : std::nullopt;
}

}  // namespace

CtfFile::ArrayOrder array_order_of(std::string_view comment) {
  constexpr std::string_view kGcc = "GCC: (";
  constexpr int kFirstInOrder = 14;
  bool has_old = false, has_new = false;
  while (!comment.empty()) {
    const std::string_view one = comment.substr(0, comment.find('\0'));
    comment.remove_prefix(std::min(comment.size(), one.size() + 1));
    const std::size_t end = one.rfind(") ");
    if (!one.starts_with(kGcc) || end == one.npos) continue;
    int version = 0;
    std::from_chars(one.data() + end + 2, one.data() + one.size(), version);
    (version < kFirstInOrder ? has_old : has_new) = true;
  }
  if (has_old == has_new) return CtfFile::ArrayOrder::kUnknown;
  return has_old ? CtfFile::ArrayOrder::kReversed : CtfFile::ArrayOrder::kAsInC;
}

// GNU's tools name the section .ctf, those of Solaris and its descendants .SUNW_ctf.
Result<CtfFile> CtfFile::read(const symbol::ElfFile& elf) {
  CtfFile file;
  const bool is_gnu = elf.has(".ctf");
  if (!is_gnu && !elf.has(".SUNW_ctf")) return file;
  DT_ASSIGN(file.ctf, elf.section(is_gnu ? ".ctf" : ".SUNW_ctf", kMaxSectionBytes));
  for (const auto& [name, to] : {std::pair{".symtab", &file.symbols},
                                 {".strtab", &file.strings},
                                 {".dynsym", &file.dynamic_symbols},
                                 {".dynstr", &file.dynamic_strings}}) {
    DT_ASSIGN(*to, elf.section(name, kMaxSectionBytes));
  }
  if (is_gnu) {
    constexpr std::uint64_t kMaxComment = std::uint64_t{1} << 20;
    const auto comment = elf.section(".comment", kMaxComment);
    file.array_order = ArrayOrder::kUnknown;
    if (comment.ok()) {
      file.array_order =
          array_order_of({reinterpret_cast<const char*>(comment->data()), comment->size()});
    }
  }
  return file;
}

Result<std::unique_ptr<Source>> CtfSource::make(std::string module, CtfFile file) {
  // The sections must stay where they are, so the source is made first.
  std::unique_ptr<CtfSource> source(new CtfSource(std::move(module), std::move(file)));
  DT_TRY(source->open());
  return std::unique_ptr<Source>(std::move(source));
}

Status CtfSource::open() {
  DT_ASSIGN(std::vector<CtfDictionary> read, read_ctf(file_.ctf));
  for (CtfDictionary& one : read) {
    const bool is_dynamic = one.ctf->uses_dynamic_symbols() || file_.strings.empty();
    one.ctf->set_external_strings(is_dynamic ? file_.dynamic_strings : file_.strings);
    if (!one.ctf->damage().empty()) error_ = module_ + ": CTF: " + one.ctf->damage();
    dictionaries_.push_back({std::move(one.ctf), kNone, false});
  }
  for (Dictionary& one : dictionaries_) {
    const std::string_view parent = one.ctf->parent();
    one.is_child = !parent.empty();
    for (std::size_t i = 0; one.is_child && i < read.size(); ++i) {
      // A child of a child does not exist in the format: a parent that has a parent itself would
      // allow a circle.
      const bool is_it = read[i].name == parent && dictionaries_[i].ctf->parent().empty();
      if (is_it) one.parent = i;
    }
    if (one.is_child && one.parent == kNone) {
      error_ = fmt::format("{}: CTF: it refers to types of '{}', which it does not have", module_,
                           parent);
    }
  }
  return {};
}

void CtfSource::index() {
  if (is_indexed_) return;
  is_indexed_ = true;
  for (std::size_t i = 0; i < dictionaries_.size(); ++i) {
    const Ctf& ctf = *dictionaries_[i].ctf;
    for (std::uint32_t index = 1; index <= ctf.count(); ++index) {
      const Ctf::Record record = ctf.at(index);
      const std::optional<Tag> tag = named_by(record);
      const std::string_view name = tag ? ctf.string(record.name) : std::string_view();
      if (name.empty()) continue;
      entries_.emplace(name,
                       Entry{{i, index}, *tag, record.is_root, record.kind == CtfKind::kForward});
    }
  }
}

// A child's own numbers have a bit; the others are its parent's.
CtfSource::Ref CtfSource::resolve(std::size_t dictionary, std::uint32_t id) const {
  const Dictionary& one = dictionaries_[dictionary];
  if (!one.is_child) return {dictionary, id};
  const std::uint32_t bit = one.ctf->child_bit();
  return (id & bit) != 0 ? Ref{dictionary, id & ~bit} : Ref{one.parent, id};
}

Ctf::Record CtfSource::record(const Ref& ref) const {
  return ref.dictionary == kNone ? Ctf::Record() : dictionaries_[ref.dictionary].ctf->at(ref.index);
}

// Whether two definitions of one name are of different types: by what they have themselves.
bool CtfSource::differ(const Ref& a, const Ref& b) const {
  const Ctf& x = *dictionaries_[a.dictionary].ctf;
  const Ctf& y = *dictionaries_[b.dictionary].ctf;
  const Ctf::Record s = x.at(a.index), t = y.at(b.index);
  if (s.kind != t.kind || s.count != t.count) return true;
  switch (s.kind) {
    case CtfKind::kTypedef: {
      // Through what they name; a typedef of a typedef is believed.
      const Ref to = resolve(a.dictionary, s.type), other = resolve(b.dictionary, t.type);
      const Ctf::Record target = record(to), second = record(other);
      if (target.kind != second.kind) return true;
      if (to.dictionary == kNone || other.dictionary == kNone) return to != other;
      return dictionaries_[to.dictionary].ctf->string(target.name) !=
                 dictionaries_[other.dictionary].ctf->string(second.name) ||
             (named_by(target) && target.size != second.size && target.kind != CtfKind::kTypedef);
    }
    case CtfKind::kStruct:
    case CtfKind::kUnion:
      for (std::uint32_t i = 0; i < std::min(s.count, kMaxCtfMembers); ++i) {
        const Ctf::Member m = x.member(s, i), n = y.member(t, i);
        if (m.bit_offset != n.bit_offset || x.string(m.name) != y.string(n.name)) return true;
      }
      break;
    case CtfKind::kEnum:
      for (std::uint32_t i = 0; i < std::min(s.count, kMaxCtfMembers); ++i) {
        const auto [m, value] = x.enumerator(s, i);
        const auto [n, other] = y.enumerator(t, i);
        if (value != other || x.string(m) != y.string(n)) return true;
      }
      break;
    case CtfKind::kUnknown:
    case CtfKind::kInteger:
    case CtfKind::kFloat:
    case CtfKind::kPointer:
    case CtfKind::kArray:
    case CtfKind::kFunction:
    case CtfKind::kForward:
    case CtfKind::kVolatile:
    case CtfKind::kConst:
    case CtfKind::kRestrict:
    case CtfKind::kSlice:
      break;
  }
  return s.size != t.size;
}

// GNU's linker puts what all source files agree on into the parent, and what they disagree on into
// a child for each. So one name may be in several dictionaries, with different definitions.
std::optional<CtfSource::Ref> CtfSource::definition(Tag tag, std::string_view name) {
  index();
  bool is_ambiguous = false;
  const Entry* const found = one_of_name(
      entries_, tag, name,
      [](const Ref& a, const Ref& b) {
        return std::tuple(a.dictionary, a.index) < std::tuple(b.dictionary, b.index);
      },
      [this](const Ref& a, const Ref& b) { return differ(a, b); }, is_ambiguous);
  if (is_ambiguous) error_ = fmt::format("{} has different types of the name {}", module_, name);
  return found == nullptr || is_ambiguous ? std::nullopt : std::optional(found->ref);
}

std::optional<TypeId> CtfSource::find(Catalog& catalog, Tag tag, std::string_view name) {
  const std::optional<Ref> ref = definition(tag, name);
  if (!ref) return std::nullopt;
  return catalog.userland(import(catalog, *ref, 0));
}

std::vector<std::string> CtfSource::names(Tag tag) {
  index();
  return names_of(entries_, tag);
}

TypeId CtfSource::import(Catalog& catalog, std::size_t dictionary, std::uint32_t id, int depth) {
  return import(catalog, resolve(dictionary, id), depth);
}

TypeId CtfSource::import(Catalog& catalog, const Ref& ref, int depth) {
  if (ref.dictionary == kNone || depth > kMaxDepth) return catalog.void_type();
  // Structures have no members yet when they are entered, so circles through them end at once.
  // A type that refers to itself without a struct between finds void here.
  const auto [known, is_new] = types_.try_emplace(ref, catalog.void_type());
  if (!is_new) return known->second;
  const TypeId made = make_type(catalog, ref, depth);
  types_[ref] = made;
  return made;
}

TypeId CtfSource::make_type(Catalog& catalog, const Ref& ref, int depth) {
  const Ctf& ctf = *dictionaries_[ref.dictionary].ctf;
  const Ctf::Record record = ctf.at(ref.index);
  const auto target = [&](std::uint32_t id) {
    return import(catalog, ref.dictionary, id, depth + 1);
  };
  switch (record.kind) {
    case CtfKind::kUnknown:
      break;
    case CtfKind::kInteger:
      return make_integer(catalog, ctf, record);
    case CtfKind::kFloat:
      return make_float(catalog, ctf, record);
    case CtfKind::kPointer:
      return catalog.pointer_to(target(record.type));
    case CtfKind::kArray:
      return make_array(catalog, ref, depth);
    case CtfKind::kFunction: {
      if (record.count > kMaxArguments) break;
      std::vector<std::uint32_t> arguments(record.count);
      for (std::uint32_t i = 0; i < record.count; ++i) arguments[i] = ctf.argument(record, i);
      return make_function(catalog, ref.dictionary, record.type, arguments, depth);
    }
    case CtfKind::kStruct:
    case CtfKind::kUnion: {
      Type type;
      type.kind = record.kind == CtfKind::kUnion ? Kind::kUnion : Kind::kStruct;
      type.name = ctf.string(record.name);
      type.size = cut(record.size);
      const TypeId made = catalog.add_incomplete(std::move(type), *this);
      refs_.emplace(made, ref);
      return made;
    }
    case CtfKind::kEnum:
      return make_enum(catalog, ctf, record);
    case CtfKind::kForward:
      return make_forward(catalog, ctf, record, depth);
    case CtfKind::kTypedef: {
      Type type;
      type.kind = Kind::kTypedef;
      type.name = ctf.string(record.name);
      type.target = target(record.type);
      type.size = catalog.size_of(type.target);
      return type.name.empty() ? type.target : catalog.add(std::move(type));
    }
    case CtfKind::kVolatile:
    case CtfKind::kRestrict:
      return target(record.type);
    case CtfKind::kConst:
      return catalog.constant(target(record.type));
    case CtfKind::kSlice:
      return target(ctf.sliced(record));
  }
  return catalog.void_type();
}

// The built-in node when C knows the type, so that `int` is one type.
TypeId CtfSource::make_integer(Catalog& catalog, const Ctf& ctf, const Ctf::Record& record) const {
  const std::string_view name = ctf.string(record.name);
  if (const auto own = of_c(catalog, name, Kind::kInt, record.size)) return *own;
  if (record.size == 0) return catalog.void_type();  // which has a size of 0 in some
  if (record.size > 16) return bytes_only(catalog, record.size);
  const Ctf::Encoding encoding = ctf.encoding(record);
  Type type;
  type.kind = Kind::kInt;
  type.name = name;
  type.size = cut(record.size);
  type.is_signed = (encoding.format & Ctf::kSigned) != 0;
  type.is_char = (encoding.format & Ctf::kChar) != 0 && type.size == 1;
  type.is_bool = (encoding.format & Ctf::kBool) != 0;
  return catalog.add(std::move(type));
}

TypeId CtfSource::make_float(Catalog& catalog, const Ctf& ctf, const Ctf::Record& record) const {
  const std::string_view name = ctf.string(record.name);
  const std::uint32_t format = ctf.encoding(record).format;
  const bool is_real =
      format == Ctf::kSingle || format == Ctf::kDouble || format == Ctf::kLongDouble;
  if (record.size == 0) return catalog.void_type();
  if (!is_real || record.size > 16) return bytes_only(catalog, record.size);
  if (const auto own = of_c(catalog, name, Kind::kFloat, record.size)) return *own;
  Type type;
  type.kind = Kind::kFloat;
  type.name = name;
  type.size = cut(record.size);
  type.is_signed = true;
  return catalog.add(std::move(type));
}

// Makes an array. An array of arrays is a chain of records, each with its element's type: the sizes
// are collected along the chain, put into C's order, and the catalogue's types are made from the
// innermost one outwards. Where the file's order is unknown and the sizes differ, the result is
// bytes without a type.
TypeId CtfSource::make_array(Catalog& catalog, const Ref& ref, int depth) {
  std::vector<std::uint32_t> counts;
  Ref at = ref;
  std::uint32_t element = 0;
  for (Ctf::Record one = record(at); one.kind == CtfKind::kArray; one = record(at)) {
    const Ctf::Array array = dictionaries_[at.dictionary].ctf->array(one);
    counts.push_back(array.count);
    element = array.element;
    const Ref inner = resolve(at.dictionary, element);
    if (counts.size() > static_cast<std::size_t>(kMaxDepth)) return catalog.void_type();
    if (record(inner).kind != CtfKind::kArray) break;
    at = inner;
  }
  TypeId type = import(catalog, at.dictionary, element, depth + 1);
  const CtfFile::ArrayOrder order = dictionaries_[ref.dictionary].ctf->unit() == kCtfOfOurs
                                        ? CtfFile::ArrayOrder::kAsInC
                                        : file_.array_order;
  const bool is_even =
      std::adjacent_find(counts.begin(), counts.end(), std::not_equal_to<>()) == counts.end();
  if (!is_even && order == CtfFile::ArrayOrder::kUnknown) {
    std::uint64_t size = catalog.size_of(type);
    for (const std::uint32_t count : counts) size = std::uint64_t{cut(size)} * count;
    return bytes_only(catalog, size);
  }
  if (order == CtfFile::ArrayOrder::kReversed) {
    std::reverse(counts.begin(), counts.end());
  }
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    type = catalog.array_of(type, *count);
  }
  return type;
}

TypeId CtfSource::make_enum(Catalog& catalog, const Ctf& ctf, const Ctf::Record& record) const {
  Type type;
  type.kind = Kind::kEnum;
  type.name = ctf.string(record.name);
  type.size = cut(record.size);
  const std::uint32_t count = std::min(record.count, kMaxCtfMembers);
  type.enumerators.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto [name, value] = ctf.enumerator(record, i);
    type.is_signed = type.is_signed || value < 0;
    type.enumerators.push_back({std::string(ctf.string(name)), value});
  }
  // An enumerator has 32 bits and nothing says whether they have a sign.
  // Without negative ones they are unsigned.
  for (Enumerator& one : type.enumerators) {
    if (!type.is_signed) one.value &= 0xffffffff;
  }
  return catalog.add(std::move(type));
}

TypeId CtfSource::make_forward(Catalog& catalog, const Ctf& ctf, const Ctf::Record& record,
                               int depth) {
  const std::string_view name = ctf.string(record.name);
  // A declaration in one dictionary may have its definition in another.
  const CtfKind kind = declared(record);
  const auto whole = name.empty() ? std::nullopt : definition(*named_by(record), name);
  if (whole && this->record(*whole).kind != CtfKind::kForward) {
    return import(catalog, *whole, depth + 1);
  }
  Type type;
  type.name = name;
  type.kind = kind == CtfKind::kEnum ? Kind::kEnum : Kind::kForward;
  type.is_union_forward = kind == CtfKind::kUnion;
  if (kind == CtfKind::kEnum) type.size = 4;
  return catalog.add(std::move(type));
}

TypeId CtfSource::make_function(Catalog& catalog, std::size_t dictionary, std::uint32_t result,
                                std::span<const std::uint32_t> arguments, int depth) {
  Type type;
  type.kind = Kind::kFunction;
  type.target = import(catalog, dictionary, result, depth + 1);
  // A last argument of type 0 stands for "...".
  if (!arguments.empty() && arguments.back() == 0) {
    type.is_variadic = true;
    arguments = arguments.first(arguments.size() - 1);
  }
  for (const std::uint32_t argument : arguments) {
    type.members.push_back({{}, import(catalog, dictionary, argument, depth + 1), 0, 0});
  }
  return catalog.add(std::move(type));
}

void CtfSource::complete(Catalog& catalog, TypeId id) {
  const auto known = refs_.find(id);
  if (known == refs_.end()) return;
  const Ref ref = known->second;
  const Ctf& ctf = *dictionaries_[ref.dictionary].ctf;
  const Ctf::Record record = ctf.at(ref.index);
  Type type = catalog.at(id);
  for (std::uint32_t i = 0; i < std::min(record.count, kMaxCtfMembers); ++i) {
    if (auto made = member(catalog, ref, ctf.member(record, i))) {
      type.members.push_back(std::move(*made));
    }
  }
  catalog.define(id, std::move(type));
}

// A bit-field is an integer or an enumeration of fewer bits than its size has, or GNU's slice of
// one; then its offset counts too.
std::optional<Member> CtfSource::member(Catalog& catalog, const Ref& of, const Ctf::Member& from) {
  const Ctf& ctf = *dictionaries_[of.dictionary].ctf;
  Member out;
  out.name = ctf.string(from.name);
  out.type = import(catalog, of.dictionary, from.type, 0);
  std::uint64_t offset = from.bit_offset;
  Ref at = resolve(of.dictionary, from.type);
  Ctf::Record record = this->record(at);
  for (int depth = 0; depth < kMaxDepth && is_see_through(record.kind); ++depth) {
    at = resolve(at.dictionary, record.type);
    record = this->record(at);
  }
  if (record.kind == CtfKind::kInteger || record.kind == CtfKind::kSlice) {
    const Ctf::Encoding encoding = dictionaries_[at.dictionary].ctf->encoding(record);
    if (std::uint64_t{encoding.bits} != std::uint64_t{catalog.size_of(out.type)} * 8) {
      if (encoding.bits == 0 || encoding.bits > kMaxFieldBits) return std::nullopt;
      out.bit_size = encoding.bits;
    }
    offset += encoding.bit_offset;
  }
  if (offset > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
  out.bit_offset = static_cast<std::uint32_t>(offset);
  return out;
}

}  // namespace dt::types
