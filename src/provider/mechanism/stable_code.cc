// See stable_code.h.

#include "provider/mechanism/stable_code.h"

#include <linux/bpf.h>

#include <algorithm>

#include "bpf/layout/word_load.h"
#include "provider/mechanism/tracepoint.h"

namespace dt::provider {

void StableCode::lack(std::string what) {
  if (lacks_.empty()) lacks_ = std::move(what);
}

bpf::Reg StableCode::word(std::uint32_t n) {
  if (has_word(n)) {
    return load_parameter(emitter_, context_, n, source_.types, source_.parameters[n]);
  }
  lack(fmt::format("this kernel's tracepoint {} passes less than the probe needs",
                   source_.tracepoint));
  return emitter_.imm(0);
}

std::uint32_t StableCode::word_size(std::uint32_t n) {
  return has_word(n) ? source_.types.size_of(source_.parameters[n]) : 0;
}

bpf::Reg StableCode::current() { return emitter_.call(BPF_FUNC_get_current_task, {}); }

bpf::Reg StableCode::read(bpf::Reg base, const types::Place& place) {
  const std::uint32_t size = source_.types.size_of(place.type);
  const bpf::Reg value =
      bpf::read_word(emitter_, words_, base, static_cast<std::int32_t>(place.offset), size);
  if (source_.types.resolved(place.type).is_signed && size < 8) emitter_.sign_extend(value, size);
  return value;
}

bpf::Reg StableCode::member(bpf::Reg base, const char* structure, std::string_view path) {
  const auto places = types::find_places(source_.types, structure, path, source_.module);
  if (!places.ok()) {
    lack(places.error().text);
    return emitter_.imm(0);
  }
  for (const types::Place& place : *places) base = read(base, place);
  return base;
}

bpf::Reg StableCode::byte(bpf::Reg base, std::uint32_t offset) {
  return bpf::read_word(emitter_, words_, base, static_cast<std::int32_t>(offset), 1);
}

bpf::Reg StableCode::bits(bpf::Reg base, const char* structure, std::string_view name) {
  const auto field = types::find_bit_field(source_.types, structure, name, source_.module);
  if (!field.ok()) {
    lack(field.error().text);
    return emitter_.imm(0);
  }
  const bpf::Reg value = byte(base, field->offset);
  emitter_.alu_imm(bpf::Alu::kRsh, value, static_cast<std::int32_t>(field->first));
  emitter_.alu_imm(bpf::Alu::kAnd, value, (1 << field->count) - 1);
  return value;
}

std::int32_t StableCode::offset(const char* structure, std::string_view path) {
  const auto place = types::find_place(source_.types, structure, path, source_.module);
  if (!place.ok()) lack(place.error().text);
  return place.ok() ? static_cast<std::int32_t>(place->offset) : 0;
}

std::int32_t StableCode::size_of(const char* structure) {
  const auto type = types::find_structure(source_.types, structure, source_.module);
  if (!type.ok()) lack(type.error().text);
  // Something is divided by it.
  return type.ok() ? std::max(1, static_cast<std::int32_t>(source_.types.size_of(*type))) : 1;
}

bool StableCode::has(const char* structure) const {
  return types::find_structure(source_.types, structure, source_.module).ok();
}

bool StableCode::has(const char* structure, std::string_view path) const {
  return types::find_places(source_.types, structure, path, source_.module).ok();
}

std::int32_t StableCode::enumerator(const char* enumeration, std::string_view name) {
  for (const std::string_view where : {source_.module, types::kKernelModule}) {
    const auto type = source_.types.find(types::Tag::kEnum, enumeration, where);
    if (!type) continue;
    for (const types::Enumerator& one : source_.types.resolved(*type).enumerators) {
      if (one.name == name) return static_cast<std::int32_t>(one.value);
    }
  }
  lack(fmt::format("this kernel knows no {} (enum {})", name, enumeration));
  return 0;
}

}  // namespace dt::provider
