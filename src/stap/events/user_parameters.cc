// See user_parameters.h.

#include "stap/events/user_parameters.h"

#include <fmt/core.h>

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

ProbeInfo::Argument argument_of(const types::Catalog& types, const types::Member& parameter) {
  const types::Type& type = types.head(parameter.type);
  ProbeInfo::Argument out;
  out.name = parameter.name;
  out.type = types.name(parameter.type);
  out.is_userland = true;
  out.id = parameter.type;
  if (type.kind == types::Kind::kPointer) return out;
  out.bytes = type.size;
  out.is_signed = type.is_signed;
  return out;
}

// How many arguments the result takes: a structure that does not fit two registers is written to
// where a hidden first one leads. nullopt: with a small one it depends on the language.
std::optional<std::size_t> hidden_arguments(const types::Type& result) {
  if (result.kind != types::Kind::kStruct && result.kind != types::Kind::kUnion) {
    return result.kind == types::Kind::kArray ? std::nullopt : std::optional<std::size_t>(0);
  }
  return result.size > 2 * kSlotBytes ? std::optional<std::size_t>(1) : std::nullopt;
}

// null: the program does not say what the function is.
const types::Type* declared_function(const types::Catalog& types, const probe::Description& probe) {
  const auto object =
      types.find_object(probe.function, fmt::format("{}`{}", probe.provider, probe.module));
  if (!object) return nullptr;
  const types::Type& found = types.resolved(object->type);
  return found.kind == types::Kind::kFunction ? &found : nullptr;
}

}  // namespace

ProbeInfo::Result user_result(const types::Catalog& types, const probe::Description& probe) {
  const types::Type* const function = declared_function(types, probe);
  if (function == nullptr) return ProbeInfo::Result::kNumber;
  const types::Type& result = types.head(function->target);
  if (result.kind == types::Kind::kVoid) return ProbeInfo::Result::kNothing;
  const bool is_address = hidden_arguments(result).value_or(0) != 0;
  return is_passed_number(result) || is_address ? ProbeInfo::Result::kNumber
                                                : ProbeInfo::Result::kElsewhere;
}

std::optional<UserParameters> user_parameters(const types::Catalog& types,
                                              const probe::Description& probe) {
  const types::Type* const found = declared_function(types, probe);
  if (found == nullptr) return std::nullopt;
  const types::Type& function = *found;
  UserParameters out;
  for (const types::Member& one : function.members) out.declared.push_back(one.name);
  const auto hidden = hidden_arguments(types.head(function.target));
  if (!hidden) return out;
  out.arguments.resize(*hidden);
  std::size_t floats = 0;
  for (const types::Member& one : function.members) {
    const types::Type& type = types.head(one.type);
    if (is_passed_number(type)) {
      out.arguments.push_back(argument_of(types, one));
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
