// See cgroup.h.

#include "bpf/routine/cgroup.h"

#include <algorithm>

#include "bpf/layout/memory.h"
#include "bpf/layout/word_load.h"
#include "bpf/routine/node_name.h"
#include "bpf/routine/string_code.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

// Groups within each other, for the verifier. cgroup.max.depth of a tree is not limited, but what
// systemd and container engines make is less than ten.
constexpr std::int32_t kMostLevels = 32;

}  // namespace

bool Cgroup::is_known() const {
  return std::min({task_css_set, css_set_cgroup, cgroup_node, node_name, cgroup_parent,
                   state_cgroup}) >= 0;
}

void leave_other_cgroups(Emitter& e, const Cgroup& cgroup, Reg task, Label leave) {
  DT_CHECK(cgroup.is_known(), "{}", cgroup.name);
  const Label loop = e.label(), other = e.label(), pass = e.label();
  const auto read = [&](Reg address, std::int32_t offset) {
    return read_word(e, cgroup.words, address, offset, 8);
  };
  const Reg walked = cgroup.task_cast == 0
                         ? task
                         : e.call_kernel(cgroup.task_cast, {task, e.imm(cgroup.task_type)});
  const Reg at = e.reg();
  e.mov(at, e.load(8, e.load(8, walked, cgroup.task_css_set), cgroup.css_set_cgroup));
  forget_pointer(e, at);
  const Reg level = e.imm(0);
  e.bind(loop);
  const Reg name = read(read(at, cgroup.cgroup_node), cgroup.node_name);
  jump_if_other_name(e, name, cgroup.name, other);
  e.jump(pass);
  e.bind(other);
  const Reg parent = read(at, cgroup.cgroup_parent);
  e.jump_if_imm(Cond::kEq, parent, 0, leave);
  e.mov(at, read(parent, cgroup.state_cgroup));
  e.alu_imm(Alu::kAdd, level, 1);
  e.jump_if_imm(Cond::kLt, level, kMostLevels, loop);
  e.jump(leave);
  e.bind(pass);
}

}  // namespace dt::bpf
