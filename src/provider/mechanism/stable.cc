// See stable.h.

#include "provider/mechanism/stable.h"

#include <algorithm>
#include <utility>

#include "bpf/layout/word_load.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/sampled.h"
#include "provider/mechanism/tracepoint.h"
#include "support/check.h"

namespace dt::provider {

namespace {

// "signal->live.counter": the member's name, and what follows it.
std::pair<std::string_view, std::string_view> next_member(std::string_view path) {
  const std::size_t end = path.find_first_of("-.");
  if (end == path.npos) return {path, {}};
  return {path.substr(0, end), path.substr(end + (path[end] == '-' ? 2 : 1))};
}

// The run queue's lock, or that of the thread that is woken.
bool is_under_queue_lock(std::string_view tracepoint) {
  return tracepoint == "sched_switch" || tracepoint == "sched_waking";
}

class StablePrologue : public bpf::Prologue {
 public:
  StablePrologue(const StableProbe& probe, const types::Catalog& types, const bpf::Words& words,
                 std::vector<types::TypeId> parameters)
      : probe_(probe), types_(types), words_(words), parameters_(std::move(parameters)) {}

  bool reads_kernel() const override { return true; }
  std::uint32_t stack_frames_to_skip() const override { return kTracepointFrames; }
  std::int32_t thread_at() const override {
    constexpr std::uint32_t kWordBytes = 8;
    return probe_.thread ? static_cast<std::int32_t>(*probe_.thread * kWordBytes) : -1;
  }

  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) override {
    StableCode code(emitter, context, types_, words_, parameters_);
    if (probe_.enter != nullptr) probe_.enter(code, leave);
    return emitter.imm(0);
  }

  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    const std::size_t count = std::max<std::size_t>(probe_.arguments.size(), probe_.argument_count);
    if (number >= count) return emitter.imm(0);
    StableCode code(emitter, context, types_, words_, parameters_);
    return probe_.argument(code, number);
  }

  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }

 private:
  const StableProbe& probe_;
  const types::Catalog& types_;
  const bpf::Words words_;
  std::vector<types::TypeId> parameters_;
};

// Of a perf event, whose context says nothing that the probe passes on.
class EventPrologue : public bpf::Prologue {
 public:
  EventPrologue(const StableProbe& probe, const types::Catalog& types, const bpf::Words& words)
      : probe_(probe), types_(types), words_(words) {}

  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg, bpf::Label) override { return emitter.imm(0); }
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number >= probe_.arguments.size()) return emitter.imm(0);
    StableCode code(emitter, context, types_, words_, {});
    return probe_.argument(code, number);
  }
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }

 private:
  const StableProbe& probe_;
  const types::Catalog& types_;
  const bpf::Words words_;
};

std::optional<std::int64_t> constant_of(const types::Catalog& types, const char* enumeration,
                                        std::string_view name) {
  const auto type = types.find(types::Tag::kEnum, enumeration, "vmlinux");
  if (!type) return std::nullopt;
  for (const types::Enumerator& one : types.resolved(*type).enumerators) {
    if (one.name == name) return one.value;
  }
  return std::nullopt;
}

class TwoAttachments : public Attachment {
 public:
  TwoAttachments(std::unique_ptr<Attachment> one, std::unique_ptr<Attachment> other)
      : one_(std::move(one)), other_(std::move(other)) {}

 private:
  std::unique_ptr<Attachment> one_, other_;
};

class StableProvider : public Provider {
 public:
  StableProvider(std::string name, const types::Catalog& types, std::vector<StableProbe> probes,
                 std::vector<AbsentProbe> absent)
      : name_(std::move(name)),
        types_(types),
        probes_(std::move(probes)),
        absent_(std::move(absent)) {}

  std::string_view name() const override { return name_; }

  probe::ProviderAttributes attributes() const override {
    return tracepoint_attributes(probe::Stability::kEvolving);
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> list;
    for (const StableProbe& probe : probes_) {
      if (is_served(probe)) list.push_back({name_, "vmlinux", "", probe.name});
    }
    return list;
  }

  bool may_have(std::string_view name) const override {
    return std::any_of(probes_.begin(), probes_.end(),
                       [name](const StableProbe& probe) { return probe.name == name; });
  }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (pattern.provider != name_) return {};
    for (const StableProbe& probe : probes_) {
      if (probe.name != pattern.name || is_served(probe)) continue;
      if (probe.event) return "this machine does not count its event";
      if (!has_constant(probe)) {
        return fmt::format("this kernel knows no {} (enum {})", probe.constant.name,
                           probe.constant.enumeration);
      }
      return tracepoint_parameters(types_, probe.tracepoint)
                 ? fmt::format("this kernel's tracepoint {} passes less than the probe needs",
                               probe.tracepoint)
                 : fmt::format("this kernel has no tracepoint {}, or no type information for it",
                               probe.tracepoint);
    }
    for (const AbsentProbe& probe : absent_) {
      if (probe.name == pattern.name) return probe.why;
    }
    return {};
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
    return std::make_unique<StablePrologue>(
        probe, types_, machine.words,
        tracepoint_parameters(types_, probe.tracepoint).value_or(std::vector<types::TypeId>()));
  }

  bool runs_under_locks(const std::string&) const override { return true; }
  bool runs_under_queue_lock(const std::string& program) const override {
    return is_under_queue_lock(of_program(program).tracepoint);
  }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    const StableProbe& probe = of_program(program);
    if (probe.event) return sample_program("dt_" + name_);
    if (!tracepoint_parameters(types_, probe.tracepoint)) {
      return untyped_tracepoint(program, types_);
    }
    return probe.thread ? typed_tracepoint_program(name_, probe.tracepoint, types_)
                        : tracepoint_program(name_);
  }

  std::string source(const std::string& program) const override {
    const StableProbe& probe = of_program(program);
    if (probe.event) return "a perf event on every CPU";
    return probe.also.empty() ? "tracepoint " + probe.tracepoint
                              : "tracepoints " + probe.tracepoint + " and " + probe.also;
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
    DT_ASSIGN(std::unique_ptr<Attachment> one,
              attach_tracepoint(probe.thread ? "" : probe.tracepoint, fd, kernel));
    if (probe.also.empty()) return one;
    DT_ASSIGN(std::unique_ptr<Attachment> other, attach_tracepoint(probe.also, fd, kernel));
    return std::unique_ptr<Attachment>(
        std::make_unique<TwoAttachments>(std::move(one), std::move(other)));
  }

 private:
  bool is_served(const StableProbe& probe) const {
    if (probe.event) return kernel::is_counted(*probe.event);
    const auto parameters = tracepoint_parameters(types_, probe.tracepoint);
    return parameters && parameters->size() >= probe.parameter_count && has_constant(probe) &&
           (probe.also.empty() || tracepoint_parameters(types_, probe.also));
  }
  bool has_constant(const StableProbe& probe) const {
    return probe.constant.name == nullptr ||
           constant_of(types_, probe.constant.enumeration, probe.constant.name);
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
};

}  // namespace

