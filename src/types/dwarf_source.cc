// Importing DWARF's types into the catalogue.

#include "types/dwarf_source.h"

#include <algorithm>
#include <limits>

namespace dt::types {
namespace {

constexpr std::size_t kMaxMembers = std::size_t{1} << 20;
constexpr std::uint64_t kMaxBits = std::numeric_limits<std::uint32_t>::max();

std::uint32_t size32(std::uint64_t size) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(size, std::numeric_limits<std::uint32_t>::max()));
}

// Bytes of which nothing more is known, such as a pointer to a C++ member. Of the right size, so
// that the members behind it are where they should be.
TypeId opaque(Catalog& catalog, std::uint64_t size) {
  Type type;
  type.kind = Kind::kStruct;
  type.size = size32(size);
  return catalog.add(std::move(type));
}

}  // namespace

TypeId DwarfSource::import(Catalog& catalog, std::optional<DieRef> ref, int depth) {
  if (!ref || depth > kMaxDepth) return catalog.void_type();
  // A type that refers to itself without a struct between finds void here.
  const auto [known, is_new] = types_.try_emplace(*ref, catalog.void_type());
  if (!is_new) return known->second;
  const std::optional<Die> die = dwarf_->at(*ref);
  const TypeId made = die ? make_type(catalog, *die, depth) : catalog.void_type();
  types_[*ref] = made;
  return made;
}

TypeId DwarfSource::make_type(Catalog& catalog, const Die& die, int depth) {
  const auto target = [&] { return import(catalog, die.type, depth + 1); };
  switch (die.tag) {
    case DwTag::kBaseType:
      return make_base(catalog, die);
    case DwTag::kPointerType:
    case DwTag::kReferenceType:
    case DwTag::kRvalueReferenceType:
      return catalog.pointer_to(target());
    case DwTag::kConstType:
      return catalog.constant(target());
    case DwTag::kVolatileType:
    case DwTag::kRestrictType:
    case DwTag::kAtomicType:
    case DwTag::kImmutableType:
      return target();
    case DwTag::kTypedef:
      return make_typedef(catalog, die, depth);
    case DwTag::kStructureType:
    case DwTag::kClassType:
    case DwTag::kUnionType:
      return make_aggregate(catalog, die, depth);
    case DwTag::kEnumerationType:
      return make_enum(catalog, die);
    case DwTag::kArrayType:
      return make_array(catalog, die, depth);
    case DwTag::kSubroutineType:
    case DwTag::kSubprogram:
      return make_function(catalog, die, depth);
    default:
      return die.byte_size.value_or(0) == 0 ? catalog.void_type() : opaque(catalog, *die.byte_size);
  }
}

// The built-in node when C knows the type, so that `int` is one type.
TypeId DwarfSource::make_base(Catalog& catalog, const Die& die) const {
  enum : std::uint64_t {
    kBoolean = 2,
    kComplex = 3,
    kFloat = 4,
    kSigned = 5,
    kSignedChar = 6,
    kUnsignedChar = 8,
    kDecimal = 0x0f,
    kUtf = 0x10
  };
  const std::uint64_t size = die.byte_size.value_or(0);
  const Kind kind = die.encoding == kFloat ? Kind::kFloat : Kind::kInt;
  if (const auto own = catalog.find(Tag::kNone, die.name, "C")) {
    const Type& type = catalog.at(*own);
    if (type.kind == kind && type.size == size) return *own;
  }
  if (size == 0) return catalog.void_type();
  if (size > 16 || die.encoding == kComplex || die.encoding == kDecimal) {
    return opaque(catalog, size);
  }
  Type type;
  type.kind = kind;
  type.name = die.name;
  type.size = size32(size);
  type.is_signed = kind == Kind::kFloat || die.encoding == kSigned || die.encoding == kSignedChar;
  type.is_bool = die.encoding == kBoolean;
  type.is_char = size == 1 && (die.encoding == kSignedChar || die.encoding == kUnsignedChar ||
                               die.encoding == kUtf);
  return catalog.add(std::move(type));
}

