// See parts_of_bytes.h.

#include "bpf/select/parts_of_bytes.h"

#include <linux/bpf.h>

#include <cstddef>

#include "bpf/select/arrays.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/failures.h"
#include "bpf/select/key_buffer.h"
#include "bpf/select/maps.h"
#include "bpf/select/storage.h"
#include "bpf/select/thread_storage.h"
#include "bpf/select/values.h"
#include "bpf/select/variables.h"
#include "record/drop.h"
#include "support/check.h"

namespace dt::bpf {

PartsOfBytes::PartsOfBytes(const Core& core, ThreadStorage& tls, Maps& maps, Arrays& arrays,
                           Variables& variables)
    : SelectionPart(core), tls_(tls), maps_(maps), arrays_(arrays), variables_(variables) {}

void PartsOfBytes::part_of_variable(const ir::Inst& inst) {
  const ir::Variable& variable = unit_.program.variables[inst.index];
  if (!variable.keys.empty()) keys_.forget();
  switch (inst.op) {
    case ir::Op::kLoadPart:
      return load_part(inst, variable);
    case ir::Op::kStorePart:
      return store_part(inst, variable);
    case ir::Op::kClear:
      return clear(inst, variable);
    case ir::Op::kAddressOf:
      return address_of(inst, variable);
    default:
      DT_UNREACHABLE();
  }
}

// Where a part begins. The verifier has to see that a computed offset leaves
// the part within the whole.
Place PartsOfBytes::part_place(const ir::Inst& inst, Place whole, const ir::Type& part,
                               const ir::Type& of, std::optional<ir::ValueId> offset) {
  const auto fixed = static_cast<std::uint32_t>(inst.imm);
  if (!offset) return storage_.at(whole.base, static_cast<std::uint32_t>(whole.offset) + fixed);
  const std::uint32_t most = of.size - part.size - fixed;
  const Label within = e_.label();
  const Reg where = e_.held_copy(values_.unrelated_copy(*offset));
  e_.jump_if_imm(Cond::kLe, where, static_cast<std::int32_t>(most), within);
  e_.mov_imm(where, 0);
  e_.bind(within);
  const Reg base = e_.reg();
  e_.mov(base, whole.base);
  e_.alu(Alu::kAdd, base, where);
  return storage_.at(base, static_cast<std::uint32_t>(whole.offset) + fixed);
}

// Defines the result as the value at `place`. No byte behind the part may be read: the whole may
// end there.
void PartsOfBytes::load_exactly(const ir::Inst& inst, Place place) {
  if (is_int(inst.type)) return bytes_.load_from(inst, place);
  const std::uint32_t bytes = words_up(inst.type.size);
  const Place buffer = storage_.temporary(bytes, f_.last_use(inst.result));
  if (bytes > inst.type.size) {
    bytes_.zero(storage_.at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + bytes - 8), 8);
  }
  bytes_.copy_bytes(buffer, place, inst.type.size);
  values_.define_memory(inst, buffer, bytes);
}

void PartsOfBytes::put_part(Place place, const ir::Type& type, ir::ValueId id) {
  if (is_int(type)) return bytes_.store_to(place, type, id);
  if (type.kind == ir::TypeKind::kString)
    return bytes_.put_string(place, type.size, values_.value(id));
  bytes_.put_bytes(place, type.size, values_.value(id));
}

void PartsOfBytes::part(const ir::Inst& inst) {
  const Value& whole = values_.value(inst.args[0]);
  DT_CHECK(whole.kind == Value::Kind::kMemory);
  const bool is_aligned = is_int(inst.type) && inst.imm % inst.type.size == 0;
  if (inst.args.size() == 1 && is_aligned) {
    return load_exactly(inst, part_place(inst, whole.place, inst.type, whole.type, std::nullopt));
  }
  // It may be on the stack, where accesses are aligned and at fixed places.
  const Place moved = storage_.frame_place(whole.avail, f_.position);
  bytes_.put_bytes(moved, whole.avail, whole);
  const std::optional<ir::ValueId> offset =
      inst.args.size() > 1 ? std::optional(inst.args[1]) : std::nullopt;
  load_exactly(inst, part_place(inst, moved, inst.type, whole.type, offset));
}

// ---- Variables -----------------------------------------------------------------

