#pragma once
// Probes in user code where there is no uprobe.multi: perf events of tracefs, each of as many
// places as are wanted.
//
//     uprobe_events   p:dtrace_12_3f/e0 /proc/self/fd/7:0x29d90(0x1f4) c=\0x100000002 p=\12
//                     p:dtrace_12_3f/e0 /proc/self/fd/9:0x1040 c=\0x200000002 p=\12
//     perf event      dtrace_12_3f/e0 of process 12, which runs the program
//
// A perf event for each place would take a tenth of a second to detach, for each place; one of
// all places takes that once. The definition of a place has constants as arguments,
// by which the program knows the place.
//
// Definitions stay in tracefs when their maker ends. They are nothing but names then, as the
// breakpoints go with the perf event; but a guardian removes them, and should that have been
// killed with us, the next of us does. An event of several places must not be removed
// as long as it is used: Linux would free the places that are in use. So it is closed,
// when it is known that no other tracer uses it, and then removed.

#include <atomic>
#include <memory>
#include <span>
#include <string>

#include "kernel/guardian.h"
#include "kernel/kernel.h"
#include "kernel/witness.h"
#include "support/fd.h"
#include "support/result.h"

namespace dt::kernel {

class UprobeEvents {
 public:
  static Result<std::unique_ptr<UprobeEvents>> open();
  UprobeEvents(const UprobeEvents&) = delete;
  UprobeEvents& operator=(const UprobeEvents&) = delete;
  // After what attach() gave.
  ~UprobeEvents() = default;

  // Kernel::attach_uprobe_event(). `cpu` is one that is there. kNotSupported: the kernel puts no
  // breakpoint on one of the instructions.
  Result<std::unique_ptr<Kernel::Attached>> attach(std::span<const UprobeSites> files,
                                                   const Fd& program, int cpu);

 private:
  class Event;

  UprobeEvents(Fd file, Fd presence, std::string name, Witness witness, Guardian guardian);
  Status define(const std::string& event, std::span<const UprobeSites> files);
  void remove(const std::string& event);

  Fd file_;      // tracefs's uprobe_events, to write
  Fd presence_;  // the same, with a lock that others share: such events exist
  std::string name_;
  Witness witness_;
  Guardian guardian_;
  std::uint32_t count_ = 0;
};

}  // namespace dt::kernel
