#pragma once
// The kernel's tracepoints, for the providers that are made of them.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "provider/mechanism/provider.h"
#include "support/result.h"
#include "types/place.h"
#include "types/type.h"

namespace dt::provider {

struct Tracepoint {
  std::string subsystem;  // "sched"; "vmlinux" for one that has no trace event
  std::string name;       // "sched_switch"
  bool operator==(const Tracepoint&) const = default;
};

// What the kernel's code passes to a tracepoint, from the typedef btf_trace_<name>
// of the BTF of its module, without the pointer that stands before it there.
std::optional<std::vector<types::TypeId>> tracepoint_parameters(
    const types::Catalog& types, std::string_view point,
    std::string_view module = types::kKernelModule);
// The kernel, or else the loaded module that has the tracepoint; "" when none describes it.
std::string module_of_tracepoint(const types::Catalog& types, std::string_view point);
// "this kernel has no tracepoint x, or no type information for it", or why that cannot be read.
std::string no_tracepoint(std::string_view point, const types::Catalog& types);
// Emits the load of one of them: a word of the context holds it, zero-extended from
// its own width.
bpf::Reg load_parameter(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number,
                        const types::Catalog& types, types::TypeId parameter);
// Kernel frames of a stack that are the tracer's own: bpf_prog_*, bpf_trace_run* and
// __bpf_trace_*.
constexpr std::uint32_t kTracepointFrames = 3;

// The attributes of a provider that is made of tracepoints; `args` is how stable its arguments are.
probe::ProviderAttributes tracepoint_attributes(probe::Stability args);
kernel::ProgramSpec tracepoint_program(const std::string& provider);
// One to which the verifier gives what the tracepoint passes as typed pointers. It
// is attached without the tracepoint's name.
kernel::ProgramSpec typed_tracepoint_program(const std::string& provider, const std::string& point,
                                             const types::Catalog& types, std::string_view module);
// Whether the kernel has no type information; where it is there and cannot be read, another kernel
// would not help.
bool has_no_types(const types::Catalog& types);
// The refusal where the kernel does not say what a tracepoint passes.
Error untyped_tracepoint(const std::string& program, const types::Catalog& types);
// `point` is empty for a typed program.
Result<std::unique_ptr<Attachment>> attach_tracepoint(const std::string& point, const Fd& program,
                                                      kernel::Kernel& kernel);

// What tracefs calls available_events, without what is no tracepoint of its
// own: the events of single system calls and of ftrace, and probes that
// were made at run time. In the order of subsystem and name.
std::vector<Tracepoint> parse_available_events(std::string_view text);

// The list, read at the first question and shared by the providers made of it.
class Tracepoints {
 public:
  using Read = std::function<Result<std::string>()>;
  explicit Tracepoints(Read read) : read_(std::move(read)) {}

  const std::vector<Tracepoint>& list();
  // Why the list is empty; "" while nothing is wrong.
  const std::string& error() const { return error_; }

 private:
  Read read_;
  bool is_read_ = false;
  std::vector<Tracepoint> points_;
  std::string error_;
};

}  // namespace dt::provider
