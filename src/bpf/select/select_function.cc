// See select_function.h.

#include "bpf/select/select_function.h"

#include <utility>

#include "bpf/select/address_texts.h"
#include "bpf/select/aggregations.h"
#include "bpf/select/arrays.h"
#include "bpf/select/builtins.h"
#include "bpf/select/bytes.h"
#include "bpf/select/calls.h"
#include "bpf/select/context.h"
#include "bpf/select/control_flow.h"
#include "bpf/select/effects.h"
#include "bpf/select/facts.h"
#include "bpf/select/failures.h"
#include "bpf/select/firing_tag.h"
#include "bpf/select/follow.h"
#include "bpf/select/integers.h"
#include "bpf/select/key_buffer.h"
#include "bpf/select/loads.h"
#include "bpf/select/maps.h"
#include "bpf/select/part.h"
#include "bpf/select/parts_of_bytes.h"
#include "bpf/select/paths.h"
#include "bpf/select/probe_names.h"
#include "bpf/select/processes.h"
#include "bpf/select/records.h"
#include "bpf/select/scratch.h"
#include "bpf/select/stacks.h"
#include "bpf/select/storage.h"
#include "bpf/select/strings.h"
#include "bpf/select/thread_storage.h"
#include "bpf/select/tokens.h"
#include "bpf/select/values.h"
#include "bpf/select/variables.h"

namespace dt::bpf {

namespace {

struct Collaborators {
  explicit Collaborators(FunctionContext& f)
      : facts(f),
        tag(f),
        failures(f, facts, tag),
        storage(f, facts, failures),
        values(f, storage),
        bytes(f, storage, values),
        keys(f, storage),
        core{f, facts, failures, storage, values, bytes, keys},
        tls(f, facts),
        maps(f, failures),
        probe_names(core),
        follow(core),
        loads(core, follow),
        integers(core, follow),
        strings(core),
        tokens(core, loads),
        calls(core, tokens),
        address_texts(core),
        paths(core),
        processes(core, loads),
        scratch(core, loads),
        stacks(core, maps),
        arrays(core, maps),
        variables(core, tls, arrays),
        parts(core, tls, maps, arrays, variables),
        records(core, tag, probe_names),
        aggregations(core, maps, stacks, records),
        effects(core),
        builtins(core, tls, probe_names, follow, processes, stacks) {}

  Facts facts;
  FiringTag tag;
  Failures failures;
  Storage storage;
  Values values;
  Bytes bytes;
  KeyBuffer keys;
  Core core;
  ThreadStorage tls;
  Maps maps;
  ProbeNames probe_names;
  Follow follow;
  Loads loads;
  Integers integers;
  Strings strings;
  Tokens tokens;
  Calls calls;
  AddressTexts address_texts;
  Paths paths;
  Processes processes;
  Scratch scratch;
  Stacks stacks;
  Arrays arrays;
  Variables variables;
  PartsOfBytes parts;
  Records records;
  Aggregations aggregations;
  Effects effects;
  Builtins builtins;
};

// Which collaborator writes the operations of each family of ir/ops.def.
struct Families {
#define DT_FAMILY(name, collaborator) \
  static void name(Collaborators& to, const ir::Inst& inst) { to.collaborator.name(inst); }
  DT_FAMILY(constant, values)
  DT_FAMILY(integer, integers)
  DT_FAMILY(divide, integers)
  DT_FAMILY(compare, integers)
  DT_FAMILY(builtin, builtins)
  DT_FAMILY(string_literal, strings)
  DT_FAMILY(string_compare, strings)
  DT_FAMILY(load_integer, loads)
  DT_FAMILY(load_string, loads)
  DT_FAMILY(load_text, loads)
  DT_FAMILY(try_load, loads)
  DT_FAMILY(load_bytes, loads)
  DT_FAMILY(to_string, strings)
  DT_FAMILY(stack, stacks)
  DT_FAMILY(user_address, stacks)
  DT_FAMILY(call, calls)
  DT_FAMILY(address_text, address_texts)
  DT_FAMILY(alloca_scratch, scratch)
  DT_FAMILY(copy_to_scratch, scratch)
  DT_FAMILY(store_scratch, scratch)
  DT_FAMILY(copy_out, scratch)
  DT_FAMILY(path, paths)
  DT_FAMILY(random, processes)
  DT_FAMILY(progeny_of, processes)
  DT_FAMILY(seen_number, processes)
  DT_FAMILY(variable, variables)
  DT_FAMILY(part, parts)
  DT_FAMILY(part_of_variable, parts)
  DT_FAMILY(aggregate, aggregations)
  DT_FAMILY(emit, records)
  DT_FAMILY(signal, effects)
  static void chill(Collaborators& to, const ir::Inst& inst) {
    to.effects.chill(inst);
    to.builtins.restart_clock();
  }
  DT_FAMILY(exit, effects)
  DT_FAMILY(begin_speculation, effects)
  DT_FAMILY(speculation_in_use, effects)
  DT_FAMILY(end_speculation, effects)
  DT_FAMILY(fault, effects)
#undef DT_FAMILY
};

void select(Collaborators& to, const ir::Inst& inst) {
  switch (inst.op) {
#define DT_OP(id, name, operands, result, text, family, traits, weight) \
  case ir::Op::id:                                                      \
    return Families::family(to, inst);
#include "ir/ops.def"
#undef DT_OP
  }
}

}  // namespace

void select_function(Unit& unit, FunctionSpec spec, const ir::Fused& fused, Label leave) {
  FunctionContext f(unit, std::move(spec), fused);
  Collaborators to(f);
  to.follow.find_followed();
  to.storage.begin(leave);
  to.tls.begin();
  to.builtins.begin_clock();
  to.aggregations.begin();
  to.tag.begin(to.storage.frame());
  to.variables.prepare_locals();
  ControlFlow flow(to.core, to.integers, [&](const ir::Inst& inst) {
    if (unit.thread_at >= 0) to.builtins.refuse_at_other_thread(inst);
    select(to, inst);
  });
  flow.write_blocks();
  unit.e.bind(f.exit);
  to.storage.leave_function(leave);
}

}  // namespace dt::bpf
