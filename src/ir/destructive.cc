// Looking for destructive actions.

#include "ir/destructive.h"

#include "ir/op_info.h"

namespace dt::ir {

namespace {

// Files are written, and commands run, with the rights of the tracer.
bool is_destructive(record::ActionKind kind) {
  return kind == record::ActionKind::kSystem || kind == record::ActionKind::kFreopen ||
         kind == record::ActionKind::kFtruncate;
}

}  // namespace

std::optional<Span> find_destructive(const Program& program) {
  for (const EcbDesc& clause : program.clauses) {
    for (const Block& block : clause.body.blocks) {
      for (const Inst& inst : block.insts) {
        if (has_trait(inst.op, OpInfo::kDestructive)) return inst.span;
      }
    }
    for (const record::Layout& layout : clause.layouts) {
      for (const record::Action& action : layout.actions) {
        if (is_destructive(action.kind)) {
          return action.span;
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace dt::ir
