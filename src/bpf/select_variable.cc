// Selector: variables.
//
//   global      a place in the globals' value
//   thread      a place in the thread's storage, which is found once a clause;
//               a thread without storage reads 0 and gets storage at its first
//               store of anything else
//   clause      those that are left in memory: integers in a register, strings
//               in the scratch frame behind a register that holds their
//               address (of zeros until the first store)
//   arrays      hash maps; the key is built in the key buffer

#include "bpf/lir.h"
#include "bpf/select.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

std::uint32_t words_up(std::uint32_t bytes) { return (bytes + 7) / 8 * 8; }

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
    default: DT_UNREACHABLE();
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
      return load_from(inst, {e_.map_value({MapKind::kGlobals, 0},
                                           unit_.memory.global_offset[inst.index]), 0});
    case ir::Scope::kThread: return load_thread(inst);
    case ir::Scope::kClause: return load_local(inst);
  }
}

void Selector::store_scalar(const ir::Inst& inst, const ir::Variable& variable) {
  const bool is_add = inst.op == ir::Op::kAtomicAdd;
  switch (variable.scope) {
    case ir::Scope::kGlobal: {
      const Place place = {e_.map_value({MapKind::kGlobals, 0},
                                        unit_.memory.global_offset[inst.index]), 0};
      return is_add ? add_to(place, variable.type, inst.args[0])
                    : store_to(place, variable.type, inst.args[0]);
    }
    case ir::Scope::kThread: return store_thread(inst, variable);
    case ir::Scope::kClause: return store_local(inst, variable);
  }
}

