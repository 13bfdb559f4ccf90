// See stable.h.
//
// A provider of stable probes is a table: for each probe the tracepoint behind it, a condition on
// its arguments, and what becomes arg0, arg1 and so on. Several probes may share one tracepoint;
// each has its own row. A member that a row follows is looked up in the kernel's type information;
// if this kernel lacks it, the probe is not listed, and the reason is kept for a user who asks for
// the probe by its name.

#include "provider/mechanism/stable.h"

#include <algorithm>
#include <utility>

#include "provider/mechanism/providers.h"
#include "provider/mechanism/sampled.h"
#include "provider/mechanism/tracepoint.h"
#include "support/check.h"

namespace dt::provider {

namespace {

// The run queue's lock, or that of the thread that is woken.
bool is_under_queue_lock(std::string_view tracepoint) {
  return tracepoint == "sched_switch" || tracepoint == "sched_waking" ||
         tracepoint == "sched_wakeup" || tracepoint == "sched_wakeup_new";
}

std::vector<std::string> tracepoints_of(const StableProbe& probe) {
  std::vector<std::string> all = {probe.tracepoint};
  all.insert(all.end(), probe.also.begin(), probe.also.end());
  return all;
}

// args[] may skip some of them.
std::uint32_t argument_count(const StableProbe& probe) {
  std::uint32_t count =
      std::max(static_cast<std::uint32_t>(probe.arguments.size()), probe.argument_count);
  for (const probe::Argument& argument : probe.arguments) {
    count = std::max(count, argument.source + 1);
  }
  return count;
}

class StablePrologue : public bpf::Prologue {
 public:
  StablePrologue(const StableProbe& probe, const types::Catalog& types, std::string module,
                 const bpf::Words& words)
      : probe_(probe),
        types_(types),
        module_(std::move(module)),
        words_(words),
        parameters_(tracepoint_parameters(types, probe.tracepoint, module_)
                        .value_or(std::vector<types::TypeId>())) {}

  bool reads_kernel() const override { return true; }
  std::uint32_t stack_frames_to_skip() const override { return kTracepointFrames; }
  std::int32_t thread_at() const override {
    constexpr std::uint32_t kWordBytes = 8;
    return probe_.thread ? static_cast<std::int32_t>(*probe_.thread * kWordBytes) : -1;
  }

  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) override {
    StableCode code = code_in(emitter, context);
    if (probe_.enter != nullptr) probe_.enter(code, leave);
    return emitter.imm(0);
  }

  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number >= argument_count(probe_)) return emitter.imm(0);
    StableCode code = code_in(emitter, context);
    return probe_.argument(code, number);
  }

  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }

  const std::string& lacks() const { return lacks_; }

 private:
  StableCode code_in(bpf::Emitter& emitter, bpf::Reg context) {
    return {emitter, context, {types_, probe_.tracepoint, parameters_, module_}, words_, lacks_};
  }

  const StableProbe& probe_;
  const types::Catalog& types_;
  const std::string module_;
  const bpf::Words words_;
  std::vector<types::TypeId> parameters_;
  std::string lacks_;
};

// Of a perf event, whose context says nothing that the probe passes on.
class EventPrologue : public bpf::Prologue {
 public:
  EventPrologue(const StableProbe& probe, const types::Catalog& types, const bpf::Words& words)
      : probe_(probe), types_(types), words_(words) {}

  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg, bpf::Label) override { return emitter.imm(0); }
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number >= argument_count(probe_)) return emitter.imm(0);
    StableCode code(emitter, context, {types_}, words_, lacks_);
    return probe_.argument(code, number);
  }
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }

  const std::string& lacks() const { return lacks_; }

 private:
  const StableProbe& probe_;
  const types::Catalog& types_;
  const bpf::Words words_;
  std::string lacks_;
};

class Attachments : public Attachment {
 public:
  void add(std::unique_ptr<Attachment> one) { all_.push_back(std::move(one)); }

 private:
  std::vector<std::unique_ptr<Attachment>> all_;
};

class StableProvider : public Provider {
 public:
  StableProvider(std::string name, const types::Catalog& types, std::vector<StableProbe> probes,
                 std::vector<AbsentProbe> absent)
      : name_(std::move(name)),
        types_(types),
        probes_(std::move(probes)),
        absent_(std::move(absent)),
        lacks_(probes_.size()) {}

  std::string_view name() const override { return name_; }

  probe::ProviderAttributes attributes() const override {
    return tracepoint_attributes(probe::Stability::kEvolving);
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> list;
    std::vector<Placed> placed = *list_of({});
    for (auto& [place, description] : placed) list.push_back(std::move(description));
    return list;
  }

  // To find out whether the kernel has what a probe needs takes many look-ups of types: they are
  // made for those that are asked for, and not to number what comes behind.
  std::optional<std::uint32_t> places() const override {
    return static_cast<std::uint32_t>(probes_.size());
  }
  std::optional<std::vector<Placed>> list_of(const probe::Pattern& pattern) const override {
    std::vector<Placed> found;
    for (std::uint32_t i = 0; i < probes_.size(); ++i) {
      const StableProbe& probe = probes_[i];
      if (!probe::field_matches(pattern.name, probe.name) || !lacks(probe).empty()) continue;
      found.emplace_back(i, probe::Description{name_, std::string(home_of(probe)), "", probe.name});
    }
    return found;
  }

