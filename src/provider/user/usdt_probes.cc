// See usdt_probes.h.

#include "provider/user/usdt_probes.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <set>

#include "machine/x86_64/registers.h"
#include "record/schema.h"
#include "support/check.h"
#include "support/whole_number.h"
#include "symbol/process/object_path.h"
#include "symbol/process/programs_to_come.h"

namespace dt::provider {
namespace {

// Of several processes each: a record tells them apart by a few bits.
constexpr std::size_t kMaxProviders = record::kMaxStems / 2;
constexpr std::string_view kNotes = ".note.stapsdt";

using symbol::ProcessObject;
using symbol::UsdtNote;
using symbol::UsdtOperand;

std::uint16_t offset_of(std::uint8_t number, bool is_high) {
  if (number == UsdtOperand::kNone) return UsdtArgument::kNone;
  return static_cast<std::uint16_t>(machine::kSavedByEncoding.at(number) + (is_high ? 1 : 0));
}

// An operand becomes a few numbers that one piece of code interprets for all sites: value + [base]
// + [index] << scale, then perhaps a read of that address, then an extension by the shift. The
// site's number finds them; generating code for each site would make a program of thousands of
// branches.
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
      // As far from the site as in the file: the distance of two places of one file is the same in
      // memory, so the program counter at the site is a base for the address of a variable.
      if (const auto address = symbol::address_of_object(image.elf(), operand.symbol)) {
        out.flags |= UsdtArgument::kMemory;
        out.base = machine::kSavedIp;
        out.value = static_cast<std::int64_t>(*address - note.address) + operand.value;
      }
      break;
  }
  return out;
}

// The ways to take "foo1234" apart: its last digits are a process, but the provider's own name may
// end in a digit. "python31234" can be python3 in process 1234, or python31 in 234, and so on: all
// are tried.
std::vector<std::int32_t> pids_of(std::string_view provider) {
  std::vector<std::int32_t> pids;
  for (std::size_t at = provider.size(); at > 1; --at) {
    const char c = provider[at - 1];
    if (c < '0' || c > '9') break;
    const auto pid = support::whole_number<std::int32_t>(std::string_view(provider).substr(at - 1));
    if (c != '0' && pid) pids.push_back(*pid);
  }
  return pids;
}

// Whether a provider of that name, with a number behind it, can match as far as the pattern has no
// special characters. This comparison excludes most notes before their whole names are made.
bool may_match(std::string_view pattern, std::string_view stem) {
  const std::string_view fixed = pattern.substr(0, pattern.find_first_of("*?[\\"));
  const std::size_t both = std::min(fixed.size(), stem.size());
  return fixed.substr(0, both) == stem.substr(0, both);
}

// `all` in the order that a provider declares for args[]: `probe done(req_t *r, int n) : (int n,
// req_t *r)`. Other DTraces give arg0, arg1, ... in this order, too.
template <typename T>
std::vector<T> in_declared_order(const std::vector<T>& all, const symbol::UsdtTypes& types) {
  if (types.has_none) return {};
  if (types.translated.empty()) return all;
  std::vector<T> out;
  for (const auto& [source, type] : types.translated) {
    out.push_back(source < all.size() ? all[source] : T());
  }
  return out;
}

}  // namespace

// What an object's file has of this.
struct UsdtProbes::Object {
  std::vector<UsdtNote> notes;
  std::map<std::pair<std::string, std::string>, symbol::UsdtTypes> types;  // by provider, name

  void put_in_declared_order() {
    for (UsdtNote& note : notes) {
      const auto declared = types.find({note.provider, note.name});
      if (declared == types.end()) continue;
      note.operands = in_declared_order(note.operands, declared->second);
    }
    for (auto& [name, declared] : types) {
      declared.arguments = in_declared_order(declared.arguments, declared);
      std::uint32_t next = 0;
      for (auto& [source, type] : declared.translated) source = next++;
    }
  }

  // With all functions of the file, whose names take far longer to read than its notes: for a probe
  // that is asked for. nullptr: it cannot be read.
  const Image* image(const ProcessObject& object) const {
    if (image_ == nullptr && unreadable_ != object.open_path) {
      Result<std::unique_ptr<Image>> image = Image::open(object);
      if (image.ok()) {
        image_ = std::move(*image);
      } else {
        unreadable_ = object.open_path;
      }
    }
    return image_.get();
  }

 private:
  mutable std::unique_ptr<Image> image_;
  mutable std::string unreadable_;  // the path by which it could not be opened
};