TypeId DwarfSource::make_typedef(Catalog& catalog, const Die& die, int depth) {
  const TypeId target = import(catalog, die.type, depth + 1);
  if (die.name.empty()) return target;
  Type type;
  type.kind = Kind::kTypedef;
  type.name = die.name;
  type.target = target;
  type.size = catalog.size_of(target);
  return catalog.add(std::move(type));
}

TypeId DwarfSource::make_aggregate(Catalog& catalog, const Die& die, int depth) {
  const bool is_union = die.tag == DwTag::kUnionType;
  // A unit may have a type by its signature, a hash that stands for the definition in a type unit
  // (.debug_types, or a DW_UT_type of DWARF 5).
  if (die.signature) {
    if (const auto whole = dwarf_->type_of_signature(*die.signature)) {
      return import(catalog, whole, depth + 1);
    }
  }
  Type type;
  type.name = die.name;
  if (type.name.empty() && die.specification) {
    if (const auto declared = dwarf_->at(*die.specification)) type.name = declared->name;
  }
  if (die.is_declaration) {
    const DieRef own{die.offset, die.unit->dwarf != dwarf_.get()};
    const auto whole = definition(is_union ? Tag::kUnion : Tag::kStruct, die.name);
    const auto found = whole && *whole != own ? dwarf_->at(*whole) : std::nullopt;
    if (found && !found->is_declaration) return import(catalog, whole, depth + 1);
    type.kind = Kind::kForward;
    type.is_union_forward = is_union;
    return catalog.add(std::move(type));
  }
  type.kind = is_union ? Kind::kUnion : Kind::kStruct;
  type.size = size32(die.byte_size.value_or(0));
  const TypeId made = catalog.add_incomplete(std::move(type), *this);
  refs_.emplace(made, DieRef{die.offset, die.unit->dwarf != dwarf_.get()});
  return made;
}

// A copy of the head is completed and defined at the end: the catalogue must not see half of a
// structure while its members are imported.
void DwarfSource::complete(Catalog& catalog, TypeId id) {
  const auto known = refs_.find(id);
  if (known == refs_.end()) return;
  const std::optional<Die> die = dwarf_->at(known->second);
  if (!die) return;
  Type type = catalog.at(id);
  dwarf_->for_children(*die, [&](const Die& child) {
    if (auto made = member(catalog, child)) type.members.push_back(std::move(*made));
    return type.members.size() < kMaxMembers;
  });
  catalog.define(id, std::move(type));
}

// A base class is a member without a name, as an anonymous struct is.
std::optional<Member> DwarfSource::member(Catalog& catalog, const Die& die) {
  const bool is_base = die.tag == DwTag::kInheritance;
  if ((die.tag != DwTag::kMember && !is_base) || die.is_elsewhere || die.is_external ||
      die.is_declaration) {
    return std::nullopt;
  }
  Member out;
  if (!is_base) out.name = die.name;
  out.type = import(catalog, die.type, 0);
  const std::uint64_t location = die.location.value_or(0);
  if (location > kMaxBits / 8) return std::nullopt;
  out.bit_offset = static_cast<std::uint32_t>(location * 8);
  if (die.bit_size) place_bits(catalog, die, out);
  return out;
}

