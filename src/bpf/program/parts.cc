// See parts.h.

#include "bpf/program/parts.h"

#include <algorithm>

#include "bpf/layout/drop.h"
#include "bpf/layout/frame.h"
#include "bpf/program/faults.h"
#include "bpf/select/bytes.h"
#include "bpf/select/select_function.h"
#include "bpf/stack/python.h"
#include "ir/op_info.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kMostParts = 200;  // a program may have 256 functions

std::uint32_t key_weight(const HashMap& map) { return 10 + map.key_bytes / 8; }

std::uint32_t aggregate_weight(const record::AggLayout& agg) {
  const std::uint32_t key = agg.key_bytes == 0 ? 3 : key_weight({8 + agg.key_bytes, 0});
  switch (agg.func) {
    case record::AggFunc::kQuantize:
      return key + 30;
    case record::AggFunc::kLlquantize:
      return key + 60;
    case record::AggFunc::kMin:
    case record::AggFunc::kMax:
    case record::AggFunc::kStddev:
      return key + 20;
    default:
      return key + 6;
  }
}

// Weights are a rough count of BPF instructions. They decide only how clauses are divided; a wrong
// one costs a larger function, not a wrong program.
std::uint32_t own_weight(const ir::Program& program, const ir::Inst& inst) {
  using ir::Op;
  switch (inst.op) {
    case Op::kAggregate:
    case Op::kAccumulate:
      return aggregate_weight(program.aggregations[inst.index]);
    case Op::kLoad:
    case Op::kStore:
    case Op::kAtomicAdd: {
      const ir::Variable& variable = program.variables[inst.index];
      const std::uint32_t key =
          variable.keys.empty() ? 1 : key_weight({array_key(variable).bytes, 0});
      return key + variable.type.size / 4;
    }
    case Op::kLoadPart:
    case Op::kStorePart:
    case Op::kAddressOf:
    case Op::kClear: {
      const ir::Variable& variable = program.variables[inst.index];
      const std::uint32_t key =
          variable.keys.empty() ? 4 : key_weight({array_key(variable).bytes, 0});
      return key + 8 + (inst.type.size + inst.stored.size) / 4;
    }
    case Op::kStrCmp:
      return 4 + inst.type.size;
    case Op::kEmit:
      return 15 + 2 * static_cast<std::uint32_t>(inst.args.size());
    default:
      DT_UNREACHABLE("{} has no weight of its own", ir::op_name(inst.op));
  }
}

std::uint32_t weight(const ir::Program& program, const ir::Inst& inst) {
  const std::uint32_t weight = ir::op_info(inst.op).weight;
  if (weight == ir::OpInfo::kOwn) return own_weight(program, inst);
  if (weight != ir::OpInfo::kUsual) return weight;
  // What faults has its cold code, and what has a size is copied.
  return (ir::may_fault(inst) ? 15 : 2) + inst.type.size / 8;
}

std::uint32_t weight(const ir::Program& program, std::uint32_t clause) {
  std::uint32_t sum = 4;
  for (const ir::Block& block : program.clauses[clause].body.blocks) {
    sum += 2;
    for (const ir::Inst& inst : block.insts) sum += weight(program, inst);
  }
  return sum;
}

template <typename Visit>
void for_each_inst(const ir::Program& program, const Part& part, const Visit& visit) {
  for (const enabling::ClauseBinding& binding : part.bindings) {
    for (const ir::Block& block : program.clauses[binding.clause].body.blocks) {
      for (const ir::Inst& inst : block.insts) visit(inst);
    }
  }
}

bool is_clause_local(const ir::Program& program, const ir::Inst& inst) {
  return (ir::reads_variable(inst.op) || ir::writes_variable(inst.op)) &&
         program.variables[inst.index].scope == ir::Scope::kClause;
}

// The clause-local variables that more than one part uses. Registers of one function are not those
// of another, so such a variable is in the frame.
std::vector<std::uint32_t> shared_locals(const ir::Program& program,
                                         const std::vector<Part>& parts) {
  std::map<std::uint32_t, std::size_t> seen_in;
  std::vector<std::uint32_t> shared;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for_each_inst(program, parts[i], [&](const ir::Inst& inst) {
      if (!is_clause_local(program, inst)) return;
      const auto [seen, is_new] = seen_in.emplace(inst.index, i);
      if (!is_new && seen->second != i) shared.push_back(inst.index);
    });
  }
  std::sort(shared.begin(), shared.end());
  shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
  return shared;
}

