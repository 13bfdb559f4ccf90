#pragma once
// The reference interpreter: what a program means, by definition. Generated
// code is compared with it in differential tests.
//
// It runs firings against an Environment (what the kernel would answer) and a
// State (what persists between firings). Tables never fill and records are
// never dropped here.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ir/fuse.h"
#include "ir/interpret_state.h"
#include "ir/ir.h"
#include "ir/value.h"

namespace dt::ir {

struct FaultEvent;

// What a firing can ask.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::int64_t argument(std::uint32_t number) = 0;
  virtual std::int64_t kernel_register(std::uint32_t /*number*/) { return 0; }
  // Integer built-ins but kArg, kRegs and kEpid. Asked for more than once in a firing,
  // a built-in gives the same answer.
  virtual std::int64_t integer(Builtin builtin) = 0;
  virtual std::string text(Builtin builtin) = 0;  // execname, probeprov, ...
  // False when any byte cannot be read.
  virtual bool read_kernel(std::uint64_t address, std::span<std::uint8_t> out) = 0;
  virtual bool read_user(std::uint64_t address, std::span<std::uint8_t> out) = 0;
  virtual std::vector<std::uint64_t> kernel_stack() = 0;
  virtual std::vector<std::uint64_t> user_stack() = 0;
  // Sends a signal to the current process; false when it cannot be sent.
  virtual bool signal(std::int64_t) { return true; }
  // Lets time pass; false when that is too much.
  virtual bool chill(std::uint64_t /*ns*/) { return true; }
  virtual std::uint32_t random() { return 4; }
  // The text of the struct path at a kernel address; nullopt when it cannot be read.
  virtual std::optional<std::string> path(std::uint64_t) { return std::nullopt; }
  // False when the process does not have all of it.
  virtual bool write_user(std::uint64_t, std::span<const std::uint8_t>) { return false; }
  // Whether `pid` is the process, its parent, or one of theirs.
  virtual bool is_progeny_of(std::int64_t pid) {
    return pid == integer(Builtin::kPid) || pid == integer(Builtin::kPpid);
  }
  // The number that the struct pid at an address has in our namespace of processes.
  virtual std::int64_t seen_number(std::uint64_t) { return 0; }
  // A clause has faulted and the next has not begun: the place of ERROR's clauses.
  virtual void faulted(const FaultEvent&) {}
};

struct FaultEvent {
  std::uint32_t clause = 0;  // index into Program::clauses
  std::uint32_t epid = 0;
  record::Fault fault = record::Fault::kBadAddress;
  std::uint64_t address = 0;
  std::uint32_t action = 0;
  Span span;
};

// What one firing did beside changing the state.
struct Firing {
  std::vector<Bytes> records;  // header included, as in the ring
  std::vector<FaultEvent> faults;
};

struct ClauseEpid {
  std::uint32_t clause = 0;
  std::uint32_t epid = 0;      // of its first layout
  std::uint32_t stride = 0;    // from there to that of the next one
  bool outlives_exit = false;  // of END or ERROR: runs after an exit() too
};

// One firing of a probe on which these clauses are enabled, in order.
Firing interpret(const Program& program, std::span<const ClauseEpid> clauses,
                 Environment& environment, State& state);

// The same by a fused function; epids[i] is for fused.clauses[i], 0 where the
// clause does not apply; it is in the records of all layouts of the clause.
Firing interpret(const Program& program, const Fused& fused, std::span<const std::uint32_t> epids,
                 Environment& environment, State& state);

}  // namespace dt::ir