  bool may_have(std::string_view name) const override {
    return std::any_of(probes_.begin(), probes_.end(),
                       [name](const StableProbe& probe) { return probe.name == name; });
  }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (pattern.provider != name_) return {};
    for (const StableProbe& probe : probes_) {
      if (probe.name == pattern.name) return lacks(probe);
    }
    for (const AbsentProbe& probe : absent_) {
      if (probe.name == pattern.name) return probe.why;
    }
    // A description of all of them matches nothing where each lacks something.
    if (!pattern.name.empty() && pattern.name != "*") return {};
    return lacks(probes_.front());
  }

  probe::Binding binding(const probe::Description& probe) const override {
    return {name_ + ":" + probe.name, 0};
  }

  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& probe) const override {
    return of_name(probe.name).arguments;
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine& machine) const override {
    const StableProbe& probe = of_program(program);
    if (probe.event) return std::make_unique<EventPrologue>(probe, types_, machine.words);
    return std::make_unique<StablePrologue>(probe, types_, std::string(home_of(probe)),
                                            machine.words);
  }

  int turn(const std::string& program) const override {
    return static_cast<int>(probes_.data() + probes_.size() - &of_program(program));
  }

  bool runs_under_locks(const std::string&) const override { return true; }
  bool runs_under_queue_lock(const std::string& program) const override {
    const std::vector<std::string> all = tracepoints_of(of_program(program));
    return std::any_of(all.begin(), all.end(), is_under_queue_lock);
  }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    const StableProbe& probe = of_program(program);
    if (probe.event) return sample_program("dt_" + name_);
    const std::string_view home = home_of(probe);
    if (!tracepoint_parameters(types_, probe.tracepoint, home)) {
      return untyped_tracepoint(program, types_);
    }
    if (const std::string& what = lacks(probe); !what.empty()) return Error::of(what);
    return probe.thread ? typed_tracepoint_program(name_, probe.tracepoint, types_, home)
                        : tracepoint_program(name_);
  }

  std::string source(const std::string& program) const override {
    const StableProbe& probe = of_program(program);
    if (probe.event) return "a perf event on every CPU";
    std::string names = probe.tracepoint;
    for (std::size_t i = 0; i < probe.also.size(); ++i) {
      names += (i + 1 == probe.also.size() ? " and " : ", ") + probe.also[i];
    }
    return (probe.also.empty() ? "tracepoint " : "tracepoints ") + names;
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                             std::span<const probe::Probe>, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    const StableProbe& probe = of_program(program);
    if (probe.event) {
      return sample_cpus(kernel,
                         [&](int cpu) { return kernel.attach_perf_event(*probe.event, cpu, fd); });
    }
    // A typed program knows its tracepoint.
    if (probe.thread) return attach_tracepoint("", fd, kernel);
    auto all = std::make_unique<Attachments>();
    for (const std::string& point : tracepoints_of(probe)) {
      DT_ASSIGN(std::unique_ptr<Attachment> one, attach_tracepoint(point, fd, kernel));
      all->add(std::move(one));
    }
    return std::unique_ptr<Attachment>(std::move(all));
  }

 private:
  // The module whose types describe what the tracepoint passes: the probe's own or, where
  // that is built in, the kernel.
  std::string_view home_of(const StableProbe& probe) const {
    return tracepoint_parameters(types_, probe.tracepoint, probe.module)
               ? std::string_view(probe.module)
               : types::kKernelModule;
  }

  // Why this kernel does not serve the probe; "" where it does.
  const std::string& lacks(const StableProbe& probe) const {
    std::optional<std::string>& known = lacks_[static_cast<std::size_t>(&probe - probes_.data())];
    if (!known) known = find_lack(probe);
    return *known;
  }
  std::string find_lack(const StableProbe& probe) const {
    if (probe.event) {
      std::string why = kernel::why_not_counted(*probe.event, "its event");
      if (!why.empty()) return why;
      EventPrologue prologue(probe, types_, {});
      return lacks_of(prologue, argument_count(probe));
    }
    const std::string_view home = home_of(probe);
    for (const std::string& point : tracepoints_of(probe)) {
      if (tracepoint_parameters(types_, point, home)) continue;
      return types_.has_module(probe.module) || probe.module == types::kKernelModule
                 ? no_tracepoint(point, types_)
                 : fmt::format("{}, and its module {} is not loaded", no_tracepoint(point, types_),
                               probe.module);
    }
    const std::size_t passed = tracepoint_parameters(types_, probe.tracepoint, home)->size();
    if (passed < std::max(probe.parameter_count, probe.thread ? *probe.thread + 1 : 0)) {
      return fmt::format("this kernel's tracepoint {} passes less than the probe needs",
                         probe.tracepoint);
    }
    StablePrologue prologue(probe, types_, std::string(home), {});
    return lacks_of(prologue, argument_count(probe));
  }

  const StableProbe& of_name(std::string_view name) const {
    const auto found =
        std::find_if(probes_.begin(), probes_.end(),
                     [name](const StableProbe& probe) { return probe.name == name; });
    DT_CHECK(found != probes_.end(), "{} has no probe {}", name_, name);
    return *found;
  }
  const StableProbe& of_program(std::string_view program) const {
    return of_name(program.substr(name_.size() + 1));
  }

  std::string name_;
  const types::Catalog& types_;
  std::vector<StableProbe> probes_;
  std::vector<AbsentProbe> absent_;
  mutable std::vector<std::optional<std::string>> lacks_;  // by probe, as far as it was asked
};

}  // namespace

std::unique_ptr<Provider> stable_provider(std::string name, const types::Catalog& types,
                                          std::vector<StableProbe> probes,
                                          std::vector<AbsentProbe> absent) {
  return std::make_unique<StableProvider>(std::move(name), types, std::move(probes),
                                          std::move(absent));
}

}  // namespace dt::provider
