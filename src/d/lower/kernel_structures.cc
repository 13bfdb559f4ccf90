#include "d/lower/kernel_structures.h"

#include "d/lower/capacities.h"
#include "d/lower/string_values.h"
#include "d/meaning/function_table.h"
#include "d/meaning/kernel_member.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/builder.h"
#include "support/check.h"

namespace dt::d::lowering {

namespace {

// include/linux/kdev_t.h.
constexpr std::int64_t kMinorBits = 20;

// kernel/locking/mutex.h: what else is in the low bits of the owner.
// A mutex's owner is the address of a task_struct, whose alignment leaves these bits free.
constexpr std::int64_t kMutexFlags = 7;

// kernel/locking/rwsem.c: bits of the count, below the number of readers.
// One word counts readers from bit 8 on, so taking the lock to read is one addition, and the bits
// below say that a writer has it, or that threads wait.
constexpr std::int64_t kWriterLocked = 1;
constexpr std::int64_t kWaiters = 2;
constexpr std::int64_t kReaderShift = 8;

}  // namespace

using ir::ValueId;

types::Catalog::Found KernelStructures::place_of(const KernelMember& one) const {
  const auto type = world_.types.find(types::Tag::kStruct, one.aggregate, "vmlinux");
  DT_CHECK(type.has_value(), "struct {}", one.aggregate);
  const auto found = world_.types.member(*type, one.member);
  DT_CHECK(found.has_value(), "{}.{}", one.aggregate, one.member);
  return *found;
}

ValueId KernelStructures::member_at(ValueId base, const KernelMember& one) {
  const auto offset = static_cast<std::int64_t>(place_of(one).bit_offset / 8);
  if (offset == 0) return base;
  return b_->binary(ir::Op::kAdd, base, b_->constant(offset), ir::Type::u64());
}

ValueId KernelStructures::load_member(ValueId base, const KernelMember& one) {
  const types::TypeId type = place_of(one).type;
  // A structure here is a counter: struct { s64 counter; }.
  const ir::Type as = rules_.is_scalar(type) ? rules_.ir_type(type) : ir::Type::s64();
  return load_memory(member_at(base, one), as, Whose::kKernel);
}

// The file behind a descriptor of the process, task->files->fdt->fd[number]; NULL where there is
// none. The table grows by being replaced, and is freed after a grace period: a probe that reads it
// sees the old or the new one, whole.
ValueId KernelStructures::open_file(ValueId number) {
  const ir::BlockId has_files = b_->block();
  const ir::BlockId is_open = b_->block();
  const ir::BlockId none = b_->block();
  const ir::BlockId join = b_->block();
  const ValueId result = b_->param(join, ir::Type::u64());
  const ValueId files = load_member(b_->builtin(ir::Builtin::kCurthread), {"task_struct", "files"});
  b_->branch(files, has_files, none);
  b_->enter(has_files);
  const ValueId table = load_member(files, {"files_struct", "fdt"});
  const ValueId limit = load_member(table, {"fdtable", "max_fds"});
  const ValueId index = b_->extend(number, ir::Type::u32());
  b_->branch(b_->binary(ir::Op::kLtU, index, limit, ir::Type::s32()), is_open, none);
  b_->enter(is_open);
  const ValueId array = load_member(table, {"fdtable", "fd"});
  const ValueId at = b_->binary(ir::Op::kAdd, array, scale(index, 8), ir::Type::u64());
  b_->jump(join, {load_memory(at, ir::Type::u64(), Whose::kKernel)});
  b_->enter(none);
  b_->jump(join, {b_->constant(0, ir::Type::u64())});
  b_->enter(join);
  return result;
}

// The number of a thread, a process or a struct pid in the namespace that dtrace is in.
ValueId KernelStructures::seen_number(ValueId of, Fn what) {
  const auto result = [this](ValueId number) { return b_->extend(number, ir::Type::s32()); };
  if (world_.in_first_processes) {
    if (what == Fn::kTaskPidVnr) return result(load_member(of, {"task_struct", "pid"}));
    if (what == Fn::kTaskTgidVnr) return result(load_member(of, {"task_struct", "tgid"}));
    return result(load_member(member_at(of, {"pid", "numbers"}), {"upid", "nr"}));
  }
  ValueId pid = of;
  if (what == Fn::kTaskTgidVnr) pid = load_member(pid, {"task_struct", "group_leader"});
  if (what != Fn::kPidVnr) pid = load_member(pid, {"task_struct", "thread_pid"});
  return b_->unary(ir::Op::kSeenNumber, pid, ir::Type::s32());
}

// A variable that dtrace itself writes, again and again.
ValueId KernelStructures::machine_number(const Expr* e) {
  const std::string name = fmt::format("{}{})", ir::kMachineNumber, e->args[0]->text);
  std::uint32_t variable = 0;
  while (variable < program_.variables.size() && program_.variables[variable].name != name) {
    ++variable;
  }
  if (variable == program_.variables.size()) {
    program_.variables.push_back({name, ir::Scope::kGlobal, ir::Type::s64(), {}});
  }
  b_->at(e->span);
  return b_->load(variable, ir::Type::s64());
}

ValueId KernelStructures::subroutine(const Expr* e) {
  if (static_cast<Fn>(e->index) == Fn::kMachineNumber) return machine_number(e);
  std::vector<ValueId> args;
  for (const Expr* argument : e->args) {
    args.push_back(value(argument));
  }
  b_->at(e->span);
  const auto bits = [&](ir::Op op, ValueId of, std::int64_t operand, ir::Type type) {
    return b_->binary(op, of, b_->constant(operand), type);
  };
  const auto is_not_zero = [&](ValueId of) { return bits(ir::Op::kNe, of, 0, ir::Type::s32()); };
  const auto semaphore = [&] { return load_member(args[0], {"rw_semaphore", "count"}); };
  switch (static_cast<Fn>(e->index)) {
    case Fn::kGetf:
      return open_file(args[0]);
    case Fn::kGetmajor:
      return bits(ir::Op::kShrU, b_->extend(args[0], ir::Type::u32()), kMinorBits, ir::Type::u32());
    case Fn::kGetminor:
      return bits(ir::Op::kAnd, args[0], (1 << kMinorBits) - 1, ir::Type::u32());
    case Fn::kMutexOwner:
    case Fn::kMutexOwned: {
      const ValueId word = load_member(args[0], {"mutex", "owner"});
      const ValueId owner = bits(ir::Op::kAnd, word, ~kMutexFlags, ir::Type::u64());
      if (static_cast<Fn>(e->index) == Fn::kMutexOwner) {
        return owner;
      }
      return b_->binary(ir::Op::kEq, owner, b_->builtin(ir::Builtin::kCurthread), ir::Type::s32());
    }
    case Fn::kMutexTypeAdaptive:  // all of the kernel's mutexes spin for a while, then sleep
      return b_->constant(1, ir::Type::s32());
    case Fn::kMutexTypeSpin:
      return b_->constant(0, ir::Type::s32());
    case Fn::kRwIswriter:  // a waiter waits because of a writer
      return is_not_zero(
          bits(ir::Op::kAnd, semaphore(), kWriterLocked | kWaiters, ir::Type::s64()));
    case Fn::kRwWriteHeld:
      return bits(ir::Op::kAnd, semaphore(), kWriterLocked, ir::Type::s32());
    case Fn::kRwReadHeld: {
      const ValueId count = semaphore();
      const ValueId readers =
          is_not_zero(bits(ir::Op::kShrU, count, kReaderShift, ir::Type::s64()));
      const ValueId written = bits(ir::Op::kAnd, count, kWriterLocked, ir::Type::s32());
      return b_->binary(ir::Op::kLtU, written, readers, ir::Type::s32());
    }
    case Fn::kPidVnr:
    case Fn::kTaskPidVnr:
    case Fn::kTaskTgidVnr:
      return seen_number(args[0], static_cast<Fn>(e->index));
    case Fn::kProgenyof:
      return b_->unary(ir::Op::kProgenyOf, args[0], ir::Type::s32());
    case Fn::kRand: {  // not below 0, as in C: `rand() % n` is an index
      const ValueId random = operation(ir::Op::kRand, ir::Type::s32(), {});
      return b_->binary(ir::Op::kAnd, random, b_->constant(0x7fffffff), ir::Type::s32());
    }
    default:
      DT_UNREACHABLE("subroutine {}", e->text);
  }
}

// An index that is known only now faults where it is no register's.
ValueId KernelStructures::register_element(const Expr* e) {
  const bool is_of_kernel = e->args[0]->text == "regs";
  if (is_of_kernel && e->args[1]->is_constant) {
    return b_->builtin(ir::Builtin::kRegs, static_cast<std::int64_t>(e->args[1]->int_value));
  }
  const ValueId index = value(e->args[1]);
  b_->at(e->span);
  if (!e->args[1]->is_constant) {
    const ir::BlockId good = b_->block();
    const ir::BlockId bad = b_->block();
    const ValueId fits =
        b_->binary(ir::Op::kLtU, index, b_->constant(ir::kRegisters), ir::Type::s32());
    b_->branch(fits, good, bad);
    b_->enter(bad);
    b_->fault(record::Fault::kIllegalOperation);
    b_->ret();
    b_->enter(good);
  }
  if (is_of_kernel) return kernel_register(index);
  const ValueId registers = b_->builtin(ir::Builtin::kUregs);
  const ValueId at = b_->binary(ir::Op::kAdd, registers, scale(index, 8), ir::Type::u64());
  return load_memory(at, ir::Type::u64(), Whose::kKernel);
}

// The register with this number. The verifier accepts accesses to the context at constant offsets
// only, so there is a load for each register, behind a comparison.
ValueId KernelStructures::kernel_register(ValueId index) {
  const ir::BlockId join = b_->block();
  const ValueId result = b_->param(join, ir::Type::u64());
  for (std::int64_t i = 0; i < ir::kRegisters - 1; ++i) {
    const ir::BlockId found = b_->block(), next = b_->block();
    b_->branch(b_->binary(ir::Op::kEq, index, b_->constant(i), ir::Type::s32()), found, next);
    b_->enter(found);
    b_->jump(join, {b_->builtin(ir::Builtin::kRegs, i)});
    b_->enter(next);
  }
  b_->jump(join, {b_->builtin(ir::Builtin::kRegs, ir::kRegisters - 1)});
  b_->enter(join);
  return result;
}

ValueId KernelStructures::builtin_string(const Expr* e) {
  const BuiltinInfo& info = builtin_table()[e->index];
  switch (info.derived) {
    case Derived::kZonename:
      return zone_name(capacities_.of_builtin(e));
    case Derived::kJailname:
      return string_values_.literal("0");
    default:
      break;
  }
  if (info.builtin != ir::Builtin::kExecargs) {  // cut where strsize is less than the kernel's size
    return string_values_.fit(b_->builtin(info.builtin, info.number), capacities_.of_builtin(e));
  }
  ir::Inst inst;
  inst.op = ir::Op::kBuiltin;
  inst.builtin = info.builtin;
  inst.type = ir::Type::string(capacities_.of_builtin(e));
  return b_->add(std::move(inst));
}

ValueId KernelStructures::process_arguments(const Expr* e) {
  const std::uint32_t size = capacities_.of(e);
  if (program_.arguments == ir::kNone) {
    program_.arguments = static_cast<std::uint32_t>(program_.variables.size());
    program_.variables.push_back(
        {"task_psargs()", ir::Scope::kGlobal, ir::Type::string(size), {ir::Type::s64()}});
  }
  const ValueId task = value(e->args[0]);
  b_->at(e->span);
  const ir::BlockId noted = b_->block();
  const ir::BlockId unknown = b_->block();
  const ir::BlockId join = b_->block();
  const ValueId result = b_->param(join, ir::Type::string(size));
  const ValueId process = b_->extend(load_member(task, {"task_struct", "tgid"}), ir::Type::s64());
  const ValueId arguments = b_->load(program_.arguments, ir::Type::string(size), {process});
  b_->branch(operation(ir::Op::kStrCmp, ir::Type::s32(), {arguments, string_values_.literal("")}),
             noted, unknown);
  b_->enter(noted);
  b_->jump(join, {arguments});
  b_->enter(unknown);
  const ValueId name =
      member_at(load_member(task, {"task_struct", "group_leader"}), {"task_struct", "comm"});
  b_->jump(join, {b_->unary(ir::Op::kKernelString, name, ir::Type::string(size))});
  b_->enter(join);
  return result;
}

// "global" for a process in the first pid namespace. For others, which are in a container, the last
// component of the container's cgroup: the root of the cgroup namespace or, where that is the whole
// tree's, the process's own. The kernel does not know containers: they are recognised by
// pid->level, which counts how deep the process's pid namespace is nested.
ValueId KernelStructures::zone_name(std::uint32_t size) {
  const ir::BlockId nested = b_->block();
  const ir::BlockId global = b_->block();
  const ir::BlockId own = b_->block();
  const ir::BlockId named = b_->block();
  const ir::BlockId join = b_->block();
  const ValueId group = b_->param(named, ir::Type::u64());
  const ValueId result = b_->param(join, ir::Type::string(size));
  const ValueId task = b_->builtin(ir::Builtin::kCurthread);
  const auto name_of = [&](ValueId css_set) {
    const ValueId cgroup = load_member(css_set, {"css_set", "dfl_cgrp"});
    return load_member(load_member(cgroup, {"cgroup", "kn"}), {"kernfs_node", "name"});
  };
  const ValueId pid = load_member(task, {"task_struct", "thread_pid"});
  b_->branch(load_member(pid, {"pid", "level"}), nested, global);

  b_->enter(nested);
  const ValueId space =
      load_member(load_member(task, {"task_struct", "nsproxy"}), {"nsproxy", "cgroup_ns"});
  const ValueId name = name_of(load_member(space, {"cgroup_namespace", "root_cset"}));
  b_->branch(load_memory(name, ir::Type::integer(1, false), Whose::kKernel), {named, {name}},
             {own, {}});
  b_->enter(own);
  const ValueId own_name = name_of(load_member(task, {"task_struct", "cgroups"}));
  b_->branch(load_memory(own_name, ir::Type::integer(1, false), Whose::kKernel),
             {named, {own_name}}, {global, {}});
  b_->enter(named);
  b_->jump(join, {b_->unary(ir::Op::kKernelString, group, ir::Type::string(size))});
  b_->enter(global);
  b_->jump(join, {string_values_.fit(string_values_.literal("global"), size)});
  b_->enter(join);
  return result;
}

}  // namespace dt::d::lowering