// Three generations of one fact. DWARF 4 and later: DW_AT_data_bit_offset, from the beginning of
// the structure. Before: DW_AT_bit_offset, from the most significant bit of the storage, which on a
// little-endian machine is the far end.
void DwarfSource::place_bits(const Catalog& catalog, const Die& die, Member& out) const {
  const std::uint64_t bits = *die.bit_size;
  const std::uint64_t unit = std::uint64_t{catalog.size_of(out.type)} * 8;
  if (bits == 0 || bits > unit || bits > 64) return;
  std::uint64_t at = out.bit_offset;
  if (die.data_bit_offset) {
    at += *die.data_bit_offset;
  } else if (die.bit_offset) {
    // Counted from the most significant bit of the storage, which is as wide as
    // the member says, or else as its type.
    const std::uint64_t storage = die.byte_size ? *die.byte_size * 8 : unit;
    if (storage > kMaxBits || *die.bit_offset + bits > storage) return;
    at += storage - *die.bit_offset - bits;
  }
  if (at > kMaxBits - 64) return;
  out.bit_offset = static_cast<std::uint32_t>(at);
  out.bit_size = static_cast<std::uint32_t>(bits);
}

TypeId DwarfSource::make_enum(Catalog& catalog, const Die& die) {
  Type type;
  type.kind = Kind::kEnum;
  type.name = die.name;
  type.size = size32(die.byte_size.value_or(4));
  if (type.size == 0 || type.size > 8) type.size = 4;
  dwarf_->for_children(die, [&](const Die& child) {
    if (child.tag != DwTag::kEnumerator) return true;
    type.enumerators.push_back({std::string(child.name), child.value.value_or(0)});
    type.is_signed = type.is_signed || child.value.value_or(0) < 0;
    return type.enumerators.size() < kMaxMembers;
  });
  return catalog.add(std::move(type));
}

// Each subrange of an array is a dimension, the outermost first: `int a[2][3]` is one array type
// with two subranges. The inner array is made first. A subrange without a bound is a flexible
// member.
TypeId DwarfSource::make_array(Catalog& catalog, const Die& die, int depth) {
  std::vector<std::uint32_t> counts;
  dwarf_->for_children(die, [&](const Die& child) {
    if (child.tag != DwTag::kSubrangeType) return true;
    const std::uint64_t count = child.count         ? *child.count
                                : child.upper_bound ? *child.upper_bound + 1
                                                    : 0;
    counts.push_back(count > kMaxBits / 8 ? 0 : static_cast<std::uint32_t>(count));
    return counts.size() < kMaxDepth;
  });
  TypeId type = import(catalog, die.type, depth + 1);
  if (counts.empty()) return catalog.array_of(type, 0);
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    type = catalog.array_of(type, *count);
  }
  if (!die.is_vector) return type;
  // No array of C has the alignment of a whole vector, and an alignment is what tells it.
  Type vector = catalog.at(type);
  vector.align = vector.size;
  return catalog.add(std::move(vector));
}

// Of a function that is also inlined, and of a method, the entry with the code refers to another
// one for its type and for its parameters.
DwarfSource::Die DwarfSource::whole(Die die) const {
  constexpr int kMostOrigins = 4;
  std::optional<DieRef> origin = die.specification;
  for (int i = 0; i < kMostOrigins && origin; ++i) {
    const std::optional<Die> from = dwarf_->at(*origin);
    if (!from || from->tag != die.tag) break;
    if (die.name.empty()) die.name = from->name;
    if (!die.type) die.type = from->type;
    origin = from->specification;
  }
  return die;
}

// Parameters are children of the entry, in order, beside local variables and other things.
TypeId DwarfSource::make_function(Catalog& catalog, const Die& die, int depth) {
  Type type;
  type.kind = Kind::kFunction;
  type.target = import(catalog, whole(die).type, depth + 1);
  dwarf_->for_children(die, [&](const Die& one) {
    if (one.tag == DwTag::kUnspecifiedParameters) type.is_variadic = true;
    if (one.tag != DwTag::kFormalParameter) return true;
    const Die child = whole(one);
    Member parameter;
    parameter.name = child.name;
    parameter.type = import(catalog, child.type, depth + 1);
    type.members.push_back(std::move(parameter));
    return type.members.size() < kMaxVisits;
  });
  return catalog.add(std::move(type));
}

}  // namespace dt::types
