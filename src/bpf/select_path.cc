// Selector: the text of a struct path, d_path().
//
// Probes may not call the kernel's d_path(), so its walk is done here: from the
// dentry up to the root of its mount, from there on at the mount's place in its
// parent, up to the process's root or to a mount that is its own parent. The
// names are put before one another, from the end of a buffer:
//
//      0                       offset            4096
//      |                       | /usr/bin/env    | NUL
//
// What the loop keeps is in memory, not in registers: the verifier then knows
// nothing of it, and looks at every turn of the loop once.

#include <algorithm>
#include <cstring>
#include <string_view>

#include "bpf/lir.h"
#include "bpf/select.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kTextBytes = 4096;  // PATH_MAX
constexpr std::uint32_t kNameBytes = 256;   // more than NAME_MAX
constexpr std::int32_t kMaxSteps = 128;     // components and mounts
constexpr std::int32_t kMaxDigits = 20;

enum Word : std::uint32_t { kDentry, kMount, kOffset, kRootDentry, kRootMount, kNumber, kWords };

// The first eight bytes of a file system's name.
constexpr std::int64_t first_bytes(std::string_view name) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < name.size() && i < 8; i++) {
    word |= std::uint64_t{static_cast<std::uint8_t>(name[i])} << (8 * i);
  }
  return static_cast<std::int64_t>(word);
}

}  // namespace

Reg Selector::path_word(const PathWalk& walk, std::uint32_t word) {
  return e_.load(8, walk.words.base, walk.words.offset + static_cast<std::int32_t>(word * 8));
}

void Selector::set_path_word(const PathWalk& walk, std::uint32_t word, Reg value) {
  e_.store(8, walk.words.base, walk.words.offset + static_cast<std::int32_t>(word * 8), value);
}

// Moves the offset down by `bytes`, below 256, and gives the place.
Reg Selector::path_room(const PathWalk& walk, Reg bytes) {
  const Reg offset = path_word(walk, kOffset);
  e_.alu(Alu::kSub, offset, bytes);
  e_.jump_if_imm(Cond::kGe, offset, kTextBytes, walk.too_deep);
  set_path_word(walk, kOffset, offset);
  const Reg place = e_.reg();
  e_.mov(place, walk.text);
  e_.alu(Alu::kAdd, place, offset);
  return place;
}

void Selector::path_literal(const PathWalk& walk, const char* literal) {
  const std::size_t length = std::strlen(literal);
  const Reg place = path_room(walk, e_.imm(static_cast<std::int64_t>(length)));
  for (std::size_t i = 0; i < length; i++) {
    e_.store_imm(1, place, static_cast<std::int32_t>(i), literal[i]);
  }
}

// "/" and the dentry's name; a name that cannot be read is a fault.
void Selector::path_component(const PathWalk& walk, Reg dentry) {
  const PathOffsets& at = unit_.memory.machine.path;
  const Reg name = load_foreign(dentry, at.dentry_name);
  const Reg length = load_foreign(dentry, at.dentry_length);
  e_.alu_imm(Alu::kAnd, length, static_cast<std::int32_t>(kNameBytes - 1));
  const Reg room = e_.reg();
  e_.mov(room, length);
  e_.alu_imm(Alu::kAdd, room, 1);
  const Reg place = path_room(walk, room);
  e_.store_imm(1, place, 0, '/');
  e_.alu_imm(Alu::kAdd, place, 1);
  const Reg status = e_.call(BPF_FUNC_probe_read_kernel, {place, length, name});
  e_.jump_if_imm(Cond::kNe, status, 0, walk.bad);
}

// "[" number "]".
void Selector::path_number(const PathWalk& walk, Reg number) {
  path_literal(walk, "]");
  set_path_word(walk, kNumber, number);
  const Label loop = e_.label(), done = e_.label();
  const Reg left = e_.imm(kMaxDigits);
  e_.bind(loop);
  const Reg rest = path_word(walk, kNumber), digit = e_.reg();
  e_.mov(digit, rest);
  e_.alu_imm(Alu::kMod, digit, 10);
  e_.alu_imm(Alu::kAdd, digit, '0');
  e_.store(1, path_room(walk, e_.imm(1)), 0, digit);
  e_.alu_imm(Alu::kDiv, rest, 10);
  set_path_word(walk, kNumber, rest);
  e_.jump_if_imm(Cond::kEq, rest, 0, done);
  e_.alu_imm(Alu::kSub, left, 1);
  e_.jump_if_imm(Cond::kNe, left, 0, loop);
  e_.bind(done);
  path_literal(walk, "[");
}