struct UsdtProbes::Search {
  explicit Search(const probe::Pattern& description) : pattern(description) {}

  const probe::Pattern& pattern;
  bool is_literal = false;       // it names a process
  bool is_lasting = false;       // processes that start later count
  std::int32_t pid = 0;          // the last one that was looked at
  std::int32_t whose = kItsOwn;  // the firings of what is made
  Answer answer;
  std::set<std::string> answered;
  std::set<std::string> pids;  // of all that were looked at
  // What is there instead, for suggestions.
  std::set<std::string> providers, names;
  std::string to_come;  // what -Z would trace
  std::string why_not;  // what is wrong with the last note that cannot be used
  std::optional<probe::Refusal> too_many;
};

UsdtProbes::UsdtProbes(OfProcesses processes) : processes_(std::move(processes)) {}
UsdtProbes::~UsdtProbes() = default;

const std::vector<std::string>* UsdtProbes::stability(std::string_view provider) const {
  const auto found = stability_.find(std::string(provider));
  return found == stability_.end() ? nullptr : &found->second;
}

const UsdtProbe& UsdtProbes::probe(const probe::Description& description) const {
  const auto found = probes_.find(probe::to_string(description));
  DT_CHECK(found != probes_.end(), "{}", probe::to_string(description));
  return found->second;
}

// Known by device and inode: a library's notes are read once, however many processes have mapped
// it.
const UsdtProbes::Object* UsdtProbes::object(const ProcessObject& object) {
  static const Object kGone;
  std::unique_ptr<Object>& known = objects_[{object.device, object.inode}];
  if (known != nullptr) return known.get();
  const Result<symbol::ElfFile> elf = symbol::ElfFile::open(symbol::path_of(object));
  if (!elf.ok()) {  // perhaps with this process only
    unreadable_ = elf.error().text;
    return &kGone;
  }
  known = std::make_unique<Object>();
  if (!elf->has(kNotes)) return known.get();
  known->notes = symbol::read_usdt_notes(*elf);
  for (symbol::UsdtTypes& one : symbol::read_usdt_types(*elf)) {
    std::pair key(one.provider, one.name);
    known->types.try_emplace(std::move(key), std::move(one));
  }
  known->put_in_declared_order();
  return known.get();
}

// The probe of a note, made when there is none yet.
UsdtProbe& UsdtProbes::make(const probe::Description& description, const Object& of,
                            const UsdtNote& note, Search& search) {
  const auto [it, is_new] = probes_.try_emplace(probe::to_string(description));
  UsdtProbe& probe = it->second;
  if (!is_new) return probe;
  probe.key = static_cast<std::uint32_t>(probes_.size() - 1);
  probe.pid = search.whose == kItsOwn ? search.pid : 0;
  if (search.whose != kItsOwn) {
    probe.stem = note.provider;
    stems_.insert(note.provider);
    if (stems_.size() > kMaxProviders) {
      search.too_many = probe::Refusal{
          probe::Refusal::Code::kCannotProbe,
          fmt::format("more than {} providers of several processes are asked for", kMaxProviders),
          "name fewer"};
    }
  }
  probe.operands = note.operands;
  const auto types = of.types.find({note.provider, note.name});
  if (types != of.types.end()) {
    probe.declared = types->second;
    if (!types->second.stability.empty()) {
      stability_.insert_or_assign(description.provider, types->second.stability);
    }
  }
  whose_.push_back(search.whose);
  return probe;
}

void UsdtProbes::of_note(const ProcessObject& object, const Object& of, const UsdtNote& note,
                         Search& search) {
  const std::string name = symbol::usdt_name(note.name);
  if (search.pattern.function.empty() && !probe::field_matches(search.pattern.name, name)) {
    search.names.insert(name);
    return;
  }
  if (of.image(object) == nullptr) return;
  const Image& image = *of.image(object);
  const symbol::Function* const function = image.functions().at(note.address);
  const std::string number = search.whose == kEveryones ? "*" : fmt::format("{}", search.pid);
  probe::Description description{note.provider + number, object.name,
                                 function == nullptr ? "" : function->name, name};
  if (!probe::field_matches(search.pattern.function, description.function)) return;
  search.names.insert(description.name);
  if (!probe::field_matches(search.pattern.name, description.name)) return;
  const Result<std::uint64_t> offset = image.usdt_site(note);
  if (!offset.ok()) {
    search.why_not = fmt::format("{}`{}:{}: {}", object.name, note.provider, description.name,
                                 offset.error().text);
    return;
  }
  const std::optional<std::string> path =
      search.whose == kItsOwn ? symbol::path_of(object) : files_.path(object);
  if (!path) return;  // it has gone with its process
  UsdtProbe& probe = make(description, of, note, search);
  if (std::none_of(probe.sites.begin(), probe.sites.end(), [&](const UsdtProbe::Site& site) {
        return site.offset == *offset && site.path == *path;
      })) {
    const auto number_of_site = static_cast<std::uint32_t>(table_.size() / kUsdtArguments);
    probe.sites.push_back(
        {*path, *offset, image.elf().offset_of(note.semaphore).value_or(0), number_of_site});
    for (const UsdtOperand& operand : note.operands) {
      table_.push_back(argument_of(operand, note, image));
    }
    table_.resize((number_of_site + 1) * kUsdtArguments);
  }
  if (search.answered.insert(probe::to_string(description)).second) {
    search.answer.probes.push_back(std::move(description));
  }
}

