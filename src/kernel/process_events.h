#pragma once
// What the processes of the system do with their address spaces, as the kernel
// tells it when it happens: who forks, executes, maps code, and ends. In /proc,
// nothing is found later of a process that lived for a millisecond.
//
// Source: the records of a perf event that counts nothing (PERF_COUNT_SW_DUMMY,
// perf_event_open(2)), one on each CPU.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/result.h"

namespace dt::kernel {

struct ProcessEvent {
  enum class Kind : std::uint8_t { kFork, kExec, kMap, kExit };
  Kind kind = Kind::kExit;
  std::int32_t pid = 0;     // of the process, as /proc has it
  std::int32_t parent = 0;  // kFork: who forked
  std::uint64_t time = 0;   // ns, CLOCK_MONOTONIC
  // kMap: what may be executed of what file.
  std::uint64_t begin = 0, end = 0;  // addresses
  std::uint64_t file_offset = 0;     // bytes
  std::uint64_t device = 0, inode = 0;
  std::uint64_t generation = 0;  // of the inode, whose number is given again
  std::string path;              // "//anon" when there is none
};

// Reads one record with its header. False if it is no event of a process: the begin or end of a
// thread, a record of another kind, or a damaged one.
bool parse_process_event(std::span<const std::uint8_t> record, ProcessEvent& out);

class ProcessEvents {
 public:
  // On these CPUs, from now on.
  static Result<std::unique_ptr<ProcessEvents>> open(const std::vector<int>& cpus);
  ~ProcessEvents();
  ProcessEvents(const ProcessEvents&) = delete;
  ProcessEvents& operator=(const ProcessEvents&) = delete;

  // Hands over what has happened until now, in order. Returns how many records the
  // kernel had no room for since the last time.
  std::uint64_t read(const std::function<void(const ProcessEvent&)>& visit);
  // Whether there may be something to read.
  bool is_pending() const;
  // One becomes readable when there is much to read.
  std::vector<int> descriptors() const;

 private:
  struct Buffer;
  ProcessEvents();

  std::vector<Buffer> buffers_;
  std::vector<ProcessEvent> waiting_;  // newer than the last reading
};

}  // namespace dt::kernel
