// The fbt provider: entry and return of the kernel's functions.
//
//   fbt:vmlinux:vfs_read:entry     arg0... = the arguments
//   fbt:vmlinux:vfs_read:return    arg1 = what it returns; arg0 = 0: where in the
//                                  function it returned is not known
//
// Three mechanisms serve them. plan() chooses by what this kernel can do, found by
// trying, and by how many probes there are:
//
//   fentry   a program of its own for each probe, called by the function through a
//            trampoline: the cheapest firing, and nothing is missed. For a few.
//   multi    one program for all on a link of functions (kprobe.multi): thousands
//            attach at once. The cookie is the key.
//   kprobe   one program for all, on a breakpoint for each: removing one takes a
//            tenth of a second. For what nothing else can serve.
//
// What the kernel hands them:
//
//   fentry, fexit   u64 ctx[] = { arguments..., return value (fexit) }
//   multi, kprobe   struct pt_regs
//
// Numbers are registers, as the compiler left them: of an int the upper half is not
// defined. args[] have types and show what the function sees.
//
// A program that is interrupted by itself on its CPU is not run; the kernel counts
// that by program (before 6.7 not for multi and kprobe). What it could not hand to a
// link is counted by link since 6.7: Attachment::lost().

#include <linux/bpf.h>

#include <algorithm>
#include <array>
#include <map>

#include "kernel/insn.h"
#include "provider/mechanism/functions.h"
#include "provider/mechanism/kprobe.h"
#include "provider/mechanism/parameter_names.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/tracepoint.h"
#include "provider/mechanism/trampoline.h"
#include "support/check.h"

namespace dt::provider {
namespace {

using enum kernel::Feature;

constexpr std::string_view kEntry = "entry", kReturn = "return";
constexpr std::array<std::string_view, 2> kNames = {kEntry, kReturn};  // as they are listed
constexpr const char* kName = "fbt";

// Up to so many probes have a program each; more go on one link. Each takes 60 to
// 140 ms to detach before Linux 7. Of a few more the first still have.
constexpr std::size_t kFewProbes = 4, kFewMore = 8, kFewWithoutLinks = 16;
// Without such links, so many at most: each takes about 100 ms to detach.
constexpr std::size_t kMostWithoutLinks = 250;
// So many names at most, and otherwise addresses, which take reading.
constexpr std::size_t kMostNames = 64;

enum class Way : std::uint8_t { kFentry, kMulti, kKprobe, kNone };

// What a program's name says: "fbt:fentry:vmlinux:vfs_read:entry", "fbt:multi:return".
struct Served {
  Way way = Way::kNone;
  std::string module, function;  // kFentry
  bool is_return = false;
};

constexpr std::array<std::string_view, 4> kWayNames = {"fentry", "multi", "kprobe", "none"};

std::string program_name(const Served& served) {
  const std::string_view way = kWayNames[static_cast<std::size_t>(served.way)];
  const std::string_view name = served.is_return ? kReturn : kEntry;
  if (served.way != Way::kFentry) return fmt::format("{}:{}:{}", kName, way, name);
  return fmt::format("{}:{}:{}:{}:{}", kName, way, served.module, served.function, name);
}

Served parse_program(std::string_view program) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t colon = program.find(':');
    fields.push_back(program.substr(0, colon));
    if (colon == program.npos) break;
    program.remove_prefix(colon + 1);
  }
  DT_CHECK(fields.size() == 3 || fields.size() == 5, "{} fields", fields.size());
  Served served;
  served.way = static_cast<Way>(std::find(kWayNames.begin(), kWayNames.end(), fields[1]) -
                                kWayNames.begin());
  if (fields.size() == 5) {
    served.module = fields[2];
    served.function = fields[3];
  }
  served.is_return = fields.back() == kReturn;
  return served;
}

types::Tag tag_of(const types::Type& type) {
  switch (type.kind) {
    case types::Kind::kStruct:
      return types::Tag::kStruct;
    case types::Kind::kUnion:
      return types::Tag::kUnion;
    case types::Kind::kEnum:
      return types::Tag::kEnum;
    default:
      return types::Tag::kNone;
  }
}

// What BTF says of a function.
struct Prototype {
  std::vector<types::TypeId> parameters;
  types::TypeId result;
};

// The keys of the probes on one link.
struct Keys {
  std::uint32_t count = 0;    // that plan() has given
  bool is_generated = false;  // there is code
  bool are_asked = false;     // by that code, for which probe has fired
  bool are_needed() const { return are_asked || !is_generated; }
};

class LinkPrologue : public RegistersPrologue {
 public:
  // `keys` must outlive it.
  LinkPrologue(bool is_return, Keys& keys)
      : RegistersPrologue(is_return, keys.count), keys_(keys) {}