// Each note is compared with the pattern: its provider, and the processes that are meant.
void UsdtProbes::of_object(const ProcessObject& object, Search& search) {
  if (!is_meant(object, search.pattern.module)) return;
  const Object& known = *this->object(object);
  const std::string& pattern = search.pattern.provider;
  for (const UsdtNote& note : known.notes) {
    search.providers.insert(note.provider);
    if (!may_match(pattern, note.provider)) continue;
    if (search.is_lasting && means_all(pattern, note.provider)) {
      search.whose = kEveryones;
      of_note(object, known, note, search);
    } else if (search.pid != 0 &&
               probe::field_matches(pattern, fmt::format("{}{}", note.provider, search.pid))) {
      const bool follows = processes_.follows && processes_.follows(search.pid);
      search.whose = follows ? search.pid : kItsOwn;
      of_note(object, known, note, search);
    }
  }
}

void UsdtProbes::of_process(std::int32_t pid, const std::vector<ProcessObject>& objects,
                            Search& search) {
  search.pid = pid;
  search.pids.insert(fmt::format("{}", pid));
  for (const ProcessObject& one : objects) of_object(one, search);
  if (search.is_literal && search.answer.probes.empty()) of_objects_to_come(pid, search);
}

// What the process, or with 0 any, may map later of what the description names, with -Z.
void UsdtProbes::of_objects_to_come(std::int32_t pid, Search& search) {
  of_kept_objects(pid, search);
  const std::string& module = search.pattern.module;
  if (module.empty() || !probe::is_literal(module)) return;
  const std::vector<ProcessObject>& to_come = seen_.to_come(pid == 0 ? ::getpid() : pid, module);
  search.pid = pid;
  if (processes_.may_come && processes_.may_come()) {
    for (const ProcessObject& one : to_come) of_object(one, search);
  } else if (!to_come.empty()) {
    search.to_come = to_come[0].path;
  }
}

// Whether it has such probes of the provider that is asked for.
bool UsdtProbes::may_mean(const ProcessObject& object, const Search& search) {
  if (!is_meant(object, search.pattern.module)) return false;
  const std::vector<UsdtNote>& notes = this->object(object)->notes;
  const std::string& pattern = search.pattern.provider;
  return std::any_of(notes.begin(), notes.end(), [&](const UsdtNote& note) {
    return probe::field_matches(search.pattern.name, symbol::usdt_name(note.name)) &&
           ((search.is_lasting && means_all(pattern, note.provider)) ||
            (search.pid != 0 &&
             probe::field_matches(pattern, fmt::format("{}{}", note.provider, search.pid))));
  });
}

// Of probes that are made at run time, what processes have made before is known.
void UsdtProbes::of_kept_objects(std::int32_t pid, Search& search) {
  search.pid = pid;
  for (const ProcessObject& one : seen_.kept(pid == 0 ? ::getpid() : pid)) {
    if (!may_mean(one, search)) continue;
    if (processes_.may_come && processes_.may_come()) {
      of_object(one, search);
    } else if (search.to_come.empty()) {
      search.to_come = one.path;
    }
  }
}

// Begins to look for them, while the processes are looked at.
void UsdtProbes::expect_programs_to_come() {
  if (programs_to_come_ || found_programs_) return;
  found_programs_ = support::beside([] { return symbol::programs_to_come(kNotes); });
}

void UsdtProbes::of_programs_to_come(Search& search) {
  if (!programs_to_come_) {
    programs_to_come_ =
        found_programs_ ? found_programs_->take() : symbol::programs_to_come(kNotes);
  }
  for (const ProcessObject& one : *programs_to_come_) {
    if (may_mean(one, search)) of_object(one, search);
  }
}

