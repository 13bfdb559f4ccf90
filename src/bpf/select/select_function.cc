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
        tls(f, facts),
        maps(f, failures),
        probe_names(f, facts, storage, values),
        follow(f, facts, failures, storage, values, bytes),
        loads(f, failures, storage, values, bytes, keys, follow),
        integers(f, failures, values, follow),
        strings(f, storage, values, bytes),
        tokens(f, failures, storage, values, bytes, loads),
        calls(f, storage, values, bytes, tokens),
        address_texts(f, storage, values, bytes),
        paths(f, facts, failures, storage, values, bytes),
        processes(f, facts, failures, storage, values, bytes, loads),
        scratch(f, failures, storage, values, bytes, loads),
        stacks(f, facts, failures, storage, values, maps),
        arrays(f, facts, failures, storage, values, bytes, keys, maps),
        variables(f, failures, storage, values, bytes, keys, tls, arrays),
        parts(f, failures, storage, values, bytes, keys, tls, maps, arrays, variables),
        records(f, facts, tag, failures, storage, values, bytes, probe_names),
        aggregations(f, facts, failures, storage, values, bytes, keys, maps, stacks, records),
        effects(f, failures, values, bytes),
        builtins(f, facts, storage, values, bytes, keys, tls, probe_names, follow, processes,
                 stacks) {}

  Facts facts;
  FiringTag tag;
  Failures failures;
  Storage storage;
  Values values;
  Bytes bytes;
  KeyBuffer keys;
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
  static void constant(Collaborators& to, const ir::Inst& inst) { to.values.constant(inst); }
  static void integer(Collaborators& to, const ir::Inst& inst) { to.integers.integer(inst); }
  static void divide(Collaborators& to, const ir::Inst& inst) { to.integers.divide(inst); }
  static void compare(Collaborators& to, const ir::Inst& inst) { to.integers.compare(inst); }
  static void builtin(Collaborators& to, const ir::Inst& inst) { to.builtins.builtin(inst); }
  static void string_literal(Collaborators& to, const ir::Inst& inst) {
    to.strings.string_literal(inst);
  }
  static void string_compare(Collaborators& to, const ir::Inst& inst) {
    to.strings.string_compare(inst);
  }
  static void load_integer(Collaborators& to, const ir::Inst& inst) { to.loads.load_integer(inst); }
  static void load_string(Collaborators& to, const ir::Inst& inst) { to.loads.load_string(inst); }
  static void load_text(Collaborators& to, const ir::Inst& inst) { to.loads.load_text(inst); }
  static void load_bytes(Collaborators& to, const ir::Inst& inst) { to.loads.load_bytes(inst); }
  static void to_string(Collaborators& to, const ir::Inst& inst) { to.strings.to_string(inst); }
  static void stack(Collaborators& to, const ir::Inst& inst) { to.stacks.stack(inst); }
  static void user_address(Collaborators& to, const ir::Inst& inst) {
    to.stacks.user_address(inst);
  }
  static void call(Collaborators& to, const ir::Inst& inst) { to.calls.call(inst); }
  static void address_text(Collaborators& to, const ir::Inst& inst) {
    to.address_texts.address_text(inst);
  }
  static void alloca_scratch(Collaborators& to, const ir::Inst& inst) {
    to.scratch.alloca_scratch(inst);
  }
  static void copy_to_scratch(Collaborators& to, const ir::Inst& inst) {
    to.scratch.copy_to_scratch(inst);
  }
  static void store_scratch(Collaborators& to, const ir::Inst& inst) {
    to.scratch.store_scratch(inst);
  }
  static void copy_out(Collaborators& to, const ir::Inst& inst) { to.scratch.copy_out(inst); }
  static void path(Collaborators& to, const ir::Inst& inst) { to.paths.path(inst); }
  static void random(Collaborators& to, const ir::Inst& inst) { to.processes.random(inst); }
  static void progeny_of(Collaborators& to, const ir::Inst& inst) { to.processes.progeny_of(inst); }
  static void seen_number(Collaborators& to, const ir::Inst& inst) {
    to.processes.seen_number(inst);
  }
  static void variable(Collaborators& to, const ir::Inst& inst) { to.variables.variable(inst); }
  static void part(Collaborators& to, const ir::Inst& inst) { to.parts.part(inst); }
  static void part_of_variable(Collaborators& to, const ir::Inst& inst) {
    to.parts.part_of_variable(inst);
  }
  static void aggregate(Collaborators& to, const ir::Inst& inst) {
    to.aggregations.aggregate(inst);
  }
  static void emit(Collaborators& to, const ir::Inst& inst) { to.records.emit(inst); }
  static void signal(Collaborators& to, const ir::Inst& inst) { to.effects.signal(inst); }
  static void chill(Collaborators& to, const ir::Inst& inst) { to.effects.chill(inst); }
  static void exit(Collaborators& to, const ir::Inst& inst) { to.effects.exit(inst); }
  static void begin_speculation(Collaborators& to, const ir::Inst& inst) {
    to.effects.begin_speculation(inst);
  }
  static void speculation_in_use(Collaborators& to, const ir::Inst& inst) {
    to.effects.speculation_in_use(inst);
  }
  static void end_speculation(Collaborators& to, const ir::Inst& inst) {
    to.effects.end_speculation(inst);
  }
  static void fault(Collaborators& to, const ir::Inst& inst) { to.effects.fault(inst); }
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
  to.tag.begin(to.storage.frame());
  to.variables.prepare_locals();
  ControlFlow flow(f, to.facts, to.storage, to.values, to.bytes, to.keys, to.integers,
                   [&](const ir::Inst& inst) {
                     if (unit.thread_at >= 0) to.builtins.refuse_at_other_thread(inst);
                     select(to, inst);
                   });
  flow.write_blocks();
  unit.e.bind(f.exit);
  to.storage.leave_function(leave);
}

}  // namespace dt::bpf