  bool prepare(const Needs& needs) override {
    keys_.is_generated = true;
    keys_.are_asked = keys_.are_asked || needs.key;
    return RegistersPrologue::prepare(needs);
  }

 private:
  Keys& keys_;
};

class FbtProvider : public Provider {
 public:
  FbtProvider(const types::Catalog& types, std::shared_ptr<KernelFunctions> functions)
      : types_(types), functions_(std::move(functions)) {}

  std::string_view name() const override { return kName; }
  bool may_have(std::string_view name) const override { return name == kEntry || name == kReturn; }
  probe::ProviderAttributes attributes() const override {
    return tracepoint_attributes(probe::Stability::kPrivate);
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> probes;
    const std::vector<KernelFunction>& functions = functions_->list();
    const bool is_limited = only_trampolines();
    probes.reserve(functions.size() * kNames.size());
    for (const KernelFunction& one : functions) {
      if (is_limited && (one.count != 1 || types_.function_number(one.name, one.module) == 0)) {
        continue;
      }
      for (const std::string_view name : kNames) probes.push_back(description(one, name));
    }
    return probes;
  }

  std::optional<std::uint32_t> places() const override {
    const FunctionTable& table = functions_->table();
    if (only_trampolines()) return std::nullopt;
    return static_cast<std::uint32_t>(table.all().size() * kNames.size());
  }

