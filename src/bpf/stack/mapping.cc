// Routines that find what a process has mapped at an address, and the table of that
// file: see unwind.h.
//
// The mappings of a process are in a maple tree of its mm_struct since Linux 6.1. Nodes are found
// through tagged pointers, 256-byte aligned; the low bits say what kind of node it is. A leaf has
// pairs of an end address and a mapping (vm_area_struct).
//
// A lock cannot be taken here: a probe may have interrupted its holder. So a mapping is read
// without it, and read again: a sequence number of the mm, and a second look-up, show whether
// anything changed in between.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "bpf/stack/unwind_state.h"

namespace dt::bpf {

namespace {

constexpr std::int32_t kVmExec = 4;
constexpr std::int32_t kMaxTreeLevels = 8;  // of a tree of mappings

// Of 4 bytes in a word.
Reg half_word(Emitter& e, Reg word, bool is_high) {
  const Reg half = copy(e, word);
  if (is_high) {
    e.alu_imm(Alu::kRsh, half, 32);
  } else {
    e.mov32(half, word);
  }
  return half;
}

Reg load_u32(Unit& unit, Reg state, Reg address, std::int32_t offset) {
  const std::int32_t from = offset & ~7;
  return half_word(unit.e, Sight(unit, state, address, from).word(from), (offset & 7) != 0);
}

// Returns with the mapping of the address when it is in the cache. The subtraction is unsigned: an
// address below the beginning becomes a large number, so one comparison checks both ends.
void take_cached(Emitter& e, Reg state, Reg cache, Reg address) {
  const Label found = e.label(), absent = e.label();
  const Reg mapping = copy(e, cache);
  e.alu_imm(Alu::kAdd, mapping, kCacheMappings);
  for (std::int32_t i = 0; i < kCachedMappings; ++i) {
    const Reg inside = copy(e, address);
    e.alu(Alu::kSub, inside, e.load(8, mapping, 0));
    e.jump_if(Cond::kLt, inside, e.load(8, mapping, kSize - kBegin), found);
    e.alu_imm(Alu::kAdd, mapping, kCachedBytes);
  }
  e.jump(absent);
  e.bind(found);
  for (std::int32_t at = 0; at < kCachedBytes; at += 8) {
    e.store(8, state, kBegin + at, e.load(8, mapping, at));
  }
  ret_imm(e, kCode);
  e.bind(absent);
}

// Enters the state's mapping into the cache, over the one that has been there longest: the number
// kCacheNext only grows, and its low bits are the place.
void cache_mapping(Emitter& e, Reg state, Reg cache) {
  static_assert((kCachedMappings & (kCachedMappings - 1)) == 0);
  const Reg place = e.held_copy(e.load(8, cache, kCacheNext));
  e.store(8, cache, kCacheNext, sum(e, place, e.imm(1)));
  e.alu_imm(Alu::kAnd, place, kCachedMappings - 1);
  e.alu_imm(Alu::kMul, place, kCachedBytes);
  e.alu(Alu::kAdd, place, cache);
  for (std::int32_t at = 0; at < kCachedBytes; at += 8) {
    e.store(8, place, kCacheMappings + at, e.load(8, state, kBegin + at));
  }
}

// The mapping that the address in the state is in: from the root of the tree to a leaf.
Reg find_mapping(Unit& unit, Reg state, Label none) {
  Emitter& e = unit.e;
  const UnwindOffsets& at = unit.memory.machine.unwind;
  const Label level = e.label(), leaf = e.label();
  const Reg root = Sight(unit, state, e.load(8, state, kMm), at.mm_root).word(at.mm_root);
  // The tree's root is a pointer with binary 10 in its low bits if it is a node. A root that is no
  // node is a mapping of address 0, or nothing.
  const Reg mark = copy(e, root), left = e.imm(kMaxTreeLevels);
  e.alu_imm(Alu::kAnd, mark, 3);
  e.jump_if_imm(Cond::kNe, mark, 2, none);
  e.store(8, state, kNode, root);
  e.bind(level);
  const Reg is_leaf = e.call_subprogram(unit.routine(Routine::Kind::kUnwindNode), {state});
  e.jump_if_imm(Cond::kNe, is_leaf, 0, leaf);
  e.alu_imm(Alu::kSub, left, 1);
  e.jump_if_imm(Cond::kNe, left, 0, level);
  e.jump(none);
  e.bind(leaf);
  return e.load(8, state, kNode);
}

// Asks for the table of a file that was never seen. `key` is the file's. The entry `is_awaited` is
// made first, with BPF_NOEXIST: of all CPUs that come to this file at once, one succeeds, and only
// that one sends a message. If the message finds no room, the entry is removed again, so that a
// later firing asks anew.
void want(Unit& unit, Reg state, StackSlot key) {
  Emitter& e = unit.e;
  const StackSlot none = e.stack(sizeof(UnwindFile)), message = e.stack(sizeof(UnwindWanted));
  const Label known = e.label();
  e.store_imm(8, e.stack_address(none), 0, 0);
  e.store_imm(4, e.stack_address(none), offsetof(UnwindFile, blocks), 0);
  e.store_imm(4, e.stack_address(none), offsetof(UnwindFile, is_awaited), 1);  // and no interpreter
  const Reg status =
      e.call(BPF_FUNC_map_update_elem, {e.map(unwind_map(UnwindMap::kFiles)), e.stack_address(key),
                                        e.stack_address(none), e.imm(BPF_NOEXIST)});
  e.jump_if_imm(Cond::kNe, status, 0, known);
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(sizeof(UnwindFileKey)); i += 8) {
    e.store(8, e.stack_address(message), i, e.load(8, e.stack_address(key), i));
  }
  const Reg begin = e.load(8, state, kBegin), end = sum(e, begin, e.load(8, state, kSize));
  e.store(8, e.stack_address(message), offsetof(UnwindWanted, begin), begin);
  e.store(8, e.stack_address(message), offsetof(UnwindWanted, end), end);
  const Reg pid = e.reg();
  if (unit.memory.machine.number.space == 0) {
    e.mov(pid, e.call(BPF_FUNC_get_current_pid_tgid, {}));
    e.alu_imm(Alu::kRsh, pid, 32);
  } else {
    const Reg task = e.call(BPF_FUNC_get_current_task, {});
    e.mov(pid, e.call_subprogram(unit.routine(Routine::Kind::kNumber),
                                 {task, e.imm(static_cast<std::int64_t>(NumberOf::kProcess))}));
  }
  e.store(8, e.stack_address(message), offsetof(UnwindWanted, pid), pid);
  const Reg sent = e.call(BPF_FUNC_ringbuf_output,
                          {e.map(unwind_map(UnwindMap::kWanted)), e.stack_address(message),
                           e.imm(sizeof(UnwindWanted)), e.imm(0)});
  e.jump_if_imm(Cond::kEq, sent, 0, known);
  e.call_void(BPF_FUNC_map_delete_elem,
              {e.map(unwind_map(UnwindMap::kFiles)), e.stack_address(key)});
  e.bind(known);
}

}  // namespace

