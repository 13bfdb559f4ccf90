// plan_memory: gives every variable, string and aggregation of a program its
// place in the maps of memory.h.

#include "bpf/layout/memory.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bpf/layout/agg_key.h"
#include "bpf/layout/map_limit.h"
#include "enabling/plan.h"
#include "ir/ir.h"
#include "record/drop.h"
#include "support/align.h"
#include "support/check.h"

namespace dt::bpf {

namespace {

constexpr std::uint32_t kCacheLine = 64;
constexpr std::uint32_t kMiscWords = 4;
// Aggregations and arrays with a map of their own. The other maps of a program are for variables,
// stacks and what every run has.
constexpr std::size_t kOwnMaps = kMaxUsedMaps / 2;
constexpr std::uint32_t kNumberBytes = 8;

using support::align_up;

// What a variable of this type takes in memory. An integer takes its own size, and is aligned to
// it: a store of it is then one instruction that no other CPU sees half of. Strings and bytes are
// moved as words, so they are padded to whole ones.
std::uint32_t storage_bytes(const ir::Type& type) {
  return type.kind == ir::TypeKind::kInt ? type.size : align_up(type.size, 8);
}

std::uint32_t place_value(std::uint32_t& end, const ir::Type& type) {
  const std::uint32_t bytes = storage_bytes(type);
  const std::uint32_t offset = align_up(end, type.kind == ir::TypeKind::kInt ? bytes : 8);
  end = offset + bytes;
  return offset;
}

bool takes_global_address(const ir::Program& program) {
  for (const ir::EcbDesc& clause : program.clauses) {
    for (const ir::Block& block : clause.body.blocks) {
      for (const ir::Inst& inst : block.insts) {
        if (inst.op != ir::Op::kAddressOf) continue;
        const ir::Variable& variable = program.variables[inst.index];
        if (variable.scope == ir::Scope::kGlobal && variable.keys.empty()) return true;
      }
    }
  }
  return false;
}

// Global variables; those that are bytes are together, behind the others.
void plan_globals(const ir::Program& program, Memory& memory) {
  for (const bool are_bytes : {false, true}) {
    if (are_bytes) {
      memory.globals_bytes = align_up(memory.globals_bytes, 8);
      memory.addressed_begin = memory.globals_bytes;
    }
    for (std::size_t i = 0; i < program.variables.size(); i++) {
      const ir::Variable& variable = program.variables[i];
      const bool is_global = variable.keys.empty() && variable.scope == ir::Scope::kGlobal;
      if (!is_global || (variable.type.kind == ir::TypeKind::kBytes) != are_bytes) continue;
      memory.global_offset[i] = place_value(memory.globals_bytes, variable.type);
    }
  }
  const bool is_addressed = takes_global_address(program);
  memory.addressed_end = is_addressed ? memory.globals_bytes : memory.addressed_begin;
}

void plan_variables(const ir::Program& program, Memory& memory) {
  memory.global_offset.assign(program.variables.size(), ir::kNone);
  memory.tls_offset.assign(program.variables.size(), ir::kNone);
  memory.assocs.assign(program.variables.size(), {});
  memory.arguments = program.arguments;
  for (std::size_t i = 0; i < program.variables.size(); ++i) {
    const ir::Variable& variable = program.variables[i];
    if (!variable.keys.empty()) {
      memory.assocs[i].key_bytes = array_key(variable).bytes;
      memory.assocs[i].value_bytes = align_up(storage_bytes(variable.type), 8);
      memory.assocs[i].room = variable.room;
    } else if (variable.scope == ir::Scope::kThread) {
      memory.tls_offset[i] = place_value(memory.tls_bytes, variable.type);
    }
  }
  plan_globals(program, memory);
  memory.globals_bytes = align_up(memory.globals_bytes, 8);
  if (program.speculations > 0) {
    memory.speculations_offset = memory.globals_bytes;
    memory.globals_bytes += 8 * (1 + program.speculations);
  }
  if (memory.addressed_end != memory.addressed_begin) memory.globals_bytes += program.scratch_size;
  memory.tls_bytes = align_up(memory.tls_bytes, 8);
}

// The NUL is within the last word: a string of 8 characters takes two words.
void plan_strings(const ir::Program& program, Memory& memory) {
  for (const std::string& string : program.strings) {
    memory.string_offset.push_back(static_cast<std::uint32_t>(memory.rodata.size()));
    memory.rodata.insert(memory.rodata.end(), string.begin(), string.end());
    memory.rodata.resize((memory.rodata.size() + 8) / 8 * 8);
  }
}

// An aggregation may have several stacks of one size among its keys.
void plan_stacks(const record::AggLayout& agg, Memory& memory) {
  std::vector<bool> is_used(memory.stacks.size(), false);
  for (const record::Field& field : agg.keys) {
    const std::uint32_t bytes = frames_in_table(field.type);
    if (bytes == 0) continue;
    std::uint32_t table = memory.stack_table(bytes, agg.drained);
    if (table == ir::kNone) {
      table = static_cast<std::uint32_t>(memory.stacks.size());
      memory.stacks.push_back({bytes, agg.drained, 0});
      is_used.push_back(false);
    }
    if (!is_used[table]) memory.stacks[table].users++;
    is_used[table] = true;
  }
}

void plan_percpu(const ir::Program& program, Memory& memory) {
  memory.drops_offset = 0;
  memory.misc_offset = record::kDropCounters * 8;
  std::uint32_t end = memory.misc_offset + kMiscWords * 8;
  for (const ir::EcbDesc& clause : program.clauses) {
    memory.joined.add(program.aggregations, clause.layouts);
  }
  memory.aggs.assign(program.aggregations.size(), {});
  memory.agg_offset.assign(program.aggregations.size(), ir::kNone);
  for (std::size_t i = 0; i < program.aggregations.size(); ++i) {
    const record::AggLayout& agg = program.aggregations[i];
    if (agg.key_bytes == 0) {
      memory.agg_offset[i] = end;
      // One more word: the presence, which tells an aggregation of value 0 from one that was never
      // written.
      end += (agg.value_words + 1) * 8 + memory.joined.distance(static_cast<std::uint32_t>(i));
    } else {
      memory.aggs[i] = {agg_key(agg).bytes, agg.value_words * 8};
      plan_stacks(agg, memory);
    }
  }
  memory.added_offset = end;
  end += memory.added_counters() * 8;
  // Blocks of two CPUs share no cache line: otherwise each atomic addition of one would take the
  // line from the other.
  memory.percpu_stride = align_up(end, kCacheLine);
}

// Of one shape: keys and values of the same size. The first one's map is everyone's.
class Shapes {
 public:
  // The index of the map for `map`, which has the index `own`.
  std::uint32_t shared(HashMap& map, std::uint32_t own) {
    const auto [it, is_new] = first_.try_emplace({map.key_bytes, map.value_bytes}, own);
    if (!is_new) map = {};
    return it->second;
  }
  std::size_t count() const { return first_.size(); }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first_;
};

std::size_t keyed_maps(const std::vector<HashMap>& maps) {
  return static_cast<std::size_t>(
      std::ranges::count_if(maps, [](const HashMap& map) { return map.key_bytes != 0; }));
}

// Of a few aggregations and arrays each has a map of its own, so that it has room of its own. Of
// many, the number of the aggregation or of the array is part of the key.
void share_maps(Memory& memory) {
  std::size_t own = keyed_maps(memory.aggs);
  if (own > kOwnMaps) {
    Shapes shapes;
    for (std::uint32_t i = 0; i < memory.aggs.size(); ++i) {
      HashMap& agg = memory.aggs[i];
      memory.shared_aggs.push_back(agg.key_bytes == 0 ? i : shapes.shared(agg, i));
    }
    own = shapes.count();
  }
  if (own + keyed_maps(memory.assocs) <= kOwnMaps) return;
  Shapes shapes;
  for (std::uint32_t i = 0; i < memory.assocs.size(); ++i) {
    HashMap& array = memory.assocs[i];
    // What user space reads, or has room of its own, is alone in its map.
    const bool is_alone = array.key_bytes == 0 || array.room != 0 || i == memory.arguments;
    if (!is_alone) array.key_bytes += kNumberBytes;
    memory.shared_assocs.push_back(is_alone ? ir::kNone : shapes.shared(array, i));
  }
}

void scan(const ir::Program& program, std::uint32_t clause, Memory& memory) {
  for (const ir::Block& block : program.clauses[clause].body.blocks) {
    for (const ir::Inst& inst : block.insts) {
      if (ir::uses_scratch(inst.op)) memory.region_bytes = region_bytes(program.scratch_size);
      // A fault is reported by a record, also of a script that records nothing else.
      if (inst.op == ir::Op::kEmit || ir::may_fault(inst)) memory.uses_ring = true;
      if (inst.op == ir::Op::kBuiltin && inst.builtin == ir::Builtin::kVtimestamp) {
        memory.uses_vtimestamp = true;
      }
    }
  }
}

}  // namespace

std::uint32_t Memory::stack_table(std::uint32_t frames_bytes, bool drained) const {
  const auto found = std::find_if(stacks.begin(), stacks.end(), [&](const StackTable& table) {
    return table.frames_bytes == frames_bytes && table.drained == drained;
  });
  return found == stacks.end() ? ir::kNone : static_cast<std::uint32_t>(found - stacks.begin());
}

ArrayKey array_key(const ir::Variable& variable) {
  ArrayKey key;
  if (variable.scope == ir::Scope::kThread) key.bytes = 8;
  for (const ir::Type& type : variable.keys) key.offsets.push_back(place_value(key.bytes, type));
  // The kernel compares the bytes of keys, those between the parts included: the code that builds a
  // key writes all of it.
  key.bytes = align_up(key.bytes, 8);
  return key;
}

// Everything here is known from the program alone. What code generation finds that it needs in
// addition comes later, in take().
Memory plan_memory(const ir::Program& program, const enabling::Plan& plan, const Machine& machine) {
  Memory memory;
  memory.machine = machine;
  plan_variables(program, memory);
  plan_strings(program, memory);
  plan_percpu(program, memory);
  share_maps(memory);
  memory.kept.resize(plan.programs.size());
  for (const enabling::ProgramPlan& unit : plan.programs) {
    for (const enabling::ClauseBinding& binding : unit.clauses) {
      scan(program, binding.clause, memory);
    }
  }
  for (const enabling::ClauseBinding& binding : plan.error_clauses) {
    scan(program, binding.clause, memory);
  }
  if (memory.uses_vtimestamp) {
    memory.tls_vtime_offset = memory.tls_bytes;
    memory.tls_bytes += 8;
  }
  return memory;
}

}  // namespace dt::bpf
