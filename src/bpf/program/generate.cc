// generate(): the program of one unit, from the state check to the exit.
//
//     [state == active?]  [prologue: key]  [key -> slot]  [clauses]  exit
//     fault subprogram (with ERROR's clauses)   drop subprogram
//
// Clauses that are too much for one function stand in several: parts.h.

#include "bpf/program/generate.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "bpf/asm/encode.h"
#include "bpf/asm/lir.h"
#include "bpf/layout/drop.h"
#include "bpf/layout/firing_number.h"
#include "bpf/layout/frame.h"
#include "bpf/layout/map_limit.h"
#include "bpf/layout/memory.h"
#include "bpf/layout/prologue.h"
#include "bpf/program/exits.h"
#include "bpf/program/faults.h"
#include "bpf/program/parts.h"
#include "bpf/program/routines.h"
#include "bpf/routine/cgroup.h"
#include "bpf/routine/user_memory.h"
#include "bpf/routine/zone.h"
#include "bpf/select/select_function.h"
#include "bpf/stack/frame_layout.h"
#include "enabling/plan.h"
#include "ir/fuse.h"
#include "ir/ir.h"
#include "ir/op_info.h"
#include "ir/refusal.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

// 2 bytes for each key: at most 32 KiB of read-only memory for one program.
constexpr std::uint32_t kTableKeys = 16384;       // keys below this have a table
constexpr std::uint32_t kMaxThreadBytes = 65000;  // a little below 64 KiB in every kernel
constexpr std::uint16_t kNotEnabled = 0xffff;

void jump_if_key(Emitter& e, Cond cond, Reg key, std::uint32_t with, Label label) {
  if (fits_s32(with))
    e.jump_if_imm(cond, key, static_cast<std::int32_t>(with), label);
  else
    e.jump_if(cond, key, e.imm(with), label);
}

// A search tree of compares over the probes, which are sorted by key: `slot` becomes that of the
// probe whose key it is. Each leaf assigns a constant, so the verifier knows the slot exactly
// there; at `found` it knows a range.
struct KeySearch {
  Emitter& e;
  const std::vector<probe::Probe>& probes;
  Reg key, slot;
  Label found, leave;  // leave: the key is of none of the probes

  // Among the probes from `from` up to, but not at, `to`.
  void emit(std::size_t from, std::size_t to) const {
    if (to - from == 1) {
      jump_if_key(e, Cond::kNe, key, probes[from].binding.key, leave);
      e.mov_imm(slot, static_cast<std::int64_t>(from));
      return e.jump(found);
    }
    const std::size_t middle = from + (to - from) / 2;
    const Label above = e.label();
    jump_if_key(e, Cond::kGe, key, probes[middle].binding.key, above);
    emit(from, middle);
    e.bind(above);
    emit(middle, to);
  }
};

// The dense slot of the probe that fired; not valid when there is only one.
// Leaves when the key is of no enabled probe, which cannot be when `all` are.
Reg slot_of_key(Unit& unit, const std::vector<probe::Probe>& probes, bool all, Reg key,
                Label leave) {
  Emitter& e = unit.e;
  const std::uint32_t first = probes.front().binding.key;
  const std::uint32_t last = probes.back().binding.key;
  const auto count = static_cast<std::uint32_t>(probes.size());
  if (count == 1) {
    jump_if_key(e, Cond::kNe, key, first, leave);
    return {};
  }
  const Reg slot = e.reg();
  // Three ways, the cheapest first: the keys are consecutive; a table from key to slot (0xffff: not
  // enabled); a search.
  if (last - first == count - 1) {
    e.mov(slot, key);
    e.alu(Alu::kSub, slot, e.imm(first));
    if (!all) e.jump_if_imm(Cond::kGe, slot, static_cast<std::int32_t>(count), leave);
    return slot;
  }
  if (last < kTableKeys && count < kNotEnabled) {
    std::vector<std::uint8_t> table(std::size_t{last + 1} * 2, 0xff);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t at = std::size_t{probes[i].binding.key} * 2;
      table[at] = static_cast<std::uint8_t>(i);
      table[at + 1] = static_cast<std::uint8_t>(i >> 8);
    }
    const Reg entry = e.map_value({MapKind::kRodata, 0}, unit.add_rodata(table));
    // The verifier must see that the offset is below the size of the table. It knows that from the
    // comparison only as long as the value stays in the register that was compared, so the copy is
    // held there.
    const Reg offset = e.held_copy(key);
    if (!all) e.jump_if_imm(Cond::kGt, offset, static_cast<std::int32_t>(last), leave);
    e.alu_imm(Alu::kLsh, offset, 1);
    e.alu(Alu::kAdd, entry, offset);
    e.load_to(slot, 2, entry, 0);
    if (!all) e.jump_if_imm(Cond::kGe, slot, static_cast<std::int32_t>(count), leave);
    return slot;
  }
  const Label found = e.label();
  KeySearch{e, probes, key, slot, found, leave}.emit(0, count);
  e.bind(found);
  return slot;
}

