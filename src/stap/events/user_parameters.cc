// See user_parameters.h.

#include "stap/events/user_parameters.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "machine/x86_64/calls.h"
#include "stap/events/target.h"
#include "stap/syntax/clone.h"

namespace dt::stap {
namespace {

constexpr std::uint32_t kSlotBytes = 8;
constexpr std::size_t kFloatRegisters = 8;

bool is_passed_number(const types::Type& type) {
  return (type.kind == types::Kind::kInt || type.kind == types::Kind::kEnum ||
          type.kind == types::Kind::kPointer) &&
         type.size <= kSlotBytes;
}

// __m128i and similar types, which are in registers for vectors.
bool is_vector(const types::Type& type) {
  return type.kind == types::Kind::kArray && type.align != 0;
}

// Whether the structure is passed in registers, if it fits two of them: in C, one whose members all
// begin at multiples of their sizes (psABI of x86-64, 3.2.3). nullopt: that is not known here.
std::optional<bool> is_in_registers(const types::Catalog& types, types::TypeId id,
                                    std::uint32_t offset, int depth = 0) {
  constexpr int kMostNested = 16;
  constexpr std::uint32_t kBitsEach = 8;  // of a byte
  const types::Type& type = types.resolved(id);
  switch (type.kind) {
    case types::Kind::kInt:
    case types::Kind::kEnum:
    case types::Kind::kPointer:
    case types::Kind::kFloat:
      if (type.size == 0 || type.size > kSlotBytes) return std::nullopt;
      return offset % type.size == 0;
    case types::Kind::kArray: {
      const std::uint32_t size = types.size_of(type.target);
      if (is_vector(type)) return std::nullopt;
      if (size == 0) return true;
      for (std::uint32_t i = 0; i < type.count && i < 2 * kSlotBytes; ++i) {
        const auto fits = is_in_registers(types, type.target, offset + i * size, depth + 1);
        if (!fits || !*fits || depth > kMostNested) return fits;
      }
      return true;
    }
    case types::Kind::kStruct:
    case types::Kind::kUnion:
      break;
    default:
      return std::nullopt;
  }
  const bool is_opaque = type.members.empty() && type.size != 0;
  if (is_opaque || depth > kMostNested) return std::nullopt;
  for (const types::Member& one : type.members) {
    if (one.bit_size != 0) continue;
    const auto fits =
        is_in_registers(types, one.type, offset + one.bit_offset / kBitsEach, depth + 1);
    if (!fits || !*fits) return fits;
  }
  return true;
}

// How many arguments the result takes: a structure that is not returned in registers is written to
// where a hidden first one leads. nullopt: that depends on what is not known, as with a class of
// C++.
std::optional<std::size_t> hidden_arguments(const types::Catalog& types,
                                            const DeclaredFunction& function) {
  const types::TypeId id = function.type.target;
  const types::Type& result = types.head(id);
  if (result.kind != types::Kind::kStruct && result.kind != types::Kind::kUnion) {
    return result.kind == types::Kind::kArray ? std::nullopt : std::optional<std::size_t>(0);
  }
  if (result.size > 2 * kSlotBytes) return 1;
  if (!function.is_c) return std::nullopt;
  const std::optional<bool> fits = is_in_registers(types, id, 0);
  return fits ? std::optional<std::size_t>(*fits ? 0 : 1) : std::nullopt;
}

constexpr std::uint32_t kBitsOfMemberByte = 8, kBitsOfRegister = 64;
constexpr int kDeepestMember = 16;

ExprPtr make(const Expr& at, ExprKind kind, std::string text) {
  auto out = std::make_unique<Expr>();
  out->kind = kind;
  out->span = at.span;
  out->place = at.place;
  out->text = std::move(text);
  return out;
}

ExprPtr literal_number(const Expr& at, std::int64_t value) {
  ExprPtr out = make(at, ExprKind::kNumber, std::to_string(value));
  out->number = value;
  return out;
}

ExprPtr call(const Expr& at, std::string name, ExprPtr argument) {
  ExprPtr out = make(at, ExprKind::kCall, std::move(name));
  out->kids.push_back(std::move(argument));
  return out;
}

ExprPtr shift(const Expr& at, std::string op, ExprPtr left, std::uint32_t bits) {
  if (bits == 0) return left;
  ExprPtr out = make(at, ExprKind::kBinary, std::move(op));
  out->kids.push_back(std::move(left));
  out->kids.push_back(literal_number(at, bits));
  return out;
}

bool is_structure(const types::Type& type) {
  return type.kind == types::Kind::kStruct || type.kind == types::Kind::kUnion;
}

bool is_one_word(const types::Type& type) {
  return type.kind == types::Kind::kInt || type.kind == types::Kind::kEnum ||
         type.kind == types::Kind::kPointer;
}

}  // namespace

ProbeInfo::Argument user_argument(const types::Catalog& types, std::string name, types::TypeId id) {
  const types::Type& type = types.head(id);
  ProbeInfo::Argument out;
  out.name = std::move(name);
  out.type = types.name(id);
  out.is_userland = true;
  out.id = id;
  if (type.kind == types::Kind::kPointer) return out;
  out.bytes = type.size;
  out.is_signed = type.is_signed;
  return out;
}

ProbeInfo::Result user_result(const types::Catalog& types, const DeclaredFunction& function) {
  const types::Type& result = types.head(function.type.target);
  if (result.kind == types::Kind::kVoid) return ProbeInfo::Result::kNothing;
  const std::optional<std::size_t> hidden = hidden_arguments(types, function);
  const bool is_address = hidden.value_or(0) != 0;
  const bool is_structure =
      result.kind == types::Kind::kStruct || result.kind == types::Kind::kUnion;
  if (is_structure && hidden && !is_address &&
      ReturnedStructure(types, function.type.target).has_numbers()) {
    return ProbeInfo::Result::kStructure;
  }
  return is_passed_number(result) || is_address ? ProbeInfo::Result::kNumber
                                                : ProbeInfo::Result::kElsewhere;
}

UserParameters user_parameters(const types::Catalog& types, const DeclaredFunction& function) {
  UserParameters out;
  for (const types::Member& one : function.type.members) out.declared.push_back(one.name);
  const auto hidden = hidden_arguments(types, function);
  if (!hidden) return out;
  out.arguments.resize(*hidden);
  std::size_t floats = 0;
  for (const types::Member& one : function.type.members) {
    const types::Type& type = types.head(one.type);
    if (is_passed_number(type)) {
      out.arguments.push_back(user_argument(types, one.name, one.type));
      continue;
    }
    // It has a register of its own, or a word of the stack, and then those behind it on the stack
    // are not where numbers alone would be.
    const bool is_float = type.kind == types::Kind::kFloat && type.size <= kSlotBytes;
    const bool has_register = is_float && ++floats <= kFloatRegisters;
    if (!has_register) break;
  }
  return out;
}

ReturnedStructure::ReturnedStructure(const types::Catalog& types, types::TypeId type)
    : types_(types), type_(type) {
  classify({type}, 0);
}

// A word with a number in it is in a register for numbers, whatever else it has.
void ReturnedStructure::classify(const Piece& piece, int depth) {
  const types::Type& type = types_.resolved(piece.type);
  const std::uint32_t word = piece.first / kBitsOfRegister;
  if (word > 1 || depth > kDeepestMember) return;
  if (is_one_word(type)) {
    words_[word] = Word::kNumber;
  } else if (type.kind == types::Kind::kFloat) {
    if (words_[word] == Word::kNothing) words_[word] = Word::kVector;
  } else if (type.kind == types::Kind::kArray) {
    const auto each = static_cast<std::uint32_t>(types_.size_of(type.target)) * kBitsOfMemberByte;
    for (std::uint32_t i = 0; each != 0 && i < type.count && i < 2 * sizeof(std::uint64_t); ++i) {
      classify({type.target, piece.first + i * each}, depth + 1);
    }
  } else if (is_structure(type)) {
    for (const types::Member& one : type.members) {
      classify({one.type, piece.first + one.bit_offset, one.bit_size}, depth + 1);
    }
  }
}

bool ReturnedStructure::step(const Part& part, Piece& at, std::string& wrong) const {
  const types::Type& type = types_.resolved(at.type);
  const auto refuse = [&](std::string text) {
    wrong = std::move(text);
    return false;
  };
  const std::string name = source_name(types_, at.type);
  if (part.index != nullptr) {
    const std::int64_t index =
        part.index->kind == ExprKind::kNumber ? part.index->number : std::int64_t{-1};
    if (type.kind != types::Kind::kArray) return refuse(invalid_access("", index, name));
    if (index < 0 || index >= type.count) {
      return refuse("the element of an array in a register must be a literal within the array");
    }
    const auto each = static_cast<std::uint32_t>(types_.size_of(type.target)) * kBitsOfMemberByte;
    at = {type.target, at.first + static_cast<std::uint32_t>(index) * each};
    return true;
  }
  if (!is_structure(type)) return refuse(invalid_access(part.member, 0, name));
  const auto found = types_.member(types_.resolve(at.type), part.member);
  if (!found) return refuse(no_member(types_, part.member, at.type));
  at = {found->type, at.first + static_cast<std::uint32_t>(found->bit_offset), found->bit_size};
  return true;
}

// A number or a pointer; null where it is in no register that is seen.
ExprPtr ReturnedStructure::value(const Expr& result, const Piece& at) const {
  const types::Type& type = types_.resolved(at.type);
  const std::uint32_t word = at.first / kBitsOfRegister, shifted = at.first % kBitsOfRegister;
  const std::uint32_t bits =
      at.bits != 0 ? at.bits : static_cast<std::uint32_t>(type.size) * kBitsOfMemberByte;
  const bool is_in_word = word <= 1 && bits != 0 && shifted + bits <= kBitsOfRegister;
  if (!is_one_word(type) || !is_in_word || words_[word] != Word::kNumber) return nullptr;
  // The first register that no word before it has.
  const bool is_first = word == 0 || words_[0] != Word::kNumber;
  ExprPtr all = call(result, "register", make(result, ExprKind::kString, is_first ? "rax" : "rdx"));
  ExprPtr high = shift(result, "<<", std::move(all), kBitsOfRegister - shifted - bits);
  return shift(result, type.is_signed ? ">>" : ">>>", std::move(high), kBitsOfRegister - bits);
}

ExprPtr ReturnedStructure::member(const Expr& result, std::string& wrong) const {
  Piece at{type_};
  std::size_t i = 0;
  for (; i < result.parts.size(); ++i) {
    if (types_.resolved(at.type).kind == types::Kind::kPointer) break;
    if (!step(result.parts[i], at, wrong)) return nullptr;
  }
  const types::Type& type = types_.resolved(at.type);
  const bool is_place = result.is_address && i == result.parts.size();
  ExprPtr out = is_place ? nullptr : value(result, at);
  if (out == nullptr) {
    wrong = is_place ? "what is in a register has no address"
            : is_structure(type) || type.kind == types::Kind::kArray
                ? "this part of $return is in registers: name a member of it"
                : "this member of $return is in a register for vectors, which is not read";
    return nullptr;
  }
  // What a pointer leads to is memory: @cast(register("rax"), "struct node")->id.
  if (i == result.parts.size() && result.pretty == 0) return out;
  const bool is_pointer = type.kind == types::Kind::kPointer;
  if (!is_pointer) {
    out = call(result, "sprint", std::move(out));
    return out;
  }
  ExprPtr cast = make(result, ExprKind::kAtOperator, "@cast");
  cast->kids.push_back(std::move(out));
  cast->kids.push_back(make(result, ExprKind::kString, source_name(types_, at.type)));
  cast->is_address = result.is_address;
  cast->pretty = result.pretty;
  const ExprPtr whole = clone(result);
  for (; i < whole->parts.size(); ++i) cast->parts.push_back(std::move(whole->parts[i]));
  return cast;
}

void ReturnedStructure::show_structure(const Expr& result, const Piece& at, int depth,
                                       std::string& format, std::vector<ExprPtr>& values) const {
  format += "{";
  bool is_first = true;
  for (const types::Member& one : types_.resolved(at.type).members) {
    if (!std::exchange(is_first, false)) format += ", ";
    if (!one.name.empty()) format += fmt::format(".{}=", one.name);
    show(result, {one.type, at.first + static_cast<std::uint32_t>(one.bit_offset), one.bit_size},
         one.name.empty() ? depth : depth - 1, format, values);
  }
  format += "}";
}

void ReturnedStructure::show(const Expr& result, const Piece& at, int depth, std::string& format,
                             std::vector<ExprPtr>& values) const {
  const types::Type& type = types_.resolved(at.type);
  if (is_structure(type) && depth > 0) return show_structure(result, at, depth, format, values);
  if (is_structure(type)) {
    format += "{...}";
    return;
  }
  if (type.kind == types::Kind::kArray) {
    constexpr std::uint32_t kMostElements = 5;
    const auto each = static_cast<std::uint32_t>(types_.size_of(type.target)) * kBitsOfMemberByte;
    format += "[";
    const std::uint32_t shown = each == 0 ? 0 : std::min<std::uint32_t>(type.count, kMostElements);
    for (std::uint32_t i = 0; i < shown; ++i) {
      if (i > 0) format += ", ";
      show(result, {type.target, at.first + i * each}, depth - 1, format, values);
    }
    format += type.count > kMostElements ? ", ...]" : "]";
    return;
  }
  ExprPtr shown = value(result, at);
  if (shown == nullptr) {
    format += "?";
    return;
  }
  format += type.kind == types::Kind::kPointer ? "0x%x"
            : type.is_char                     ? "'%s'"
            : type.is_signed                   ? "%d"
                                               : "%u";
  if (type.is_char) {
    ExprPtr character = call(result, "sprintf", make(result, ExprKind::kString, "%c"));
    character->kids.push_back(std::move(shown));
    shown = call(result, "text_str", std::move(character));
  }
  values.push_back(std::move(shown));
}

ExprPtr ReturnedStructure::shown(const Expr& result) const {
  std::string format;
  std::vector<ExprPtr> values;
  show(result, {type_}, result.pretty, format, values);
  if (values.empty()) return make(result, ExprKind::kString, format);
  ExprPtr out = call(result, "sprintf", make(result, ExprKind::kString, std::move(format)));
  for (ExprPtr& one : values) out->kids.push_back(std::move(one));
  return out;
}

}  // namespace dt::stap
