#pragma once
// Unwinder: sees to it that probes find tables for the code that they unwind.
//
//     prepare()   the files that processes have mapped already, the most used first
//     a thread    the rest of them, those that are mapped from then on, and those that
//                 probes ask for
//
// Where a file's table is not there yet, stacks end: cut() says how often.

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kernel/kept.h"
#include "kernel/kernel.h"
#include "kernel/process_events.h"
#include "runtime/kept_tables.h"
#include "runtime/unwind_tables.h"
#include "support/fd.h"
#include "support/thread.h"
#include "symbol/process/process.h"

namespace dt::runtime {

class Unwinder {
 public:
  // The references must outlive this. The kernel is called from a thread, too.
  static Result<std::unique_ptr<Unwinder>> create(kernel::Kernel& kernel, const Maps& maps);
  ~Unwinder();
  Unwinder(const Unwinder&) = delete;
  Unwinder& operator=(const Unwinder&) = delete;

  // Makes the tables of what these processes have mapped, and for about `most` of what
  // the others have; then the thread goes on. With nullopt, no probe fires in others.
  Status prepare(std::span<const pid_t> first, std::optional<std::chrono::nanoseconds> most);
  // A process has just mapped this.
  void expect(const kernel::ProcessEvent& event);
  std::uint64_t cut() const { return tables_.cut(); }
  // Whether the table of a file was not made because too little memory was left.
  bool lacks_memory() const { return lacks_memory_.load(std::memory_order_relaxed); }

 private:
  struct File {
    bpf::UnwindFileKey key;
    std::string path;  // by which we can open just it
    std::uint32_t users = 0;
  };
  struct Mappings {  // of the process that was looked at last
    pid_t pid = 0;
    std::vector<symbol::Mapping> all;
  };

  using Clock = std::chrono::steady_clock;

  explicit Unwinder(UnwindTables tables) : tables_(std::move(tables)) {}
  void note_process(pid_t pid, std::map<std::string, File>& files);
  void note_layers(pid_t pid, const File& file, std::uint64_t device,
                   std::map<std::string, File>& files);
  void add_libraries(pid_t pid, std::map<std::string, File>& files) const;
  std::optional<std::string> find_mapped(pid_t pid, const symbol::Mapping& mapping) const;
  std::optional<File> find_expected(const kernel::ProcessEvent& event) const;
  bool take_expected();
  void add_vdso();
  Result<bpf::UnwindFile> add(const symbol::FrameTable& table);
  bool has_memory_for(const symbol::ElfFile& elf);
  bool make(const File& file);
  void prepare_others(Clock::time_point begin, std::chrono::nanoseconds most);
  void make_some();
  void make_wanted(const bpf::UnwindWanted& wanted, Mappings& known);
  void run();

  UnwindTables tables_;
  KeptTables kept_{kernel::KeptPlaces().directory};
  std::unique_ptr<kernel::Kernel::Ring> wanted_;
  std::vector<pid_t> unread_;                                   // processes; the next one last
  std::map<std::uint64_t, std::vector<std::uint64_t>> layers_;  // by device of an overlay
  std::uint64_t unasked_bytes_ = 0;  // of tables since that was looked at
  std::set<std::string> noted_;      // files of those that were read
  std::vector<File> rest_;           // of these; the next one last
  Fd wake_;                          // an eventfd
  std::mutex mutex_;                 // of what follows
  std::deque<kernel::ProcessEvent> expected_;
  std::set<std::string> seen_;   // that are expected, or were and were found
  std::uint64_t forgotten_ = 0;  // tables_.forgotten() when seen_ was begun
  bool is_ending_ = false;
  std::atomic<bool> lacks_memory_ = false;
  support::Thread thread_;
};

}  // namespace dt::runtime
