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

#include "provider/mechanism/tracepoint.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/prologue.h"
#include "kernel/kept.h"
#include "kernel/tracefs.h"
#include "provider/mechanism/parameter_names.h"
#include "provider/mechanism/providers.h"
#include "types/type.h"

namespace dt::provider {
namespace {

constexpr const char* kUseBtf =
    "use a kernel built with CONFIG_DEBUG_INFO_BTF (and, for a module's tracepoint, "
    "CONFIG_DEBUG_INFO_BTF_MODULES)";

// What BTF calls the type of a tracepoint.
std::string type_of(std::string_view point) { return fmt::format("btf_trace_{}", point); }

// How many tracepoints there are: their types may be read by everybody, though the list of
// their names may not. 0 when the number cannot be determined.
std::size_t types_count() {
  constexpr std::string_view kPrefix("\0btf_trace_", 11);  // a typedef for each
  std::ifstream file("/sys/kernel/btf/vmlinux", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::size_t count = 0;
  for (std::size_t at = bytes.find(kPrefix); at != bytes.npos; at = bytes.find(kPrefix, at + 1)) {
    ++count;
  }
  return count;
}

// Detaches when its descriptor is closed.
class RawTracepoint : public Attachment {
 public:
  explicit RawTracepoint(Fd link) : link_(std::move(link)) {}

 private:
  Fd link_;
};

class TracepointPrologue : public bpf::Prologue {
 public:
  TracepointPrologue(const types::Catalog& types, std::vector<types::TypeId> parameters)
      : types_(types), parameters_(std::move(parameters)) {}

  std::uint32_t stack_frames_to_skip() const override { return kTracepointFrames; }
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg, bpf::Label) override { return emitter.imm(0); }

  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number >= parameters_.size()) return emitter.imm(0);
    return load_parameter(emitter, context, number, types_, parameters_[number]);
  }

  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }

 private:
  const types::Catalog& types_;
  std::vector<types::TypeId> parameters_;
};

class TracepointProvider : public Provider {
 public:
  TracepointProvider(std::string name, const types::Catalog& types,
                     std::shared_ptr<Tracepoints> points)
      : name_(std::move(name)), types_(types), points_(std::move(points)) {}
  bool is_second_name() const { return name_ == "rawtp"; }

  std::string_view name() const override { return name_; }

  probe::ProviderAttributes attributes() const override {
    return tracepoint_attributes(probe::Stability::kPrivate);
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> probes;
    for (const Tracepoint& point : points_->list()) {
      probes.push_back({name_, point.subsystem, "", point.name});
    }
    return probes;
  }

  std::optional<std::uint32_t> places() const override {
    return static_cast<std::uint32_t>(points_->list().size());
  }
  std::optional<std::vector<Placed>> list_of(const probe::Pattern& pattern) const override {
    std::vector<Placed> found;
    const std::vector<Tracepoint>& all = points_->list();
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (!probe::field_matches(pattern.name, all[i].name)) continue;
      found.emplace_back(i, probe::Description{name_, all[i].subsystem, "", all[i].name});
    }
    return found;
  }

  // The kernel's tracepoints are C identifiers with a small letter in them, so the
  // list is not read for BEGIN or tick-1s.
  bool may_have(std::string_view name) const override {
    const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
    return name.find('-') == name.npos && std::any_of(name.begin(), name.end(), is_small);
  }

  // A short description (sched_switch) would fire both of two names of one tracepoint.
  bool concerns(const probe::Pattern& pattern) const override {
    const bool is_short =
        pattern.provider.empty() &&
        (!pattern.module.empty() || !pattern.function.empty() || !pattern.name.empty());
    return !(is_short && is_second_name()) && Provider::concerns(pattern);
  }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (pattern.provider != name_ || points_->error().empty()) return {};
    const std::size_t count = types_count();
    return fmt::format("the kernel's {}tracepoints cannot be listed: {}",
                       count == 0 ? "" : fmt::format("{} ", count), points_->error());
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

  // The function that calls what is attached has them; its first parameter is for the callee.
  std::vector<std::string> argument_names(const probe::Description& probe) const override {
    return parameter_names(types_, "__traceiter_" + probe.name,
                           module_of_tracepoint(types_, probe.name), 1);
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine&) const override {
    return std::make_unique<TracepointPrologue>(
        types_, parameters_of(point_of(program)).value_or(std::vector<types::TypeId>()));
  }

  bool runs_under_locks(const std::string&) const override { return true; }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    if (!parameters_of(point_of(program))) {
      return untyped_tracepoint(program, types_);
    }
    return tracepoint_program(name_);
  }

  std::string source(const std::string& program) const override {
    return "tracepoint " + point_of(program);
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                             std::span<const probe::Probe>, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    return attach_tracepoint(point_of(program), fd, kernel);
  }

 private:
  // A trace event does not tell its module.
  std::optional<std::vector<types::TypeId>> parameters_of(const std::string& point) const {
    const std::string module = module_of_tracepoint(types_, point);
    return module.empty() ? std::nullopt : tracepoint_parameters(types_, point, module);
  }
  std::string point_of(const std::string& program) const {
    return program.substr(name_.size() + 1);
  }

  std::string name_;
  const types::Catalog& types_;
  std::shared_ptr<Tracepoints> points_;
};

}  // namespace

