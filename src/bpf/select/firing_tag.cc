// See firing_tag.h.

#include "bpf/select/firing_tag.h"

#include "bpf/select/context.h"
#include "bpf/select/firing.h"

namespace dt::bpf {

FiringTag::FiringTag(FunctionContext& f) : f_(f), e_(f.e) {}

void FiringTag::begin(Reg frame) {
  frame_ = frame;
  if (!f_.unit.numbers_firings || f_.spec.firing != nullptr || f_.spec.is_error) return;
  number_ = e_.reg();
  e_.mov_imm(number_, 0);
}

Reg FiringTag::firing_number() {
  if (f_.spec.is_error) return f_.spec.number;
  const Firing* const firing = f_.spec.firing;
  const Reg number =
      firing != nullptr ? e_.load(8, frame_, static_cast<std::int32_t>(firing->number)) : number_;
  const Label have = e_.label();
  e_.jump_if_imm(Cond::kNe, number, 0, have);
  e_.mov(number, e_.call_subprogram(f_.unit.number_function, {}));
  if (firing != nullptr) e_.store(8, frame_, static_cast<std::int32_t>(firing->number), number);
  e_.bind(have);
  return number;
}

}  // namespace dt::bpf
