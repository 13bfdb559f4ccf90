// Actions that do something besides recording, in the probe itself: raise(),
// stop() and chill().

#include <csignal>

#include "d/lower/lowerer.h"

namespace dt::d {

using ir::ValueId;

void Lowerer::signal(const Expr* e, bool is_stop) {
  const ValueId number = is_stop ? b_->constant(SIGSTOP, ir::Type::s32())
                                 : convert(value(e->args[0]), ir::Type::s32());
  b_->at(e->span);
  operation(ir::Op::kSignal, ir::Type::none(), {number});
}

void Lowerer::chill(const Expr* e) {
  const ValueId ns = convert(value(e->args[0]), ir::Type::u64());
  b_->at(e->span);
  operation(ir::Op::kChill, ir::Type::none(), {ns});
}

}  // namespace dt::d
