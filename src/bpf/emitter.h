#pragma once
// Emitter: BPF instructions over virtual registers, before allocation.
//
// The instruction selector and the providers' prologues write through it. A
// virtual register may be assigned more than once (two-address ALU); the
// register allocator maps them to r0-r9 and spill slots. Every helper call
// clobbers r0-r5 in the hardware; the allocator keeps values alive across it.

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bpf/memory.h"
#include "kernel/function.h"
#include "support/source.h"

namespace dt::bpf {

struct Reg {
  std::uint32_t id = ir::kNone;
  bool valid() const { return id != ir::kNone; }
  bool operator==(const Reg&) const = default;
};
struct Label {
  std::uint32_t id = ir::kNone;
};
// A region of the BPF stack, 8-byte aligned.
struct StackSlot {
  std::uint32_t id = ir::kNone;
};

enum class Alu : std::uint8_t { kAdd, kSub, kMul, kDiv, kMod, kOr, kAnd, kXor, kLsh, kRsh, kArsh };
enum class Cond : std::uint8_t { kEq, kNe, kGt, kGe, kLt, kLe, kSgt, kSge, kSlt, kSle, kSet };
enum class Atomic : std::uint8_t { kAdd, kFetchAdd, kOr, kXchg, kCmpxchg };

// Instructions over virtual registers (bpf/lir.h).
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
  // a comparison teaches them of a value that also lies there: what is compared
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

// What a provider contributes to a program: how to get from what the kernel
// hands us (r1, the context) to the machine state. All calls emit code.
class Prologue {
 public:
  virtual ~Prologue() = default;
  // How many keys enter() can yield; 0 = not known. Where it is known, the
  // verifier sees that no key is above the highest.
  virtual std::size_t key_count() const { return 0; }
  // What the program is going to ask for.
  struct Needs {
    bool key = true;                             // false: any firing will do
    bool arguments = true;                       // false: argument() is not called
    std::optional<std::uint32_t> only_key = {};  // the one key that is enabled
  };
  // Called before enter(). True when enter() will see to `only_key` itself and
  // leave with every other key, so that nobody need look at what it returns.
  virtual bool prepare(const Needs&) { return false; }
  // Called once at program start, after the state check. Returns the register
  // that holds the probe's key (0 in programs of a single probe; none when
  // nobody looks at it); jumps to `leave` when the firing is none of ours.
  virtual Reg enter(Emitter& emitter, Reg context, Label leave) = 0;
  // arg0..arg9 as int64.
  virtual Reg argument(Emitter& emitter, Reg context, std::uint32_t number) = 0;
  // Whether the registers of the kernel's code at the probe are known, and one of
  // them: its number is its place in struct pt_regs.
  virtual bool has_registers() const { return false; }
  virtual Reg kernel_register(Emitter& emitter, Reg /*context*/, std::uint32_t /*number*/) {
    return emitter.imm(0);
  }
  // The errno built-in at this probe (0 where there is none).
  virtual Reg error_number(Emitter& emitter, Reg context) = 0;
  // Read-only data that the prologue looks things up in ("" = none). Before
  // enter(), the generator appends it to Memory::rodata at a multiple of 8 and
  // says where; the prologue reads it at map_value({MapKind::kRodata}, offset).
  virtual std::vector<std::uint8_t> table() const { return {}; }
  virtual void table_at(std::uint32_t /*offset*/) {}
  // What it keeps from one firing for a later one: key and value of a hash of its own
  // (no bytes = nothing). Before enter(), the generator says which map that is, and
  // gives what emits the count of a drop where an element found no room.
  virtual HashMap keeps() const { return {}; }
  void keep_in(MapRef map, std::function<void()> count_drop) {
    kept_ = map;
    count_drop_ = std::move(count_drop);
  }
  // The current task (what bpf_get_current_task_btf returns) when enter() has
  // asked for it on every way to its end: the generator then does not ask again.
  virtual Reg current_task() const { return {}; }
  // Where in the context a typed pointer to the thread lies that the probe is about
  // when it is not the one that runs; -1: it is.
  virtual std::int32_t thread_at() const { return -1; }
  // How many of the innermost kernel frames of a stack are the tracer's own.
  virtual std::uint32_t stack_frames_to_skip() const { return 0; }
  // True when a stack begins with the registers of the context, so that no
  // function of the program stands in it.
  virtual bool stack_is_of_context() const { return false; }
  // Emits code that finds out how many they are, when only the firing knows it;
  // otherwise gives no register. `calls`: functions of the program that stand
  // in the stack besides its first.
  virtual Reg stack_frames(Emitter&, Reg /*context*/, std::uint32_t /*calls*/) { return {}; }
  // Whether what is left of a stack begins where the function at the probe was
  // called, and not in that function.
  virtual bool stack_begins_with_caller() const { return false; }
  // True when the kernel lets this program wait for memory, or be preempted, and then runs
  // it for other threads on that CPU.
  virtual bool may_wait() const { return false; }
  // Whether its code reads memory of the kernel by Words (memory.h).
  virtual bool reads_kernel() const { return false; }
  // Whether argument() reads the process's memory, with what read_user_with() has said.
  virtual bool argument_reads_user(std::uint32_t /*number*/) const { return false; }
  // Reads `size` bytes of the process's memory: 0, or below 0 when it cannot be read.
  using ReadUser = std::function<Reg(Reg to, Reg size, Reg from)>;
  void read_user_with(ReadUser read) { read_user_ = std::move(read); }
  // True when this program may run in BEGIN/END state rather than active.
  virtual bool runs_when_inactive() const { return false; }
  // True when it fires on behalf of tracing and of no thread (BEGIN, tick-N): then it
  // does so whatever zone is traced.
  virtual bool is_of_no_thread() const { return runs_when_inactive(); }

 protected:
  Reg read_user(Reg to, Reg size, Reg from) const { return read_user_(to, size, from); }
  MapRef kept() const { return kept_; }
  void count_drop() const { count_drop_(); }

 private:
  ReadUser read_user_;
  MapRef kept_;
  std::function<void()> count_drop_;
};

}  // namespace dt::bpf
