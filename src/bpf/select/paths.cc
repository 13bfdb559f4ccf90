// See paths.h.
//
// The walk takes none of the kernel's locks, as a probe may have interrupted their holder. So a
// directory that is being renamed may appear under its old or its new name.

#include "bpf/select/paths.h"

#include <linux/bpf.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "bpf/routine/routine.h"
#include "bpf/select/bytes.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/wire.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kPipe = 0, kSocket = 1;  // PathWord::kKind
constexpr std::int32_t kMaxCalls = 32;          // of four components or mounts each

// The first eight bytes of a file system's name.
constexpr std::int64_t first_bytes(std::string_view name) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < name.size() && i < 8; ++i) {
    word |= std::uint64_t{static_cast<std::uint8_t>(name[i])} << (8 * i);
  }
  return static_cast<std::int64_t>(word);
}

}  // namespace

// Reads the path and the process's root.
void Paths::path_start(const ir::Inst& inst, const PathCode& walk) {
  const PathOffsets& at = unit_.memory.machine.path;
  const Reg task = facts_.walked_task();  // found once in a function: before any jump
  const Reg path_at = values_.reg(inst.args[0]);
  const Reg mount = walk.load(path_at, at.path_mnt);
  e_.jump_if_imm(Cond::kEq, mount, 0, walk.bad);
  walk.set(PathWord::kMount, mount);
  const Reg dentry = walk.load(path_at, at.path_dentry);
  e_.jump_if_imm(Cond::kEq, dentry, 0, walk.bad);
  walk.set(PathWord::kDentry, dentry);
  const Reg fs = e_.load(8, task, at.task_fs);  // none in a process that is at its end
  walk.set(PathWord::kRootMount, walk.load(fs, at.fs_root_mnt));
  walk.set(PathWord::kRootDentry, walk.load(fs, at.fs_root_dentry));
  walk.set(PathWord::kOffset, e_.imm(kPathTextBytes));
  e_.store_imm(1, walk.text, static_cast<std::int32_t>(kPathTextBytes), 0);
}

// Files that are in no directory name themselves (dentry->d_op->d_dname): pipes
// and sockets by their numbers, anonymous inodes by what they are for, and
// memory by the name that it was given, as a deleted file.
void Paths::path_special(const PathCode& walk, Label ordinary, Label done) {
  const PathOffsets& at = unit_.memory.machine.path;
  const Reg dentry = walk.get(PathWord::kDentry);
  const Reg operations = walk.load(dentry, at.dentry_op);
  e_.jump_if_imm(Cond::kEq, operations, 0, ordinary);
  e_.jump_if_imm(Cond::kEq, walk.load(operations, at.op_dname), 0, ordinary);
  // The root of a mount has an ordinary name.
  const Label special = e_.label();
  const Reg parent = walk.load(dentry, at.dentry_parent);
  e_.jump_if(Cond::kNe, parent, dentry, special);
  e_.jump_if(Cond::kEq, walk.load(walk.get(PathWord::kMount), at.mnt_root), dentry, ordinary);
  e_.bind(special);
  const Reg type = walk.load(walk.load(dentry, at.dentry_sb), at.sb_type);
  const Reg name = walk.load(walk.load(type, at.type_name), 0);
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

  // Which it is stays in memory meanwhile: the verifier follows the digits once for both.
  const Label numbered = e_.label(), was_socket = e_.label();
  e_.bind(is_pipe);
  walk.set(PathWord::kKind, e_.imm(kPipe));
  e_.jump(numbered);
  e_.bind(is_socket);
  walk.set(PathWord::kKind, e_.imm(kSocket));
  e_.bind(numbered);
  walk.number(walk.load(walk.load(dentry, at.dentry_inode), at.inode_number));
  e_.jump_if_imm(Cond::kNe, walk.get(PathWord::kKind), kPipe, was_socket);
  walk.literal("pipe:");
  e_.jump(done);
  e_.bind(was_socket);
  walk.literal("socket:");
  e_.jump(done);
  e_.bind(is_anonymous);
  walk.component(dentry);
  // The component's slash gives way.
  const Reg offset = walk.get(PathWord::kOffset);
  e_.alu_imm(Alu::kAdd, offset, 1);
  walk.set(PathWord::kOffset, offset);
  walk.literal("anon_inode:");
  e_.jump(done);
  e_.bind(is_memory);
  walk.literal(" (deleted)");
  walk.component(dentry);
  e_.jump(done);
}

