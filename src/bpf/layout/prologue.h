#pragma once
// Prologue: the seam between a provider and the code generator.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"

namespace dt::bpf {

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
  // leave with every other key: then the key that it returns is not used.
  virtual bool prepare(const Needs&) { return false; }
  // Called once at program start, after the state check. Returns the register
  // that holds the probe's key (0 in programs of a single probe; none if
  // it is not used); jumps to `leave` when the firing is none of ours.
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
  // The offset in the context of a typed pointer to the thread that the probe is about, if that is
  // not the running thread; -1: it is the running thread.
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