// Reads the path and the process's root.
void Selector::path_start(const ir::Inst& inst, const PathWalk& walk) {
  const PathOffsets& at = unit_.memory.machine.path;
  const Reg path_at = reg(inst.args[0]);
  const Reg mount = load_foreign(path_at, at.path_mnt);
  e_.jump_if_imm(Cond::kEq, mount, 0, walk.bad);
  set_path_word(walk, kMount, mount);
  const Reg dentry = load_foreign(path_at, at.path_dentry);
  e_.jump_if_imm(Cond::kEq, dentry, 0, walk.bad);
  set_path_word(walk, kDentry, dentry);
  const Reg fs = e_.load(8, task(), at.task_fs);  // none in a process that is at its end
  set_path_word(walk, kRootMount, load_foreign(fs, at.fs_root_mnt));
  set_path_word(walk, kRootDentry, load_foreign(fs, at.fs_root_dentry));
  set_path_word(walk, kOffset, e_.imm(kTextBytes));
  e_.store_imm(1, walk.text, static_cast<std::int32_t>(kTextBytes), 0);
}

// Files that are in no directory name themselves (dentry->d_op->d_dname): pipes
// and sockets by their numbers, anonymous inodes by what they are for, and
// memory by the name that it was given, as a deleted file.
void Selector::path_special(const PathWalk& walk, Label ordinary, Label done) {
  const PathOffsets& at = unit_.memory.machine.path;
  const Reg dentry = path_word(walk, kDentry);
  const Reg operations = load_foreign(dentry, at.dentry_op);
  e_.jump_if_imm(Cond::kEq, operations, 0, ordinary);
  e_.jump_if_imm(Cond::kEq, load_foreign(operations, at.op_dname), 0, ordinary);
  // The root of a mount has an ordinary name.
  const Label special = e_.label();
  const Reg parent = load_foreign(dentry, at.dentry_parent);
  e_.jump_if(Cond::kNe, parent, dentry, special);
  e_.jump_if(Cond::kEq, load_foreign(path_word(walk, kMount), at.mnt_root), dentry, ordinary);
  e_.bind(special);
  const Reg type = load_foreign(load_foreign(dentry, at.dentry_sb), at.sb_type);
  const Reg name = load_foreign(load_foreign(type, at.type_name), 0);
  const Label is_anonymous = e_.label(), is_pipe = e_.label(), is_socket = e_.label(),
              is_memory = e_.label();
  const auto when_named = [&](std::string_view wanted, Label to) {
    const Reg start = e_.reg();
    e_.mov(start, name);
    if (wanted.size() < 7) {  // with its NUL, what follows is another's
      e_.alu_imm(Alu::kLsh, start, static_cast<std::int32_t>(56 - wanted.size() * 8));
      e_.alu_imm(Alu::kRsh, start, static_cast<std::int32_t>(56 - wanted.size() * 8));
    }
    e_.jump_if(Cond::kEq, start, e_.imm(first_bytes(wanted)), to);
  };
  when_named("pipefs", is_pipe);
  when_named("sockfs", is_socket);
  when_named("anon_inodefs", is_anonymous);
  when_named("tmpfs", is_memory);
  when_named("hugetlbfs", is_memory);
  e_.jump(walk.too_deep);

  e_.bind(is_pipe);
  path_number(walk, load_foreign(load_foreign(dentry, at.dentry_inode), at.inode_number));
  path_literal(walk, "pipe:");
  e_.jump(done);
  e_.bind(is_socket);
  path_number(walk, load_foreign(load_foreign(dentry, at.dentry_inode), at.inode_number));
  path_literal(walk, "socket:");
  e_.jump(done);
  e_.bind(is_anonymous);
  path_component(walk, dentry);
  // The component's slash gives way.
  const Reg offset = path_word(walk, kOffset);
  e_.alu_imm(Alu::kAdd, offset, 1);
  set_path_word(walk, kOffset, offset);
  path_literal(walk, "anon_inode:");
  e_.jump(done);
  e_.bind(is_memory);
  path_literal(walk, " (deleted)");
  path_component(walk, dentry);
  e_.jump(done);
}

