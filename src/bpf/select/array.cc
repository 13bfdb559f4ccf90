// Selector: associative arrays. Each is a hash map; the key is built in the key
// buffer, and an element that is stored 0 or "" is deleted.

#include "bpf/asm/lir.h"
#include "bpf/select/selector.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

bool is_int(const ir::Type& type) { return type.kind == ir::TypeKind::kInt; }

}  // namespace

// What tells this thread from all others, those that have ended included: the
// thread id, which no two living threads share, above the microsecond (of
// 1,024 ns) at which the thread started. Where that time is not to be had, the
// thread's task_struct stands for it.
Reg Selector::thread_identity() {
  return once(Once::kThreadId, [&] {
    constexpr std::int32_t kTidShift = 42;  // thread ids are below 2^22
    const std::int32_t start_time = unit_.memory.machine.task_start_time;
    if (start_time < 0) return task_address();
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
    end = layout.offsets[i] +
          (is_int(variable.keys[i]) ? variable.keys[i].size : words_up(variable.keys[i].size));
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
  const bool may_be_zero = variable.type.kind != ir::TypeKind::kBytes &&
                           (def_[stored] == nullptr || (def_[stored]->op != ir::Op::kConst &&
                                                        def_[stored]->op != ir::Op::kString));
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
  const Reg status =
      e_.call(BPF_FUNC_map_update_elem, {e_.map(map), address(key), from, e_.imm(BPF_ANY)});
  e_.jump_if_imm(Cond::kNe, status, 0, drop_and_go(record::Drop::kDynamic, done));
  e_.bind(done);
}

void Selector::add_element(const ir::Inst& inst, const ir::Variable& variable) {
  const MapRef map = {MapKind::kAssoc, inst.index};
  const Place key = array_key_of(inst, variable.keys.size());
  const Label done = e_.label();
  const Reg element = found_or_added(map, key, {unit_.zeros(words_up(variable.type.size))},
                                     record::Drop::kDynamic, done);
  add_to({element, 0}, variable.type, inst.args.back());
  e_.bind(done);
}

// The element of the key, made when it is not there; goes to `skip` when it was made and
// that is all, or, counting the drop, when there is no room.
Reg Selector::found_or_added(MapRef map, Place key, First first, record::Drop lost, Label skip) {
  const Label absent = e_.label(), have = e_.label();
  const Reg element = lookup(map, key);
  e_.jump_if_imm(Cond::kEq, element, 0, absent);
  e_.bind(have);
  cold_.push_back([=, this] {
    e_.bind(absent);
    // Another one may add it first: either way it is there afterwards.
    const Reg status =
        e_.call(BPF_FUNC_map_update_elem,
                {e_.map(map), address(key), address(rodata(first.at)), e_.imm(BPF_NOEXIST)});
    if (first.is_all) e_.jump_if_imm(Cond::kEq, status, 0, skip);
    e_.mov(element, lookup(map, key));
    e_.jump_if_imm(Cond::kNe, element, 0, have);
    drop(lost);
    e_.jump(skip);
  });
  return element;
}

}  // namespace dt::bpf
