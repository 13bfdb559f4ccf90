// See interpret_variables.h.

#include "ir/interpret_variables.h"

#include <algorithm>

#include "ir/interpret_value.h"

namespace dt::ir {
namespace {

// The addresses of variables whose address was taken; each has room for the longest one.
constexpr std::uint64_t kVariableBase = 0xfffff10000000000;
constexpr std::uint64_t kVariableRoom = 1 << 20;

std::uint64_t offset_of(std::uint64_t address) { return (address - kVariableBase) % kVariableRoom; }

}  // namespace

InterpretedVariables::InterpretedVariables(const Program& program, State& state)
    : program_(program), state_(state) {
  locals_.reserve(program.variables.size());
  for (const Variable& variable : program.variables) locals_.push_back(zero(variable.type));
}

Value InterpretedVariables::load(const Key& key) const {
  if (variable(key).scope == Scope::kClause) return locals_[key.first];
  const auto it = state_.variables.find(key);
  return it == state_.variables.end() ? zero(variable(key).type) : it->second;
}

void InterpretedVariables::store(const Key& key, const Value& value) {
  const Type& type = variable(key).type;
  Value kept = stored(type, value);
  if (variable(key).scope == Scope::kClause) {
    locals_[key.first] = std::move(kept);
  } else if (is_empty(kept) && type.kind != TypeKind::kBytes) {
    state_.variables.erase(key);
  } else {
    state_.variables[key] = std::move(kept);
  }
}

void InterpretedVariables::clear(const Key& key) {
  if (variable(key).scope == Scope::kClause) {
    locals_[key.first] = zero(variable(key).type);
  } else {
    state_.variables.erase(key);
  }
}

std::uint64_t InterpretedVariables::address_of(const Key& key) {
  if (!variable(key).keys.empty() && !state_.variables.contains(key)) return 0;
  auto& known = state_.addressed;
  auto it = std::find(known.begin(), known.end(), key);
  if (it == known.end()) it = known.insert(it, key);
  return kVariableBase + static_cast<std::uint64_t>(it - known.begin()) * kVariableRoom;
}

const InterpretedVariables::Key* InterpretedVariables::at(std::uint64_t address) const {
  const std::uint64_t number = (address - kVariableBase) / kVariableRoom;
  const bool is_any = address >= kVariableBase && number < state_.addressed.size();
  return is_any ? &state_.addressed[number] : nullptr;
}

bool InterpretedVariables::read(std::uint64_t address, std::span<std::uint8_t> out) const {
  const Key* const key = at(address);
  if (key == nullptr) return false;
  const Bytes bytes = load(*key).bytes;
  const std::uint64_t offset = offset_of(address);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = offset + i < bytes.size() ? bytes[offset + i] : 0;
  }
  return true;
}

std::uint8_t* InterpretedVariables::writable(std::uint64_t address, std::uint64_t size) {
  const Key* const key = at(address);
  if (key == nullptr) return nullptr;
  const Type& type = variable(*key).type;
  const std::uint64_t offset = offset_of(address);
  const bool is_good = variable(*key).scope == Scope::kGlobal && variable(*key).keys.empty() &&
                       type.kind == TypeKind::kBytes && offset <= type.size &&
                       size <= type.size - offset;
  if (!is_good) return nullptr;
  Value& value = state_.variables.try_emplace(*key, zero(type)).first->second;
  return value.bytes.data() + offset;
}

}  // namespace dt::ir