void Selector::path(const ir::Inst& inst) {
  const PathOffsets& at = unit_.memory.machine.path;
  const std::uint32_t size = inst.type.size, room = words_up(size);
  const Place result = frame_place(room, last_use(inst.result));
  define_memory(inst, result, room);
  if (!at.are_known()) {
    return refuse(
        "d_path( ) needs the kernel's type information (BTF) of struct dentry, struct "
        "mount and what they point to");
  }
  const Place buffer = frame_place(kTextBytes + 8, position_);
  const PathWalk walk = {.words = frame_place(kWords * 8, position_),
                         .text = address(buffer),
                         .bad = fault(inst, record::Fault::kBadAddress, reg(inst.args[0])),
                         .too_deep = fault(inst, record::Fault::kIllegalOperation, e_.imm(0))};
  unit_.frame_slack = std::max(unit_.frame_slack, kNameBytes);
  const Label ordinary = e_.label(), loop = e_.label(), named = e_.label(), next = e_.label(),
              at_root = e_.label(), done = e_.label();
  path_start(inst, walk);
  path_special(walk, ordinary, done);

  e_.bind(ordinary);
  const Reg left = e_.imm(kMaxSteps);
  const Reg first = path_word(walk, kDentry);
  e_.jump_if(Cond::kEq, load_foreign(first, at.dentry_parent), first, loop);
  e_.jump_if_imm(Cond::kNe, load_foreign(first, at.dentry_pprev), 0, loop);
  path_literal(walk, " (deleted)");
  e_.bind(loop);
  const Reg dentry = path_word(walk, kDentry), mount = path_word(walk, kMount);
  const Reg difference = path_word(walk, kRootDentry), other = path_word(walk, kRootMount);
  e_.alu(Alu::kXor, difference, dentry);
  e_.alu(Alu::kXor, other, mount);
  e_.alu(Alu::kOr, difference, other);
  e_.jump_if_imm(Cond::kEq, difference, 0, at_root);
  const Reg parent = load_foreign(dentry, at.dentry_parent);
  const Label up = e_.label();
  e_.jump_if(Cond::kEq, load_foreign(mount, at.mnt_root), dentry, up);
  e_.jump_if(Cond::kNe, parent, dentry, named);
  e_.bind(up);
  // From struct vfsmount to the struct mount that it is in, and back.
  const Reg whole = e_.reg();
  e_.mov(whole, mount);
  e_.alu_imm(Alu::kSub, whole, at.mount_mnt);
  const Reg above = load_foreign(whole, at.mount_parent);
  e_.jump_if(Cond::kEq, above, whole, at_root);
  e_.jump_if_imm(Cond::kEq, above, 0, walk.bad);
  set_path_word(walk, kDentry, load_foreign(whole, at.mount_mountpoint));
  e_.alu_imm(Alu::kAdd, above, at.mount_mnt);
  set_path_word(walk, kMount, above);
  e_.jump(next);
  e_.bind(named);
  set_path_word(walk, kDentry, parent);
  path_component(walk, dentry);
  e_.bind(next);
  e_.alu_imm(Alu::kSub, left, 1);
  e_.jump_if_imm(Cond::kNe, left, 0, loop);
  e_.jump(walk.too_deep);

  e_.bind(at_root);
  const Label not_empty = e_.label();
  e_.jump_if_imm(Cond::kNe, path_word(walk, kOffset), kTextBytes, not_empty);
  path_literal(walk, "/");
  e_.bind(not_empty);
  e_.bind(done);
  const Reg offset = path_word(walk, kOffset), from = e_.reg();
  e_.jump_if_imm(Cond::kGt, offset, kTextBytes, walk.too_deep);
  e_.mov(from, walk.text);
  e_.alu(Alu::kAdd, from, offset);
  const Reg length = e_.call(BPF_FUNC_probe_read_kernel_str, {address(result), e_.imm(size), from});
  e_.jump_if_imm(Cond::kSlt, length, 0, walk.bad);
  zero_tail(result, room, length);
}

}  // namespace dt::bpf