namespace {

// Writes emit_unwind_code()'s function: which mapping has the code at kPc, and where its tables
// are. The kernel's structures are read without their locks, so what was read counts only when a
// second look at the mapping shows the same.
class CodeSearch {
 public:
  CodeSearch(Unit& unit, Reg state, Reg cache)
      : unit_(unit), e_(unit.e), at_(unit.memory.machine.unwind), state_(state), cache_(cache) {}

  void write() {
    const Label no_file = e_.label(), known = e_.label(), unknown = e_.label(),
                awaited = e_.label();
    const Label made = e_.label();
    look_for_mapping();
    e_.jump_if_imm(Cond::kEq, file_, 0, no_file);
    put_key_of_file();
    look_again();
    e_.bind(known);
    take_tables(unknown, awaited);
    e_.bind(made);
    cache_mapping(e_, state_, cache_);
    ret_imm(e_, kCode);
    e_.bind(unknown);
    want(unit_, state_, key_);
    e_.bind(awaited);
    e_.store_imm(8, state_, kSize, 0);
    ret_imm(e_, kAwaited);

    // The kernel's, or what a program has made itself.
    e_.bind(no_file);
    // A mapping that is no more has no file either; it would not be found again.
    e_.jump_if(Cond::kNe, find_mapping(unit_, state_, none_), vma_, none_);
    look_again();
    const Reg vdso = Sight(unit_, state_, e_.load(8, state_, kMm), at_.mm_vdso).word(at_.mm_vdso);
    e_.jump_if(Cond::kNe, vdso, begin_, made);
    put_key_of_vdso();
    e_.jump(known);
    e_.bind(none_);
    ret_imm(e_, kNoCode);
  }

