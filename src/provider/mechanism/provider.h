#pragma once
// Provider: publishes probes and knows how to make one fire our code. A provider
// is one unit, or a few; mechanisms (raw tracepoint, perf event) are helpers that they
// use, not bases that they inherit.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernel.h"
#include "probe/probe.h"
#include "provider/mechanism/attachment.h"
#include "support/result.h"

namespace dt::bpf {
class Prologue;
struct Machine;
}  // namespace dt::bpf

namespace dt::symbol {
class Debuginfod;
}

namespace dt::types {
class Catalog;
}

namespace dt::provider {

class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const = 0;
  virtual probe::ProviderAttributes attributes() const = 0;
  // The attributes of one provider of a family, if its program declares them.
  virtual probe::ProviderAttributes attributes_of(std::string_view /*provider*/) const {
    return attributes();
  }
  // The probes that exist without being asked for, in listing order. Stable
  // while the system does not change.
  virtual std::vector<probe::Description> list() const = 0;
  // Whether it has the probes of the provider that a description names: more
  // than its own name for a family, such as pid1234.
  virtual bool owns(std::string_view provider) const { return provider == name(); }
  // Whether any of its probes may match. A family is asked by name only.
  virtual bool concerns(const probe::Pattern& pattern) const;
  // Whether it is asked, too, if a description without a provider matches no probe of the others.
  virtual bool is_last_resort() const { return false; }
  // False when no probe of list() can have this name (no globs), which spares a
  // description that names no provider the list.
  virtual bool may_have(std::string_view /*name*/) const { return true; }
  // The pattern with the names that it means here, where others are accepted for them.
  virtual probe::Pattern as_here(probe::Pattern pattern) const { return pattern; }
  // Descriptions beyond list() that the pattern names exactly (profile-123hz), or,
  // of a family, all that it denotes.
  virtual std::vector<probe::Description> create(const probe::Pattern&) const { return {}; }
  // Whether create() gives all that a pattern denotes, so that what other patterns have
  // made does not count, though its name may match.
  virtual bool creates_all() const { return false; }
  // How many places the list has, from a provider that knows it without listing: those of probes
  // that this kernel lacks stay empty. nullopt: as many as list() gives.
  virtual std::optional<std::uint32_t> places() const { return std::nullopt; }
  // What of list() may match, each with its place, from a provider that knows it without
  // listing all. nullopt: list them.
  using Placed = std::pair<std::uint32_t, probe::Description>;
  virtual std::optional<std::vector<Placed>> list_of(const probe::Pattern&) const {
    return std::nullopt;
  }
  virtual probe::Binding binding(const probe::Description& probe) const = 0;
  // probe::Catalog::plan, for probes of this provider. Once it has been asked, the
  // calls below speak of programs that it named.
  virtual void plan(std::span<probe::Probe* const> /*enabled*/) const {}
  virtual std::optional<std::vector<probe::Argument>> arguments(const probe::Description&) const {
    return std::nullopt;
  }
  // What the traced code calls args[0], args[1], ..., for listings; empty where that is not known.
  virtual std::vector<std::string> argument_names(const probe::Description&) const { return {}; }
  // What a listing says of the probe behind its name: the instruction that it is at.
  virtual std::string remark(const probe::Description&) const { return {}; }
  virtual std::string why_not(const probe::Pattern&) const { return {}; }
  virtual std::optional<probe::Refusal> refusal(const probe::Pattern&) const {
    return std::nullopt;
  }

  // For a program key of ours:
  virtual std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                                  const bpf::Machine& machine) const = 0;
  virtual Result<kernel::ProgramSpec> program_spec(const std::string& program) const = 0;
  virtual Role role(const std::string& /*program*/) const { return Role::kAttached; }
  // Whether the program may run under any lock of the kernel, so that it must not
  // ask for memory (runtime/release.h).
  virtual bool runs_under_locks(const std::string& /*program*/) const { return false; }
  // Whether one of them may be that of a run queue, or of a thread that is woken,
  // under which older kernels cannot make thread-local storage.
  virtual bool runs_under_queue_lock(const std::string& program) const {
    return runs_under_locks(program);
  }
  // Programs are attached in the falling order of their turns. At one instruction the kernel runs
  // first what was attached last, at one tracepoint what was attached first.
  virtual int turn(const std::string& /*program*/) const { return 0; }
  // What makes the program run, for people: "tracepoint sched_process_fork".
  virtual std::string source(const std::string& program) const = 0;
  // Makes `probes`, the enabled ones that the program serves, run it. `fd` stays
  // open, and `kernel` alive, for as long as the attachment lives.
  virtual Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                                     std::span<const probe::Probe> probes,
                                                     const Fd& fd,
                                                     kernel::Kernel& kernel) const = 0;
};

// What becomes of a process before its objects are looked at: one that we have
// started must have mapped them.
using Settle = std::function<Status(std::int32_t pid)>;

// What providers of processes ask of the run; empty functions say no.
struct OfProcesses {
  Settle settle;
  // Whether what is not there yet may come (-Z).
  std::function<bool()> may_come;
  // Whether functions are called what people call them (-x demangle).
  std::function<bool()> demangles;
  // Whether processes count that start later: when there is tracing to come.
  std::function<bool()> may_start;
  // Whether the children of the process count, and theirs (-x follow).
  std::function<bool(std::int32_t pid)> follows;
  // Has what was stripped off programs; null where the person has named no server.
  std::shared_ptr<symbol::Debuginfod> servers;
  // Whether system calls have the names of Solaris (-x compat=solaris).
  std::function<bool()> is_solaris = {};
};

// Every provider, in listing order. `kernel`, of which some ask what it can do, and `types`
// must outlive them.
std::vector<std::unique_ptr<Provider>> all_providers(kernel::Kernel& kernel,
                                                     const types::Catalog& types,
                                                     const OfProcesses& processes = {});

// The probe catalogue over providers; ids are given in listing order, and to
// created probes, in a range of their own, as they appear.
class ProviderCatalog : public probe::Catalog {
 public:
  explicit ProviderCatalog(std::vector<std::unique_ptr<Provider>> providers);
  ~ProviderCatalog() override;
  std::vector<probe::Probe> match(const probe::Pattern& pattern) const override;
  std::optional<probe::Probe> find(ProbeId id) const override;
  std::optional<std::vector<probe::Argument>> arguments(const probe::Probe& probe) const override;
  std::vector<std::string> argument_names(const probe::Probe& probe) const;
  probe::ProviderAttributes attributes(std::string_view provider) const override;
  std::vector<probe::Description> near(const probe::Pattern& pattern,
                                       std::size_t count) const override;
  void plan(std::span<probe::Probe* const> enabled) const override;
  std::string why_not(const probe::Pattern& pattern) const override;
  std::optional<probe::Refusal> refusal(const probe::Pattern& pattern) const override;
  std::string remark(const probe::Description& probe) const;
  // The provider that serves a program key ("syscall:entry" -> syscall).
  const Provider& of_program(const std::string& program) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dt::provider
