// Selector: variables.
//
//   global      a place in the globals' value
//   thread      a place in the thread's storage, which is found once a clause;
//               a thread without storage reads 0 and gets storage at its first
//               store of anything else
//   clause      those that are left in memory: integers in a register, strings
//               in the scratch frame behind a register that holds their
//               address (of zeros until the first store)
//   arrays      hash maps: array.cc

#include "bpf/asm/lir.h"
#include "bpf/select/firing.h"
#include "bpf/select/selector.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

bool is_int(const ir::Type& type) { return type.kind == ir::TypeKind::kInt; }

}  // namespace

bool Selector::is_zero_constant(ir::ValueId id) const {
  const ir::Inst* inst = def_[id];
  if (inst == nullptr) return false;
  if (inst->op == ir::Op::kConst) return inst->imm == 0;
  return inst->op == ir::Op::kString && unit_.program.strings[inst->index].empty();
}

void Selector::variable(const ir::Inst& inst) {
  const ir::Variable& variable = unit_.program.variables[inst.index];
  const bool is_array = !variable.keys.empty();
  if (is_array) built_key_ = {};
  switch (inst.op) {
    case ir::Op::kLoad:
      return is_array ? load_element(inst, variable) : load_scalar(inst, variable);
    case ir::Op::kStore:
      return is_array ? store_element(inst, variable) : store_scalar(inst, variable);
    case ir::Op::kAtomicAdd:
      return is_array ? add_element(inst, variable) : store_scalar(inst, variable);
    default:
      DT_UNREACHABLE();
  }
}

// ---- Places of a type --------------------------------------------------------

// Defines the result as what lies at `place` now.
void Selector::load_from(const ir::Inst& inst, Place place) {
  if (is_int(inst.type)) {
    const Reg dst = e_.load(inst.type.size, place.base, place.offset);
    if (inst.type.is_signed) extend(dst, inst.type);
    return define(inst, dst);
  }
  const std::uint32_t bytes = words_up(inst.type.size);
  const Place buffer = temporary(bytes, last_use(inst.result));
  copy_bytes(buffer, place, bytes);
  define_memory(inst, buffer, bytes);
}

// The integer as a place of `type` would hold it, in a register not to be changed.
Reg Selector::as_type(ir::ValueId id, const ir::Type& type) {
  if (type_of(id) == type || type.size == 8) return reg(id);
  const Reg copy = copy_of(id);
  extend(copy, type);
  return copy;
}

// Writes a value of `type`; strings and bytes fill whole words.
void Selector::store_to(Place place, const ir::Type& type, ir::ValueId id) {
  if (is_int(type)) {
    const auto known = constant(id);
    if (known && fits_s32(*known)) {
      return e_.store_imm(type.size, place.base, place.offset, static_cast<std::int32_t>(*known));
    }
    return e_.store(type.size, place.base, place.offset, reg(id));
  }
  const std::uint32_t bytes = words_up(type.size);
  if (type.kind == ir::TypeKind::kBytes) return put_bytes(place, bytes, value(id));
  if (value(id).type.size <= type.size) return put_string(place, bytes, value(id));
  put_string(place, type.size, value(id));
  if (bytes > type.size) {
    zero(at(place.base, static_cast<std::uint32_t>(place.offset) + type.size), bytes - type.size);
  }
}

void Selector::add_to(Place place, const ir::Type& type, ir::ValueId delta) {
  if (type.size >= 4) {
    return e_.atomic(Atomic::kAdd, type.size, place.base, place.offset, copy_of(delta));
  }
  const Reg sum = e_.load(type.size, place.base, place.offset);
  alu_value(Alu::kAdd, sum, delta);
  e_.store(type.size, place.base, place.offset, sum);
}

// ---- Scalars -------------------------------------------------------------------

void Selector::load_scalar(const ir::Inst& inst, const ir::Variable& variable) {
  switch (variable.scope) {
    case ir::Scope::kGlobal:
      return load_from(
          inst, {e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0});
    case ir::Scope::kThread:
      return load_thread(inst);
    case ir::Scope::kClause:
      return load_local(inst);
  }
}

void Selector::store_scalar(const ir::Inst& inst, const ir::Variable& variable) {
  const bool is_add = inst.op == ir::Op::kAtomicAdd;
  switch (variable.scope) {
    case ir::Scope::kGlobal: {
      const Place place = {
          e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0};
      return is_add ? add_to(place, variable.type, inst.args[0])
                    : store_to(place, variable.type, inst.args[0]);
    }
    case ir::Scope::kThread:
      return store_thread(inst, variable);
    case ir::Scope::kClause:
      return store_local(inst, variable);
  }
}

// Where the parts of a program keep a clause-local variable that they share.
std::uint32_t Selector::shared_offset(std::uint32_t variable) const {
  if (spec_.firing == nullptr) return ir::kNone;
  const auto shared = spec_.firing->locals.find(variable);
  return shared == spec_.firing->locals.end() ? ir::kNone : shared->second;
}

