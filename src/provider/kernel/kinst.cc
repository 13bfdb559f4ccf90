// The kinst provider: single instructions of the kernel's functions.
//
//   kinst:vmlinux:vfs_read:28     before the instruction at that offset in the function
//   kinst::vfs_read:0x1c          the same one
//   kinst::vfs_read:              every instruction of the function
//
// Probes are made when a description names a function. Each is a breakpoint of its own
// (a kprobe of perf_event_open), which ends with its descriptor, whatever becomes of
// us; definitions in tracefs's kprobe_events would attach and detach two or three times
// faster, but would stay when we are killed. One program serves those from which the
// kernel finds callers, and one the others; the attach cookie is the key.
//
// Firings that the kernel suppresses because a program runs on that CPU already are
// counted by program, and what it could not hand to a breakpoint by link (since 6.7).

#include <chrono>
#include <thread>

#include "kernel/memory.h"
#include "kernel/tracefs.h"
#include "provider/kernel/kinst_probes.h"
#include "provider/mechanism/functions.h"
#include "provider/mechanism/kprobe.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/tracepoint.h"
#include "symbol/process/process.h"

namespace dt::provider {
namespace {

constexpr const char* kName = "kinst";
constexpr const char* kProgram = "kinst:instruction";
constexpr const char* kStackless = "kinst:stackless";
constexpr const char* kTooMany = "kinst:none";

// Each takes 20 to 50 ms to detach.
constexpr std::size_t kMostProbes = 500;

// Where the kernel would take something else for callers.
class StacklessPrologue : public InstructionPrologue {
 public:
  std::uint32_t stack_frames_to_skip() const override { return 255; }
};

class KinstProvider : public Provider {
 public:
  KinstProvider(std::shared_ptr<KernelFunctions> functions, std::unique_ptr<KernelCode> code)
      : functions_(std::move(functions)), probes_(std::make_unique<KinstProbes>(std::move(code))) {}

  std::string_view name() const override { return kName; }
  // A description without a provider means none of its probes: they are hundreds of thousands.
  bool concerns(const probe::Pattern& pattern) const override { return pattern.provider == kName; }
  probe::ProviderAttributes attributes() const override {
    return tracepoint_attributes(probe::Stability::kPrivate);
  }

  std::vector<probe::Description> list() const override { return {}; }
  std::vector<probe::Description> create(const probe::Pattern& pattern) const override {
    if (KinstProbes::misses_function(pattern) || !can_break()) return {};
    return probes_->ask(pattern).probes;
  }
  std::string remark(const probe::Description& probe) const override {
    return probes_->remark(probe);
  }

  std::string why_not(const probe::Pattern&) const override {
    if (can_break()) return {};
    return why_not_traced("instructions",
                          {{"kprobes", functions_->way(kernel::Feature::kKprobe).error()}});
  }
  std::optional<probe::Refusal> refusal(const probe::Pattern& pattern) const override {
    const bool is_glob = !pattern.function.empty() && KinstProbes::misses_function(pattern);
    return is_glob || can_break() ? probes_->ask(pattern).refusal : std::nullopt;
  }

  // plan() gives the key.
  probe::Binding binding(const probe::Description&) const override { return {kProgram, 0}; }
  void plan(std::span<probe::Probe* const> enabled) const override {
    std::uint32_t key = 0;
    for (probe::Probe* const probe : enabled) {
      const bool has_stack = probes_->probe(probe->description).has_stack;
      probe->binding = {enabled.size() > kMostProbes ? kTooMany
                        : has_stack                  ? kProgram
                                                     : kStackless,
                        key++};
    }
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine&) const override {
    if (program == kStackless) return std::make_unique<StacklessPrologue>();
    return std::make_unique<InstructionPrologue>();
  }
  bool runs_under_locks(const std::string&) const override { return true; }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    if (program == kTooMany) return too_many();
    kernel::ProgramSpec spec;
    spec.name = "dt_kinst";
    spec.type = BPF_PROG_TYPE_KPROBE;
    return spec;
  }
  std::string source(const std::string& program) const override {
    if (program == kTooMany) return "nothing: " + too_many().text;
    return program == kStackless ? "kprobe at an instruction, without stacks"
                                 : "kprobe at an instruction";
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string&,
                                             std::span<const probe::Probe> probes, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    auto links = std::make_unique<FunctionLinks>(kernel, true);
    for (const probe::Probe& one : probes) {
      const KinstProbe& probe = probes_->probe(one.description);
      for (const auto& body : probe.bodies) {
        Result<Fd> link =
            kernel.attach_code({"", body->address + probe.offset, false}, one.binding.key, fd);
        if (!link.ok()) {
          return std::move(link.error()).with(probe::to_string(one.description));
        }
        links->add(std::move(*link));
      }
    }
    return std::unique_ptr<Attachment>(std::move(links));
  }

 private:
  bool can_break() const { return functions_->has(kernel::Feature::kKprobe); }

  static Error too_many() {
    return {fmt::format("these are more than {} probes of kinst, and the kernel can only attach "
                        "them one by one",
                        kMostProbes),
            0, "name fewer offsets; 1* are those whose numbers begin with 1", ""};
  }

  std::shared_ptr<KernelFunctions> functions_;
  std::unique_ptr<KinstProbes> probes_;
};

}  // namespace

std::unique_ptr<KernelCode> kernel_code(const types::Catalog& types,
                                        std::shared_ptr<KernelFunctions> functions) {
  KernelCode::Source source;
  source.symbols = [functions] { return functions->symbols(); };
  source.modules = [] { return symbol::read_file("/proc/modules", symbol::kMaxMapsBytes); };
  source.debugfs = kernel::read_debugfs;
  source.read = [functions, memory = std::shared_ptr<kernel::KernelMemory>()](
                    std::uint64_t address, std::span<std::uint8_t> into) mutable -> Status {
    if (memory == nullptr) {
      DT_ASSIGN(kernel::KernelMemory opened, kernel::KernelMemory::open(functions->kernel()));
      memory = std::make_shared<kernel::KernelMemory>(std::move(opened));
    }
    return memory->read(address, into);
  };
  source.wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); };
  return std::make_unique<KernelCode>(types, std::move(source));
}

std::unique_ptr<Provider> kinst_provider(std::shared_ptr<KernelFunctions> functions,
                                         std::unique_ptr<KernelCode> code) {
  return std::make_unique<KinstProvider>(std::move(functions), std::move(code));
}

}  // namespace dt::provider