bpf::Reg StableCode::word(std::uint32_t n) {
  if (n >= parameters_.size()) return emitter_.imm(0);  // program_spec() refuses the program
  return load_parameter(emitter_, context_, n, types_, parameters_[n]);
}

bpf::Reg StableCode::current() { return emitter_.call(BPF_FUNC_get_current_task, {}); }

bpf::Reg StableCode::read(bpf::Reg base, std::uint32_t offset, std::uint32_t size) {
  if (words_.are_known()) {
    return bpf::load_word(emitter_, words_, base, static_cast<std::int32_t>(offset), size);
  }
  const bpf::Reg from = emitter_.reg();
  emitter_.mov(from, base);
  emitter_.alu_imm(bpf::Alu::kAdd, from, static_cast<std::int32_t>(offset));
  const bpf::StackSlot slot = emitter_.stack(8);
  const bpf::Reg to = emitter_.stack_address(slot);
  emitter_.store_imm(8, to, 0, 0);
  emitter_.call_void(BPF_FUNC_probe_read_kernel,
                     {to, emitter_.imm(static_cast<std::int64_t>(size)), from});
  return emitter_.load(size, emitter_.stack_address(slot), 0);
}

bpf::Reg StableCode::read(bpf::Reg base, std::uint32_t offset, types::TypeId type) {
  const std::uint32_t size = types_.size_of(type);
  const bpf::Reg value = read(base, offset, size);
  if (types_.resolved(type).is_signed && size < 8) emitter_.sign_extend(value, size);
  return value;
}

bpf::Reg StableCode::byte(bpf::Reg base, std::uint32_t offset) { return read(base, offset, 1U); }

bpf::Reg StableCode::bits(bpf::Reg base, const char* structure, std::string_view name) {
  const auto aggregate = types_.find(types::Tag::kStruct, structure, "vmlinux");
  const auto found = aggregate ? types_.member(*aggregate, name) : std::nullopt;
  if (!found || found->bit_size == 0) return emitter_.imm(0);
  const std::uint32_t first = found->bit_offset % 8;
  DT_CHECK(first + found->bit_size <= 8, "{}.{}", structure, name);
  const bpf::Reg value = byte(base, found->bit_offset / 8);
  emitter_.alu_imm(bpf::Alu::kRsh, value, static_cast<std::int32_t>(first));
  emitter_.alu_imm(bpf::Alu::kAnd, value, (1 << found->bit_size) - 1);
  return value;
}

bpf::Reg StableCode::member(bpf::Reg base, const char* structure, std::string_view path) {
  auto aggregate = types_.find(types::Tag::kStruct, structure, "vmlinux");
  std::uint32_t offset = 0;
  while (aggregate) {
    const auto [name, rest] = next_member(path);
    const auto found = types_.member(*aggregate, name);
    if (!found || found->bit_size != 0) break;
    offset += found->bit_offset / 8;
    if (rest.empty()) return read(base, offset, found->type);
    if (path[name.size()] == '-') {
      base = read(base, offset, found->type);
      offset = 0;
      aggregate = types_.resolved(found->type).target;
    } else {
      aggregate = found->type;
    }
    path = rest;
  }
  return emitter_.imm(0);
}

std::optional<std::uint32_t> StableCode::offset(const char* structure,
                                                std::string_view path) const {
  auto aggregate = types_.find(types::Tag::kStruct, structure, "vmlinux");
  std::uint32_t offset = 0;
  while (aggregate) {
    const auto [name, rest] = next_member(path);
    const auto found = types_.member(*aggregate, name);
    if (!found) break;
    offset += found->bit_offset / 8;
    if (rest.empty()) return offset;
    aggregate = found->type;
    path = rest;
  }
  return std::nullopt;
}

std::optional<std::int64_t> StableCode::enumerator(const char* enumeration,
                                                   std::string_view name) const {
  return constant_of(types_, enumeration, name);
}

std::uint32_t StableCode::size_of(const char* structure) const {
  const auto type = types_.find(types::Tag::kStruct, structure, "vmlinux");
  return type ? types_.size_of(*type) : 0;
}

std::unique_ptr<Provider> stable_provider(std::string name, const types::Catalog& types,
                                          std::vector<StableProbe> probes,
                                          std::vector<AbsentProbe> absent) {
  return std::make_unique<StableProvider>(std::move(name), types, std::move(probes),
                                          std::move(absent));
}

}  // namespace dt::provider
