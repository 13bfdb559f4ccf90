#pragma once
// Session: one run of tracing, from empty maps to the last record.
//
//     create -> load -> attach -> go -> { wait, consume } ... -> stop -> consume
//
// The state word in the control block decides what probes do (bpf/layout/memory.h):
//
//     kInactive --go()--> kActive --exit() in a probe, or stop()--> kDraining
//         \________________ exit() in BEGIN ______________________/
//
// BEGIN runs in kInactive, before any other probe does anything, and END in
// kDraining, after all others have ended. Everything that a session makes in
// the kernel hangs on descriptors of this process, so nothing outlives it,
// however it dies.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/kernel.h"
#include "provider/mechanism/attachment.h"
#include "record/schema.h"
#include "runtime/aggregations.h"
#include "runtime/load.h"
#include "runtime/maps.h"
#include "runtime/pace.h"
#include "runtime/retained.h"
#include "runtime/unwinder.h"
#include "runtime/waiter.h"
#include "symbol/interpreter/source_frame.h"

namespace dt::runtime {

class Session {
 public:
  using Visit = std::function<void(std::span<const std::uint8_t>)>;

  // Makes the maps. The references must outlive the session; `memory` and
  // `schema` must be final, that is: all programs have been generated.
  static Result<std::unique_ptr<Session>> create(kernel::Kernel& kernel, const bpf::Memory& memory,
                                                 const record::Schema& schema, const Sizes& sizes,
                                                 std::uint64_t target_pid);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Links and loads one program. When the verifier refuses it, Error::log has
  // its log and rejected_at() (link.h) finds the place in the script.
  Status load(const Load& program);
  std::size_t loaded() const { return programs_.size(); }
  // Attaches all programs, in the order in which they were loaded. They fire,
  // but do nothing before go(). `step` is called before each with its number and their count;
  // an error that it returns ends attaching.
  Status attach(const std::function<Status(std::size_t, std::size_t)>& step = nullptr);
  // Writes Program::arguments of the processes that there are. After attach().
  Status write_arguments();
  // Runs BEGIN, then lets the probes do their work (unless BEGIN called exit()).
  Status go();

  // Makes unwind tables for user stacks: those of the processes `first`, and with `of_ours` of this
  // process, before it returns. Those of all others are made only `of_others`. Call it before go().
  Status prepare_stacks(std::span<const pid_t> first, bool of_ours, bool of_others);
  bool unwinds() const { return unwinder_ != nullptr; }
  // A process has just mapped this.
  void expect_code(const kernel::ProcessEvent& event);
  // What a probe has read of a function that stands in a stack: symbol/interpreter/source_frame.h.
  std::optional<symbol::SourceName> source(std::uint64_t name) const;
  // How many user stacks ended where the table of a program was not there yet.
  std::uint64_t cut_stacks() const { return unwinder_ == nullptr ? 0 : unwinder_->cut(); }

  // Whether stacks end early in large files because too little memory was left for their tables.
  bool lacks_stack_memory() const { return unwinder_ != nullptr && unwinder_->lacks_memory(); }

  // `ready` is called by wait() each time that `fd` becomes readable; it may
  // not destroy the session or stop it.
  Status watch(int fd, std::function<void()> ready);
  // Records are read so often and no more (0: as often as fits what comes), but
  // for those that ask for it: switchrate.
  void read_every(std::uint64_t ns) { read_every_ns_ = ns; }
  // Sleeps until there may be something to consume, a watched descriptor is
  // ready, or `most_ms` have passed. Ticks fire in here.
  Status wait(std::uint32_t most_ms);
  // The same for one who does not consume yet: records wait in the buffer.
  Status keep(std::uint32_t most_ms);
  // Hands over what has been recorded, oldest first, at most one ring full.
  // Returns the number of bytes, so 0 means that there was nothing. Under other
  // policies than kSwitch, stop() hands over all that was recorded before it.
  std::size_t consume(const Visit& visit);