 private:
  // The mapping of the instruction before kPc, unless that is exact: a return address may be the
  // first byte of the next function, when the call is the last instruction of one.
  void look_for_mapping() {
    e_.store_imm(8, state_, kSize, 0);  // also when this code is of no mapping, or is awaited
    const Reg address = e_.load(8, state_, kPc);
    const Reg exact = e_.load(8, state_, kExact);
    e_.alu(Alu::kAdd, address, exact);
    e_.alu_imm(Alu::kSub, address, 1);
    e_.store(8, state_, kAddress, address);
    take_cached(e_, state_, cache_, address);
    vma_ = find_mapping(unit_, state_, none_);
    e_.jump_if_imm(Cond::kEq, vma_, 0, none_);
    const Sight mapping(unit_, state_, vma_, at_.vma_begin, kWordsBytes);
    begin_ = mapping.word(at_.vma_begin);
    const Reg size = mapping.word(at_.vma_end);
    const Reg flags = mapping.word(at_.vma_flags), page = mapping.word(at_.vma_page);
    file_ = mapping.word(at_.vma_file);
    // Another thread may be changing it: then a later look differs.
    looked_ = e_.stack(32);
    const Reg seen[] = {begin_, size, page, file_};
    for (std::int32_t i = 0; i < 4; ++i) e_.store(8, e_.stack_address(looked_), 8 * i, seen[i]);
    e_.alu(Alu::kSub, size, begin_);
    const Reg inside = copy(e_, address);
    e_.alu(Alu::kSub, inside, begin_);
    e_.jump_if(Cond::kGe, inside, size, none_);
    e_.alu_imm(Alu::kAnd, flags, kVmExec);
    e_.jump_if_imm(Cond::kEq, flags, 0, none_);
    e_.alu_imm(Alu::kLsh, page, 12);
    e_.store(8, state_, kBegin, begin_);
    e_.store(8, state_, kSize, size);
    e_.store(8, state_, kFileOffset, page);
    e_.store_imm(8, state_, kBlocks, 0);
    e_.store_imm(8, state_, kInterpreter, 0);
    key_ = e_.stack(sizeof(UnwindFileKey));
  }

  void look_again() {
    const Sight again(unit_, state_, vma_, at_.vma_begin, kWordsBytes);
    const std::int32_t members[] = {at_.vma_begin, at_.vma_end, at_.vma_page, at_.vma_file};
    for (std::int32_t i = 0; i < 4; ++i) {
      e_.jump_if(Cond::kNe, again.word(members[i]), e_.load(8, e_.stack_address(looked_), 8 * i),
                 none_);
    }
  }

  void put(std::size_t offset, std::uint32_t bytes, Reg value) {
    e_.store(bytes, e_.stack_address(key_), static_cast<std::int32_t>(offset), value);
  }

  // As the consumer makes it of what stat() says.
  void put_key_of_file() {
    const Reg inode = Sight(unit_, state_, file_, at_.file_inode).word(at_.file_inode);
    const std::int32_t from = std::min({at_.inode_sb, at_.inode_number, at_.inode_size});
    const Sight node(unit_, state_, inode, from, kWordsBytes);
    put(offsetof(UnwindFileKey, inode), 8, node.word(at_.inode_number));
    put(offsetof(UnwindFileKey, bytes), 8, node.word(at_.inode_size));
    put(offsetof(UnwindFileKey, changed), 8, node.word(at_.inode_changed));
    const Reg sb = node.word(at_.inode_sb);
    put(offsetof(UnwindFileKey, device), 4, load_u32(unit_, state_, sb, at_.sb_device));
    const Reg ns = load_u32(unit_, state_, inode, at_.inode_changed_ns);
    e_.alu_imm(Alu::kAnd, ns, kUnwindNsMask);
    put(offsetof(UnwindFileKey, changed_ns), 4, ns);
  }

  // The vDSO is code without a file; its tables have a key that no file has.
  void put_key_of_vdso() {
    e_.store_imm(8, state_, kFileOffset, 0);
    put(offsetof(UnwindFileKey, inode), 8, e_.imm(static_cast<std::int64_t>(kUnwindVdso.inode)));
    put(offsetof(UnwindFileKey, bytes), 8, e_.imm(0));
    put(offsetof(UnwindFileKey, changed), 8, e_.imm(0));
    put(offsetof(UnwindFileKey, changed_ns), 8, e_.imm(0));
  }

  void take_tables(Label unknown, Label awaited) {
    const Reg found = e_.call(BPF_FUNC_map_lookup_elem,
                              {e_.map(unwind_map(UnwindMap::kFiles)), e_.stack_address(key_)});
    e_.jump_if_imm(Cond::kEq, found, 0, unknown);
    e_.store(8, state_, kFirstIndex, e_.load(4, found, offsetof(UnwindFile, first_index)));
    e_.store(8, state_, kFirstBlock, e_.load(4, found, offsetof(UnwindFile, first_block)));
    e_.store(8, state_, kBlocks, e_.load(4, found, offsetof(UnwindFile, blocks)));
    e_.store(8, state_, kInterpreter, e_.load(2, found, offsetof(UnwindFile, interpreter)));
    e_.jump_if_imm(Cond::kNe, e_.load(2, found, offsetof(UnwindFile, is_awaited)), 0, awaited);
  }

