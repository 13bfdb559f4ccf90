// The probes that programs were built with (USDT): those of sys/sdt.h.
//
//   python1234:python3.11:_PyEval_EvalFrameDefault:function-entry
//
// The provider's name is the program's word for it and the process; "__" in the
// name of a probe is "-". One program serves all probes of all processes: the
// cookie tells the site, and a table where its arguments are.

#include <linux/bpf.h>

#include <algorithm>
#include <cstring>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/machine.h"
#include "bpf/layout/prologue.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/uprobe.h"
#include "provider/user/usdt_arguments.h"
#include "provider/user/usdt_probes.h"

namespace dt::provider {
namespace {

constexpr const char* kProgram = "usdt:sites";

class UsdtPrologue : public UprobePrologue {
 public:
  UsdtPrologue(const std::vector<UsdtArgument>& table, const std::vector<std::int32_t>& whose,
               const bpf::Machine& machine, Uprobes& uprobes)
      : UprobePrologue(whose, machine, uprobes), arguments_(table) {}

  std::vector<std::uint8_t> own_table() const override {
    std::vector<std::uint8_t> bytes(arguments_.size() * sizeof(UsdtArgument));
    if (!bytes.empty()) std::memcpy(bytes.data(), arguments_.data(), bytes.size());
    return bytes;
  }

  bpf::Reg enter(bpf::Emitter& e, bpf::Reg context, bpf::Label leave) override {
    if (needs().arguments) slot_ = e.stack(16);
    return UprobePrologue::enter(e, context, leave);
  }

  bpf::Reg argument(bpf::Emitter& e, bpf::Reg context, std::uint32_t number) override {
    const bpf::Reg value = e.imm(0);
    if (number >= kUsdtArguments || arguments_.empty()) return value;
    const bpf::Label done = e.label(), extend = e.label();
    const bpf::Reg entry = entry_of(e, number, done);
    const bpf::Reg flags = e.load(1, entry, offsetof(UsdtArgument, flags));
    const bpf::Reg shift = e.load(1, entry, offsetof(UsdtArgument, shift));
    const bpf::Reg size = e.load(1, entry, offsetof(UsdtArgument, size));
    const bpf::Reg scale = e.load(1, entry, offsetof(UsdtArgument, scale));
    const bpf::Reg base = e.load(2, entry, offsetof(UsdtArgument, base));
    const bpf::Reg index = e.load(2, entry, offsetof(UsdtArgument, index));
    e.load_to(value, 8, entry, offsetof(UsdtArgument, value));
    add_register(e, context, base, {}, value);
    add_register(e, context, index, scale, value);
    const bpf::Reg is_memory = e.reg();
    e.mov(is_memory, flags);
    e.alu_imm(bpf::Alu::kAnd, is_memory, UsdtArgument::kMemory);
    e.jump_if_imm(bpf::Cond::kEq, is_memory, 0, extend);
    clear(e);
    // The sizes in the table are 1, 2, 4 and 8; the mask shows the verifier that the helper cannot
    // write beyond the slot of 16 bytes.
    const bpf::Reg bounded = e.held_copy(size);
    e.alu_imm(bpf::Alu::kAnd, bounded, 8 | 7);
    read_user(e.stack_address(slot_), bounded, value);
    e.load_to(value, 8, e.stack_address(slot_), 0);
    e.bind(extend);
    const bpf::Label is_unsigned = e.label();
    // To the top of the register, and back with or without the sign: extends from any size without
    // a branch on the size.
    e.alu(bpf::Alu::kLsh, value, shift);
    e.alu_imm(bpf::Alu::kAnd, flags, UsdtArgument::kSigned);
    e.jump_if_imm(bpf::Cond::kEq, flags, 0, is_unsigned);
    e.alu(bpf::Alu::kArsh, value, shift);
    e.jump(done);
    e.bind(is_unsigned);
    e.alu(bpf::Alu::kRsh, value, shift);
    e.bind(done);
    return value;
  }

  bool argument_reads_user(std::uint32_t number) const override {
    for (std::size_t at = number; at < arguments_.size(); at += kUsdtArguments) {
      if ((arguments_[at].flags & UsdtArgument::kMemory) != 0) return true;
    }
    return false;
  }

 protected:
  bool uses_site_number() const override { return true; }

 private:
  // The site's row of the table, and the argument in it.
  bpf::Reg entry_of(bpf::Emitter& e, std::uint32_t number, bpf::Label none) {
    constexpr auto kRow = static_cast<std::int32_t>(kUsdtArguments * sizeof(UsdtArgument));
    const auto sites = static_cast<std::int32_t>(arguments_.size() / kUsdtArguments);
    const bpf::Reg entry =
        e.map_value({bpf::MapKind::kRodata, 0},
                    own_table_at() + number * static_cast<std::uint32_t>(sizeof(UsdtArgument)));
    const bpf::Reg site = e.held_copy(site_number(e));
    e.jump_if_imm(bpf::Cond::kGe, site, sites, none);
    e.alu_imm(bpf::Alu::kMul, site, kRow);
    e.alu(bpf::Alu::kAdd, entry, site);
    return entry;
  }

  void clear(bpf::Emitter& e) {
    e.store_imm(8, e.stack_address(slot_), 0, 0);
    e.store_imm(8, e.stack_address(slot_), 8, 0);
  }