// A clause is unconditional if it is enabled for every probe of the program: no slot has the EPID 0
// for it.
ir::Fused fuse_clauses(const ir::Program& program, const enabling::Plan& plan,
                       const std::vector<enabling::ClauseBinding>& bindings,
                       const std::vector<std::uint32_t>& shared) {
  std::vector<ir::FuseClause> clauses;
  for (const enabling::ClauseBinding& binding : bindings) {
    const bool always =
        std::find(binding.epids.begin(), binding.epids.end(), 0u) == binding.epids.end();
    clauses.push_back({binding.clause, always});
  }
  std::vector<std::uint32_t> on_fault;
  for (const enabling::ClauseBinding& binding : plan.error_clauses) {
    on_fault.push_back(binding.clause);
  }
  return ir::fuse(program, clauses, on_fault, shared);
}

template <typename Wanted>
bool has_inst(const ir::Fused& fused, Wanted wanted) {
  return std::any_of(fused.fn.blocks.begin(), fused.fn.blocks.end(), [&](const ir::Block& block) {
    return std::any_of(block.insts.begin(), block.insts.end(), wanted);
  });
}

// False when the code is the same for every slot: no clause is for some slots only, and none tells
// which probe fired, in a record, by a name or in a fault. Then the prologue need not find out
// which probe fired, which for some providers is a call of a helper.
bool needs_slot(const ir::Fused& fused) {
  for (const ir::ClauseRegion& region : fused.clauses) {
    if (region.may_fault) return true;
  }
  for (const ir::Block& block : fused.fn.blocks) {
    const bool is_branch = block.end.kind == ir::Terminator::Kind::kBranch;
    if (is_branch && block.end.condition == ir::kNone) return true;
  }
  return has_inst(fused, [](const ir::Inst& inst) {
    if (inst.op == ir::Op::kEmit) return true;
    if (inst.op != ir::Op::kBuiltin) return false;
    switch (inst.builtin) {
      case ir::Builtin::kProbeId:
      case ir::Builtin::kEpid:
      case ir::Builtin::kProbeprov:
      case ir::Builtin::kProbemod:
      case ir::Builtin::kProbefunc:
      case ir::Builtin::kProbename:
        return true;
      default:
        return false;
    }
  });
}

bool needs_arguments(const ir::Fused& fused) {
  return has_inst(fused, [](const ir::Inst& inst) {
    return inst.op == ir::Op::kBuiltin && inst.builtin == ir::Builtin::kArg;
  });
}

// The prologue, and from its key the slot.
Reg enter(Unit& unit, const std::vector<probe::Probe>& probes, const std::vector<ir::Fused>& fused,
          Prologue& prologue, Reg context, Label leave) {
  const bool all = probes.size() == prologue.key_count();
  Prologue::Needs needs = {.key = !all || std::any_of(fused.begin(), fused.end(), needs_slot),
                           .arguments = std::any_of(fused.begin(), fused.end(), needs_arguments)};
  if (!all && probes.size() == 1) needs.only_key = probes[0].binding.key;
  const bool is_seen_to = prologue.prepare(needs);
  if (const std::vector<std::uint8_t> table = prologue.table(); !table.empty()) {
    prologue.table_at(unit.add_rodata(table));
  }
  const Reg key = prologue.enter(unit.e, context, leave);
  if (!needs.key || is_seen_to) return {};
  return slot_of_key(unit, probes, all, key, leave);
}

