// See zone.h.

#include "bpf/routine/zone.h"

#include <linux/bpf.h>

#include <algorithm>

#include "bpf/layout/memory.h"
#include "bpf/layout/word_load.h"
#include "bpf/routine/node_name.h"
#include "bpf/routine/string_code.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kWordBytes = 8;

// Loads of pointers that the verifier knows; one that is NULL gives 0.
Reg follow(Emitter& e, Reg from, std::initializer_list<std::int32_t> offsets) {
  Reg at = from;
  for (const std::int32_t offset : offsets) at = e.load(8, at, offset);
  return at;
}

// The name of a css_set's cgroup, as a number.
void load_name(Emitter& e, const Zone& zone, Reg css_set, Reg name) {
  e.mov(name, follow(e, css_set, {zone.css_set_cgroup, zone.cgroup_node, zone.node_name}));
  forget_pointer(e, name);
}

// A struct pid has a number for each namespace that the thread is in, from the first one down to
// its own. Behind the array's first element the verifier knows no type: what follows is read as
// words.
void leave_other_spaces(Emitter& e, const Zone& zone, Reg task, Label leave) {
  const Reg known = follow(e, task, {zone.task_pid});
  const Reg entry = e.reg(), pid = e.reg();
  e.mov(entry, e.load(4, known, zone.pid_level));
  e.mov(pid, known);
  forget_pointer(e, pid);
  e.jump_if_imm(Cond::kEq, pid, 0, leave);
  e.alu_imm(Alu::kMul, entry, zone.entry_bytes);
  e.alu(Alu::kAdd, entry, pid);
  const Reg space = read_word(e, zone.words, entry, zone.pid_numbers + zone.entry_space, 8);
  const Reg inode = read_word(e, zone.words, space, zone.space_inode, 4);
  e.jump_if(Cond::kNe, inode, e.imm(zone.space), leave);
}

}  // namespace

bool Zone::is_known() const {
  if (space != 0) {
    return std::min({task_pid, pid_level, pid_numbers, entry_space, space_inode}) >= 0 &&
           entry_bytes > 0;
  }
  return std::min({task_pid, pid_level, task_spaces, spaces_cgroup, space_css_set, task_css_set,
                   css_set_cgroup, cgroup_node, node_name}) >= 0;
}

void leave_other_zones(Emitter& e, const Zone& zone, Reg task, Label leave) {
  DT_CHECK(zone.is_known(), "{}", zone.name);
  const Reg walked =
      zone.task_cast == 0 ? task : e.call_kernel(zone.task_cast, {task, e.imm(zone.task_type)});
  if (zone.space != 0) {
    leave_other_spaces(e, zone, walked, leave);
    return;
  }
  const Label is_named = e.label(), is_own = e.label(), pass = e.label();
  const Label global = zone.name == kGlobalZone ? pass : leave;
  const Reg level = e.load(4, follow(e, walked, {zone.task_pid}), zone.pid_level);
  e.jump_if_imm(Cond::kEq, level, 0, global);
  const Reg name = e.reg();
  load_name(e, zone, follow(e, walked, {zone.task_spaces, zone.spaces_cgroup, zone.space_css_set}),
            name);
  const StackSlot slot = e.stack(kWordBytes);
  const auto leave_empty = [&](Label empty) {
    e.jump_if_imm(Cond::kEq, fetch_word(e, slot, name, 0, 1), 0, empty);
  };
  leave_empty(is_own);
  e.bind(is_named);
  jump_if_other_name(e, name, zone.name, leave);
  e.jump(pass);
  e.bind(is_own);
  load_name(e, zone, follow(e, walked, {zone.task_css_set}), name);
  leave_empty(global);
  e.jump(is_named);
  e.bind(pass);
}

}  // namespace dt::bpf