// At the start of a firing every clause-local variable is 0 or "".
void Selector::prepare_locals() {
  for (std::uint32_t i = 0; i < fused_.in_memory.size(); i++) {
    const ir::Variable& variable = unit_.program.variables[i];
    if (!fused_.in_memory[i] || variable.scope != ir::Scope::kClause) continue;
    Local local;
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
}

// ---- Thread-local variables ------------------------------------------------------

// Finds this thread's storage: its address or 0 in tls_. With `create` only
// when there was no memory for it is it 0.
void Selector::need_tls(bool create) {
  bool known = false;
  for (const ir::BlockId point : tls_points_) known = known || usable(point);
  if (known && !create) return;
  const Label have = e_.label();
  const Reg current = task();
  if (!tls_points_.empty()) e_.jump_if_imm(Cond::kNe, tls_, 0, have);
  const Reg found = e_.call(BPF_FUNC_task_storage_get,
                            {e_.map({MapKind::kTls, 0}), current, e_.imm(0),
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
  if (is_add) add_to(place, variable.type, inst.args[0]);
  else store_to(place, variable.type, inst.args[0]);
  e_.bind(done);
}

// ---- Associative arrays --------------------------------------------------------------

// What tells this thread from all others, those that have ended included: the
// thread id, which no two living threads share, above the microsecond (of
// 1,024 ns) at which the thread started. Where that time is not to be had, the
// thread's task_struct stands for it.
Reg Selector::thread_identity() {
  return once(Once::kThreadId, [&] {
    constexpr std::int32_t kTidShift = 42;  // thread ids are below 2^22
    const std::int32_t start_time = unit_.memory.machine.task_start_time;
    if (start_time < 0) return e_.call(BPF_FUNC_get_current_task, {});
    const Reg identity = e_.reg();
    e_.mov(identity, tid());
    e_.alu_imm(Alu::kLsh, identity, kTidShift);
    const Reg start = e_.load(8, task(), start_time);
    e_.alu_imm(Alu::kLsh, start, 64 - kTidShift - 10);
    e_.alu_imm(Alu::kRsh, start, 64 - kTidShift);
    e_.alu(Alu::kOr, identity, start);
    return identity;
  });
}

// Builds the key of the first `key_count` operands; returns where.
Place Selector::array_key_of(const ir::Inst& inst, std::size_t key_count) {
  const ir::Variable& variable = unit_.program.variables[inst.index];
  const ArrayKey layout = array_key(variable);
  const bool is_thread = variable.scope == ir::Scope::kThread;
  const Reg identity = is_thread ? thread_identity() : Reg{};
  const Place key = key_slot(layout.bytes);
  const auto start = static_cast<std::uint32_t>(key.offset);
  if (is_thread) e_.store(8, key.base, key.offset, identity);
  std::uint32_t end = is_thread ? 8 : 0;
  for (std::size_t i = 0; i < key_count; i++) {
    put_gap(key, end, layout.offsets[i]);
    store_to(at(key.base, start + layout.offsets[i]), variable.keys[i], inst.args[i]);
    end = layout.offsets[i] + (is_int(variable.keys[i]) ? variable.keys[i].size
                                                        : words_up(variable.keys[i].size));
  }
  put_gap(key, end, layout.bytes);
  return key;
}

Reg Selector::lookup(MapRef map, Place key) {
  return e_.call(BPF_FUNC_map_lookup_elem, {e_.map(map), address(key)});
}

void Selector::load_element(const ir::Inst& inst, const ir::Variable& variable) {
  const MapRef map = {MapKind::kAssoc, inst.index};
  const Place key = array_key_of(inst, variable.keys.size());
  const Label absent = e_.label();
  if (is_int(inst.type)) {
    const Reg element = lookup(map, key);
    const Reg dst = e_.imm(0);
    e_.jump_if_imm(Cond::kEq, element, 0, absent);
    e_.load_to(dst, inst.type.size, element, 0);
    if (inst.type.is_signed) extend(dst, inst.type);
    e_.bind(absent);
    return define(inst, dst);
  }
  const Reg element = lookup(map, key);
  e_.jump_if_imm(Cond::kNe, element, 0, absent);
  e_.mov(element, rodata(unit_.zeros(words_up(inst.type.size))).base);
  e_.bind(absent);
  load_from(inst, {element, 0});
}

// A whole value of `type` in memory, for a helper to read.
Place Selector::value_buffer(const ir::Type& type, ir::ValueId id) {
  if (is_int(type)) {
    const Place word = stack_word();
    e_.store(8, word.base, word.offset, reg(id));
    return word;
  }
  const std::uint32_t bytes = words_up(type.size);
  const Value& v = value(id);
  if (v.type.size <= type.size) return in_memory(v, bytes, position_);
  const Place buffer = temporary(bytes, position_);
  store_to(buffer, type, id);
  return buffer;
}

void Selector::store_element(const ir::Inst& inst, const ir::Variable& variable) {
  const MapRef map = {MapKind::kAssoc, inst.index};
  const ir::ValueId stored = inst.args.back();
  const Place key = array_key_of(inst, variable.keys.size());
  const Label done = e_.label();
  if (is_zero_constant(stored)) {
    e_.call_void(BPF_FUNC_map_delete_elem, {e_.map(map), address(key)});
    return;
  }
  const bool may_be_zero = def_[stored] == nullptr || (def_[stored]->op != ir::Op::kConst &&
                                                       def_[stored]->op != ir::Op::kString);
  const Place buffer = is_int(variable.type) ? Place{} : value_buffer(variable.type, stored);
  if (may_be_zero) {
    const Label erase = e_.label();
    Reg probe;
    if (is_int(variable.type)) {
      probe = as_type(stored, variable.type);
    } else {
      probe = e_.reg();
      e_.mov(probe, word(value(stored), 0));
      e_.alu_imm(Alu::kAnd, probe, 0xff);
    }
    e_.jump_if_imm(Cond::kEq, probe, 0, erase);
    cold_.push_back([=, this] {
      e_.bind(erase);
      e_.call_void(BPF_FUNC_map_delete_elem, {e_.map(map), address(key)});
      e_.jump(done);
    });
  }
  Reg from;
  if (is_int(variable.type)) {
    const Label absent = e_.label();
    const Reg element = lookup(map, key);
    e_.jump_if_imm(Cond::kEq, element, 0, absent);
    store_to({element, 0}, variable.type, stored);
    e_.jump(done);
    e_.bind(absent);
    from = address(value_buffer(variable.type, stored));
  } else {
    from = address(buffer);
  }
  const Reg status = e_.call(BPF_FUNC_map_update_elem,
                             {e_.map(map), address(key), from, e_.imm(BPF_ANY)});
  e_.jump_if_imm(Cond::kNe, status, 0, drop_and_go(record::Drop::kDynamic, done));
  e_.bind(done);
}

void Selector::add_element(const ir::Inst& inst, const ir::Variable& variable) {
  const MapRef map = {MapKind::kAssoc, inst.index};
  const Place key = array_key_of(inst, variable.keys.size());
  const Label done = e_.label();
  const Reg element = found_or_added(map, key, words_up(variable.type.size),
                                     record::Drop::kDynamic, done);
  add_to({element, 0}, variable.type, inst.args.back());
  e_.bind(done);
}

// The element of the key, made of zeros when it is not there; goes to `skip`,
// counting the drop, when there is no room.
Reg Selector::found_or_added(MapRef map, Place key, std::uint32_t value_bytes, record::Drop lost,
                             Label skip) {
  const Label absent = e_.label(), have = e_.label();
  const Reg element = lookup(map, key);
  e_.jump_if_imm(Cond::kEq, element, 0, absent);
  e_.bind(have);
  const std::uint32_t zeros = unit_.zeros(value_bytes);
  cold_.push_back([=, this] {
    e_.bind(absent);
    // Another CPU may add it first: either way it is there afterwards.
    e_.call_void(BPF_FUNC_map_update_elem, {e_.map(map), address(key),
                                            address(rodata(zeros)), e_.imm(BPF_NOEXIST)});
    e_.mov(element, lookup(map, key));
    e_.jump_if_imm(Cond::kNe, element, 0, have);
    drop(lost);
    e_.jump(skip);
  });
  return element;
}

}  // namespace dt::bpf
