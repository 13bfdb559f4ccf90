#pragma once
// Programs that a function calls through a trampoline (fentry, fexit): what they are
// handed. At the return of a function they know its arguments, too.

#include <cstddef>
#include <cstdint>

#include "bpf/layout/prologue.h"

namespace dt::provider {

// The n-th argument of the function, which must have as many, and what it returned, as
// plain numbers: the compiler does not define what is above their own width.
bpf::Reg trampoline_argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number);
bpf::Reg trampoline_result(bpf::Emitter& emitter, bpf::Reg context);

// arg0... of an entry are the function's arguments, arg1 of a return what it returns.
class TrampolinePrologue : public bpf::Prologue {
 public:
  TrampolinePrologue(bool is_return, std::size_t parameters)
      : is_return_(is_return), parameters_(parameters) {}

  bool stack_begins_with_caller() const override { return true; }
  bpf::Reg stack_frames(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t calls) override;
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) override;
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override;
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg context) override;

 private:
  bool is_return_;
  std::size_t parameters_;
};

}  // namespace dt::provider
