#pragma once
// Provider: publishes probes and knows how to make one fire our code. One file
// per provider; mechanisms (raw tracepoint, perf event) are helpers that they
// use, not bases that they inherit.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bpf/emitter.h"
#include "kernel/kernel.h"
#include "probe/probe.h"
#include "support/result.h"

namespace dt::provider {

// Keeps something attached; its destructor detaches.
class Attachment {
 public:
  virtual ~Attachment() = default;
  // Work that this attachment needs done by a thread of ours (tick-N's timer):
  // a file descriptor to wait on, or -1, and what to do when it is readable.
  virtual int wait_fd() const { return -1; }
  virtual void ready() {}
  // Firings lost that the kernel did not hand to us (sampling beside a busy CPU).
  virtual std::uint64_t lost() { return 0; }
};

// When a program runs.
enum class Role : std::uint8_t {
  kAttached,  // whenever its probes fire
  kBegin,     // once, when tracing goes
  kEnd,       // once, when tracing stops
};

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const = 0;
  virtual probe::ProviderAttributes attributes() const = 0;
  // The probes that exist without being asked for, in listing order. Stable
  // while the system does not change.
  virtual std::vector<probe::Description> list() const = 0;
  // Descriptions beyond list() that the pattern names exactly (profile-123hz).
  virtual std::vector<probe::Description> create(const probe::Pattern&) const { return {}; }
  virtual probe::Binding binding(const probe::Description& probe) const = 0;
  virtual std::optional<std::vector<probe::Argument>> arguments(const probe::Description&) const {
    return std::nullopt;
  }
  virtual std::string why_not(const probe::Pattern&) const { return {}; }

  // For a program key of ours:
  virtual std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                                  const bpf::Machine& machine) const = 0;
  virtual Result<kernel::ProgramSpec> program_spec(const std::string& program) const = 0;
  virtual Role role(const std::string& /*program*/) const { return Role::kAttached; }
  // Whether the program may run under any lock of the kernel, so that it must not
  // ask for memory (runtime/release.h).
  virtual bool runs_under_locks(const std::string& /*program*/) const { return false; }
  // `fd` stays open, and `kernel` alive, for as long as the attachment lives.
  virtual Result<std::unique_ptr<Attachment>> attach(const std::string& program, const Fd& fd,
                                                     kernel::Kernel& kernel) const = 0;
};

// Every provider, in listing order. `types` must outlive them.
std::vector<std::unique_ptr<Provider>> all_providers(types::Catalog& types);

// The probe catalogue over providers; ids are given in listing order, then to
// created probes as they appear.
class ProviderCatalog : public probe::Catalog {
 public:
  explicit ProviderCatalog(std::vector<std::unique_ptr<Provider>> providers);
  ~ProviderCatalog() override;
  std::vector<probe::Probe> match(const probe::Pattern& pattern) const override;
  std::optional<probe::Probe> find(ProbeId id) const override;
  std::optional<std::vector<probe::Argument>> arguments(const probe::Probe& probe) const override;
  probe::ProviderAttributes attributes(std::string_view provider) const override;
  std::vector<probe::Description> near(const probe::Pattern& pattern,
                                       std::size_t count) const override;
  std::string why_not(const probe::Pattern& pattern) const override;
  // The provider that serves a program key ("syscall:entry" -> syscall).
  const Provider& of_program(const std::string& program) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dt::provider