// Those that there are now, and as far as the pattern means all, those that start later.
void UsdtProbes::of_all(Search& search) {
  search.is_lasting = processes_.may_start && processes_.may_start();
  const bool has_programs = search.is_lasting && search.pattern.module.empty() &&
                            processes_.may_come && processes_.may_come();
  if (has_programs) expect_programs_to_come();
  for (const pid_t pid : seen_.processes()) {
    if (pid == ::getpid() || (processes_.settle && !processes_.settle(pid).ok())) continue;
    of_process(pid, seen_.of(pid), search);
  }
  if (!search.is_lasting) return;
  of_objects_to_come(0, search);
  if (has_programs) of_programs_to_come(search);
  if (!search.answer.probes.empty() || search.to_come.empty()) return;
  search.answer.refusal =
      no_match(search.pattern, fmt::format("-Z traces {} once it is mapped", search.to_come));
}

// The file at a path, for every process that maps it, now or later.
void UsdtProbes::of_file(Search& search) {
  const std::string& path = search.pattern.module;
  const std::optional<ProcessObject> object = symbol::object_at(path);
  search.is_lasting = true;
  if (object) of_object(*object, search);
  if (!search.answer.probes.empty()) return;
  std::string there;
  for (const UsdtNote& note : object ? this->object(*object)->notes : std::vector<UsdtNote>()) {
    const std::string one = fmt::format("{}:{}", note.provider, note.name);
    constexpr std::size_t kMostText = 300;
    if (there.find(one) != std::string::npos || there.size() > kMostText) continue;
    there += (there.empty() ? "" : ", ") + one;
  }
  search.answer.refusal =
      probe::Refusal{probe::Refusal::Code::kNotBuiltIn,
                     !search.why_not.empty() ? search.why_not
                     : !object ? fmt::format("'{}' is no ELF file that can be read", path)
                               : fmt::format("{} has no probe '{}'", path, search.pattern.name),
                     there.empty() ? "" : "there are: " + there};
}

// Each description is answered once and the answer kept: the catalogue asks for the same one
// several times (to match, to explain, to suggest), and processes may change in between.
const UsdtProbes::Answer& UsdtProbes::ask(const probe::Pattern& pattern) {
  const std::string key =
      fmt::format("{}:{}:{}:{}", pattern.provider, pattern.module, pattern.function, pattern.name);
  const auto [it, is_new] = answers_.try_emplace(key);
  if (!is_new) return it->second;
  Search search{pattern};
  search.is_literal = probe::is_literal(pattern.provider);
  if (!search.is_literal && names_file(pattern.module)) {
    of_file(search);
  } else if (!search.is_literal) {
    of_all(search);
  } else {
    for (const std::int32_t pid : pids_of(pattern.provider)) {
      if (processes_.settle && !processes_.settle(pid).ok()) continue;
      const Result<std::vector<ProcessObject>> objects = symbol::objects_of(pid);
      if (objects.ok()) of_process(pid, *objects, search);
    }
    refuse(search);
  }
  it->second = search.too_many ? Answer{{}, std::move(search.too_many)} : std::move(search.answer);
  return it->second;
}

// Only where the description names a process that there is, by all of its digits.
void UsdtProbes::refuse(Search& search) {
  const std::string_view provider = search.pattern.provider;
  const std::string own(provider.substr(0, provider.find_last_not_of("0123456789") + 1));
  const std::string pid(provider.substr(own.size()));
  if (!search.pids.contains(pid) || !search.answer.probes.empty()) return;
  if (!search.why_not.empty()) {
    search.answer.refusal = probe::Refusal{probe::Refusal::Code::kNotBuiltIn, search.why_not, ""};
    return;
  }
  const bool is_known = search.providers.contains(own);
  std::string all;
  for (const std::string& one : is_known ? search.names : search.providers) {
    all += (all.empty() ? "" : ", ") + one;
  }
  search.answer.refusal = probe::Refusal{
      probe::Refusal::Code::kNotBuiltIn,
      is_known ? fmt::format("provider '{}' of process {} has no probe '{}'", own, pid,
                             search.pattern.name)
               : fmt::format("process {} has no provider '{}'", pid, own),
      !search.to_come.empty() ? fmt::format("-Z traces {} once it is mapped", search.to_come)
      : all.empty()           ? unreadable_
                              : "there are: " + all};
}

}  // namespace dt::provider