  Unit& unit_;
  Emitter& e_;
  const UnwindOffsets& at_;
  Reg state_, cache_;
  Label none_ = e_.label();  // no mapping, none of code, or one that has changed meanwhile
  Reg vma_, begin_, file_;
  StackSlot looked_, key_;
};

}  // namespace

void emit_unwind_code(Unit& unit, Label name) {
  const std::vector<Reg> r =
      begin_routine(unit.e, name, "dt_unwind_code", {kStateParameter, kCache});
  CodeSearch(unit, r[0], r[1]).write();
}

void emit_unwind_begin(Unit& unit, Label name) {
  Emitter& e = unit.e;
  const UnwindOffsets& at = unit.memory.machine.unwind;
  const std::vector<Reg> r = begin_routine(e, name, "dt_unwind_begin", {kStateParameter, kCache});
  const Reg state = r[0], cache = r[1];
  if (at.tell_changes()) {
    const Label other = e.label();
    const Reg mm = e.load(8, state, kMm), thread = e.call(BPF_FUNC_get_current_task, {});
    const Reg leader = Sight(unit, state, thread, at.task_leader).word(at.task_leader);
    const Reg start = Sight(unit, state, leader, at.task_start).word(at.task_start);
    const Reg version = load_u32(unit, state, thread, at.task_execs);
    e.alu_imm(Alu::kLsh, version, 32);
    e.alu(Alu::kOr, version, load_u32(unit, state, mm, at.mm_sequence));
    const Reg forgotten =
        e.load(8, e.map_value(unwind_map(UnwindMap::kRules), kUnwindForgottenOffset), 0);
    const std::pair<std::int32_t, Reg> identity[] = {{kCacheMm, mm},
                                                     {kCacheStart, start},
                                                     {kCacheVersion, version},
                                                     {kCacheForgotten, forgotten}};
    for (const auto& [word, value] : identity) {
      e.jump_if(Cond::kNe, value, e.load(8, cache, word), other);
    }
    ret_imm(e, 0);
    e.bind(other);
    for (const auto& [word, value] : identity) e.store(8, cache, word, value);
  }
  for (std::int32_t i = 0; i < kCachedMappings; ++i) {
    e.store_imm(8, cache, kCacheMappings + i * kCachedBytes + kSize - kBegin, 0);
  }
  ret_imm(e, 0);
}

// The nodes of a level are for ascending addresses; where the last of one is, is in
// its pivot, and 0 stands behind the last pivot.
void emit_unwind_node(Unit& unit, Label name) {
  constexpr std::int32_t kNodeMask = 0xff, kTypeShift = 3, kTypeMask = 0xf;
  constexpr std::int32_t kRange = 2, kArange = 3;  // enum maple_type; below kRange are leaves
  constexpr std::int32_t kFirstPivot = 8;
  Emitter& e = unit.e;
  const UnwindOffsets& at = unit.memory.machine.unwind;
  const Reg state = begin_routine(e, name, "dt_unwind_node", {kStateParameter})[0];
  const Label found = e.label(), arange = e.label(), leaf = e.label();
  const Reg next = e.load(8, state, kNode), last = e.load(8, state, kAddress);
  const Reg type = copy(e, next);
  e.alu_imm(Alu::kSub, last, 1);
  e.alu_imm(Alu::kRsh, type, kTypeShift);
  e.alu_imm(Alu::kAnd, type, kTypeMask);
  e.alu_imm(Alu::kAnd, next, ~kNodeMask);
  const Sight node(unit, state, next, kFirstPivot, kWordsBytes);
  const auto choose = [&](std::int32_t slots) {
    const std::int32_t pivots = (slots - kFirstPivot) / 8;
    for (std::int32_t i = 0; i <= pivots; ++i) {
      const Label other = e.label();
      if (i < pivots) {
        const Reg pivot = node.word(kFirstPivot + 8 * i);
        e.alu_imm(Alu::kAdd, pivot, -1);
        e.jump_if(Cond::kGt, last, pivot, other);
      }
      e.mov(next, node.word(slots + 8 * i));
      e.jump(found);
      e.bind(other);
    }
  };
  e.jump_if_imm(Cond::kEq, type, kArange, arange);
  choose(at.range_slot);
  e.bind(arange);
  choose(at.arange_slot);
  e.bind(found);
  e.store(8, state, kNode, next);
  e.jump_if_imm(Cond::kLt, type, kRange, leaf);
  ret_imm(e, 0);
  e.bind(leaf);
  ret_imm(e, 1);
}

}  // namespace dt::bpf