// Whether a clause of the program, or one of ERROR's, may wait for memory. A program that may wait
// must be loaded as one that sleeps, and all its clauses run in it, so it is one property of the
// program.
bool waits(const ProgramSource& of) {
  if (!of.prologue.may_wait() || of.memory.machine.rcu_lock == 0) return false;
  const auto reads = [&](const enabling::ClauseBinding& binding) {
    const std::vector<ir::Block>& blocks = of.program.clauses[binding.clause].body.blocks;
    return std::any_of(blocks.begin(), blocks.end(), [&](const ir::Block& block) {
      return std::any_of(block.insts.begin(), block.insts.end(), [&](const ir::Inst& inst) {
        return ir::may_read_user(inst) ||
               (inst.op == ir::Op::kBuiltin && inst.builtin == ir::Builtin::kArg &&
                of.prologue.argument_reads_user(static_cast<std::uint32_t>(inst.imm)));
      });
    });
  };
  return std::ranges::any_of(of.own_plan().clauses, reads) ||
         std::ranges::any_of(of.plan.error_clauses, reads);
}

// A refusal when the program names more maps than the kernel allows. Counted in the finished code,
// because folding and dead code removal may have taken references away.
std::optional<ir::Refusal> count_maps(const Object& object) {
  std::set<std::pair<MapKind, std::uint32_t>> maps;
  for (const Relocation& relocation : object.relocations) {
    maps.emplace(relocation.map.kind, relocation.map.index);
  }
  if (maps.size() <= kMaxUsedMaps) return std::nullopt;
  const auto count = [&maps](MapKind kind) {
    return static_cast<std::uint64_t>(
        std::count_if(maps.begin(), maps.end(), [&](const auto& m) { return m.first == kind; }));
  };
  return ir::Refusal{.code = ir::Refusal::Code::kTooManyMaps,
                     .numbers = {count(MapKind::kAgg), count(MapKind::kAssoc), kMaxUsedMaps}};
}

// Keeps a refusal of the program with that key for the caller.
Error refuse(ir::Refusal why, const std::string& key, std::optional<ir::Refusal>& refused) {
  why.probe = key;
  Error error = Error::of(ir::plain_text(why, ir::name_of(why.asks)));
  refused = std::move(why);
  return error;
}

// What the functions of the program share, but for what its prologue says of its stacks.
Unit make_unit(Emitter& e, const ProgramSource& of, const Budget& budget) {
  const Machine& machine = of.memory.machine;
  Unit unit = {.e = e,
               .program = of.program,
               .schema = of.plan.schema,
               .memory = of.memory,
               .budget = budget,
               .fault_function = e.label(),
               .fault_takes_context = errors_need_context(of.program, of.plan),
               .drop_function = e.label(),
               .numbers_firings = of.own_plan().numbers_firings,
               .number_function = e.label()};
  unit.thread_at = of.prologue.thread_at();
  unit.has_registers = of.prologue.has_registers();
  unit.token_bytes = token_state_bytes(of.program);
  unit.waits = waits(of);
  unit.guard = unit.waits ? Guard{.begin = machine.rcu_lock, .end = machine.rcu_unlock}
                          : Guard{.begin = machine.preempt_disable,
                                  .end = machine.preempt_enable,
                                  .irq_save = machine.irq_save,
                                  .irq_restore = machine.irq_restore};
  unit.fault_takes_context |= unit.thread_at >= 0 || unit.waits;
  unit.additions.kept = of.prologue.keeps();
  return unit;
}