// At the start of a firing every clause-local variable is 0 or "".
void Selector::prepare_locals() {
  for (std::uint32_t i = 0; i < fused_.in_memory.size(); i++) {
    const ir::Variable& variable = unit_.program.variables[i];
    if (!fused_.in_memory[i] || variable.scope != ir::Scope::kClause) continue;
    Local local;
    if (const std::uint32_t offset = shared_offset(i); offset != ir::kNone) {
      locals_[i] = {.reg = {}, .frame_offset = offset, .is_shared = true};
      continue;
    }
    if (is_int(variable.type)) {
      local.reg = e_.imm(0);
    } else {
      const std::uint32_t bytes = words_up(variable.type.size);
      local.reg = e_.reg();
      e_.mov(local.reg, rodata(unit_.zeros(bytes)).base);
      local.frame_offset = reserve_frame(bytes);
    }
    locals_[i] = local;
  }
}

void Selector::load_local(const ir::Inst& inst) {
  const auto local = locals_.find(inst.index);
  DT_CHECK(local != locals_.end(), "variable {}", inst.index);
  if (local->second.is_shared) {
    const Place shared = at(frame_, local->second.frame_offset);
    if (is_int(inst.type) || !may_alias_[inst.result]) return load_from(inst, shared);
    return define_memory(inst, shared, words_up(inst.type.size));
  }
  if (is_int(inst.type)) {
    const Reg copy = e_.reg();
    e_.mov(copy, local->second.reg);
    return define(inst, copy);
  }
  const Place place = {local->second.reg, 0};
  if (!may_alias_[inst.result]) return load_from(inst, place);
  define_memory(inst, place, words_up(inst.type.size));
}

void Selector::store_local(const ir::Inst& inst, const ir::Variable& variable) {
  const auto local = locals_.find(inst.index);
  DT_CHECK(local != locals_.end(), "variable {}", inst.index);
  if (local->second.is_shared) {
    const Place shared = at(frame_, local->second.frame_offset);
    if (inst.op == ir::Op::kAtomicAdd) return add_to(shared, variable.type, inst.args[0]);
    return store_to(shared, variable.type, inst.args[0]);
  }
  const Reg home = local->second.reg;
  if (is_int(variable.type)) {
    if (inst.op == ir::Op::kAtomicAdd) {
      alu_value(Alu::kAdd, home, inst.args[0]);
      return extend(home, variable.type);
    }
    return e_.mov(home, as_type(inst.args[0], variable.type));
  }
  need_frame();
  const Place place = at(frame_, local->second.frame_offset);
  store_to(place, variable.type, inst.args[0]);
  e_.mov(home, address(place));
  local->second.points.push_back(block_);
}

// ---- Thread-local variables ------------------------------------------------------

// Finds this thread's storage: its address or 0 in tls_. With `create` only
// when there was no memory for it is it 0.
void Selector::need_tls(bool create) {
  const bool known = known_since(tls_points_);
  if (known && !create) return;
  const Label have = e_.label();
  const Reg current = task();
  if (!tls_points_.empty()) e_.jump_if_imm(Cond::kNe, tls_, 0, have);
  const Reg found =
      e_.call(BPF_FUNC_task_storage_get, {e_.map({MapKind::kTls, 0}), current, e_.imm(0),
                                          e_.imm(create ? BPF_LOCAL_STORAGE_GET_F_CREATE : 0)});
  e_.mov(tls_, found);
  e_.bind(have);
  if (!known) tls_points_.push_back(block_);
}

void Selector::load_thread(const ir::Inst& inst) {
  need_tls(false);
  const Label absent = e_.label();
  const Place place = at(tls_, unit_.memory.tls_offset[inst.index]);
  if (is_int(inst.type)) {
    const Reg dst = e_.imm(0);
    e_.jump_if_imm(Cond::kEq, tls_, 0, absent);
    e_.load_to(dst, inst.type.size, place.base, place.offset);
    if (inst.type.is_signed) extend(dst, inst.type);
    e_.bind(absent);
    return define(inst, dst);
  }
  const std::uint32_t bytes = words_up(inst.type.size);
  const Reg where = e_.reg();
  e_.mov(where, rodata(unit_.zeros(bytes)).base);
  e_.jump_if_imm(Cond::kEq, tls_, 0, absent);
  e_.mov(where, address(at(tls_, unit_.memory.tls_offset[inst.index])));
  e_.bind(absent);
  if (!may_alias_[inst.result]) return load_from(inst, {where, 0});
  define_memory(inst, {where, 0}, bytes);
}

void Selector::store_thread(const ir::Inst& inst, const ir::Variable& variable) {
  const bool is_add = inst.op == ir::Op::kAtomicAdd;
  const bool frees = !is_add && is_zero_constant(inst.args[0]);
  need_tls(!frees);
  const Label done = e_.label();
  e_.jump_if_imm(Cond::kEq, tls_, 0, frees ? done : drop_and_go(record::Drop::kDynamic, done));
  const Place place = at(tls_, unit_.memory.tls_offset[inst.index]);
  if (is_add)
    add_to(place, variable.type, inst.args[0]);
  else
    store_to(place, variable.type, inst.args[0]);
  e_.bind(done);
}

}  // namespace dt::bpf
