#pragma once
// Probes with a stable meaning, made of the kernel's tracepoints: the providers
// proc, sched and io are tables of them.
//
// A probe has a program of its own on the raw tracepoint that serves it. Its
// code leaves when the event is none of the probe's (sched_process_fork makes
// threads, too) and gives the arguments that D's translators turn into args[].
// A probe whose tracepoint this kernel does not have is not listed. A few are perf
// events, on every CPU, for want of a tracepoint.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/layout/memory.h"
#include "kernel/perf_event.h"
#include "probe/probe.h"
#include "provider/mechanism/provider.h"
#include "types/type.h"

namespace dt::provider {

// What the code of a stable probe is written with. All calls emit code.
class StableCode {
 public:
  StableCode(bpf::Emitter& emitter, bpf::Reg context, const types::Catalog& types,
             const bpf::Words& words, std::span<const types::TypeId> parameters)
      : emitter_(emitter),
        context_(context),
        types_(types),
        words_(words),
        parameters_(parameters) {}

  bpf::Emitter& emitter() { return emitter_; }
  // The n-th argument of the tracepoint, extended from its own width.
  bpf::Reg word(std::uint32_t n);
  bool has_word(std::uint32_t n) const { return n < parameters_.size(); }
  // How wide it is, in bytes.
  std::uint32_t word_size(std::uint32_t n) const { return types_.size_of(parameters_[n]); }
  // `structure`'s member at `base`, an address in the kernel: a number of any
  // width, extended. "signal->live.counter" walks. 0 where it cannot be read.
  bpf::Reg member(bpf::Reg base, const char* structure, std::string_view path);
  // Where in `structure` a member lies that "a.b" leads to without following
  // pointers; nullopt: this kernel has it not.
  std::optional<std::uint32_t> offset(const char* structure, std::string_view path) const;
  std::uint32_t size_of(const char* structure) const;
  // The value of an enumeration's constant; nullopt: this kernel has it not.
  std::optional<std::int64_t> enumerator(const char* enumeration, std::string_view name) const;
  // A bit-field of at most 8 bits that lies in one byte; 0 where there is none.
  bpf::Reg bits(bpf::Reg base, const char* structure, std::string_view name);
  // The byte at `offset` from an address in the kernel.
  bpf::Reg byte(bpf::Reg base, std::uint32_t offset);
  // The task that runs.
  bpf::Reg current();

 private:
  bpf::Reg read(bpf::Reg base, std::uint32_t offset, types::TypeId type);
  bpf::Reg read(bpf::Reg base, std::uint32_t offset, std::uint32_t size);

  bpf::Emitter& emitter_;
  bpf::Reg context_;
  const types::Catalog& types_;
  const bpf::Words& words_;
  std::span<const types::TypeId> parameters_;
};

struct StableProbe {
  std::string name;
  std::string tracepoint;
  // Jumps to `leave` when the event is none of the probe's; nullptr: all are.
  void (*enter)(StableCode& code, bpf::Label leave) = nullptr;
  std::vector<probe::Argument> arguments = {};
  // The n-th of those that Argument::source counts.
  bpf::Reg (*argument)(StableCode& code, std::uint32_t n) = nullptr;
  // How many of those there are, when translators read more than args[] names.
  std::uint32_t argument_count = 0;
  // A tracepoint that passes fewer does not serve the probe.
  std::uint32_t parameter_count = 0;
  // Which of what the tracepoint passes is the thread that the probe is about, a
  // struct task_struct, when it is not the one that runs.
  std::optional<std::uint32_t> thread = {};
  // What fires the probe instead of a tracepoint; `enter` is not used then, and the
  // arguments are numbers.
  std::optional<kernel::PerfEvent> event = {};
  // Another tracepoint that fires it, too; the code tells them apart by what they pass,
  // of which all that it reads has the same widths.
  std::string also = {};
  // A kernel whose enumeration has no such constant does not serve the probe.
  struct Constant {
    const char* enumeration = nullptr;
    const char* name = nullptr;
  };
  Constant constant = {};
};

// A probe that DTrace's guides name and that no kernel of ours can serve.
struct AbsentProbe {
  std::string name;
  std::string why;
};

// `types`: the kernel's, which must outlive the provider.
std::unique_ptr<Provider> stable_provider(std::string name, const types::Catalog& types,
                                          std::vector<StableProbe> probes,
                                          std::vector<AbsentProbe> absent = {});

}  // namespace dt::provider
