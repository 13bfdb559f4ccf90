// See failures.h.
//
// A fault leaves its clause from wherever it happens, with a record that says which instruction of
// the script it was and, for memory, at which address; then ERROR's clauses run, then the next
// clause of the firing. What the failing clause has recorded so far is dropped with it, since a
// record is written at a clause's end.

#include "bpf/select/failures.h"

#include "bpf/layout/drop.h"
#include "bpf/layout/firing_number.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/firing_tag.h"
#include "support/check.h"

namespace dt::bpf {

Failures::Failures(FunctionContext& f, Facts& facts, FiringTag& tag)
    : f_(f), unit_(f.unit), e_(f.e), facts_(facts), tag_(tag) {}

namespace {

// Which argument of the probe is the address that the instruction reads in the process.
std::uint32_t argument_of(const FunctionContext& f, const ir::Inst& inst) {
  const bool reads_process = inst.op == ir::Op::kCopyinstr || inst.op == ir::Op::kCopyin ||
                             inst.op == ir::Op::kCopyUser || inst.op == ir::Op::kLoadUser;
  if (!reads_process || inst.args.empty()) return record::kNoArgument;
  const ir::Inst* const address = f.analysis.def[inst.args[0]];
  const bool is_argument = address != nullptr && address->op == ir::Op::kBuiltin &&
                           address->builtin == ir::Builtin::kArg;
  return is_argument ? static_cast<std::uint32_t>(address->imm) : record::kNoArgument;
}

}  // namespace

Label Failures::fault(const ir::Inst& inst, record::Fault code, Reg where) {
  const Label label = e_.label(), here = e_.label();
  e_.bind(here);
  const std::uint32_t clause = f_.fused.block_clause[f_.block];
  DT_CHECK(clause != ir::kNone, "a fault outside of every clause");
  f_.cold.push_back([=, this,
                     site = record::FaultSite{.span = inst.span,
                                              .action = inst.action,
                                              .code_offset = 0,
                                              .argument = argument_of(f_, inst)}] {
    e_.at(site.span);
    e_.bind(label);
    const Label next = f_.labels[f_.fused.clauses[clause].next];
    if (f_.spec.is_error) {
      drop(record::Drop::kDoubleError);
      return e_.jump(next);
    }
    const std::uint32_t number_of_site = unit_.add_site(site, here);
    const Reg who = e_.imm(static_cast<std::int64_t>(std::uint64_t{number_of_site} << 32));
    e_.alu(Alu::kOr, who, facts_.epid_of((*f_.spec.bindings)[clause]));
    const Reg what =
        e_.imm(static_cast<std::int64_t>(static_cast<std::uint64_t>(code) << 32 | site.action));
    if (unit_.numbers_firings) {
      const Reg number = e_.reg();
      e_.mov(number, tag_.firing_number());
      e_.alu_imm(Alu::kLsh, number, kNumberShift);
      e_.alu(Alu::kOr, what, number);
    }
    const Reg offset = e_.reg();
    e_.mov_label(offset, here);
    if (unit_.fault_takes_context)
      e_.call_subprogram(unit_.fault_function, {who, what, offset, where, f_.spec.context});
    else
      e_.call_subprogram(unit_.fault_function, {who, what, offset, where});
    e_.jump(next);
  });
  return label;
}

void Failures::drop(record::Drop what) { count_drop(e_, unit_.drop_function, what); }

void Failures::added(std::uint32_t counter) {
  count_added(e_, unit_.drop_function, unit_.memory, counter);
}

Label Failures::drop_and_go(record::Drop what, Label then) {
  const Label label = e_.label();
  f_.cold.push_back([=, this] {
    e_.bind(label);
    drop(what);
    e_.jump(then);
  });
  return label;
}

}  // namespace dt::bpf
