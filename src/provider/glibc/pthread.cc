// The pthread provider: what threads of processes that use glibc do.
//
//   pthread1234:libc.so.6:pthread_create:create
//
// glibc of Debian has no probes of its own, so these are breakpoints where its functions begin
// and return, and where threads begin and end (pthread_code.h). Mutexes and locks for readers and
// writers are those of plockstat.

#include <set>
#include <tuple>

#include "provider/glibc/pthread_probes.h"
#include "provider/mechanism/providers.h"

namespace dt::provider {
namespace {

constexpr const char* kThreads = "pthread:threads";

std::size_t function_of(PthreadCall call) {
  std::size_t i = 0;
  while (kPthreadFunctions[i].call != call) ++i;
  return i;
}

// The places of enabled probes, each once.
class Places {
 public:
  explicit Places(const PthreadProbes& probes) : probes_(probes) {}

  void add(const probe::Probe& one, bool notes);
  std::vector<UprobePlace> take() { return std::move(places_); }

 private:
  void add_place(const probe::Probe& one, std::uint64_t offset, std::size_t function,
                 PthreadPlace what, std::uint32_t number);
  void add_end(const probe::Probe& one);

  const PthreadProbes& probes_;
  std::set<std::tuple<std::int32_t, std::string, std::uint64_t>> taken_;
  std::vector<UprobePlace> places_;
};

void Places::add_place(const probe::Probe& one, std::uint64_t offset, std::size_t function,
                       PthreadPlace what, std::uint32_t number) {
  const PthreadProbe& probe = probes_.probe(one.description);
  if (!taken_.emplace(probe.pid, probe.path, offset).second) return;
  std::uint32_t key = probe.key_of(function);
  if (what == PthreadPlace::kEnd) key += static_cast<std::uint32_t>(PthreadOutcome::kDone);
  const std::uint32_t place = pthread_place(what, kPthreadFunctions[function].call, number);
  places_.push_back({&one, probe.path, probe.pid, {offset, uprobe_cookie(key, place), 0}});
}

// Where threads end, what is left of their calls is forgotten.
void Places::add_end(const probe::Probe& one) {
  const PthreadCode& code = *probes_.probe(one.description).code;
  if (!code.thread) return;
  add_place(one, code.thread->end, function_of(PthreadCall::kThread), PthreadPlace::kEnd,
            code.thread->value_at);
}

// `notes`: a probe of this function is enabled that fires at its return.
void Places::add(const probe::Probe& one, bool notes) {
  const PthreadProbe& probe = probes_.probe(one.description);
  const PthreadCode& code = *probe.code;
  if (probe.call() == PthreadCall::kMain) {
    return add_place(one, *code.main_end, probe.function, PthreadPlace::kEnd,
                     code.thread->value_at);
  }
  if (probe.call() == PthreadCall::kThread) {
    if (probe.outcome == PthreadOutcome::kDone) return add_end(one);
    for (const std::uint64_t offset : code.thread->calls) {
      add_place(one, offset, probe.function, PthreadPlace::kStart, code.thread->routine_at);
    }
    return;
  }
  const auto row = [&](std::uint64_t offset) {
    const auto found = probe.rows->find(offset);
    return found == probe.rows->end() ? 0 : found->second;
  };
  const PthreadCode::OfFunction& function = code.functions[probe.function];
  for (const std::uint64_t offset : function.entries) {
    add_place(one, offset, probe.function,
              notes ? PthreadPlace::kNotingEntry : PthreadPlace::kEntry, row(offset));
  }
  if (!notes) return;
  for (const std::uint64_t offset : function.returns) {
    add_place(one, offset, probe.function, PthreadPlace::kReturn, row(offset));
  }
  add_end(one);
}

class PthreadProvider : public GlibcProvider {
 public:
  PthreadProvider(OfProcesses processes, std::shared_ptr<Uprobes> uprobes)
      : GlibcProvider(std::move(uprobes)),
        probes_(std::make_unique<PthreadProbes>(std::move(processes))) {}

  std::string_view name() const override { return "pthread"; }
  probe::Binding binding(const probe::Description& description) const override {
    return {kThreads, probes_->probe(description).key};
  }
  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& description) const override {
    return PthreadProbes::arguments(probes_->probe(description));
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string&,
                                          const bpf::Machine& machine) const override {
    return pthread_prologue(probes_->rows(), machine, uprobes());
  }
  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    if (uprobes().thread_base_offset() < 0) {
      return Error::of("this kernel's type information does not tell of task_struct.thread.fsbase",
                       "use a kernel built with CONFIG_DEBUG_INFO_BTF");
    }
    return uprobes().program_spec(program);
  }
  std::string source(const std::string&) const override {
    return fmt::format(
        "breakpoints where glibc's functions of threads begin and return, and where threads begin "
        "and end ({})",
        uprobes().way());
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string&,
                                             std::span<const probe::Probe> probes, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    std::set<std::pair<std::int32_t, std::size_t>> telling;
    for (const probe::Probe& one : probes) {
      const PthreadProbe& probe = probes_->probe(one.description);
      if (probe.tells_of_return()) telling.emplace(probe.pid, probe.function);
    }
    Places places(*probes_);
    for (const probe::Probe& one : probes) {
      const PthreadProbe& probe = probes_->probe(one.description);
      places.add(one, telling.contains({probe.pid, probe.function}));
    }
    return uprobes().attach(places.take(), fd, kernel);
  }

 protected:
  GlibcProbes& all_probes() const override { return *probes_; }

 private:
  std::unique_ptr<PthreadProbes> probes_;
};

}  // namespace

std::unique_ptr<Provider> pthread_provider(OfProcesses processes,
                                           std::shared_ptr<Uprobes> uprobes) {
  return std::make_unique<PthreadProvider>(std::move(processes), std::move(uprobes));
}

}  // namespace dt::provider
