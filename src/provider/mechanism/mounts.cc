// See mounts.h.

#include "provider/mechanism/mounts.h"

#include "provider/mechanism/masks.h"

namespace dt::provider {

using bpf::Alu;
using bpf::Emitter;
using bpf::Reg;

namespace {

// Whether `mount` shows a process the file system from its root `root` on.
Reg is_fit(StableCode& code, Reg mount, Reg root) {
  constexpr std::int32_t kInternal = -22;  // MNT_NS_INTERNAL
  Emitter& e = code.emitter();
  const Reg other = code.member(mount, "mount", "mnt.mnt_root");
  e.alu(Alu::kXor, other, root);
  const Reg space = code.member(mount, "mount", "mnt_ns");
  const Reg is_shown = both(e, is_not_zero(e, space), is_not(e, space, kInternal));
  return both(e, is_shown, negation(e, is_not_zero(e, other)));
}

}  // namespace

Reg mount_of(StableCode& code, Reg super) {
  constexpr int kMounts = 8;
  Emitter& e = code.emitter();
  const Reg found = e.reg(), mount = e.reg();
  e.mov_imm(found, 0);
  const Reg root = code.member(super, "super_block", "s_root");
  // Up to Linux 6.17 a list, the oldest first; then a chain, the oldest last.
  const bool in_list = code.has("mount", "mnt_instance");
  const auto to_mount = [&] {
    if (in_list) e.alu_imm(Alu::kSub, mount, code.offset("mount", "mnt_instance"));
  };
  e.mov(mount, code.member(super, "super_block", in_list ? "s_mounts.next" : "s_mounts"));
  to_mount();
  for (int i = 0; i < kMounts; ++i) {
    const Reg fit = is_fit(code, mount, root);
    if (in_list) e.alu(Alu::kAnd, fit, negation(e, is_not_zero(e, found)));
    take_if(e, fit, found, mount);
    e.mov(mount, code.member(mount, "mount", in_list ? "mnt_instance.next" : "mnt_next_for_sb"));
    to_mount();
  }
  const Reg ids = code.member(code.current(), "task_struct", "thread_pid");
  e.alu_imm(Alu::kAdd, ids, code.offset("pid", "numbers"));
  const Reg first_process = code.member(ids, "upid", "ns->child_reaper");
  e.mov(mount, code.member(first_process, "task_struct", "fs->root.mnt"));
  e.alu_imm(Alu::kSub, mount, code.offset("mount", "mnt"));
  take_if(e, is_fit(code, mount, root), found, mount);
  return found;
}

Reg dentry_of(StableCode& code, Reg inode, Reg is_there) {
  Emitter& e = code.emitter();
  const Reg alias = code.member(inode, "inode", "i_dentry.first");
  const char* const alias_in_dentry = code.has("dentry", "d_u") ? "d_u.d_alias" : "d_alias";
  const Reg dentry = e.reg();
  e.mov(is_there, is_not_zero(e, alias));
  e.mov(dentry, alias);
  e.alu_imm(Alu::kSub, dentry, code.offset("dentry", alias_in_dentry));
  return dentry;
}

}  // namespace dt::provider
