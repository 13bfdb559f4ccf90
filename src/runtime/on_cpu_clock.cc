// The program behind vtimestamp, as a program to load.

#include "runtime/on_cpu_clock.h"

namespace dt::runtime {
namespace {

class Link : public provider::Attachment {
 public:
  explicit Link(Fd fd) : fd_(std::move(fd)) {}

 private:
  Fd fd_;
};

}  // namespace

// sched_switch: at each switch, the time since the last one on this CPU is added to the task that
// leaves.
Load on_cpu_clock(const bpf::Object& object) {
  Load load;
  load.object = &object;
  load.spec.name = "dt_on_cpu_clock";
  load.spec.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
  load.attach = [](const Fd& program,
                   kernel::Kernel& kernel) -> Result<std::unique_ptr<provider::Attachment>> {
    DT_ASSIGN(Fd link, kernel.attach_raw_tracepoint("sched_switch", program));
    return std::unique_ptr<provider::Attachment>(std::make_unique<Link>(std::move(link)));
  };
  return load;
}

}  // namespace dt::runtime