  // Hands over what is recorded by firings that have begun when this is called, and waits for
  // them to end. (A program that waits for memory may end later.)
  Status settle(const Visit& visit);

  // The time as `walltimestamp` has it: ns since 1970.
  std::int64_t wall_now() const;

  // True once exit() has been called, also when its record was dropped.
  bool exiting() const;
  // True when probes have ended tracing because records were not consumed for too long.
  bool aborted() const;
  // What exit() was given.
  std::optional<std::int32_t> exit_status() const;

  // Detaches, waits until no probe is running any more, hands over what is in
  // the ring (so that END finds room) and runs END; its records are left to
  // the next consume(). Goes on after an error and returns the first. A second
  // call does nothing.
  Status stop(const Visit& visit);

  // What was made smaller than asked for, as messages.
  const std::vector<std::string>& notices() const { return maps_.notices(); }

  Aggregations& aggregations() { return *aggregations_; }

  // A global variable of 8 bytes, which programs also read and write.
  std::int64_t* word(std::uint32_t variable) const;
  // Whether a global array of numbers has an element of that key, with the value 1. Returns whether
  // that was not so.
  bool set_element(std::uint32_t array, std::span<const std::uint8_t> key, bool is_there) const;

  // kDropCounters values per CPU. Firings that the kernel itself suppressed
  // (recursion) or did not deliver (sampling beside a busy CPU) belong to no
  // CPU; they are added to CPU 0's kNesting: like those that find no scratch
  // level, their programs were not run. What was missed before go() does not count.
  Result<std::vector<std::uint64_t>> drops();

 private:
  struct Program {
    std::string name;
    Role role;
    Fd fd;
    decltype(Load::attach) attach;
    int turn;
  };

  Session(kernel::Kernel& kernel, const bpf::Memory& memory, const record::Schema& schema,
          const Sizes& sizes, Maps maps, Waiter waiter);
  Status open(std::uint64_t target_pid);
  Status run_role(Role role);
  Status run_end();
  Status set_elements_aside();
  void detach();
  Result<std::uint64_t> count_missed();
  std::size_t take_from_ring(const Visit& visit);
  void drain(const Visit& visit);
  // Sleeps, and takes elements out of aggregations that have little room left.
  Status wait_and_relieve(std::uint64_t most_ms);
  void show_life();
  std::uint64_t until_read_ns() const;
  void start_on_cpu_clocks();

  kernel::Kernel& kernel_;
  const bpf::Memory& memory_;
  const record::Schema& schema_;
  Maps maps_;
  std::unique_ptr<Aggregations> aggregations_;
  std::unique_ptr<kernel::Kernel::Ring> ring_;
  std::unique_ptr<Unwinder> unwinder_;  // null: no user stacks are asked for
  std::vector<Program> programs_;
  std::vector<std::unique_ptr<provider::Attachment>> attachments_;  // gone before the programs
  Waiter waiter_;
  Pace pace_;
  BufferPolicy policy_;
  Retained retained_;  // kRing
  std::uint64_t patience_ns_;
  std::uint64_t read_every_ns_ = 0;
  std::uint64_t read_ns_ = 0;         // when records were read last; 0: never
  bool urgent_ = false;               // a record has asked to be read
  std::uint64_t missed_before_ = 0;   // count_missed() when tracing went
  std::uint64_t missed_at_stop_ = 0;  // and when it stopped
  bool runs_under_locks_ = false;
  enum class Stage : std::uint8_t {
    kPreparing,  // until go() has run BEGIN
    kTracing,
    kStopped,  // by stop()
    kExited,   // stop() found that exit() had been called
  };
  bool is_stopped() const { return stage_ == Stage::kStopped || stage_ == Stage::kExited; }
  Stage stage_ = Stage::kPreparing;
};

}  // namespace dt::runtime
