// Selector: parts of values of bytes, which is how members of structures and
// elements of arrays are read and written where they are, without moving the
// whole.
//
// A part may lie at any address: all memory here but the stack (maps' values,
// the scratch frame) may be accessed so on every machine that we generate for.

#include "bpf/asm/lir.h"
#include "bpf/select/selector.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

bool is_int(const ir::Type& type) { return type.kind == ir::TypeKind::kInt; }

}  // namespace

void Selector::part_of_variable(const ir::Inst& inst) {
  const ir::Variable& variable = unit_.program.variables[inst.index];
  if (!variable.keys.empty()) built_key_ = {};
  switch (inst.op) {
    case ir::Op::kLoadPart:
      return load_part(inst, variable);
    case ir::Op::kStorePart:
      return store_part(inst, variable);
    case ir::Op::kClear:
      return clear(inst, variable);
    default:
      DT_UNREACHABLE();
  }
}

// Where a part begins. The verifier has to see that a computed offset leaves
// the part within the whole.
Place Selector::part_place(const ir::Inst& inst, Place whole, const ir::Type& part,
                           const ir::Type& of, std::optional<ir::ValueId> offset) {
  const auto fixed = static_cast<std::uint32_t>(inst.imm);
  if (!offset) return at(whole.base, static_cast<std::uint32_t>(whole.offset) + fixed);
  const std::uint32_t most = of.size - part.size - fixed;
  const Label within = e_.label();
  const Reg where = e_.held_copy(unrelated_copy(*offset));
  e_.jump_if_imm(Cond::kLe, where, static_cast<std::int32_t>(most), within);
  e_.mov_imm(where, 0);
  e_.bind(within);
  const Reg base = e_.reg();
  e_.mov(base, whole.base);
  e_.alu(Alu::kAdd, base, where);
  return at(base, static_cast<std::uint32_t>(whole.offset) + fixed);
}

// Defines the result as what lies at `place`, of which no byte behind the part
// may be looked at: the whole may end there.
void Selector::load_exactly(const ir::Inst& inst, Place place) {
  if (is_int(inst.type)) return load_from(inst, place);
  const std::uint32_t bytes = words_up(inst.type.size);
  const Place buffer = temporary(bytes, last_use(inst.result));
  if (bytes > inst.type.size) {
    zero(at(buffer.base, static_cast<std::uint32_t>(buffer.offset) + bytes - 8), 8);
  }
  copy_bytes(buffer, place, inst.type.size);
  define_memory(inst, buffer, bytes);
}

void Selector::put_part(Place place, const ir::Type& type, ir::ValueId id) {
  if (is_int(type)) return store_to(place, type, id);
  if (type.kind == ir::TypeKind::kString) return put_string(place, type.size, value(id));
  put_bytes(place, type.size, value(id));
}

void Selector::part(const ir::Inst& inst) {
  const Value& whole = value(inst.args[0]);
  DT_CHECK(whole.kind == Value::Kind::kMemory);
  // It may be on the stack, where accesses are aligned and at fixed places.
  const Place moved = frame_place(whole.avail, position_);
  put_bytes(moved, whole.avail, whole);
  const std::optional<ir::ValueId> offset =
      inst.args.size() > 1 ? std::optional(inst.args[1]) : std::nullopt;
  load_exactly(inst, part_place(inst, moved, inst.type, whole.type, offset));
}

// ---- Variables -----------------------------------------------------------------

void Selector::load_part(const ir::Inst& inst, const ir::Variable& variable) {
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
    const Local& local = locals_.at(inst.index);
    const Place whole = local.is_shared ? at(frame_, local.frame_offset) : Place{local.reg, 0};
    return load_exactly(inst, part_place(inst, whole, inst.type, variable.type, offset));
  }
  // What is not there reads as zeros.
  const Reg where = e_.reg();
  const Label have = e_.label();
  if (keys == 0) {
    need_tls(false);
    e_.mov(where, rodata(unit_.zeros(bytes)).base);
    e_.jump_if_imm(Cond::kEq, tls_, 0, have);
    e_.mov(where, address(at(tls_, unit_.memory.tls_offset[inst.index])));
  } else {
    const Place key = array_key_of(inst, keys);
    e_.mov(where, lookup({MapKind::kAssoc, inst.index}, key));
    e_.jump_if_imm(Cond::kNe, where, 0, have);
    e_.mov(where, rodata(unit_.zeros(bytes)).base);
  }
  e_.bind(have);
  load_exactly(inst, part_place(inst, {where, 0}, inst.type, variable.type, offset));
}

// The clause-local variable in the frame, zeros when nothing was stored yet.
void Selector::need_local(const ir::Inst& inst, const ir::Type& type) {
  Local& local = locals_.at(inst.index);
  need_frame();
  if (local.is_shared || known_since(local.points)) return;
  const Label have = e_.label();
  const Place place = at(frame_, local.frame_offset);
  const Reg home = address(place);
  e_.jump_if(Cond::kEq, local.reg, home, have);
  zero(place, words_up(type.size));
  e_.mov(local.reg, home);
  e_.bind(have);
  local.points.push_back(block_);
}

void Selector::store_part(const ir::Inst& inst, const ir::Variable& variable) {
  const std::size_t keys = variable.keys.size();
  const std::optional<ir::ValueId> offset =
      inst.args.size() > keys + 1 ? std::optional(inst.args[keys]) : std::nullopt;
  const ir::ValueId stored = inst.args.back();
  const Label done = e_.label();
  Place whole;
  if (keys > 0) {
    const Place key = array_key_of(inst, keys);
    whole = {found_or_added({MapKind::kAssoc, inst.index}, key,
                            First{unit_.zeros(words_up(variable.type.size))},
                            record::Drop::kDynamic, done),
             0};
  } else if (variable.scope == ir::Scope::kGlobal) {
    whole = {e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0};
  } else if (variable.scope == ir::Scope::kThread) {
    need_tls(true);
    e_.jump_if_imm(Cond::kEq, tls_, 0, drop_and_go(record::Drop::kDynamic, done));
    whole = at(tls_, unit_.memory.tls_offset[inst.index]);
  } else {
    need_local(inst, variable.type);
    whole = at(frame_, locals_.at(inst.index).frame_offset);
  }
  put_part(part_place(inst, whole, inst.stored, variable.type, offset), inst.stored, stored);
  e_.bind(done);
}

void Selector::clear(const ir::Inst& inst, const ir::Variable& variable) {
  const std::uint32_t bytes = words_up(variable.type.size);
  if (!variable.keys.empty()) {
    const Place key = array_key_of(inst, variable.keys.size());
    return e_.call_void(BPF_FUNC_map_delete_elem,
                        {e_.map({MapKind::kAssoc, inst.index}), address(key)});
  }
  switch (variable.scope) {
    case ir::Scope::kGlobal:
      return zero({e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0},
                  bytes);
    case ir::Scope::kThread: {
      const Label done = e_.label();
      need_tls(false);
      e_.jump_if_imm(Cond::kEq, tls_, 0, done);
      zero(at(tls_, unit_.memory.tls_offset[inst.index]), bytes);
      return e_.bind(done);
    }
    case ir::Scope::kClause: {
      Local& local = locals_.at(inst.index);
      if (local.is_shared) return zero(at(frame_, local.frame_offset), bytes);
      e_.mov(local.reg, rodata(unit_.zeros(bytes)).base);
      local.points.clear();
      return;
    }
  }
}

}  // namespace dt::bpf
