// Plans: from a pointer along members and elements to a value. See plans.h.

#include <fmt/core.h>

#include <algorithm>

#include "stap/events/plans.h"
#include "stap/events/renamed_members.h"
#include "stap/events/target.h"

namespace dt::stap {
namespace {

constexpr std::uint32_t kBitsPerByte = 8, kRegisterBytes = 8;
constexpr std::size_t kMostParts = 60;  // of what $x$ shows

AccessStep add(std::int64_t bytes) {
  AccessStep step;
  step.number = bytes;
  return step;
}

AccessStep load_of(std::uint32_t size, bool is_signed, bool is_userland) {
  AccessStep step;
  step.kind = AccessStep::Kind::kLoad;
  step.size = size;
  step.is_signed = is_signed;
  step.is_userland = is_userland;
  return step;
}

// A bit-field, from the byte on in which it begins.
struct Bits {
  std::uint32_t shift = 0, count = 0;
};

// The load of the smallest integer that has all the bits, if a word has.
AccessStep load_of(const Bits& bits, bool is_signed, bool is_userland) {
  std::uint32_t size = 1;
  while (size * kBitsPerByte < bits.shift + bits.count && size < kRegisterBytes) size *= 2;
  AccessStep load = load_of(size, is_signed, is_userland);
  load.bit_offset = bits.shift;
  load.bit_size = bits.count;
  return load;
}

bool is_number(const types::Type& type) {
  return (type.kind == types::Kind::kInt || type.kind == types::Kind::kEnum) &&
         (type.size == 1 || type.size == 2 || type.size == 4 || type.size == kRegisterBytes);
}

}  // namespace

Plans::CType Plans::plan(Expr& expr, const Start& from) {
  auto access = std::make_shared<Access>();
  access->base = from.base;
  access->address = from.address;
  Walk walk{*access, from.type, from.is_place, from.is_userland};
  if (!parts(expr, walk)) return std::nullopt;
  CType end;
  if (expr.pretty > 0) {
    show(walk, expr.pretty);
  } else {
    end = finish(expr, walk);
    if (expr.is_summary) show_end(*access, ShownPart::As::kHexadecimal);
  }
  access->is_lenient = expr.is_summary;
  expr.access = std::move(access);
  return end;
}

bool Plans::parts(const Expr& expr, Walk& walk) {
  for (const Part& part : expr.parts) {
    walk.place = part.place;
    const bool leads = part.index == nullptr ? to_member(walk, part.member, expr)
                                             : to_element(walk, const_cast<Part&>(part), expr);
    if (!leads) return false;
  }
  return true;
}

void Plans::load_pointer(Walk& walk) {
  if (walk.is_place) walk.access.steps.push_back(load_of(kRegisterBytes, false, walk.is_userland));
  const types::Type& pointer = world_.types.resolved(walk.type);
  walk.is_userland = walk.is_userland || world_.types.head(pointer.target).is_userland;
  walk.type = pointer.target;
  walk.is_place = true;
}

bool Plans::to_member(Walk& walk, const std::string& name, const Expr& expr) {
  const auto refuse = [&](std::string text) {
    if (is_last_ && reported_.insert(&expr).second) {
      error(text, walk.place == Span() ? expr.place : walk.place);
    }
    return false;
  };
  if (world_.types.resolved(walk.type).kind == types::Kind::kPointer) load_pointer(walk);
  const types::Kind kind = world_.types.resolved(walk.type).kind;
  if (!walk.is_place || (kind != types::Kind::kStruct && kind != types::Kind::kUnion)) {
    return refuse(invalid_access(name, 0, source_name(world_.types, walk.type)));
  }
  const auto found = world_.types.member(world_.types.resolve(walk.type), name);
  if (!found) {
    const auto instead = renamed_member(world_.types, walk.type, name);
    if (instead.empty()) return refuse(no_member(world_.types, name, walk.type));
    return std::all_of(instead.begin(), instead.end(), [&](std::string_view one) {
      return to_member(walk, std::string(one), expr);
    });
  }
  walk.type = found->type;
  if (found->bit_size == 0) {
    if (found->bit_offset != 0) walk.access.steps.push_back(add(found->bit_offset / kBitsPerByte));
    return true;
  }
  // A bit-field is loaded with the word around it, and has no members.
  const Bits bits = {found->bit_offset % kBitsPerByte, found->bit_size};
  if (bits.shift + bits.count > kRegisterBytes * kBitsPerByte) {
    return refuse(fmt::format("the bit-field '{}' is in no word", name));
  }
  if (expr.is_address)
    return refuse(fmt::format("'{}' is a bit-field, which has no address", name));
  walk.access.steps.push_back(add(found->bit_offset / kBitsPerByte));
  const bool is_signed = world_.types.resolved(found->type).is_signed;
  walk.access.steps.push_back(load_of(bits, is_signed, walk.is_userland));
  walk.is_place = false;
  return true;
}

bool Plans::to_element(Walk& walk, Part& part, const Expr& expr) {
  const types::Kind kind = world_.types.resolved(walk.type).kind;
  const std::uint32_t count =
      kind == types::Kind::kArray ? world_.types.resolved(walk.type).count : 0;
  if (kind == types::Kind::kPointer) {
    load_pointer(walk);
  } else if (kind == types::Kind::kArray && walk.is_place) {
    walk.type = world_.types.resolved(walk.type).target;
  } else {
    if (is_last_ && reported_.insert(&expr).second) {
      const std::int64_t index = part.index->kind == ExprKind::kNumber ? part.index->number : 0;
      error(invalid_access("", index, source_name(world_.types, walk.type)), part.place);
    }
    return false;
  }
  const std::int64_t size = world_.types.size_of(walk.type);
  if (part.index->kind == ExprKind::kNumber) {
    walk.access.steps.push_back(add(size * part.index->number));
    return true;
  }
  AccessStep step;
  step.kind = AccessStep::Kind::kIndex;
  step.number = size;
  step.index = part.index.get();
  step.count = count;
  walk.access.steps.push_back(step);
  return true;
}

// The value at the end: a number, an address, or for & the place itself.
Plans::CType Plans::finish(const Expr& expr, Walk& walk) {
  const auto refuse = [&](std::string text) -> CType {
    if (is_last_ && reported_.insert(&expr).second) error(text, expr.place);
    return std::nullopt;
  };
  // A variable that holds the pointer is later followed by its type alone. So the type says whether
  // the pointer leads to memory of a program.
  const auto pointer = [&](types::TypeId target) {
    return world_.types.pointer_to(walk.is_userland ? world_.types.userland(target) : target);
  };
  if (expr.is_address) {
    if (!walk.is_place) return refuse("this value has no address");
    return pointer(walk.type);
  }
  const types::Type& type = world_.types.resolved(walk.type);
  if (!walk.is_place) return type.kind == types::Kind::kPointer ? pointer(type.target) : CType();
  switch (type.kind) {
    case types::Kind::kPointer:
      walk.access.steps.push_back(load_of(kRegisterBytes, false, walk.is_userland));
      return pointer(type.target);
    case types::Kind::kArray:
      return pointer(type.target);
    case types::Kind::kStruct:
    case types::Kind::kUnion:
      return pointer(walk.type);
    default:
      break;
  }
  if (!is_number(type)) {
    return refuse(
        fmt::format("a value of '{}' cannot be read", source_name(world_.types, walk.type)));
  }
  walk.access.steps.push_back(load_of(type.size, type.is_signed, walk.is_userland));
  return std::nullopt;
}

// ---- $x$: all members, and with $$ those of the structures in it ----

void Plans::show(Walk& walk, int depth) {
  const types::Kind kind = world_.types.resolved(walk.type).kind;
  if (kind == types::Kind::kPointer) {
    const types::Kind target = world_.types.resolved(world_.types.resolved(walk.type).target).kind;
    if (target == types::Kind::kStruct || target == types::Kind::kUnion) load_pointer(walk);
  }
  if (walk.is_place) return show_value(walk, walk.type, 0, depth);
  if (leads_to_text(walk.type)) return show_pointed_text(walk, walk.type, 0);
  const types::Type& type = world_.types.resolved(walk.type);
  show_end(walk.access, kind == types::Kind::kPointer ? ShownPart::As::kHexadecimal
                        : type.is_char                ? ShownPart::As::kCharacter
                                                      : ShownPart::As::kNumber);
  walk.access.shown.back().load.is_signed = type.is_signed;
}

// A value that is there already: the steps end with it.
void Plans::show_end(Access& access, ShownPart::As as) {
  ShownPart part;
  part.as = as;
  part.load.kind = AccessStep::Kind::kAdd;
  access.shown.push_back(part);
}

void Plans::show_text(Walk& walk, std::string_view text) {
  std::vector<ShownPart>& out = walk.access.shown;
  if (!out.empty() && out.back().as == ShownPart::As::kText) {
    out.back().text += text;
  } else {
    out.push_back({std::string(text), ShownPart::As::kText, 0, {}});
  }
}

void Plans::show_value(Walk& walk, types::TypeId id, std::int64_t offset, int depth) {
  const types::Type& type = world_.types.resolved(id);
  std::vector<ShownPart>& out = walk.access.shown;
  const auto value = [&](ShownPart::As as, std::uint32_t size, bool is_signed) {
    out.push_back({"", as, offset, load_of(size, is_signed, walk.is_userland)});
  };
  if (out.size() > kMostParts) return show_text(walk, "...");
  if (is_number(type)) {
    return value(type.is_char ? ShownPart::As::kCharacter : ShownPart::As::kNumber, type.size,
                 type.is_signed);
  }
  if (leads_to_text(id)) {
    show_pointed_text(walk, id, offset);
    out.back().pointer = load_of(kRegisterBytes, false, walk.is_userland);
    return;
  }
  if (type.kind == types::Kind::kPointer) {
    return value(ShownPart::As::kHexadecimal, kRegisterBytes, false);
  }
  if (type.kind == types::Kind::kArray) return show_array(walk, type, offset, depth);
  if (type.kind != types::Kind::kStruct && type.kind != types::Kind::kUnion) {
    return show_text(walk, "?");
  }
  if (depth <= 0) return show_text(walk, "{...}");
  show_members(walk, id, offset, depth);
}

bool Plans::leads_to_text(types::TypeId id) const {
  const types::Type& type = world_.types.resolved(id);
  return type.kind == types::Kind::kPointer && world_.types.resolved(type.target).is_char;
}

void Plans::show_pointed_text(Walk& walk, types::TypeId pointer, std::int64_t offset) {
  const types::Type& target = world_.types.head(world_.types.resolved(pointer).target);
  ShownPart part;
  part.as = ShownPart::As::kPointedText;
  part.offset = offset;
  part.load.kind = AccessStep::Kind::kText;
  part.load.is_userland = walk.is_userland || target.is_userland;
  walk.access.shown.push_back(std::move(part));
}

void Plans::show_array(Walk& walk, const types::Type& type, std::int64_t offset, int depth) {
  constexpr std::uint32_t kMostElements = 5;
  const types::Type& element = world_.types.resolved(type.target);
  if (element.is_char) {
    std::vector<ShownPart>& out = walk.access.shown;
    out.push_back({"", ShownPart::As::kQuoted, offset, {}});
    out.back().load.kind = AccessStep::Kind::kText;
    out.back().load.is_userland = walk.is_userland;
    out.back().load.size = type.size;
    return;
  }
  show_text(walk, "[");
  for (std::uint32_t i = 0; i < type.count; ++i) {
    if (i > 0) show_text(walk, ", ");
    if (i >= kMostElements) {
      show_text(walk, "...");
      break;
    }
    show_value(walk, type.target, offset + static_cast<std::int64_t>(i) * element.size, depth - 1);
  }
  show_text(walk, "]");
}

void Plans::show_members(Walk& walk, types::TypeId id, std::int64_t offset, int depth) {
  show_text(walk, "{");
  bool is_first = true;
  for (const types::Member& member : world_.types.at(world_.types.resolve(id)).members) {
    if (!std::exchange(is_first, false)) show_text(walk, ", ");
    if (walk.access.shown.size() > kMostParts) {
      show_text(walk, "...");
      break;
    }
    if (!member.name.empty()) show_text(walk, fmt::format(".{}=", member.name));
    const std::int64_t at = offset + member.bit_offset / kBitsPerByte;
    if (member.bit_size == 0) {
      show_value(walk, member.type, at, member.name.empty() ? depth : depth - 1);
      continue;
    }
    const bool is_signed = world_.types.resolved(member.type).is_signed;
    const Bits bits = {member.bit_offset % kBitsPerByte, member.bit_size};
    walk.access.shown.push_back(
        {"", ShownPart::As::kNumber, at, load_of(bits, is_signed, walk.is_userland)});
  }
  show_text(walk, "}");
}

}  // namespace dt::stap