// The scratch frame of a firing, once it has been taken.
struct Frame {
  Reg address, index;
  StackSlot key;  // where the index was looked up by
};

// Zeroes what parts expect to be zero, and keeps in the frame what only main can see: arguments,
// registers and errno, which are read here once. A part is a function of its own and has neither
// the context's pointer, unless it is passed, nor main's registers.
// Goes to `no_region` where the frame has no region, which cannot be.
void prepare_frame(Unit& unit, const FunctionSpec& spec, const Firing& firing, const Frame& taken,
                   Label no_region) {
  Emitter& e = unit.e;
  const Reg frame = taken.address;
  if (spec.slot.valid()) e.store(8, frame, static_cast<std::int32_t>(firing.slot), spec.slot);
  const std::uint32_t bytes = firing.zero_end - firing.time;
  if (bytes > kUnrolledBytes) {
    const Reg to = e.reg();
    e.mov(to, frame);
    e.alu_imm(Alu::kAdd, to, static_cast<std::int32_t>(firing.time));
    const Reg zeros = e.map_value({MapKind::kRodata, 0}, unit.zeros(bytes));
    e.call_void(BPF_FUNC_probe_read_kernel, {to, e.imm(bytes), zeros});
  } else {
    for (std::uint32_t at = firing.time; at < firing.zero_end; at += 8) {
      e.store_imm(8, frame, static_cast<std::int32_t>(at), 0);
    }
  }
  if (firing.index != ir::kNone) {
    e.store(8, frame, static_cast<std::int32_t>(firing.index), taken.index);
    const std::uint32_t size = unit.program.scratch_size;
    const Reg zeros = e.map_value({MapKind::kRodata, 0}, unit.zeros(size));
    start_region(e, find_region(e, taken.index, taken.key, no_region), size, zeros);
  }
  if (firing.tokens != ir::kNone) {
    e.store_imm(8, frame, static_cast<std::int32_t>(firing.tokens), 0);
  }
  for (const auto& [number, offset] : firing.arguments) {
    e.store(8, frame, static_cast<std::int32_t>(offset), spec.argument(number));
  }
  for (const auto& [number, offset] : firing.registers) {
    if (!unit.has_registers) break;  // the part that asks refuses
    e.store(8, frame, static_cast<std::int32_t>(offset), spec.kernel_register(number));
  }
  if (firing.error_number != ir::kNone) {
    e.store(8, frame, static_cast<std::int32_t>(firing.error_number), spec.error_number());
  }
}

void emit_part(Unit& unit, const FunctionSpec& main, const Division& divided, std::size_t number,
               Label name) {
  Emitter& e = unit.e;
  const Part& part = divided.parts[number];
  // The verifier checks a global function once, for any arguments, and not at every call: that is
  // what keeps the sum below its limit. The context is not among the parameters that such a
  // function can have in every kernel, so parts that need it are static functions, which the
  // verifier follows at their call.
  const std::vector<Reg> r =
      part.needs_context
          ? e.begin_function(name, 2)
          : e.begin_global_function(name, "dt_part", std::vector<kernel::Parameter>(1));
  FunctionSpec spec;
  spec.bindings = &part.bindings;
  spec.probes = main.probes;
  if (part.needs_context) spec.context = r[1];
  spec.has_slot = main.slot.valid();
  spec.calls = 1;
  spec.firing = &divided.firing;
  spec.frame_index = r[0];
  spec.ends_on_exit = divided.ends[number];
  select_function(unit, std::move(spec), divided.fused[number], e.label());
}

}  // namespace

