// See follow.h.
//
// `curthread->mm->map_count` by helpers is a call for each arrow. But the verifier knows the type
// of the current task (bpf_get_current_task_btf), and lets a program load its members directly;
// what such a load gives is a pointer whose type it knows, too, and so on. A load through a pointer
// that is not valid faults in the kernel, which catches that, and gives 0.
//
// So 0 has two meanings here: the member is 0, or the address was bad, which D reports as a fault.
// Where a load gives 0 it is repeated by the helper, which tells them apart. This happens in code
// apart (f_.cold), so that the usual way is a load and a branch.
//
// For each value that was followed there may be two registers: `pointer`, typed, to load from; and
// the number, for everything else, because arithmetic with a pointer is refused.

#include "bpf/select/follow.h"

#include <linux/bpf.h>

#include <cstddef>

#include "bpf/routine/string_code.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/wire.h"
#include "types/walk.h"

namespace dt::bpf {

namespace {

// An instruction's offset is signed.
constexpr std::int64_t kMaxOffset = 0x7fff;

// In a block. The verifier looks at what follows a pointer in two states, and
// those of pointers that are there together multiply.
constexpr std::uint32_t kMaxFollowed = 8;

bool is_curthread(const ir::Inst* inst) {
  return inst != nullptr && inst->op == ir::Op::kBuiltin &&
         inst->builtin == ir::Builtin::kCurthread;
}

}  // namespace

// The value and the constant that make up an address. The front-end computes the address of a
// member as base + offset, perhaps in several steps for nested structures.
std::pair<ir::ValueId, std::int64_t> Follow::base_of(ir::ValueId address) const {
  std::int64_t offset = 0;
  for (;;) {
    const ir::Inst* const add = f_.analysis.def[address];
    if (add == nullptr || add->op != ir::Op::kAdd) return {address, offset};
    const ir::Inst* const number = f_.analysis.def[add->args[1]];
    if (number == nullptr || number->op != ir::Op::kConst) return {address, offset};
    if (number->imm < -kMaxOffset || number->imm > kMaxOffset) return {address, offset};
    offset += number->imm;
    address = add->args[0];
  }
}

void Follow::find_followed() {
  const types::Catalog* const types = unit_.memory.machine.types;
  // Where values move to the frame, the verifier forgets what they are.
  if (types == nullptr || unit_.budget.store_values) return;
  std::optional<types::TypeId> task;
  for (ir::BlockId b = 0; b < f_.fn.blocks.size(); ++b) {
    std::uint32_t left = kMaxFollowed;
    for (const ir::Inst& inst : f_.fn.blocks[b].insts) {
      if (is_curthread(&inst)) {
        if (!task) task = types->find(types::Tag::kStruct, "task_struct", "vmlinux");
        if (task) followed_[inst.result].structure = task;
      }
      const bool is_name = inst.op == ir::Op::kKernelBytes && inst.type.size == kNameBytes &&
                           f_.analysis.text_only[inst.result];
      if (inst.op != ir::Op::kLoadKernel && !is_name) continue;
      const auto [base, offset] = base_of(inst.args[0]);
      const auto from = followed_.find(base);
      if (from == followed_.end() || !from->second.structure || offset < 0 || offset > kMaxOffset) {
        continue;
      }
      // The type of a pointer is lost where blocks meet that disagree about it; within a block it
      // cannot be. The current task is the same everywhere.
      if (!is_curthread(f_.analysis.def[base]) && f_.analysis.def_block[base] != b) continue;
      const auto at = static_cast<std::uint32_t>(offset);
      const std::uint32_t size = is_name ? 8 : inst.type.size;
      const auto step = types::walk(*types, *from->second.structure, at, size);
      if (!step) continue;
      if (is_name && !types::walk(*types, *from->second.structure, at + 8, size)) continue;
      from->second.loads++;
      Followed& made = followed_[inst.result];
      made.is_load = true;
      made.base = base;
      made.offset = static_cast<std::int32_t>(offset);
      made.is_pointer = step->is_pointer;
      if (step->target && !is_name && left > 0) {
        made.structure = step->target;
        --left;
      }
    }
  }
  find_plain_uses();
}

// Which values are asked for as numbers, from the uses to the definitions: not
// an address, nor a part of one, that only plain loads take.
// Backwards, so that a value's uses are known before the value itself is looked at: whether an
// address is "only followed" depends on what is made of it.
void Follow::find_plain_uses() {
  if (followed_.empty()) return;
  used_plainly_.assign(f_.fn.value_count, false);
  for (std::size_t b = f_.fn.blocks.size(); b-- > 0;) {
    const ir::Block& block = f_.fn.blocks[b];
    if (block.end.condition != ir::kNone) used_plainly_[block.end.condition] = true;
    for (const ir::Target* target : {&block.end.then, &block.end.otherwise}) {
      for (const ir::ValueId id : target->args) used_plainly_[id] = true;
    }
    for (std::size_t i = block.insts.size(); i-- > 0;) {
      const ir::Inst& inst = block.insts[i];
      if (is_followed_load(inst) || is_followed_address(inst)) continue;
      for (const ir::ValueId id : inst.args) used_plainly_[id] = true;
    }
  }
}

bool Follow::is_followed_load(const ir::Inst& inst) const {
  const auto at = followed_.find(inst.result);
  return (inst.op == ir::Op::kLoadKernel || inst.op == ir::Op::kKernelBytes) &&
         at != followed_.end() && at->second.is_load;
}

bool Follow::is_followed_address(const ir::Inst& inst) const {
  if (inst.op != ir::Op::kAdd || followed_.empty() || used_plainly_[inst.result]) return false;
  const auto at = followed_.find(base_of(inst.result).first);
  return at != followed_.end() && at->second.structure.has_value();
}

void Follow::follow_curthread(const ir::Inst& inst) {
  const auto at = followed_.find(inst.result);
  const bool is_base = at != followed_.end() && at->second.loads > 0;
  if (is_base) at->second.pointer = facts_.walked_task();
  // As a number it is another thing to the verifier.
  if (!is_base || used_plainly_[inst.result]) {
    values_.define(inst, facts_.task_address());
  }
}

// Goes to `ask` where the helper has read the base and has come here, so that it
// is no pointer to the verifier. No other base is looked at: a load through one
// that is 0 gives 0.
void Follow::check_base(const Followed& load, Label ask) {
  const Followed& base = followed_[load.base];
  if (is_curthread(f_.analysis.def[load.base]) || is_curthread(f_.analysis.def[base.base])) return;
  if (only_load_from(*f_.analysis.def[load.base]) != ir::kNone) return;
  e_.jump_if_imm(Cond::kEq, base.pointer, 0, ask);
}

void Follow::follow(const ir::Inst& inst) {
  Followed& load = followed_[inst.result];
  const ir::ValueId next = only_load_from(inst);
  const bool may_fail = !is_curthread(f_.analysis.def[load.base]);
  const bool is_plain = used_plainly_[inst.result];
  // Built-ins that look at the memory of the process share what is loaded here.
  const bool is_mm = !may_fail && load.offset == unit_.memory.machine.task_mm;
  const bool is_kept_twice =
      is_plain ? is_mm || load.loads > 0 : load.loads > 0 && may_fail && next == ir::kNone;
  const Reg loaded = is_mm ? facts_.mm() : e_.reg(), number = is_kept_twice ? e_.reg() : loaded;
  const Label have = e_.label(), ask = ask_label(load);
  check_base(load, ask);
  if (!is_mm) e_.load_to(loaded, inst.type.size, followed_[load.base].pointer, load.offset);
  if (may_fail) e_.jump_if_imm(Cond::kEq, loaded, 0, ask);
  if (is_kept_twice) e_.mov(number, loaded);
  if (load.is_pointer && is_plain) forget_pointer(e_, number);
  if (may_fail) {
    const Label then = next == ir::kNone ? have : ask_label(followed_[next]);
    ask_instead(inst, ask, [=, this, size = inst.type.size](Place found) {
      e_.load_to(number, size, found.base, found.offset);
      if (is_kept_twice) e_.mov_imm(loaded, 0);
      e_.jump(then);
    });
    e_.bind(have);
  }
  if (inst.type.is_signed) values_.extend(number, inst.type);
  load.pointer = loaded;
  values_.define(inst, number);
}

// The load that comes next, when it is all that is done with `inst`'s result:
// where the helper has read that, it reads on.
ir::ValueId Follow::only_load_from(const ir::Inst& inst) const {
  if (used_plainly_[inst.result] || followed_.at(inst.result).loads != 1) return ir::kNone;
  const std::vector<ir::Inst>& insts = f_.fn.blocks[f_.analysis.def_block[inst.result]].insts;
  for (auto i = static_cast<std::size_t>(&inst - insts.data()) + 1; i < insts.size(); ++i) {
    if (insts[i].op == ir::Op::kConst || is_followed_address(insts[i])) continue;
    if (!is_followed_load(insts[i])) return ir::kNone;
    return followed_.at(insts[i].result).base == inst.result ? insts[i].result : ir::kNone;
  }
  return ir::kNone;
}

Label Follow::ask_label(Followed& load) {
  if (load.ask.id == ir::kNone) load.ask = e_.label();
  return load.ask;
}

// At `ask`, the load by bpf_probe_read, or its fault; `take` goes on with what
// was read.
void Follow::ask_instead(const ir::Inst& inst, Label ask, const std::function<void(Place)>& take) {
  const Followed& load = followed_[inst.result];
  const Reg address = e_.reg();
  const Label bad = failures_.fault(inst, record::Fault::kBadAddress, address);
  const Place found = storage_.stack_word();
  const Reg start = values_.reg(load.base);
  f_.cold.push_back([=, this, size = inst.type.size, offset = load.offset, span = inst.span] {
    e_.at(span);
    e_.bind(ask);
    e_.mov(address, start);
    e_.alu_imm(Alu::kAdd, address, offset);
    forget_pointer(e_, address);
    const Reg status = e_.call(BPF_FUNC_probe_read, {f_.address(found), e_.imm(size), address});
    e_.jump_if_imm(Cond::kSlt, status, 0, bad);
    take(found);
  });
}

// A name of 16 bytes (comm) is two loads; where the first word contains the NUL, the second one is
// zeros and is not loaded.
void Follow::follow_name(const ir::Inst& inst) {
  Followed& load = followed_[inst.result];
  const Followed& base = followed_[load.base];
  const Reg low = e_.reg(), high = e_.reg();
  const Label ask = ask_label(load), second = e_.label(), have = e_.label();
  const bool may_fail = !is_curthread(f_.analysis.def[load.base]);
  check_base(load, ask);
  e_.load_to(low, 8, base.pointer, load.offset);
  if (may_fail) e_.jump_if_imm(Cond::kEq, low, 0, ask);
  bytes_.keep_to_nul(low, second);
  e_.mov_imm(high, 0);
  e_.jump(have);
  e_.bind(second);
  e_.load_to(high, 8, base.pointer, load.offset + 8);
  if (may_fail) e_.jump_if_imm(Cond::kEq, high, 0, ask);
  bytes_.keep_to_nul(high, have);
  e_.bind(have);
  if (may_fail) {
    ask_instead(inst, ask, [=, this](Place found) {
      e_.load_to(low, 8, found.base, found.offset);
      e_.load_to(high, 8, found.base, found.offset + 8);
      bytes_.truncate_at_nul(low, high);
      e_.jump(have);
    });
  }
  values_[inst.result] = {.kind = Value::Kind::kWords,
                          .type = inst.type,
                          .reg = low,
                          .high = high,
                          .avail = kNameBytes};
}

}  // namespace dt::bpf
