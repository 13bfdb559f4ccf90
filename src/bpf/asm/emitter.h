#pragma once
// Emitter: BPF instructions over virtual registers, before allocation.
//
// The instruction selector and the providers' prologues write through it. A
// virtual register may be assigned more than once (two-address ALU); the
// register allocator maps them to r0-r9 and spill slots. Every helper call
// clobbers r0-r5 in the hardware; the allocator keeps values alive across it.

#include <linux/bpf.h>  // BPF_FUNC_*

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "bpf/asm/reg.h"
#include "support/source.h"

namespace dt::kernel {
struct Parameter;
}

namespace dt::bpf {

// Instructions over virtual registers (bpf/asm/lir.h).
struct Lir;
struct LirCode;

class Emitter {
 public:
  Emitter();
  ~Emitter();
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  Reg reg();
  Label label();
  // A label that nothing jumps to costs nothing: it may mark an instruction
  // whose index is wanted (Assembly::label_insn, mov_label).
  void bind(Label label);
  StackSlot stack(std::uint32_t bytes);

  // A register that goes to the stack last of all. Verifiers before 6.8 forget what
  // a comparison teaches them of a value that is also there: what is compared
  // so that an access can be seen to stay within bounds is held from the
  // comparison to the access. Only for a few instructions, and not over a call.
  Reg held();
  Reg held_copy(Reg value);

  Reg imm(std::int64_t value);
  void mov(Reg dst, Reg src);
  void mov32(Reg dst, Reg src);  // zero-extends
  void mov_imm(Reg dst, std::int64_t value);
  void alu(Alu op, Reg dst, Reg src);
  void alu_imm(Alu op, Reg dst, std::int32_t value);
  void alu32_imm(Alu op, Reg dst, std::int32_t value);
  void alu32(Alu op, Reg dst, Reg src);  // zero-extends
  void neg(Reg dst);
  void sign_extend(Reg dst, std::uint32_t bytes);  // from the low 1, 2 or 4 bytes
  void zero_extend(Reg dst, std::uint32_t bytes);
  // Reverses the low 2, 4 or 8 bytes; zero-extends.
  void byte_swap(Reg dst, std::uint32_t bytes);
  // dst = the index in Object::insns of the instruction that follows `label`.
  void mov_label(Reg dst, Label label);

  Reg load(std::uint32_t size, Reg base, std::int32_t offset);  // zero-extends
  void load_to(Reg dst, std::uint32_t size, Reg base, std::int32_t offset);
  void store(std::uint32_t size, Reg base, std::int32_t offset, Reg value);
  void store_imm(std::uint32_t size, Reg base, std::int32_t offset, std::int32_t value);
  // *(base+offset) op= src; for fetching forms src receives the old value; for
  // kCmpxchg the expected value is `expected` and receives the old one.
  void atomic(Atomic op, std::uint32_t size, Reg base, std::int32_t offset, Reg src,
              Reg expected = {});

  void jump(Label to);
  void jump_if(Cond cond, Reg a, Reg b, Label to);
  void jump_if_imm(Cond cond, Reg a, std::int32_t b, Label to);
  void exit(std::int32_t value);  // returns a constant from the function
  void ret(Reg value);            // returns a register

  Reg stack_address(StackSlot slot, std::int32_t offset = 0);
  Reg map(MapRef map);                              // for helper calls
  Reg map_value(MapRef map, std::uint32_t offset);  // direct address in an ARRAY's value
  Reg call(std::int32_t helper, std::initializer_list<Reg> args);  // result of the helper
  void call_void(std::int32_t helper, std::initializer_list<Reg> args);
  // A function of the kernel that programs may call (a kfunc), by its BTF number.
  Reg call_kernel(std::uint32_t function, std::initializer_list<Reg> args);
  void call_kernel_void(std::uint32_t function, std::initializer_list<Reg> args);

  // Functions. The constructor starts the main program, whose context() is what
  // the kernel hands over. A subprogram starts where the code before it has
  // left (exit, ret or jump); it has registers, labels and a stack frame of its
  // own, takes up to five parameters and is dropped when nothing calls it. A
  // global one is verified once and apart from its callers (kernel/function.h):
  // `symbol`, an identifier, names it in the verifier's log and in stacks.
  Reg context();
  std::vector<Reg> begin_function(Label name, std::uint32_t parameters);
  std::vector<Reg> begin_global_function(Label name, std::string symbol,
                                         std::vector<kernel::Parameter> parameters);
  Reg call_subprogram(Label name, std::initializer_list<Reg> args);

  // The span given to instructions emitted from now on.
  void at(Span span);
  Span span() const { return span_; }

  std::vector<Lir>& code();
  LirCode& lir();

 private:
  Lir& add(Lir lir);
  Reg near_base(Reg base, std::int32_t& offset);
  void arguments(std::initializer_list<Reg> args);

  std::unique_ptr<LirCode> code_;
  std::vector<Reg> parameters_;  // of the function being written
  Span span_;
};

}  // namespace dt::bpf
