// See variables.h.
//
// Global variables of an integer type are read and written by single instructions: a reader on
// another CPU sees the old or the new value. `x++` is a load, an addition and a store in D's
// definition, and increments of two CPUs may be lost; here it is an atomic addition, which costs
// nothing more that matters.

#include "bpf/select/variables.h"

#include "bpf/select/arrays.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/failures.h"
#include "bpf/select/firing.h"
#include "bpf/select/key_buffer.h"
#include "bpf/select/storage.h"
#include "bpf/select/thread_storage.h"
#include "bpf/select/values.h"
#include "record/drop.h"
#include "support/check.h"

namespace dt::bpf {

Variables::Variables(const Core& core, ThreadStorage& tls, Arrays& arrays)
    : SelectionPart(core), tls_(tls), arrays_(arrays) {}

void Variables::need_local(const ir::Inst& inst, const ir::Type& type) {
  Local& local = locals_.at(inst.index);
  storage_.need_frame();
  if (local.is_shared || f_.known_since(local.points)) return;
  const Label have = e_.label();
  const Place place = storage_.at(storage_.frame(), local.frame_offset);
  const Reg home = f_.address(place);
  e_.jump_if(Cond::kEq, local.reg, home, have);
  bytes_.zero(place, words_up(type.size));
  e_.mov(local.reg, home);
  e_.bind(have);
  local.points.push_back(f_.block);
}

void Variables::variable(const ir::Inst& inst) {
  const ir::Variable& variable = unit_.program.variables[inst.index];
  const bool is_array = !variable.keys.empty();
  if (is_array) keys_.forget();
  switch (inst.op) {
    case ir::Op::kLoad:
      return is_array ? arrays_.load_element(inst, variable) : load_scalar(inst, variable);
    case ir::Op::kStore:
      return is_array ? arrays_.store_element(inst, variable) : store_scalar(inst, variable);
    case ir::Op::kAtomicAdd:
      return is_array ? arrays_.add_element(inst, variable) : store_scalar(inst, variable);
    default:
      DT_UNREACHABLE();
  }
}

// ---- Scalars -------------------------------------------------------------------

void Variables::load_scalar(const ir::Inst& inst, const ir::Variable& variable) {
  switch (variable.scope) {
    case ir::Scope::kGlobal:
      return bytes_.load_from(
          inst, {e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0});
    case ir::Scope::kThread:
      return load_thread(inst);
    case ir::Scope::kClause:
      return load_local(inst);
  }
}

void Variables::store_scalar(const ir::Inst& inst, const ir::Variable& variable) {
  const bool is_add = inst.op == ir::Op::kAtomicAdd;
  switch (variable.scope) {
    case ir::Scope::kGlobal: {
      const Place place = {
          e_.map_value({MapKind::kGlobals, 0}, unit_.memory.global_offset[inst.index]), 0};
      return is_add ? bytes_.add_to(place, variable.type, inst.args[0])
                    : bytes_.store_to(place, variable.type, inst.args[0]);
    }
    case ir::Scope::kThread:
      return store_thread(inst, variable);
    case ir::Scope::kClause:
      return store_local(inst, variable);
  }
}

// Where the parts of a program keep a clause-local variable that they share.
std::uint32_t Variables::shared_offset(std::uint32_t variable) const {
  if (f_.spec.firing == nullptr) return ir::kNone;
  const auto shared = f_.spec.firing->locals.find(variable);
  return shared == f_.spec.firing->locals.end() ? ir::kNone : shared->second;
}

void Variables::prepare_locals() {
  for (std::uint32_t i = 0; i < f_.fused.in_memory.size(); ++i) {
    const ir::Variable& variable = unit_.program.variables[i];
    if (!f_.fused.in_memory[i] || variable.scope != ir::Scope::kClause) continue;
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
      e_.mov(local.reg, f_.rodata(unit_.zeros(bytes)).base);
      local.frame_offset = storage_.reserve_frame(bytes);
    }
    locals_[i] = local;
  }
}

