// The sdt and rawtp providers: the kernel's tracepoints.
//
//   sdt:sched::sched_switch      module = the subsystem of the trace event
//   rawtp:sched::sched_switch    the same probe under the name that users of
//                                other tracers know
//
// Each enabled tracepoint has a raw tracepoint program of its own: it costs the
// least per firing and detaches in a quarter of a millisecond. What the kernel
// hands it:
//
//   u64 ctx[] = the arguments that the kernel's code passes to the tracepoint,
//               each zero-extended from its own width
//
// Their number and types come from the kernel's BTF, which has a typedef
// btf_trace_<name> of a function that takes them behind a pointer of its own.

#include "provider/tracepoint.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "kernel/tracefs.h"
#include "provider/all.h"
#include "types/type.h"

namespace dt::provider {
namespace {

// bpf_prog_*, bpf_trace_run* and __bpf_trace_*.
constexpr std::uint32_t kFramesOfTracer = 3;

// An argument as it stands in its word of the context.
struct Word {
  std::uint32_t size = 8;
  bool is_signed = false;
};

class TracepointPrologue : public bpf::Prologue {
 public:
  explicit TracepointPrologue(std::vector<Word> words) : words_(std::move(words)) {}

  std::uint32_t stack_frames_to_skip() const override { return kFramesOfTracer; }
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg, bpf::Label) override { return emitter.imm(0); }

  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number >= words_.size()) return emitter.imm(0);
    const bpf::Reg value = emitter.load(8, context, static_cast<std::int32_t>(number * 8));
    const Word word = words_[number];
    if (word.is_signed && word.size < 8) emitter.sign_extend(value, word.size);
    return value;
  }

  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }

 private:
  std::vector<Word> words_;
};

// Detaches when its descriptor is closed.
class RawTracepoint : public Attachment {
 public:
  explicit RawTracepoint(Fd link) : link_(std::move(link)) {}

 private:
  Fd link_;
};

class TracepointProvider : public Provider {
 public:
  TracepointProvider(std::string name, types::Catalog& types, ReadEvents read)
      : name_(std::move(name)), types_(types), read_(std::move(read)) {}

  std::string_view name() const override { return name_; }

  probe::ProviderAttributes attributes() const override {
    using enum probe::Stability;
    using enum probe::DependencyClass;
    return {.provider = {kEvolving, kEvolving, kIsa},
            .module = {kPrivate, kPrivate, kUnknown},
            .function = {kPrivate, kPrivate, kUnknown},
            .name = {kEvolving, kEvolving, kIsa},
            .args = {kPrivate, kPrivate, kIsa}};
  }

  std::vector<probe::Description> list() const override {
    const Result<std::string> events = read_();
    if (!events.ok()) {
      unreadable_ = events.error().text;
      return {};
    }
    std::vector<probe::Description> probes;
    for (Tracepoint& point : parse_available_events(*events)) {
      probes.push_back({name_, std::move(point.subsystem), "", std::move(point.name)});
    }
    return probes;
  }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (pattern.provider != name_ || unreadable_.empty()) return {};
    return "the kernel's tracepoints cannot be listed: " + unreadable_;
  }

  probe::Binding binding(const probe::Description& probe) const override {
    return {name_ + ":" + probe.name, 0};
  }

  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& probe) const override {
    const auto parameters = parameters_of(probe.name);
    if (!parameters) return std::nullopt;
    std::vector<probe::Argument> arguments;
    for (const types::TypeId type : *parameters) {
      arguments.push_back({types_.name(type), false});
    }
    return arguments;
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine&) const override {
    std::vector<Word> words;
    for (const types::TypeId id : parameters_of(point_of(program)).value_or(kNoParameters)) {
      const types::Type& type = types_.resolved(id);
      words.push_back({types_.size_of(id), type.is_signed});
    }
    return std::make_unique<TracepointPrologue>(std::move(words));
  }

  bool runs_under_locks(const std::string&) const override { return true; }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    if (!parameters_of(point_of(program))) {
      return Error{
          fmt::format("{}: the kernel's BTF does not say what this tracepoint passes", program), 0,
          "use a kernel built with CONFIG_DEBUG_INFO_BTF (and, for a module's tracepoint, "
          "CONFIG_DEBUG_INFO_BTF_MODULES)",
          types_.errors()};
    }
    kernel::ProgramSpec spec;
    spec.name = "dt_" + name_;
    spec.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
    return spec;
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string& program, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    DT_ASSIGN(Fd link, kernel.attach_raw_tracepoint(point_of(program), fd));
    return std::unique_ptr<Attachment>(std::make_unique<RawTracepoint>(std::move(link)));
  }

 private:
  static inline const std::vector<types::TypeId> kNoParameters;

  std::string point_of(const std::string& program) const {
    return program.substr(name_.size() + 1);
  }

  // Of the tracepoint, without the pointer that the kernel puts before them.
  std::optional<std::vector<types::TypeId>> parameters_of(const std::string& point) const {
    const auto type = types_.find(types::Tag::kNone, "btf_trace_" + point);
    if (!type) return std::nullopt;
    const types::Type& pointer = types_.resolved(*type);
    if (pointer.kind != types::Kind::kPointer) return std::nullopt;
    const types::Type& function = types_.resolved(pointer.target);
    if (function.kind != types::Kind::kFunction || function.members.empty()) return std::nullopt;
    std::vector<types::TypeId> parameters;
    for (std::size_t i = 1; i < function.members.size(); ++i) {
      parameters.push_back(function.members[i].type);
    }
    return parameters;
  }

  std::string name_;
  types::Catalog& types_;
  ReadEvents read_;
  mutable std::string unreadable_;  // why list() is empty
};

}  // namespace

std::vector<Tracepoint> parse_available_events(std::string_view text) {
  constexpr std::string_view kNotTracepoints[] = {"syscalls", "ftrace",  "kprobes",  "uprobes",
                                                  "fprobes",  "eprobes", "synthetic"};
  std::vector<Tracepoint> points;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == line.size()) continue;
    const std::string_view subsystem = line.substr(0, colon);
    if (std::find(std::begin(kNotTracepoints), std::end(kNotTracepoints), subsystem) !=
        std::end(kNotTracepoints)) {
      continue;
    }
    points.push_back({std::string(subsystem), std::string(line.substr(colon + 1))});
  }
  std::sort(points.begin(), points.end(), [](const Tracepoint& a, const Tracepoint& b) {
    return std::tie(a.subsystem, a.name) < std::tie(b.subsystem, b.name);
  });
  return points;
}

std::unique_ptr<Provider> tracepoint_provider(std::string name, types::Catalog& types,
                                              ReadEvents read) {
  return std::make_unique<TracepointProvider>(std::move(name), types, std::move(read));
}

Result<std::string> read_available_events() { return kernel::read_tracefs("available_events"); }

}  // namespace dt::provider