std::optional<std::vector<types::TypeId>> tracepoint_parameters(const types::Catalog& types,
                                                                std::string_view point,
                                                                std::string_view module) {
  const auto type = types.find(types::Tag::kNone, type_of(point), module);
  if (!type) return std::nullopt;
  const types::Type& pointer = types.resolved(*type);
  if (pointer.kind != types::Kind::kPointer) return std::nullopt;
  const types::Type& function = types.resolved(pointer.target);
  if (function.kind != types::Kind::kFunction || function.members.empty()) return std::nullopt;
  std::vector<types::TypeId> parameters;
  for (std::size_t i = 1; i < function.members.size(); ++i) {
    parameters.push_back(function.members[i].type);
  }
  return parameters;
}

std::string module_of_tracepoint(const types::Catalog& types, std::string_view point) {
  if (tracepoint_parameters(types, point)) return std::string(types::kKernelModule);
  for (types::Catalog::Place& place : types.find_in_modules(types::Tag::kNone, type_of(point))) {
    if (tracepoint_parameters(types, point, place.module)) return std::move(place.module);
  }
  return {};
}

std::string no_tracepoint(std::string_view point, const types::Catalog& types) {
  const std::string errors = types.errors();
  if (!errors.empty()) {
    return fmt::format(
        "the kernel's type information, which says what tracepoint {} passes, cannot "
        "be read: {}",
        point, errors.substr(0, errors.find('\n')));
  }
  return fmt::format("this kernel has no tracepoint {}, or no type information for it", point);
}

// A register of the caller has 64 bits, of which a narrower parameter uses the lower ones. The
// kernel passes it zero-extended, so a negative int needs its sign.
bpf::Reg load_parameter(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number,
                        const types::Catalog& types, types::TypeId parameter) {
  const bpf::Reg value = emitter.load(8, context, static_cast<std::int32_t>(number * 8));
  const std::uint32_t size = types.size_of(parameter);
  if (types.resolved(parameter).is_signed && size < 8) emitter.sign_extend(value, size);
  return value;
}

probe::ProviderAttributes tracepoint_attributes(probe::Stability args) {
  using enum probe::Stability;
  using enum probe::DependencyClass;
  return {.provider = {kEvolving, kEvolving, kIsa},
          .module = {kPrivate, kPrivate, kUnknown},
          .function = {kPrivate, kPrivate, kUnknown},
          .name = {kEvolving, kEvolving, kIsa},
          .args = {args, args, kIsa}};
}

kernel::ProgramSpec tracepoint_program(const std::string& provider) {
  kernel::ProgramSpec spec;
  spec.name = "dt_" + provider;
  spec.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
  return spec;
}

kernel::ProgramSpec typed_tracepoint_program(const std::string& provider, const std::string& point,
                                             const types::Catalog& types, std::string_view module) {
  kernel::ProgramSpec spec = tracepoint_program(provider);
  spec.type = BPF_PROG_TYPE_TRACING;
  spec.expected_attach = BPF_TRACE_RAW_TP;
  spec.attach_btf_id = types.number(types::Tag::kNone, type_of(point), module);
  spec.attach_module = module;
  return spec;
}

bool has_no_types(const types::Catalog& types) {
  return types.errors().find(std::strerror(ENOENT)) != std::string::npos;
}

Error untyped_tracepoint(const std::string& program, const types::Catalog& types) {
  const std::string errors = types.errors();
  if (!errors.empty()) {
    return {
        fmt::format("{}: the kernel's type information, which says what this tracepoint passes, "
                    "cannot be read: {}",
                    program, errors.substr(0, errors.find('\n'))),
        0, has_no_types(types) ? kUseBtf : "", errors};
  }
  return {fmt::format("{}: the kernel's BTF does not say what this tracepoint passes", program), 0,
          kUseBtf, errors};
}

Result<std::unique_ptr<Attachment>> attach_tracepoint(const std::string& point, const Fd& program,
                                                      kernel::Kernel& kernel) {
  DT_ASSIGN(Fd link, kernel.attach_raw_tracepoint(point, program));
  return std::unique_ptr<Attachment>(std::make_unique<RawTracepoint>(std::move(link)));
}

// Trace events are made from tracepoints, but not all: those of the listed subsystems are made by
// other tracers (`kprobes`), or from one tracepoint for all (`syscalls`).
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
    const int order = a.subsystem.compare(b.subsystem);
    return order < 0 || (order == 0 && a.name < b.name);
  });
  return points;
}

const std::vector<Tracepoint>& Tracepoints::list() {
  if (is_read_) return points_;
  is_read_ = true;
  const Result<std::string> events = read_();
  if (events.ok()) {
    points_ = parse_available_events(*events);
  } else {
    error_ = events.error().text;
  }
  return points_;
}

std::unique_ptr<Provider> tracepoint_provider(std::string name, const types::Catalog& types,
                                              std::shared_ptr<Tracepoints> points) {
  return std::make_unique<TracepointProvider>(std::move(name), types, std::move(points));
}

// The kernel takes a millisecond to write the list, with the same tracepoints until a module comes
// or goes. Trace events that people define are none of them.
std::shared_ptr<Tracepoints> kernel_tracepoints() {
  return std::make_shared<Tracepoints>([] {
    return kernel::kept_text("events", [] { return kernel::read_tracefs("available_events"); });
  });
}

}  // namespace dt::provider
