#pragma once
// Unit: what the functions of one program share while they are written.

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/layout/additions.h"
#include "bpf/layout/frame.h"
#include "bpf/layout/memory.h"
#include "bpf/routine/routine.h"
#include "ir/ir.h"
#include "ir/refusal.h"
#include "record/schema.h"

namespace dt::bpf {

// How much of the stack the selector may take; what does not fit goes to the
// scratch frame. Tried in turn until the register allocator's spills fit too.
struct Budget {
  std::uint32_t temporaries = 0;  // bytes of strings and other values
  std::uint32_t key = 0;          // the longest key built there
  std::uint32_t text = 0;         // bytes of longer strings of which little is read
  bool store_values = false;      // integers that live long go to the frame, too
};

// What the functions of one unit share.
struct Unit {
  Emitter& e;
  const ir::Program& program;
  const record::Schema& schema;
  const Memory& memory;
  Budget budget;
  Label fault_function;
  bool fault_takes_context = false;  // ERROR's clauses look at the stack, or for the thread
  Label drop_function;
  bool numbers_firings = false;  // ProgramPlan::numbers_firings
  Label number_function;
  Guard guard = {};              // of main, and of its parts where it may wait
  bool waits = false;            // for memory: user_memory.h
  std::int32_t thread_at = -1;   // Prologue::thread_at()
  bool has_registers = false;    // Prologue::has_registers()
  std::uint32_t stack_skip = 0;  // kernel frames that are the tracer's own, seen from main
  bool stack_is_of_context = false;
  std::uint32_t caller_frame = 1;                            // of a stack: what `caller` is
  std::function<Reg(Reg, std::uint32_t)> stack_frames = {};  // Prologue::stack_frames
  std::uint32_t frame_bytes = 0;  // of scratch used so far by any function
  std::uint32_t frame_slack = 0;  // readable bytes behind it, for the verifier's eyes
  Additions additions = Additions::begin(memory);
  // Where the program can fault: its sites will follow those that the schema has.
  struct Site {
    record::FaultSite site;
    Label label;
  };
  std::vector<Site> sites = {};
  std::uint32_t log_table = ir::kNone;  // in rodata: floor(log2(i)) for i < 512
  std::uint32_t one = ir::kNone;        // in rodata: a word that is 1
  std::uint32_t token_bytes = 0;        // token_state_bytes()
  std::vector<std::pair<Routine, Label>> routines = {};
  std::optional<ir::Refusal> refusal = {};  // the first thing that cannot be generated

  std::uint32_t add_rodata(const std::vector<std::uint8_t>& bytes) {
    return additions.add_rodata(bytes);
  }
  // Offset of at least `bytes` zeros in rodata.
  std::uint32_t zeros(std::uint32_t bytes) { return additions.add_zeros(bytes); }
  // The number that the site has in the schema.
  std::uint32_t add_site(const record::FaultSite& site, Label label);
  // The routine for strings of these capacities, to be called.
  Label routine(Routine::Kind kind, std::uint32_t first = 0, std::uint32_t second = 0);
};

}  // namespace dt::bpf
