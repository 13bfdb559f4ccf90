// C's layout, as gcc makes it for x86-64: a member is put at the next multiple of its alignment; a
// bit-field is put behind the bits before it, unless it would cross the boundary of a unit of its
// own type; a width of 0 ends the unit; the size is a multiple of the largest alignment. `packed`
// makes every alignment 1 and lets bit-fields cross; `aligned(n)` raises an alignment; `#pragma
// pack(n)` limits it.
//
// D must agree with the compiler here to the bit: the declaration is laid over memory that a
// program or the kernel has written.

#include "d/check/struct_layout.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/meaning/type_meaning.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"

namespace dt::d {

using types::Kind;
using types::TypeId;

namespace {

constexpr std::uint64_t kMaxStructBytes = std::uint64_t{1} << 28;
constexpr int kMaxNesting = 64;  // of types that damaged BTF may have tied in knots

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

// What a member of this type is aligned to: as it was declared here, or else, a
// struct whose members or size are not so aligned is packed.
std::uint64_t alignment_of(const TypeRules& rules, TypeId id, int depth = 0) {
  const types::Type& named = rules.catalog().at(id);
  if (depth > kMaxNesting) {
    return 1;
  }
  if (named.align != 0) {
    return named.align;
  }
  if (named.kind == Kind::kTypedef) {
    return alignment_of(rules, named.target, depth + 1);
  }
  const types::Type& type = rules.at(id);
  if (type.kind == Kind::kArray) {
    return alignment_of(rules, type.target, depth + 1);
  }
  if (type.kind != Kind::kStruct && type.kind != Kind::kUnion) {
    return std::clamp<std::uint64_t>(rules.size(id), 1, 16);
  }
  std::uint64_t most = 1;
  for (const types::Member& member : type.members) {
    std::uint64_t align = alignment_of(rules, member.type, depth + 1);
    while (member.bit_size == 0 && align > 1 && member.bit_offset % (align * 8) != 0) {
      align /= 2;
    }
    most = std::max(most, align);
  }
  while (most > 1 && type.size % most != 0) {
    most /= 2;
  }
  return most;
}

}  // namespace

std::optional<std::uint32_t> StructLayout::bit_width(const Declarator& declarator, TypeId type,
                                                     Span span) {
  expr(declarator.bit_width);
  if (bad(declarator.bit_width)) {
    return std::nullopt;
  }
  const Expr* const size = declarator.bit_width;
  const bool is_negative = size->is_constant && rules_.is_signed(size->type) &&
                           static_cast<std::int64_t>(size->int_value) < 0;
  if (!size->is_constant || is_negative || (size->int_value == 0 && !declarator.name.empty())) {
    error("D_DECL_BFCONST", declarator.bit_width->span,
          "positive integral constant expression expected as bit-field size");
    return std::nullopt;
  }
  if (!rules_.is_integer(type)) {
    error("D_DECL_BFTYPE", span, fmt::format("invalid type for bit-field: {}", declarator.name));
    return std::nullopt;
  }
  const std::uint64_t width = size->int_value;
  const std::uint64_t most = rules_.at(type).is_bool ? 1 : std::uint64_t{rules_.size(type)} * 8;
  if (width > most) {
    error("D_DECL_BFSIZE", declarator.bit_width->span,
          fmt::format("bit-field size is out of range for its type: {}", declarator.name));
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(width);
}

// Names of anonymous members count as the struct's own.
bool StructLayout::is_new(const types::Member& member, Span span) {
  std::vector<std::string_view> names = {member.name};
  if (member.name.empty()) {
    names = world_.types.member_names(member.type);
  }
  for (const types::Member& other : out_.members) {
    for (const std::string_view name : names) {
      const bool taken = other.name.empty() ? world_.types.member(other.type, name).has_value()
                                            : other.name == name;
      if (taken && !name.empty()) {
        error("D_UNKNOWN", span,
              fmt::format("failed to define member '{}': the name is taken by another one", name));
        return false;
      }
    }
  }
  return true;
}

bool StructLayout::may_be_member(const Declarator& declarator, TypeId type, Span span) {
  const Kind kind = rules_.kind(type);
  if (rules_.is_dynamic(type)) {
    error(
        "D_DECL_DYNOBJ", span,
        fmt::format("cannot have a member of type \"{}\": {}", rules_.name(type), declarator.name));
    return false;
  }
  if (flexible_) {
    error("D_DECL_INCOMPLETE", *flexible_, "an array without a size can be the last member only");
    return false;
  }
  if (kind == Kind::kVoid) {
    error("D_DECL_VOIDOBJ", span, fmt::format("cannot have void member: {}", declarator.name));
    return false;
  }
  if (kind == Kind::kForward || kind == Kind::kFunction) {
    error("D_DECL_INCOMPLETE", span,
          fmt::format("incomplete struct/union/enum {}: {}", rules_.name(type), declarator.name));
    return false;
  }
  return true;
}

bool StructLayout::add(const StructDecl::Field& field, const Declarator& declarator, TypeId type) {
  const Span span = declarator.name.empty() ? field.spec.span : declarator.name_span;
  if (!may_be_member(declarator, type, span)) {
    return false;
  }
  types::Member member{declarator.name, type, 0, 0};
  const bool is_field = declarator.bit_width != nullptr;
  if (is_field) {
    const std::optional<std::uint32_t> width = bit_width(declarator, type, span);
    if (!width) {
      return false;
    }
    member.bit_size = *width;
  }
  if (!is_new(member, span)) {
    return false;
  }
  const bool is_flexible = rules_.kind(type) == Kind::kArray && rules_.at(type).count == 0;
  if (is_flexible && !declarator.parts.empty() && declarator.parts.front().count == nullptr) {
    flexible_ = span;
  }
  if (!place(declarator, member)) {
    error("D_DECL_ARRBIG", span, "struct is too large");
    return false;
  }
  return true;
}

// False when the whole becomes too large.
bool StructLayout::place(const Declarator& declarator, types::Member member) {
  const TypeId type = member.type;
  const bool is_field = declarator.bit_width != nullptr;
  const std::uint64_t size =
      rules_.is_string(type) ? std::uint64_t{world_.string_size} : rules_.size(type);
  const bool is_packed = attributes_.packed || declarator.attributes.packed;
  std::uint64_t align = is_packed ? 1 : alignment_of(rules_, type);
  if (attributes_.most != 0) {
    align = std::min<std::uint64_t>(align, attributes_.most);
  }
  align = std::max<std::uint64_t>(align, declarator.attributes.aligned);
  const std::uint64_t width = is_field ? member.bit_size : size * 8;
  std::uint64_t at = is_union_ ? 0 : bits_;
  const bool fits =
      is_field && width != 0 && (is_packed || at / (size * 8) == (at + width - 1) / (size * 8));
  if (is_field && width == 0) {
    at = round_up(at, size * 8);
  } else if (!fits || declarator.attributes.aligned != 0) {
    at = round_up(at, align * 8);
  }
  member.bit_offset = static_cast<std::uint32_t>(at);
  bits_ = std::max(bits_, at + width);
  if (bits_ / 8 > kMaxStructBytes) {
    return false;
  }
  if (!is_field || !declarator.name.empty()) {
    align_ = std::max(align_, align);
    out_.members.push_back(std::move(member));
  }
  return true;
}

void StructLayout::finish() {
  align_ = std::max<std::uint64_t>(align_, attributes_.aligned);
  out_.align = static_cast<std::uint32_t>(align_);
  out_.size = static_cast<std::uint32_t>(round_up((bits_ + 7) / 8, align_));
}

}  // namespace dt::d