void Variables::load_local(const ir::Inst& inst) {
  const auto local = locals_.find(inst.index);
  DT_CHECK(local != locals_.end(), "variable {}", inst.index);
  if (local->second.is_shared) {
    const Place shared = storage_.at(storage_.frame(), local->second.frame_offset);
    if (is_int(inst.type) || !f_.analysis.may_alias[inst.result])
      return bytes_.load_from(inst, shared);
    return values_.define_memory(inst, shared, words_up(inst.type.size));
  }
  if (is_int(inst.type)) {
    const Reg copy = e_.reg();
    e_.mov(copy, local->second.reg);
    return values_.define(inst, copy);
  }
  const Place place = {local->second.reg, 0};
  if (!f_.analysis.may_alias[inst.result]) return bytes_.load_from(inst, place);
  values_.define_memory(inst, place, words_up(inst.type.size));
}

void Variables::store_local(const ir::Inst& inst, const ir::Variable& variable) {
  const auto local = locals_.find(inst.index);
  DT_CHECK(local != locals_.end(), "variable {}", inst.index);
  if (local->second.is_shared) {
    const Place shared = storage_.at(storage_.frame(), local->second.frame_offset);
    if (inst.op == ir::Op::kAtomicAdd) return bytes_.add_to(shared, variable.type, inst.args[0]);
    return bytes_.store_to(shared, variable.type, inst.args[0]);
  }
  const Reg home = local->second.reg;
  if (is_int(variable.type)) {
    if (inst.op == ir::Op::kAtomicAdd) {
      values_.alu_value(Alu::kAdd, home, inst.args[0]);
      return values_.extend(home, variable.type);
    }
    return e_.mov(home, bytes_.as_type(inst.args[0], variable.type));
  }
  storage_.need_frame();
  const Place place = storage_.at(storage_.frame(), local->second.frame_offset);
  bytes_.store_to(place, variable.type, inst.args[0]);
  e_.mov(home, f_.address(place));
  local->second.points.push_back(f_.block);
}

void Variables::load_thread(const ir::Inst& inst) {
  tls_.need_tls(false);
  const Label absent = e_.label();
  const Place place = storage_.at(tls_.reg(), unit_.memory.tls_offset[inst.index]);
  if (is_int(inst.type)) {
    const Reg dst = e_.imm(0);
    e_.jump_if_imm(Cond::kEq, tls_.reg(), 0, absent);
    e_.load_to(dst, inst.type.size, place.base, place.offset);
    if (inst.type.is_signed) values_.extend(dst, inst.type);
    e_.bind(absent);
    return values_.define(inst, dst);
  }
  const std::uint32_t bytes = words_up(inst.type.size);
  const Reg where = e_.reg();
  e_.mov(where, f_.rodata(unit_.zeros(bytes)).base);
  e_.jump_if_imm(Cond::kEq, tls_.reg(), 0, absent);
  e_.mov(where, f_.address(storage_.at(tls_.reg(), unit_.memory.tls_offset[inst.index])));
  e_.bind(absent);
  // Functions that take frames want memory that may be written, which zeros in rodata are not.
  const bool is_copied = inst.type.kind == ir::TypeKind::kBytes;
  if (is_copied || !f_.analysis.may_alias[inst.result]) return bytes_.load_from(inst, {where, 0});
  values_.define_memory(inst, {where, 0}, bytes);
}

void Variables::store_thread(const ir::Inst& inst, const ir::Variable& variable) {
  const bool is_add = inst.op == ir::Op::kAtomicAdd;
  const bool frees = !is_add && f_.analysis.is_zero_constant(inst.args[0]);
  tls_.need_tls(!frees);
  const Label done = e_.label();
  e_.jump_if_imm(Cond::kEq, tls_.reg(), 0,
                 frees ? done : failures_.drop_and_go(record::Drop::kDynamic, done));
  const Place place = storage_.at(tls_.reg(), unit_.memory.tls_offset[inst.index]);
  if (is_add)
    bytes_.add_to(place, variable.type, inst.args[0]);
  else
    bytes_.store_to(place, variable.type, inst.args[0]);
  e_.bind(done);
}

}  // namespace dt::bpf