// Leaves where tracing is not active, or the options exclude this CPU or this thread's zone or
// cgroup. The state is the first thing that a program looks at: probes are attached before BEGIN
// has run, and a firing costs only this load and a branch until then.
void check_activity(Unit& unit, const Prologue& prologue, Reg context, Label leave) {
  Emitter& e = unit.e;
  const Memory& memory = unit.memory;
  if (!prologue.runs_when_inactive()) {
    const Reg state = e.load(4, e.map_value({MapKind::kGlobals, 0}, offsetof(Control, state)), 0);
    constexpr auto kActive = static_cast<std::int32_t>(State::kActive);
    e.jump_if_imm(Cond::kNe, state, kActive, leave);
    if (memory.machine.has_private_stacks && prologue.may_wait()) {
      keep_stack_of_thread(e, context, state, kActive);
    }
  }
  if (memory.only_cpu != ir::kNone) {
    e.jump_if_imm(Cond::kNe, e.call(BPF_FUNC_get_smp_processor_id, {}),
                  static_cast<std::int32_t>(memory.only_cpu), leave);
  }
  if ((memory.only_zone || memory.only_cgroup) && !prologue.is_of_no_thread()) {
    const Reg task = unit.thread_at >= 0 ? e.load(8, context, unit.thread_at)
                                         : e.call(BPF_FUNC_get_current_task_btf, {});
    if (memory.only_zone) leave_other_zones(e, *memory.only_zone, task, leave);
    if (memory.only_cgroup) leave_other_cgroups(e, *memory.only_cgroup, task, leave);
  }
}

Division divide_clauses(const Unit& unit, const ProgramSource& of) {
  const std::uint32_t begin = frame_begin(unit.memory.machine);
  Division divided = {
      .parts = divide(of.program, of.own_plan(), unit.fault_takes_context, of.limits),
      .firing = Firing(begin)};
  for (Part& part : divided.parts) part.needs_context |= unit.thread_at >= 0;
  std::vector<std::uint32_t> shared;
  if (divided.parts.size() > 1) {
    divided.firing = plan_firing(of.program, divided.parts, begin, unit.numbers_firings);
    for (const auto& [variable, offset] : divided.firing.locals) shared.push_back(variable);
  }
  for (const Part& part : divided.parts) {
    divided.fused.push_back(fuse_clauses(of.program, of.plan, part.bindings, shared));
  }
  divided.ends.resize(divided.fused.size());
  if (!outlives_exit(of.own_plan())) {
    divided.ends = ends_on_exit(of.program, of.plan, divided.fused);
  }
  return divided;
}

// In one function, or in a few.
void emit_clauses(Unit& unit, FunctionSpec spec, const Division& divided, Label leave) {
  if (divided.parts.size() > 1) return emit_parts(unit, spec, divided, leave);
  spec.ends_on_exit = divided.ends[0];
  select_function(unit, std::move(spec), divided.fused[0], leave);
}

// How main's clauses see the firing: through the prologue, which must have been entered.
FunctionSpec main_spec(Emitter& e, const ProgramSource& of, Reg context, Reg slot) {
  Prologue& prologue = of.prologue;
  FunctionSpec spec;
  spec.bindings = &of.own_plan().clauses;
  spec.probes = of.own_plan().probes;
  spec.context = context;
  spec.slot = slot;
  spec.task = prologue.current_task();
  spec.argument = [&e, &prologue, context](std::uint32_t number) {
    return prologue.argument(e, context, number);
  };
  spec.error_number = [&e, &prologue, context] { return prologue.error_number(e, context); };
  spec.kernel_register = [&e, &prologue, context](std::uint32_t number) {
    return prologue.kernel_register(e, context, number);
  };
  return spec;
}

void set_stacks(Unit& unit, Prologue& prologue) {
  unit.stack_skip = prologue.stack_frames_to_skip();
  unit.stack_is_of_context = prologue.stack_is_of_context();
  unit.caller_frame = prologue.stack_begins_with_caller() ? 0 : 1;
  unit.stack_frames = [&e = unit.e, &prologue](Reg from, std::uint32_t calls) {
    return prologue.stack_frames(e, from, calls);
  };
}

