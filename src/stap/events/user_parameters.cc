// See user_parameters.h.

#include "stap/events/user_parameters.h"

#include <utility>

#include "machine/x86_64/calls.h"

namespace dt::stap {
namespace {

constexpr std::uint32_t kSlotBytes = 8;
constexpr std::size_t kFloatRegisters = 8;

bool is_passed_number(const types::Type& type) {
  return (type.kind == types::Kind::kInt || type.kind == types::Kind::kEnum ||
          type.kind == types::Kind::kPointer) &&
         type.size <= kSlotBytes;
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
  const bool is_address = hidden_arguments(types, function).value_or(0) != 0;
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

}  // namespace dt::stap