std::vector<Part> divide(const ir::Program& program, const enabling::ProgramPlan& plan,
                         bool faults_need_context, const Limits& limits) {
  std::vector<std::uint32_t> weights;
  std::uint32_t whole = 0;
  for (const enabling::ClauseBinding& binding : plan.clauses) {
    weights.push_back(weight(program, binding.clause));
    whole += weights.back();
  }
  if (whole <= limits.whole || plan.clauses.size() < 2) return {{plan.clauses, false}};
  const std::uint32_t most = std::max(limits.part, whole / kMostParts + 1);
  std::vector<Part> parts;
  std::uint32_t filled = most;
  for (std::size_t i = 0; i < plan.clauses.size(); ++i) {
    if (filled >= most) {
      parts.emplace_back();
      filled = 0;
    }
    parts.back().bindings.push_back(plan.clauses[i]);
    filled += weights[i];
  }
  for (Part& part : parts) {
    for_each_inst(program, part, [&](const ir::Inst& inst) {
      part.needs_context |= needs_context(inst) || (faults_need_context && ir::may_fault(inst));
    });
  }
  return parts;
}

// The frame of a firing that is divided: the slot and the time; the number; variables, which begin
// as zero (up to zero_end); and values that main has read for the parts.
Firing plan_firing(const ir::Program& program, const std::vector<Part>& parts, std::uint32_t begin,
                   bool has_number) {
  Firing firing(begin);
  if (has_number) {
    firing.number = firing.end;
    firing.end += 8;
  }
  for (const std::uint32_t variable : shared_locals(program, parts)) {
    firing.locals[variable] = firing.end;
    firing.end += words_up(program.variables[variable].type.size);
  }
  firing.zero_end = firing.end;
  for (const Part& part : parts) {
    for_each_inst(program, part, [&](const ir::Inst& inst) {
      if (ir::uses_scratch(inst.op)) firing.index = 0;
      if (uses_tokens(inst)) firing.tokens = 0;
      if (inst.op != ir::Op::kBuiltin) return;
      if (inst.builtin == ir::Builtin::kArg) {
        firing.arguments.emplace(static_cast<std::uint32_t>(inst.imm), 0);
      } else if (inst.builtin == ir::Builtin::kRegs) {
        firing.registers.emplace(static_cast<std::uint32_t>(inst.imm), 0);
      } else if (inst.builtin == ir::Builtin::kErrno) {
        firing.error_number = 0;
      }
    });
  }
  const auto word = [&firing] { return (firing.end += 8) - 8; };
  for (auto& [number, offset] : firing.arguments) offset = word();
  for (auto& [number, offset] : firing.registers) offset = word();
  if (firing.error_number != ir::kNone) firing.error_number = word();
  if (firing.index != ir::kNone) firing.index = word();
  if (firing.tokens != ir::kNone) {
    firing.tokens = firing.end;
    firing.end += token_state_bytes(program);
  }
  return firing;
}

void emit_parts(Unit& unit, const FunctionSpec& spec, const Division& divided, Label leave) {
  Emitter& e = unit.e;
  const Reg frame = e.reg(), index = e.reg();
  const Label none = e.label();
  const Reg cpu =
      unit.memory.machine.cpus == 1 ? e.imm(0) : e.call(BPF_FUNC_get_smp_processor_id, {});
  const StackSlot key = e.stack(8);
  take_frame(e, cpu, key, frame, index, none);
  note_frame(e, unit.memory, frame, index);
  unit.frame_bytes = std::max(unit.frame_bytes, divided.firing.end);
  const Label no_region = e.label();
  prepare_frame(unit, spec, divided.firing, {frame, index, key}, no_region);
  std::vector<Label> names;
  // The parts begin sections of their own: a global function is checked on its own, and the
  // verifier wants sections balanced in each.
  if (unit.waits) end_section(e, unit.guard);
  for (const Part& part : divided.parts) {
    names.push_back(e.label());
    if (part.needs_context)
      e.call_subprogram(names.back(), {index, spec.context});
    else
      e.call_subprogram(names.back(), {index});
  }
  if (unit.waits) begin_section(e, unit.guard);
  e.bind(no_region);  // which is for the verifier's eyes: a frame has a region
  release_frame(e, frame);
  e.bind(leave);
  end_firing(e, unit.guard);
  e.bind(none);
  count_drop(e, unit.drop_function, record::Drop::kNesting);
  end_firing(e, unit.guard);
  for (std::size_t i = 0; i < divided.parts.size(); ++i) {
    emit_part(unit, spec, divided, i, names[i]);
  }
}

}  // namespace dt::bpf
