// See arrays.h.
//
// A store of zero deletes the element: D has no other way to delete, and an absent element reads as
// zero. So a script that pairs an entry with a return (`start[tid] = 0`) does not fill the table.

#include "bpf/select/arrays.h"

#include <linux/bpf.h>

#include <cstddef>

#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/key_buffer.h"
#include "bpf/select/maps.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/drop.h"

namespace dt::bpf {

Arrays::Arrays(const Core& core, Maps& maps) : SelectionPart(core), maps_(maps) {}

MapRef Arrays::map_of(const ir::Inst& inst) const {
  return {MapKind::kAssoc, unit_.memory.assoc_map(inst.index)};
}

Place Arrays::array_key_of(const ir::Inst& inst, std::size_t key_count) {
  const ir::Variable& variable = unit_.program.variables[inst.index];
  const ArrayKey layout = array_key(variable);
  const bool is_thread = variable.scope == ir::Scope::kThread;
  const Reg identity = is_thread ? facts_.thread_identity() : Reg{};
  const bool is_numbered = unit_.memory.is_numbered(inst.index);
  const Place key = keys_.key_slot(layout.bytes + (is_numbered ? 8 : 0));
  const auto start = static_cast<std::uint32_t>(key.offset);
  if (is_thread) e_.store(8, key.base, key.offset, identity);
  std::uint32_t end = is_thread ? 8 : 0;
  for (std::size_t i = 0; i < key_count; ++i) {
    bytes_.put_gap(key, end, layout.offsets[i]);
    bytes_.store_to(storage_.at(key.base, start + layout.offsets[i]), variable.keys[i],
                    inst.args[i]);
    end = layout.offsets[i] +
          (is_int(variable.keys[i]) ? variable.keys[i].size : words_up(variable.keys[i].size));
  }
  bytes_.put_gap(key, end, layout.bytes);
  if (is_numbered) {
    e_.store_imm(8, key.base, key.offset + static_cast<std::int32_t>(layout.bytes),
                 static_cast<std::int32_t>(inst.index));
  }
  return key;
}

void Arrays::load_element(const ir::Inst& inst, const ir::Variable& variable) {
  const MapRef map = map_of(inst);
  const Place key = array_key_of(inst, variable.keys.size());
  const Label absent = e_.label();
  if (is_int(inst.type)) {
    const Reg element = maps_.lookup(map, key);
    const Reg dst = e_.imm(0);
    e_.jump_if_imm(Cond::kEq, element, 0, absent);
    e_.load_to(dst, inst.type.size, element, 0);
    if (inst.type.is_signed) values_.extend(dst, inst.type);
    e_.bind(absent);
    return values_.define(inst, dst);
  }
  const Reg element = maps_.lookup(map, key);
  e_.jump_if_imm(Cond::kNe, element, 0, absent);
  e_.mov(element, f_.rodata(unit_.zeros(words_up(inst.type.size))).base);
  e_.bind(absent);
  bytes_.load_from(inst, {element, 0});
}

// A whole value of `type` in memory, for a helper to read.
Place Arrays::value_buffer(const ir::Type& type, ir::ValueId id) {
  if (is_int(type)) {
    const Place word = storage_.stack_word();
    e_.store(8, word.base, word.offset, values_.reg(id));
    return word;
  }
  const std::uint32_t bytes = words_up(type.size);
  const Value& v = values_.value(id);
  if (v.type.size <= type.size) return bytes_.in_memory(v, bytes, f_.position);
  const Place buffer = storage_.temporary(bytes, f_.position);
  bytes_.store_to(buffer, type, id);
  return buffer;
}

void Arrays::store_element(const ir::Inst& inst, const ir::Variable& variable) {
  const MapRef map = map_of(inst);
  const ir::ValueId stored = inst.args.back();
  const Place key = array_key_of(inst, variable.keys.size());
  const Label done = e_.label();
  if (f_.analysis.is_zero_constant(stored)) {
    e_.call_void(BPF_FUNC_map_delete_elem, {e_.map(map), f_.address(key)});
    return;
  }
  const bool may_be_zero =
      variable.type.kind != ir::TypeKind::kBytes &&
      (f_.analysis.def[stored] == nullptr || (f_.analysis.def[stored]->op != ir::Op::kConst &&
                                              f_.analysis.def[stored]->op != ir::Op::kString));
  const Place buffer = is_int(variable.type) ? Place{} : value_buffer(variable.type, stored);
  if (may_be_zero) {
    const Label erase = e_.label();
    Reg probe;
    if (is_int(variable.type)) {
      probe = bytes_.as_type(stored, variable.type);
    } else {
      probe = e_.reg();
      e_.mov(probe, bytes_.word(values_.value(stored), 0));
      e_.alu_imm(Alu::kAnd, probe, 0xff);
    }
    e_.jump_if_imm(Cond::kEq, probe, 0, erase);
    f_.cold.push_back([=, this] {
      e_.bind(erase);
      e_.call_void(BPF_FUNC_map_delete_elem, {e_.map(map), f_.address(key)});
      e_.jump(done);
    });
  }
  Reg from;
  if (is_int(variable.type)) {
    const Label absent = e_.label();
    const Reg element = maps_.lookup(map, key);
    e_.jump_if_imm(Cond::kEq, element, 0, absent);
    bytes_.store_to({element, 0}, variable.type, stored);
    e_.jump(done);
    e_.bind(absent);
    from = f_.address(value_buffer(variable.type, stored));
  } else {
    from = f_.address(buffer);
  }
  const Reg status =
      e_.call(BPF_FUNC_map_update_elem, {e_.map(map), f_.address(key), from, e_.imm(BPF_ANY)});
  e_.jump_if_imm(Cond::kNe, status, 0, failures_.drop_and_go(record::Drop::kDynamic, done));
  e_.bind(done);
}

void Arrays::add_element(const ir::Inst& inst, const ir::Variable& variable) {
  const MapRef map = map_of(inst);
  const Place key = array_key_of(inst, variable.keys.size());
  const Label done = e_.label();
  const Reg element = maps_.found_or_added(map, key, {unit_.zeros(words_up(variable.type.size))},
                                           record::Drop::kDynamic, done);
  bytes_.add_to({element, 0}, variable.type, inst.args.back());
  e_.bind(done);
}

}  // namespace dt::bpf
