// See usdt_probes.h.

#include "provider/usdt_probes.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <set>

#include "support/check.h"

namespace dt::provider {
namespace {

using symbol::ProcessObject;
using symbol::UsdtNote;
using symbol::UsdtOperand;

// struct pt_regs by the processor's numbers of registers, and its ip.
constexpr std::uint16_t kOffsets[16] = {80, 88, 96, 40, 152, 32, 104, 112,
                                        72, 64, 56, 48, 24,  16, 8,   0};
constexpr std::uint16_t kInstructionPointer = 128;

// "function-entry" for "function__entry".
std::string name_of(const std::string& note) {
  std::string name;
  for (std::size_t i = 0; i < note.size(); ++i) {
    const bool is_dash = note[i] == '_' && i + 1 < note.size() && note[i + 1] == '_';
    name += is_dash ? '-' : note[i];
    i += is_dash ? 1 : 0;
  }
  return name;
}

std::uint16_t offset_of(std::uint8_t number, bool is_high) {
  if (number == UsdtOperand::kNone) return UsdtArgument::kNone;
  return static_cast<std::uint16_t>(kOffsets[number] + (is_high ? 1 : 0));
}

UsdtArgument argument_of(const UsdtOperand& operand, const UsdtNote& note, const Image& image) {
  UsdtArgument out;
  out.size = operand.size;
  out.shift = static_cast<std::uint8_t>(64 - operand.size * 8);
  out.flags = operand.is_signed ? UsdtArgument::kSigned : 0;
  out.scale = static_cast<std::uint8_t>(std::countr_zero(operand.scale));
  switch (operand.kind) {
    case UsdtOperand::Kind::kUnknown:
      break;
    case UsdtOperand::Kind::kConstant:
      out.value = operand.value;
      break;
    case UsdtOperand::Kind::kMemory:
      out.flags |= UsdtArgument::kMemory;
      [[fallthrough]];
    case UsdtOperand::Kind::kRegister:
      out.value = operand.value;
      out.base = offset_of(operand.base, operand.is_high);
      out.index = offset_of(operand.index, false);
      break;
    case UsdtOperand::Kind::kSymbol:
      // As far from the site as in the file.
      if (const auto address = symbol::address_of_object(image.elf(), operand.symbol)) {
        out.flags |= UsdtArgument::kMemory;
        out.base = kInstructionPointer;
        out.value = static_cast<std::int64_t>(*address - note.address) + operand.value;
      }
      break;
  }
  return out;
}

// The ways to take "foo1234" apart: its last digits are a process, but the
// provider's own name may end in a digit.
std::vector<std::int32_t> pids_of(std::string_view provider) {
  std::vector<std::int32_t> pids;
  for (std::size_t at = provider.size(); at > 1; --at) {
    const char c = provider[at - 1];
    if (c < '0' || c > '9') break;
    std::int32_t pid = 0;
    const char* const end = provider.data() + provider.size();
    const auto [stop, failure] = std::from_chars(provider.data() + at - 1, end, pid);
    if (c != '0' && failure == std::errc() && stop == end) pids.push_back(pid);
  }
  return pids;
}

}  // namespace

// What an object's file has of this.
struct UsdtProbes::Object {
  std::unique_ptr<Image> image;  // null when there are no notes
  std::vector<UsdtNote> notes;
  std::map<std::pair<std::string, std::string>, symbol::UsdtTypes> types;  // by provider, name
};

struct UsdtProbes::Search {
  const probe::Pattern& pattern;
  std::int32_t pid = 0;  // the last one that was looked at
  Answer answer;
  std::set<std::string> answered;
  std::set<std::string> pids;  // of all that were looked at
  // What is there instead, for suggestions.
  std::set<std::string> providers, names;
};

UsdtProbes::UsdtProbes(Settle settle) : settle_(std::move(settle)) {}
UsdtProbes::~UsdtProbes() = default;

const UsdtProbe& UsdtProbes::probe(const probe::Description& description) const {
  const auto found = probes_.find(probe::to_string(description));
  DT_CHECK(found != probes_.end(), "{}", probe::to_string(description));
  return found->second;
}

const UsdtProbes::Object* UsdtProbes::object(const ProcessObject& object) {
  std::unique_ptr<Object>& known = objects_[{object.device, object.inode}];
  if (known != nullptr) return known.get();
  known = std::make_unique<Object>();
  const Result<symbol::ElfFile> elf = symbol::ElfFile::open(object.open_path);
  if (!elf.ok() || !elf->has(".note.stapsdt")) return known.get();
  known->notes = symbol::read_usdt_notes(*elf);
  for (symbol::UsdtTypes& one : symbol::read_usdt_types(*elf)) {
    std::pair key(one.provider, one.name);
    known->types.try_emplace(std::move(key), std::move(one));
  }
  Result<std::unique_ptr<Image>> image = Image::open(object);
  if (image.ok())
    known->image = std::move(*image);
  else
    known->notes.clear();
  return known.get();
}

void UsdtProbes::of_note(const ProcessObject& object, const Object& of, const UsdtNote& note,
                         Search& search) {
  const Image& image = *of.image;
  const auto offset = image.elf().offset_of(note.address);
  const symbol::Function* const function = image.functions().at(note.address);
  probe::Description description{fmt::format("{}{}", note.provider, search.pid), object.name,
                                 function == nullptr ? "" : function->name, name_of(note.name)};
  if (!offset || !probe::field_matches(search.pattern.function, description.function)) return;
  search.names.insert(description.name);
  if (!probe::field_matches(search.pattern.name, description.name) || !image.may_break_at(*offset))
    return;
  const std::string text = probe::to_string(description);
  const auto [it, is_new] = probes_.try_emplace(text);
  UsdtProbe& probe = it->second;
  if (is_new) {
    probe.key = static_cast<std::uint32_t>(probes_.size() - 1);
    probe.pid = search.pid;
    probe.path = object.open_path;
    probe.operands = note.operands;
    const auto types = of.types.find({note.provider, note.name});
    if (types != of.types.end()) probe.declared = types->second;
  }
  if (std::none_of(probe.sites.begin(), probe.sites.end(),
                   [&](const UsdtProbe::Site& site) { return site.offset == *offset; })) {
    const auto number = static_cast<std::uint32_t>(table_.size() / kUsdtArguments);
    probe.sites.push_back({*offset, image.elf().offset_of(note.semaphore).value_or(0), number});
    for (const UsdtOperand& operand : note.operands) {
      table_.push_back(argument_of(operand, note, image));
    }
    table_.resize((number + 1) * kUsdtArguments);
  }
  if (search.answered.insert(text).second) search.answer.probes.push_back(std::move(description));
}

void UsdtProbes::of_process(std::int32_t pid, Search& search) {
  const Result<std::vector<ProcessObject>> objects = symbol::objects_of(pid);
  if (!objects.ok()) return;
  search.pid = pid;
  search.pids.insert(fmt::format("{}", pid));
  for (const ProcessObject& one : *objects) {
    const bool is_wanted =
        !search.pattern.module.empty() && probe::is_literal(search.pattern.module)
            ? symbol::is_called(one, search.pattern.module)
            : probe::field_matches(search.pattern.module, one.name);
    if (!is_wanted) continue;
    const Object& known = *object(one);
    for (const UsdtNote& note : known.notes) {
      search.providers.insert(note.provider);
      if (probe::field_matches(search.pattern.provider, fmt::format("{}{}", note.provider, pid))) {
        of_note(one, known, note, search);
      }
    }
  }
}

const UsdtProbes::Answer& UsdtProbes::ask(const probe::Pattern& pattern) {
  const std::string key =
      fmt::format("{}:{}:{}:{}", pattern.provider, pattern.module, pattern.function, pattern.name);
  const auto [it, is_new] = answers_.try_emplace(key);
  if (!is_new) return it->second;
  Search search{pattern, 0, {}, {}, {}, {}, {}};
  if (!probe::is_literal(pattern.provider)) {
    for (const pid_t pid : symbol::all_processes()) {
      if (pid != ::getpid()) of_process(pid, search);
    }
  } else {
    for (const std::int32_t pid : pids_of(pattern.provider)) {
      if (settle_ && !settle_(pid).ok()) continue;
      of_process(pid, search);
    }
    refuse(search);
  }
  it->second = std::move(search.answer);
  return it->second;
}

// Only where the description names a process that there is, by all of its digits.
void UsdtProbes::refuse(Search& search) {
  const std::string_view provider = search.pattern.provider;
  const std::string own(provider.substr(0, provider.find_last_not_of("0123456789") + 1));
  const std::string pid(provider.substr(own.size()));
  if (!search.pids.contains(pid) || !search.answer.probes.empty()) return;
  const bool is_known = search.providers.contains(own);
  std::string all;
  for (const std::string& one : is_known ? search.names : search.providers) {
    all += (all.empty() ? "" : ", ") + one;
  }
  search.answer.refusal =
      probe::Refusal{"D_PROC_USDT",
                     is_known ? fmt::format("provider '{}' of process {} has no probe '{}'", own,
                                            pid, search.pattern.name)
                              : fmt::format("process {} has no provider '{}'", pid, own),
                     all.empty() ? "" : "there are: " + all};
}

}  // namespace dt::provider