// From the dentry to the root, by the routine.
void Paths::path_climb(const PathCode& walk, Place words) {
  const PathOffsets& at = walk.at;
  const Label climb = e_.label(), loop = e_.label(), ended = e_.label();
  const Reg first = walk.get(PathWord::kDentry);
  e_.jump_if(Cond::kEq, walk.load(first, at.dentry_parent), first, climb);
  e_.jump_if_imm(Cond::kNe, walk.load(first, at.dentry_pprev), 0, climb);
  walk.literal(" (deleted)");
  e_.bind(climb);
  const Label steps = unit_.routine(Routine::Kind::kPathSteps);
  const Reg left = e_.imm(kMaxCalls);
  e_.bind(loop);
  const Reg end = e_.call_subprogram(steps, {walk.text, f_.address(words)});
  e_.jump_if_imm(Cond::kNe, end, static_cast<std::int32_t>(PathEnd::kNone), ended);
  e_.alu_imm(Alu::kSub, left, 1);
  e_.jump_if_imm(Cond::kNe, left, 0, loop);
  e_.jump(walk.too_deep);
  e_.bind(ended);
  e_.jump_if_imm(Cond::kEq, end, static_cast<std::int32_t>(PathEnd::kBadAddress), walk.bad);
  e_.jump_if_imm(Cond::kNe, end, static_cast<std::int32_t>(PathEnd::kAtRoot), walk.too_deep);
  const Label not_empty = e_.label();
  e_.jump_if_imm(Cond::kNe, walk.get(PathWord::kOffset), kPathTextBytes, not_empty);
  walk.literal("/");
  e_.bind(not_empty);
}

void Paths::path(const ir::Inst& inst) {
  const PathOffsets& at = unit_.memory.machine.path;
  const std::uint32_t size = inst.type.size, room = words_up(size);
  const Place result = storage_.frame_place(room, f_.last_use(inst.result));
  values_.define_memory(inst, result, room);
  if (!at.are_known()) {
    return f_.refuse(ir::Refusal::Code::kNeedsTypes, inst,
                     "struct dentry, struct mount and what they point to");
  }
  const bool is_text = inst.op == ir::Op::kPathText;
  const Label unreadable = e_.label(), have = e_.label();
  const auto failure = [&](record::Fault fault, Reg detail) {
    return is_text ? unreadable : failures_.fault(inst, fault, detail);
  };
  const Place buffer = storage_.frame_place(kPathTextBytes + 8, f_.position);
  const Place words = storage_.frame_place(kPathWordBytes, f_.position);
  const PathCode walk = {.e = e_,
                         .at = at,
                         .words = words.base,
                         .words_offset = words.offset,
                         .text = f_.address(buffer),
                         .word = storage_.word(),
                         .bad = failure(record::Fault::kBadAddress, values_.reg(inst.args[0])),
                         .too_deep = failure(record::Fault::kIllegalOperation, e_.imm(0))};
  unit_.frame_slack = std::max(unit_.frame_slack, kPathNameBytes);
  const Label ordinary = e_.label(), done = e_.label();
  path_start(inst, walk);
  path_special(walk, ordinary, done);

  e_.bind(ordinary);
  path_climb(walk, words);
  e_.bind(done);
  const Reg offset = e_.held_copy(walk.get(PathWord::kOffset)), from = e_.reg();
  e_.jump_if_imm(Cond::kGt, offset, kPathTextBytes, walk.too_deep);
  e_.mov(from, walk.text);
  e_.alu(Alu::kAdd, from, offset);
  const Reg length = e_.held_copy(
      e_.call(BPF_FUNC_probe_read_kernel_str, {f_.address(result), e_.imm(size), from}));
  e_.jump_if_imm(Cond::kSlt, length, 0, walk.bad);
  if (is_text) {
    e_.bind(have);
    f_.cold.push_back([=, this, span = inst.span, byte = inst.imm] {
      constexpr std::int64_t kTextBytes = 2;  // with its NUL
      e_.at(span);
      e_.bind(unreadable);
      e_.store_imm(8, result.base, result.offset, static_cast<std::int32_t>(byte));
      e_.mov_imm(length, kTextBytes);
      e_.jump(have);
    });
  }
  bytes_.zero_tail(result, room, length);
}

}  // namespace dt::bpf