void PartsOfBytes::load_part(const ir::Inst& inst, const ir::Variable& variable) {
  const std::size_t keys = variable.keys.size();
  const std::optional<ir::ValueId> offset =
      inst.args.size() > keys ? std::optional(inst.args[keys]) : std::nullopt;
  const std::uint32_t bytes = words_up(variable.type.size);
  if (keys == 0 && variable.scope == ir::Scope::kGlobal) {
    const Place whole = {
        e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0};
    return load_exactly(inst, part_place(inst, whole, inst.type, variable.type, offset));
  }
  if (keys == 0 && variable.scope == ir::Scope::kClause) {
    const Variables::Local& local = variables_.local(inst.index);
    const Place whole =
        local.is_shared ? storage_.at(storage_.frame(), local.frame_offset) : Place{local.reg, 0};
    return load_exactly(inst, part_place(inst, whole, inst.type, variable.type, offset));
  }
  // What is not there reads as zeros.
  const Reg where = e_.reg();
  const Label have = e_.label();
  if (keys == 0) {
    tls_.need_tls(false);
    e_.mov(where, f_.rodata(unit_.zeros(bytes)).base);
    e_.jump_if_imm(Cond::kEq, tls_.reg(), 0, have);
    e_.mov(where, f_.address(storage_.at(tls_.reg(), unit_.memory.tls_offset[inst.index])));
  } else {
    const Place key = arrays_.array_key_of(inst, keys);
    e_.mov(where, maps_.lookup(arrays_.map_of(inst), key));
    e_.jump_if_imm(Cond::kNe, where, 0, have);
    e_.mov(where, f_.rodata(unit_.zeros(bytes)).base);
  }
  e_.bind(have);
  load_exactly(inst, part_place(inst, {where, 0}, inst.type, variable.type, offset));
}

void PartsOfBytes::store_part(const ir::Inst& inst, const ir::Variable& variable) {
  const std::size_t keys = variable.keys.size();
  const std::optional<ir::ValueId> offset =
      inst.args.size() > keys + 1 ? std::optional(inst.args[keys]) : std::nullopt;
  const ir::ValueId stored = inst.args.back();
  const Label done = e_.label();
  Place whole;
  if (keys > 0) {
    const Place key = arrays_.array_key_of(inst, keys);
    whole = {maps_.found_or_added(arrays_.map_of(inst), key,
                                  Maps::First{unit_.zeros(words_up(variable.type.size))},
                                  record::Drop::kDynamic, done),
             0};
  } else if (variable.scope == ir::Scope::kGlobal) {
    whole = {e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0};
  } else if (variable.scope == ir::Scope::kThread) {
    tls_.need_tls(true);
    e_.jump_if_imm(Cond::kEq, tls_.reg(), 0, failures_.drop_and_go(record::Drop::kDynamic, done));
    whole = storage_.at(tls_.reg(), unit_.memory.tls_offset[inst.index]);
  } else {
    variables_.need_local(inst, variable.type);
    whole = storage_.at(storage_.frame(), variables_.local(inst.index).frame_offset);
  }
  put_part(part_place(inst, whole, inst.stored, variable.type, offset), inst.stored, stored);
  e_.bind(done);
}

void PartsOfBytes::clear(const ir::Inst& inst, const ir::Variable& variable) {
  const std::uint32_t bytes = words_up(variable.type.size);
  if (!variable.keys.empty()) {
    const Place key = arrays_.array_key_of(inst, variable.keys.size());
    return e_.call_void(BPF_FUNC_map_delete_elem, {e_.map(arrays_.map_of(inst)), f_.address(key)});
  }
  switch (variable.scope) {
    case ir::Scope::kGlobal:
      return bytes_.zero(
          {e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0}, bytes);
    case ir::Scope::kThread: {
      const Label done = e_.label();
      tls_.need_tls(false);
      e_.jump_if_imm(Cond::kEq, tls_.reg(), 0, done);
      bytes_.zero(storage_.at(tls_.reg(), unit_.memory.tls_offset[inst.index]), bytes);
      return e_.bind(done);
    }
    case ir::Scope::kClause: {
      Variables::Local& local = variables_.local(inst.index);
      if (local.is_shared)
        return bytes_.zero(storage_.at(storage_.frame(), local.frame_offset), bytes);
      e_.mov(local.reg, f_.rodata(unit_.zeros(bytes)).base);
      local.points.clear();
      return;
    }
  }
}

// The address of a map's value becomes a number by way of memory.
void PartsOfBytes::address_of(const ir::Inst& inst, const ir::Variable& variable) {
  storage_.need_frame();
  const Place word = storage_.frame_word(f_.position);
  const Reg where = e_.reg();
  const Label have = e_.label();
  if (!variable.keys.empty()) {
    const Place key = arrays_.array_key_of(inst, variable.keys.size());
    e_.mov(where, maps_.lookup(arrays_.map_of(inst), key));
  } else if (variable.scope == ir::Scope::kGlobal) {
    e_.mov(where, e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]));
  } else if (variable.scope == ir::Scope::kThread) {
    tls_.need_tls(true);
    e_.mov_imm(where, 0);
    e_.jump_if_imm(Cond::kEq, tls_.reg(), 0, failures_.drop_and_go(record::Drop::kDynamic, have));
    e_.mov(where, f_.address(storage_.at(tls_.reg(), unit_.memory.tls_offset[inst.index])));
  } else {
    variables_.need_local(inst, variable.type);
    const std::uint32_t offset = variables_.local(inst.index).frame_offset;
    e_.mov(where, f_.address(storage_.at(storage_.frame(), offset)));
  }
  e_.bind(have);
  e_.store(8, word.base, word.offset, where);
  const Reg address = e_.load(8, word.base, word.offset);
  if (inst.imm != 0) e_.alu_imm(Alu::kAdd, address, static_cast<std::int32_t>(inst.imm));
  values_.define(inst, address);
}

}  // namespace dt::bpf