// All instructions of the program.
void emit_program(Unit& unit, const ProgramSource& of) {
  Emitter& e = unit.e;
  Prologue& prologue = of.prologue;
  const Reg context = e.context();
  const Label leave = e.label();
  prologue.read_user_with([&unit](Reg to, Reg size, Reg from) {
    return read_foreign(unit, {.to = to, .size = size, .from = from, .most = 8, .is_user = true});
  });
  prologue.keep_in({MapKind::kKept, static_cast<std::uint32_t>(of.index)},
                   [&unit] { count_drop(unit.e, unit.drop_function, record::Drop::kDynamic); });
  // The order matters. The section is first, because all code behind it relies on it; the parts are
  // divided before the prologue is entered, because it is asked only for what they need; the
  // subprograms come last, when it is known which of them are called.
  begin_section(e, unit.guard);
  check_activity(unit, prologue, context, leave);
  const Division divided = divide_clauses(unit, of);
  const Reg slot = enter(unit, of.own_plan().probes, divided.fused, prologue, context, leave);
  set_stacks(unit, prologue);
  emit_clauses(unit, main_spec(e, of, context, slot), divided, leave);
  if (!unit.sites.empty()) emit_fault_function(unit, of.plan, divided.parts.size() > 1 ? 2 : 1);
  emit_drop_function(e, unit.drop_function, unit.memory);
  if (unit.numbers_firings) emit_number_function(e, unit.number_function, unit.memory);
  emit_routines(unit);
}

// Generates the program with so much of the stack for values. An error other than too few registers
// or too little stack is also in `refused`.
Result<GeneratedProgram> attempt(const ProgramSource& of, const Budget& budget,
                                 std::optional<ir::Refusal>& refused) {
  const enabling::ProgramPlan& own_plan = of.own_plan();
  DT_CHECK(!own_plan.probes.empty() && !own_plan.clauses.empty(), "{}", own_plan.program);
  Emitter e;
  Unit unit = make_unit(e, of, budget);
  emit_program(unit, of);
  if (unit.refusal) return refuse(std::move(*unit.refusal), own_plan.program, refused);
  DT_ASSIGN(Assembly assembly, assemble(e, of.memory.machine.target));
  if (std::optional<ir::Refusal> too_many = count_maps(assembly.object)) {
    return refuse(std::move(*too_many), own_plan.program, refused);
  }
  GeneratedProgram made = {std::move(assembly.object), {}, std::move(unit.additions)};
  made.object.program = own_plan.program;
  made.object.waits = unit.waits;
  for (Unit::Site& at : unit.sites) {
    at.site.code_offset = assembly.label_insn[at.label.id];
    made.fault_sites.push_back(at.site);
  }
  if (unit.frame_bytes > 0) made.additions.scratch_bytes = unit.frame_bytes + unit.frame_slack;
  return made;
}

}  // namespace

const enabling::ProgramPlan& ProgramSource::own_plan() const { return plan.programs[index]; }

Result<GeneratedProgram> generate(const ProgramSource& of, std::optional<ir::Refusal>* refused) {
  std::optional<ir::Refusal> none;
  std::optional<ir::Refusal>& why = refused == nullptr ? none : *refused;
  if (of.memory.tls_bytes > kMaxThreadBytes) {
    return refuse({.code = ir::Refusal::Code::kThreadVariablesFull,
                   .numbers = {of.memory.tls_bytes, kMaxThreadBytes}},
                  of.own_plan().program, why);
  }
  // The stack is the fastest memory, but registers that are spilled need it
  // too: when both do not fit, values and keys go to the scratch frame.
  const Budget budgets[] = {{.temporaries = 192, .key = 200, .text = 264},
                            {.temporaries = 192, .key = 200},
                            {.temporaries = 64, .key = 96},
                            {.store_values = true}};
  // Each attempt makes a program of its own and throws it away if it does not fit; nothing of it is
  // in the plan or in the memory before take().
  for (const Budget& budget : budgets) {
    why.reset();
    Result<GeneratedProgram> made = attempt(of, budget, why);
    if (made.ok() || &budget == &budgets[std::size(budgets) - 1]) return made;
  }
  DT_UNREACHABLE();
}

Object take(GeneratedProgram generated, std::size_t index, record::Schema& schema, Memory& memory) {
  schema.fault_sites.insert(schema.fault_sites.end(), generated.fault_sites.begin(),
                            generated.fault_sites.end());
  add(std::move(generated.additions), index, memory);
  return std::move(generated.object);
}

}  // namespace dt::bpf