  std::optional<std::vector<Placed>> list_of(const probe::Pattern& pattern) const override {
    if (pattern.function.empty() || !probe::is_literal(pattern.function)) return std::nullopt;
    const FunctionTable& table = functions_->table();
    if (only_trampolines()) return std::nullopt;
    std::vector<Placed> found;
    for (const std::uint32_t at : table.named(pattern.function)) {
      for (std::uint32_t i = 0; i < kNames.size(); ++i) {
        const auto place = static_cast<std::uint32_t>(at * kNames.size() + i);
        found.emplace_back(place, description(table.all()[at], kNames[i]));
      }
    }
    return found;
  }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (pattern.provider == kName) return functions_->error();
    // "vfs_read", "vfs_read:entry": it is known by its type, too.
    const std::string& function = pattern.function.empty() ? pattern.name : pattern.function;
    const bool may_be =
        pattern.provider.empty() && pattern.module.empty() && !functions_->error().empty();
    if (may_be && function.find_first_of("*?[") != function.npos &&
        function.find('-') == function.npos) {
      return fmt::format("functions of the kernel, as fbt::{}:entry, are not looked for: {}",
                         function, functions_->error());
    }
    const bool is_meant = may_be && prototype_of("vmlinux", function);
    return is_meant ? fmt::format("{} is a function of the kernel, fbt::{}:entry, but {}", function,
                                  function, functions_->error())
                    : std::string();
  }

  // What plan() is for.
  probe::Binding binding(const probe::Description&) const override { return {kName, 0}; }

  void plan(std::span<probe::Probe* const> enabled) const override;

  std::optional<std::vector<probe::Argument>> arguments(
      const probe::Description& probe) const override {
    const std::optional<Prototype> prototype = prototype_of(probe.module, probe.function);
    if (!prototype) return std::nullopt;
    std::vector<probe::Argument> arguments;
    if (probe.name == kEntry) {
      for (const types::TypeId type : prototype->parameters) {
        arguments.push_back(named(type, probe.module));
      }
    } else {
      arguments.push_back({"int"});
      if (types_.resolved(prototype->result).kind != types::Kind::kVoid) {
        arguments.push_back(named(prototype->result, probe.module));
      }
    }
    return arguments;
  }

  std::vector<std::string> argument_names(const probe::Description& probe) const override {
    return probe.name == kEntry ? parameter_names(types_, probe.function, probe.module)
                                : std::vector<std::string>();
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string& program,
                                          const bpf::Machine&) const override {
    const Served served = parse_program(program);
    if (served.way != Way::kFentry) {
      return std::make_unique<LinkPrologue>(served.is_return, keys_[program]);
    }
    const std::optional<Prototype> prototype = prototype_of(served.module, served.function);
    return std::make_unique<TrampolinePrologue>(served.is_return,
                                                prototype ? prototype->parameters.size() : 0);
  }

  bool runs_under_locks(const std::string&) const override { return true; }

  Result<kernel::ProgramSpec> program_spec(const std::string& program) const override {
    const Served served = parse_program(program);
    kernel::ProgramSpec spec;
    spec.name = "dt_fbt";
    spec.type = BPF_PROG_TYPE_KPROBE;
    switch (served.way) {
      case Way::kFentry:
        return trampoline_program(served);
      case Way::kMulti:
        spec.expected_attach = BPF_TRACE_KPROBE_MULTI;
        return spec;
      case Way::kKprobe:
        return spec;
      case Way::kNone:
        break;
    }
    return no_way();
  }

  std::string source(const std::string& program) const override {
    if (program == kName) return "chosen when all that is enabled is known";
    const Served served = parse_program(program);
    switch (served.way) {
      case Way::kFentry:
        return (served.is_return ? "fexit of " : "fentry of ") + served.function;
      case Way::kMulti:
        return served.is_return ? "kprobe.multi at the return" : "kprobe.multi";
      case Way::kKprobe:
        return served.is_return ? "kretprobe" : "kprobe";
      case Way::kNone:
        break;
    }
    return "nothing: " + no_way().text;
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                             std::span<const probe::Probe> probes, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    const Served served = parse_program(program);
    auto links = std::make_unique<FunctionLinks>(kernel, served.way != Way::kFentry);
    if (served.way == Way::kFentry) {
      DT_ASSIGN(Fd link, kernel.attach_raw_tracepoint("", fd));
      links->add(std::move(link));
    } else if (served.way == Way::kMulti) {
      kernel::FunctionSet set;
      set.at_return = served.is_return;
      DT_TRY(collect(probes, keys_[program].are_needed(), set));
      DT_ASSIGN(Fd link, kernel.attach_functions(set, fd));
      links->add(std::move(link));
    } else {
      DT_TRY(attach_singly(probes, served.is_return, fd, kernel, *links));
    }
    return std::unique_ptr<Attachment>(std::move(links));
  }

 private:
  static probe::Description description(const KernelFunction& function, std::string_view name) {
    return {kName, std::string(function.module), std::string(function.name), std::string(name)};
  }

  // Then what BTF does not know, or knows several of, is no probe.
  bool only_trampolines() const {
    return !functions_->has(kKprobeMulti) && !functions_->has(kKprobe);
  }

  // What only a module knows is named with it: "struct ext4`ext4_inode_info *".
  probe::Argument named(types::TypeId id, const std::string& module) const {
    std::string text = types_.name(id);
    types::TypeId inner = id;
    while (types_.at(inner).kind == types::Kind::kPointer) inner = types_.at(inner).target;
    const types::Type& type = types_.at(inner);
    const types::Tag tag = tag_of(type);
    if (module != "vmlinux" && !type.name.empty() && !types_.find(tag, type.name) &&
        types_.find(tag, type.name, module)) {
      text.insert(text.find(type.name), module + "`");
    }
    return {std::move(text), false};
  }

  // nullopt where BTF does not know the function, or where an argument is more
  // than a register.
  std::optional<Prototype> prototype_of(const std::string& module,
                                        const std::string& function) const {
    const auto object = types_.find_object(function, module);
    if (!object) return std::nullopt;
    const types::Type& type = types_.resolved(object->type);
    if (type.kind != types::Kind::kFunction || type.is_variadic) return std::nullopt;
    Prototype prototype;
    prototype.result = type.target;
    for (const types::Member& parameter : type.members)
      prototype.parameters.push_back(parameter.type);
    const auto is_word = [this](types::TypeId id) {
      const types::Kind kind = types_.head(id).kind;
      return (kind == types::Kind::kInt || kind == types::Kind::kEnum ||
              kind == types::Kind::kPointer) &&
             types_.size_of(id) <= 8;
    };
    const bool returns_word =
        types_.head(prototype.result).kind == types::Kind::kVoid || is_word(prototype.result);
    const bool takes_words =
        std::all_of(prototype.parameters.begin(), prototype.parameters.end(), is_word);
    return takes_words && returns_word ? std::optional(std::move(prototype)) : std::nullopt;
  }

  Result<kernel::ProgramSpec> trampoline_program(const Served& served) const {
    kernel::ProgramSpec spec;
    spec.name = "dt_fbt";
    spec.type = BPF_PROG_TYPE_TRACING;
    spec.expected_attach = served.is_return ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY;
    spec.attach_btf_id = types_.function_number(served.function, served.module);
    spec.attach_module = served.module;
    return spec;
  }

  // Whether the kernel accepts a program that does what ours would.
  bool can_have_trampoline(const Served& served) const {
    const KernelFunction* const function = functions_->find(served.module, served.function);
    if (function == nullptr || function->count != 1 ||
        types_.function_number(served.function, served.module) == 0 ||
        !prototype_of(served.module, served.function)) {
      return false;
    }
    namespace insn = kernel::insn;
    const std::array<bpf_insn, 7> entry = {insn::store_imm(BPF_DW, 10, -8, 0),
                                           insn::mov_imm(2, 0),
                                           insn::mov(3, 10),
                                           insn::alu_imm(BPF_ADD, 3, -8),
                                           insn::call(BPF_FUNC_get_func_arg),
                                           insn::mov_imm(0, 0),
                                           insn::exit()};
    const std::array<bpf_insn, 6> end = {
        insn::store_imm(BPF_DW, 10, -8, 0), insn::mov(2, 10),    insn::alu_imm(BPF_ADD, 2, -8),
        insn::call(BPF_FUNC_get_func_ret),  insn::mov_imm(0, 0), insn::exit()};
    const auto body = served.is_return ? std::span<const bpf_insn>(end) : std::span(entry);
    const auto spec = trampoline_program(served);
    return spec.ok() && functions_->kernel().load_program(*spec, body, false).ok();
  }

  Way choose(const Served& wanted, bool few) const {
    if (few && functions_->has(kFentry) && can_have_trampoline(wanted)) return Way::kFentry;
    if (functions_->has(kKprobeMulti)) return Way::kMulti;
    if (functions_->has(kKprobe)) return Way::kKprobe;
    return functions_->has(kFentry) && can_have_trampoline(wanted) ? Way::kFentry : Way::kNone;
  }

  // Why a program of Way::kNone is none.
  Error no_way() const {
    return {
        fmt::format("these are more than {} probes of fbt, and this kernel can only attach them "
                    "one by one: {}",
                    kMostWithoutLinks, functions_->way(kKprobeMulti).error().text),
        0, "name fewer functions", ""};
  }

  const KernelFunction& function_of(const probe::Probe& probe) const {
    const probe::Description& names = probe.description;
    const KernelFunction* const function = functions_->find(names.module, names.function);
    DT_CHECK(function != nullptr, "{}", probe::to_string(names));
    return *function;
  }

  Status collect(std::span<const probe::Probe> probes, bool with_keys,
                 kernel::FunctionSet& set) const {
    const auto is_unique = [this](const probe::Probe& probe) {
      return functions_->is_unique(function_of(probe));
    };
    if (probes.size() <= kMostNames && std::all_of(probes.begin(), probes.end(), is_unique)) {
      for (const probe::Probe& probe : probes) {
        set.symbols.push_back(probe.description.function);
        if (with_keys) set.cookies.push_back(probe.binding.key);
      }
      return {};
    }
    for (const probe::Probe& probe : probes) {
      const KernelFunction& function = function_of(probe);
      std::vector<std::uint64_t> addresses = function.places();
      if (addresses.empty()) {
        DT_ASSIGN(addresses, functions_->addresses(function));
      }
      set.addresses.insert(set.addresses.end(), addresses.begin(), addresses.end());
      if (with_keys) set.cookies.resize(set.addresses.size(), probe.binding.key);
    }
    // Only with cookies need the addresses be those of symbols.
    const bool are_places = function_of(probes.front()).place != 0;
    return are_places && with_keys ? functions_->find_symbols(set.addresses) : Status();
  }

  Status attach_singly(std::span<const probe::Probe> probes, bool is_return, const Fd& fd,
                       kernel::Kernel& kernel, FunctionLinks& links) const {
    for (const probe::Probe& probe : probes) {
      const KernelFunction& function = function_of(probe);
      std::vector<kernel::CodePlace> places;
      if (function.count == 1) {
        const bool is_own = function.module == "vmlinux";
        places.push_back({is_own ? std::string(function.name)
                                 : fmt::format("{}:{}", function.module, function.name),
                          0, is_return});
      } else {
        DT_ASSIGN(const std::vector<std::uint64_t> addresses, functions_->addresses(function));
        for (const std::uint64_t address : addresses) places.push_back({"", address, is_return});
      }
      for (const kernel::CodePlace& place : places) {
        DT_ASSIGN(Fd link, kernel.attach_code(place, probe.binding.key, fd));
        links.add(std::move(link));
      }
    }
    return {};
  }

  const types::Catalog& types_;
  std::shared_ptr<KernelFunctions> functions_;
  mutable std::map<std::string, Keys> keys_;  // by program
};

void FbtProvider::plan(std::span<probe::Probe* const> enabled) const {
  const std::size_t with_own = enabled.size() <= kFewMore ? kFewProbes : 0;
  const bool only_few = enabled.size() <= kFewWithoutLinks && !functions_->has(kKprobeMulti);
  const bool too_many = enabled.size() > kMostWithoutLinks && !functions_->has(kKprobeMulti);
  keys_.clear();
  for (std::size_t i = 0; i < enabled.size(); ++i) {
    probe::Probe* const probe = enabled[i];
    Served served;
    served.module = probe->description.module;
    served.function = probe->description.function;
    served.is_return = probe->description.name == kReturn;
    served.way = too_many ? Way::kNone : choose(served, only_few || i < with_own);
    probe->binding.program = program_name(served);
    probe->binding.key = keys_[probe->binding.program].count++;
  }
}

}  // namespace

std::unique_ptr<Provider> fbt_provider(const types::Catalog& types,
                                       std::shared_ptr<KernelFunctions> functions) {
  return std::make_unique<FbtProvider>(types, std::move(functions));
}

}  // namespace dt::provider