  // to += the register at `offset`, shifted; nothing when there is none. The context may be read at
  // constant offsets only, but a helper can copy from it as from any kernel memory, at an offset
  // that is computed.
  void add_register(bpf::Emitter& e, bpf::Reg context, bpf::Reg offset, bpf::Reg scale,
                    bpf::Reg to) {
    const bpf::Label none = e.label();
    e.jump_if_imm(bpf::Cond::kEq, offset, UsdtArgument::kNone, none);
    clear(e);
    const bpf::Reg address = e.reg();
    e.mov(address, context);
    e.alu(bpf::Alu::kAdd, address, offset);
    e.call_void(BPF_FUNC_probe_read_kernel, {e.stack_address(slot_), e.imm(8), address});
    const bpf::Reg value = e.load(8, e.stack_address(slot_), 0);
    if (scale.valid()) e.alu(bpf::Alu::kLsh, value, scale);
    e.alu(bpf::Alu::kAdd, to, value);
    e.bind(none);
  }

  const std::vector<UsdtArgument>& arguments_;
  bpf::StackSlot slot_;  // what is read from elsewhere comes here
};

class UsdtProvider : public Provider {
 public:
  UsdtProvider(const types::Catalog& types, OfProcesses processes, std::shared_ptr<Uprobes> uprobes)
      : types_(types),
        traces_(processes.may_start),
        probes_(std::make_unique<UsdtProbes>(std::move(processes))),
        uprobes_(std::move(uprobes)) {}

  std::string_view name() const override { return "usdt"; }
  // Whatever ends with a number, or stands for all of them, and belongs to no other provider. Other
  // providers come first.
  bool owns(std::string_view provider) const override {
    return provider == name() ||
           (provider.size() > 1 && (is_digit(provider.back()) || provider.back() == '*'));
  }
  // A pattern that ends with a letter names no process. The list of all probes has those of the
  // processes that there are.
  bool concerns(const probe::Pattern& pattern) const override {
    const std::string& provider = pattern.provider;
    if (provider.empty()) {
      return !(traces_ && traces_()) && pattern.module.empty() && pattern.function.empty() &&
             pattern.name.empty();
    }
    if (provider.starts_with(':')) return false;
    if (probe::is_literal(provider)) return is_digit(provider.back()) && !is_pid(provider);
    const char last = provider.back();
    return is_digit(last) || last == '*' || last == '?' || last == ']';
  }

  probe::ProviderAttributes attributes() const override {
    using enum probe::Stability;
    using enum probe::DependencyClass;
    return {.provider = {kUnstable, kUnstable, kCommon},
            .module = {kPrivate, kPrivate, kUnknown},
            .function = {kPrivate, kPrivate, kUnknown},
            .name = {kUnstable, kUnstable, kCommon},
            .args = {kUnstable, kUnstable, kCommon}};
  }

  probe::ProviderAttributes attributes_of(std::string_view provider) const override {
    probe::ProviderAttributes all = attributes();
    const std::vector<std::string>* const texts = probes_->stability(provider);
    if (texts == nullptr) return all;
    probe::Attributes* const parts[] = {&all.provider, &all.module, &all.function, &all.name,
                                        &all.args};
    for (std::size_t i = 0; i < std::size(parts) && i < texts->size(); ++i) {
      std::string text = (*texts)[i];
      std::replace(text.begin(), text.end(), ' ', '/');
      if (const auto known = probe::parse_attributes(text)) *parts[i] = *known;
    }
    return all;
  }

  std::vector<probe::Description> list() const override { return {}; }
  bool creates_all() const override { return true; }
  bool is_last_resort() const override { return true; }
  std::vector<probe::Description> create(const probe::Pattern& pattern) const override {
    return probes_->ask(of_all(pattern)).probes;
  }
  std::optional<probe::Refusal> refusal(const probe::Pattern& pattern) const override {
    return probes_->ask(of_all(pattern)).refusal;
  }

  probe::Binding binding(const probe::Description& description) const override {
    const UsdtProbe& probe = probes_->probe(description);
    return {kProgram, probe.key, probe.stem};
  }
  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& description) const override {
    return usdt_arguments(probes_->probe(description), description, types_);
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string&,
                                          const bpf::Machine& machine) const override {
    return std::make_unique<UsdtPrologue>(probes_->table(), probes_->whose(), machine, *uprobes_);
  }
  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    return uprobes_->program_spec(program);
  }
  std::string source(const std::string&) const override {
    return fmt::format("breakpoints where programs have probes ({})", uprobes_->way());
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string&,
                                             std::span<const probe::Probe> probes, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    std::vector<UprobePlace> places;
    for (const probe::Probe& one : probes) {
      const UsdtProbe& probe = probes_->probe(one.description);
      for (const UsdtProbe::Site& site : probe.sites) {
        places.push_back({&one,
                          site.path,
                          probe.pid,
                          {site.offset, uprobe_cookie(probe.key, site.number), site.semaphore}});
      }
    }
    return uprobes_->attach(std::move(places), fd, kernel);
  }

 private:
  // Without a provider, those of every process are meant.
  static probe::Pattern of_all(probe::Pattern pattern) {
    if (pattern.provider.empty()) pattern.provider = "*";
    return pattern;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_pid(std::string_view provider) {
    return provider.starts_with("pid") && is_digit(provider[3]) &&
           provider.find_first_not_of("0123456789", 3) == provider.npos;
  }

  const types::Catalog& types_;
  std::function<bool()> traces_;
  std::unique_ptr<UsdtProbes> probes_;
  std::shared_ptr<Uprobes> uprobes_;
};

}  // namespace

std::unique_ptr<Provider> usdt_provider(const types::Catalog& types, OfProcesses processes,
                                        std::shared_ptr<Uprobes> uprobes) {
  return std::make_unique<UsdtProvider>(types, std::move(processes), std::move(uprobes));
}

}  // namespace dt::provider
