#pragma once
// One trial of a script: compiled once, run in three ways, everything that can
// be observed compared.
//
//   meant    ir::interpret on the IR as it was lowered
//   modelled bpf::run on the generated code
//   live     BPF_PROG_RUN of the same code in the running kernel

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bpf/program/generate.h"
#include "bpf/program/snapshot_test.h"
#include "enabling/plan.h"
#include "ir/interpret.h"
#include "kernel/kernel.h"
#include "record/drop.h"
#include "script.h"

namespace dt::differential {

// Who fires: what the built-in variables say.
struct Identity {
  std::uint32_t pid = 100, tid = 101, ppid = 99, uid = 10, gid = 20, cpu = 1;
  std::string name = "differ";
};

struct Setup {
  bpf::Machine machine;
  Identity identity;
  kernel::Kernel* kernel = nullptr;  // nullptr: the first two ways only
};

// A script compiled as far as instructions.
struct Compiled {
  ir::Program lowered, optimised;
  enabling::Plan plan;
  bpf::Memory memory;
  bpf::Object object;
};

// What a run did. Firings are texts, a line for each record and each fault in
// the order of time.
struct Run {
  std::vector<std::string> firings;
  std::uint32_t state = 0;
  std::int32_t exit_status = 0;
  std::array<std::uint64_t, record::kDropCounters> drops = {};
};
struct Meant : Run {
  ir::State values;
};
struct Observed : Run {
  bpf::Snapshot snapshot;
  std::string error;          // why there is nothing to compare; "" when it ran
  bool is_rejected = false;   // by the verifier
  bool is_translated = true;  // by the JIT
};

Meant run_meant(const Compiled& compiled, const ir::Program& program, const Script& script,
                const Identity& identity);
Observed run_modelled(const Compiled& compiled, const Script& script, const Identity& identity);
Observed run_live(const Compiled& compiled, const Script& script, kernel::Kernel& kernel);

enum class Verdict : std::uint8_t {
  kAgrees,
  kRefused,       // by the front end
  kMalformed,     // IR that the IR's verifier does not take
  kNotGenerated,  // no code for it
  kModelDiffers,
  kRejected,       // by the kernel's verifier
  kNotTranslated,  // by its JIT, whose fault that is (docs/bugs.md)
  kKernelDiffers,
};

struct Outcome {
  Verdict verdict = Verdict::kAgrees;
  std::string text;                            // what differs
  std::uint64_t clauses = 0, evaluations = 0;  // evaluations = clauses x firings
  std::uint64_t retries = 0;                   // of the kernel, which had dropped something
};

Outcome try_script(const Script& script, const Setup& setup);
// The optimised IR and the instructions of a script, as far as it gets.
std::string listing(const Script& script, const Setup& setup);

// One run against what was meant: "" or the first difference.
std::string difference(const Compiled& compiled, const Meant& meant, const Observed& observed);

// A record or fault record as a line of Run::firings.
std::string record_line(const Compiled& compiled, std::span<const std::uint8_t> bytes);

}  // namespace dt::differential
