// See pid_probes.h.

#include "provider/user/pid_probes.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>

#include "provider/process/absent_function.h"
#include "provider/user/function_names.h"
#include "provider/user/object_words.h"
#include "support/check.h"
#include "support/integer_text.h"
#include "support/nearest.h"
#include "symbol/code/chosen.h"
#include "symbol/process/object_path.h"

namespace dt::provider {
namespace {

using symbol::Function;
using symbol::ProcessObject;

constexpr std::size_t kMaxProbes = 250'000;  // of one description
constexpr std::string_view kPid = "pid";
constexpr std::string_view kAddress = "-";     // the function whose offsets are addresses
constexpr std::string_view kLinkage = "@plt";  // behind the name of a function of another file

bool is_one(const std::string& field) { return !field.empty() && probe::is_literal(field); }

PidKind entry_of(symbol::CallConvention convention) {
  switch (convention) {
    case symbol::CallConvention::kC:
      return PidKind::kEntry;
    case symbol::CallConvention::kGoRegisters:
      return PidKind::kGoEntry;
    case symbol::CallConvention::kGoStack:
      return PidKind::kGoStackEntry;
  }
  return PidKind::kEntry;
}

// The first result of Go's is where C has its own, unless it is on the stack.
PidKind return_of(symbol::CallConvention convention) {
  return convention == symbol::CallConvention::kGoStack ? PidKind::kGoStackReturn
                                                        : PidKind::kReturn;
}

// The functions that begin where this one does: one function under several names.
std::span<const Function> names_of(const symbol::Functions& functions, const Function& function) {
  const auto [first, last] =
      std::equal_range(functions.all().begin(), functions.all().end(), function,
                       [](const Function& a, const Function& b) { return a.address < b.address; });
  return {first, last};
}

// The one of its names that people say, among those of its kind.
const Function& said(const symbol::Functions& functions, const Function& function) {
  for (const Function& one : names_of(functions, function)) {
    if (one.is_resolver == function.is_resolver && one.size == function.size) return one;
  }
  return function;
}

}  // namespace

// A description, taken apart, and what has been found for it.
struct PidProbes::Search {
  probe::Pattern pattern;  // without what may stand behind the function's name
  std::int32_t pid = 0;
  std::int32_t whose = kItsOwn;
  std::unordered_set<std::string> seen;  // paths of files
  bool entry = false, return_ = false, offsets = false;
  std::optional<std::uint64_t> offset;  // the one that is named

  Answer answer;
  std::unordered_set<std::string> answered;  // functions of one name make one probe
  // What is wrong with the last function.
  probe::Refusal::Code code = probe::Refusal::Code::kCannotProbe;
  std::string why_not;
  std::vector<std::string> aliases = {};  // other names of the function at hand
  bool is_apart = false;                  // functions of one name make several probes
  std::optional<std::uint64_t> at = {};   // the address of the one that is meant

  void refuse(probe::Refusal::Code why, std::string text, std::string hint = {}) {
    answer.refusal = probe::Refusal{why, std::move(text), std::move(hint)};
  }
  void refuse_as_full() {
    refuse(probe::Refusal::Code::kCannotProbe,
           fmt::format("the description has more than {} probes", kMaxProbes),
           "name fewer functions, or entry and return only");
  }
  bool is_full() const { return answer.probes.size() >= kMaxProbes; }
};

std::optional<std::int32_t> pid_of_provider(std::string_view provider) {
  return process_of(provider, kPid);
}

PidProbes::PidProbes(const types::Catalog& types, OfProcesses processes)
    : types_(types), processes_(std::move(processes)) {}
PidProbes::~PidProbes() = default;

const PidProbe& PidProbes::probe(const probe::Description& description) const {
  const auto found = probes_.find(probe::to_string(description));
  DT_CHECK(found != probes_.end(), "{}", probe::to_string(description));
  return found->second;
}

const PidProbes::Answer& PidProbes::ask(const probe::Pattern& pattern) {
  const std::string key =
      fmt::format("{}:{}:{}:{}", pattern.provider, pattern.module, pattern.function, pattern.name);
  const auto [it, is_new] = answers_.try_emplace(key);
  if (is_new) it->second = answer(pattern);
  return it->second;
}

bool PidProbes::demangles() const { return processes_.demangles && processes_.demangles(); }

// An object's file is read once for all processes that have mapped it.
Result<Image*> PidProbes::image(const ProcessObject& object) {
  std::unique_ptr<Image>& known = images_[{object.device, object.inode}];
  if (known == nullptr) {
    DT_ASSIGN(known, Image::open(object));
  }
  return known.get();
}

// "one", or "one@1136" of several functions of that name where each has its own probe.
std::string PidProbes::name_of(const Image& image, const Function& function,
                               const Search& search) const {
  std::string name = shown_function(function, demangles());
  if (!search.is_apart && !search.at) return name;
  const std::vector<const Function*> all = image.functions().named(function.name);
  const bool is_one = std::all_of(all.begin(), all.end(), [&](const Function* other) {
    return other->address == function.address;
  });
  return is_one ? name : fmt::format("{}@{:x}", name, function.address);
}

void PidProbes::add(const ProcessObject& object, const std::string& function, std::string name,
                    PidKind kind, const std::vector<CodeSite>& sites, Search& search) {
  std::string path = symbol::path_of(object);
  if (search.whose != kItsOwn) {
    std::optional<std::string> shared = files_.path(object);
    if (!shared) return;  // with the last process that had it
    path = std::move(*shared);
  }
  probe::Description description{
      search.whose == kEveryones ? fmt::format("{}*", kPid) : fmt::format("{}{}", kPid, search.pid),
      object.name, function, std::move(name)};
  const std::string text = probe::to_string(description);
  const auto [it, is_new] = probes_.try_emplace(text);
  PidProbe& probe = it->second;
  if (is_new) {
    std::vector<std::int32_t>& all = whose_[static_cast<std::size_t>(kind)];
    probe.kind = kind;
    probe.key = static_cast<std::uint32_t>(all.size());
    probe.pid = search.whose == kItsOwn ? search.pid : 0;
    probe.whose = search.whose;
    probe.aliases = search.aliases;
    all.push_back(search.whose);
  }
  for (const CodeSite& site : sites) {
    const auto is_it = [&](const PidProbe::Place& one) {
      return one.site.offset == site.offset && one.path == path;
    };
    if (std::none_of(probe.places.begin(), probe.places.end(), is_it)) {
      const Result<Image*> read = image(object);
      probe.places.push_back({path, site, read.ok() ? (*read)->counter_at(site.offset) : 0});
    }
  }
  if (search.answered.insert(text).second) search.answer.probes.push_back(std::move(description));
}

void PidProbes::of_offsets(const Image& image, const ProcessObject& object,
                           const Function& function, Search& search) {
  const auto all = image.instructions(function);
  if (!all.ok()) {
    search.why_not = all.error().text;
    return;
  }
  for (const machine::Instruction& one : *all) {
    std::string name = fmt::format("{:x}", one.offset);
    if (search.offset ? *search.offset != one.offset
                      : !probe::field_matches(search.pattern.name, name))
      continue;
    if (search.is_full()) return;
    if (one.is_forbidden) {
      search.why_not = fmt::format(
          "no breakpoint may stand on the instruction at offset 0x{} of "
          "'{}'",
          name, function.name);
      continue;
    }
    add(object, name_of(image, function, search), std::move(name), PidKind::kOffset,
        {{function.offset + one.offset, one.offset}}, search);
  }
  if (!search.offset || !search.answer.probes.empty() || !search.why_not.empty()) return;
  if (*search.offset >= function.size) {
    search.code = probe::Refusal::Code::kOutside;
    search.why_not = fmt::format("offset 0x{:x} is outside of '{}', which has 0x{:x} bytes",
                                 *search.offset, function.name, function.size);
    return;
  }
  const auto after = std::upper_bound(
      all->begin(), all->end(), *search.offset,
      [](std::uint64_t value, const machine::Instruction& one) { return value < one.offset; });
  search.code = probe::Refusal::Code::kInsideInstruction;
  search.why_not = fmt::format("offset 0x{:x} of '{}' is inside of the instruction at 0x{:x}",
                               *search.offset, function.name, std::prev(after)->offset);
}

void PidProbes::of_function(const Image& image, const ProcessObject& object,
                            const Function& function, Search& search) {
  if (search.is_full()) return;
  const symbol::CallConvention convention = image.convention(function);
  search.aliases.clear();
  for (const Function& one : names_of(image.functions(), function)) {
    if (one.name != function.name) search.aliases.push_back(one.name);
  }
  if (search.entry) {
    const Result<CodeSite> site = image.entry(function);
    if (site.ok())
      add(object, name_of(image, function, search), "entry", entry_of(convention), {*site}, search);
    else
      search.why_not = site.error().text;
  }
  if (search.return_) {
    const auto sites = image.returns(function);
    if (sites.ok())
      add(object, name_of(image, function, search), "return", return_of(convention), *sites,
          search);
    else
      search.why_not = sites.error().text;
  }
  if (search.offsets) of_offsets(image, object, function, search);
}

void PidProbes::of_linkage(const Image& image, const ProcessObject& object, Search& search) {
  search.return_ = false;
  for (const Function& one : image.linkage()) {
    if (!probe::field_matches(search.pattern.function, one.name)) continue;
    of_function(image, object, one, search);
    if (!search.entry && !search.offsets) search.why_not = no_return_of_linkage(one.name);
  }
}

void PidProbes::of_object(const ProcessObject& object, Search& search) {
  const Result<Image*> read = image(object);
  if (!read.ok()) {
    search.why_not = read.error().text;
    return;
  }
  const symbol::Functions& functions = (*read)->functions();
  if (search.pattern.function.ends_with(kLinkage)) return of_linkage(**read, object, search);
  if (is_one(search.pattern.function)) {
    for (const Function* function : functions.named(search.pattern.function)) {
      if (search.at && *search.at != function->address) continue;
      const auto chosen =
          function->is_resolver && !object.mappings.empty()
              ? symbol::chosen_function(search.pid, object, (*read)->elf(), functions, *function)
              : std::nullopt;
      of_function(**read, object, chosen ? *chosen : said(functions, *function), search);
    }
    return;
  }
  if (search.whose == kEveryones) {
    const std::optional<std::string> path = files_.path(object);
    if (!path || !search.seen.insert(*path).second) return;
  }
  // Of the names of one address that match, what people say; a part that the
  // compiler has set apart is none.
  const Function* last = nullptr;
  for (const Function& function : functions.all()) {
    if (last != nullptr && last->address == function.address) continue;
    if (function.name.ends_with(".cold") || function.is_resolver ||
        !is_function_of(search.pattern.function, function, demangles())) {
      continue;
    }
    last = &function;
    of_function(**read, object, function, search);
  }
}

// Whether there are more functions now.
bool PidProbes::ask_servers(const std::vector<ProcessObject>& objects) {
  bool has_more = false;
  for (const ProcessObject& object : objects) {
    if (processes_.servers == nullptr) break;
    const Result<Image*> read = image(object);
    has_more = (read.ok() && (*read)->complete(*processes_.servers)) || has_more;
  }
  return has_more;
}

// Servers are asked for what could not be known here.
void PidProbes::of_objects(const std::vector<ProcessObject>& objects, Search& search) {
  if (!is_one(search.pattern.function)) ask_servers(objects);
  const auto each = [&] {
    for (const ProcessObject& object : objects) of_object(object, search);
  };
  each();
  if (search.answer.probes.empty() && search.why_not.empty() && ask_servers(objects)) each();
}

// pid1234:a.out:-:401136
void PidProbes::of_address(const std::vector<ProcessObject>& objects, Search& search) {
  if (!search.offset) {
    return search.refuse(probe::Refusal::Code::kNoName, "the function '-' has addresses only",
                         "write a number in hexadecimal");
  }
  for (const ProcessObject& object : objects) {
    for (const symbol::Mapping& mapping : object.mappings) {
      if (*search.offset < mapping.begin || *search.offset >= mapping.end) continue;
      const Result<Image*> read = image(object);
      const Result<CodeSite> site =
          read.ok() ? (*read)->instruction_at(*search.offset - mapping.begin + mapping.file_offset)
                    : Result<CodeSite>(read.error());
      if (!site.ok()) {
        return search.refuse(probe::Refusal::Code::kInsideInstruction,
                             fmt::format("address 0x{:x} of process {}: {}", *search.offset,
                                         search.pid, site.error().text));
      }
      return add(object, std::string(kAddress), fmt::format("{:x}", *search.offset),
                 PidKind::kOffset, {*site}, search);
    }
  }
  search.refuse(
      probe::Refusal::Code::kOutside,
      fmt::format(
          "address 0x{:x} of process {} is not in the code of {}", *search.offset, search.pid,
          search.pattern.module.empty() ? "a file that it has mapped" : search.pattern.module));
}

// The objects of the process that the pattern names; none: refused.
std::vector<ProcessObject> PidProbes::meant_objects(Search& search) {
  const probe::Pattern& pattern = search.pattern;
  const std::int32_t pid = search.pid;
  const std::string failed = fmt::format("failed to grab process {}", pid);
  if (processes_.settle) {
    if (const Status settled = processes_.settle(pid); !settled.ok()) {
      search.refuse(probe::Refusal::Code::kCannotGrab,
                    fmt::format("{}: {}", failed, settled.error().text));
      return {};
    }
  }
  Result<std::vector<ProcessObject>> objects = symbol::objects_of(pid);
  if (!objects.ok()) {
    search.refuse(probe::Refusal::Code::kCannotGrab,
                  fmt::format("{}: {}", failed, std::strerror(objects.error().code)),
                  objects.error().code == EACCES && ::geteuid() != 0
                      ? "trace processes of others as root"
                      : "");
    return {};
  }
  if (objects->empty()) {
    search.refuse(probe::Refusal::Code::kCannotGrab, failed + ": it has no program of its own",
                  "threads of the kernel are traced with other providers");
    return {};
  }
  std::vector<std::string> names;
  for (const ProcessObject& object : *objects) names.push_back(object.name);
  std::erase_if(*objects,
                [&](const ProcessObject& object) { return !is_meant(object, pattern.module); });
  std::vector<ProcessObject> to_come;
  if (objects->empty() && is_one(pattern.module) && probe::is_literal(pattern.provider)) {
    to_come = symbol::objects_to_come(pid, pattern.module);
  }
  if (objects->empty() && processes_.may_come && processes_.may_come()) {
    *objects = std::exchange(to_come, {});
  }
  if (objects->empty()) {
    std::string hint = support::did_you_mean(meant_object(pattern.module, names));
    if (!to_come.empty() && !is_of_c_library(pattern.module))
      hint = fmt::format("-Z traces {} once it is mapped", to_come[0].path);
    if (hint.empty()) hint = objects_text(names);
    search.refuse(probe::Refusal::Code::kNoObject,
                  fmt::format("process {} has not mapped an object '{}'", pid, pattern.module),
                  hint);
    return {};
  }
  return std::move(*objects);
}

PidProbes::Answer PidProbes::answer_of(std::int32_t pid, Search& search) {
  const probe::Pattern& pattern = search.pattern;
  search.pid = pid;
  if (processes_.follows && processes_.follows(pid)) search.whose = pid;
  const std::vector<ProcessObject> objects = meant_objects(search);
  if (objects.empty()) {
    return search.answer;
  }
  if (pattern.function == kAddress) {
    of_address(objects, search);
    return search.answer;
  }
  of_objects(objects, search);
  const auto has_function = [&](const ProcessObject& object) {
    const Result<Image*> read = image(object);
    return read.ok() && !(*read)->functions().named(pattern.function).empty();
  };
  if (search.is_full()) {
    search.answer.probes.clear();
    search.refuse_as_full();
  } else if (!search.answer.probes.empty()) {
    return search.answer;
  } else if (!search.why_not.empty()) {
    search.refuse(search.code, search.why_not);
  } else if (!is_one(pattern.function)) {
    search.answer.refusal = no_match(pattern, hint_for_function(objects, pattern));
  } else if (!probe::is_literal(pattern.name) &&
             std::any_of(objects.begin(), objects.end(), has_function)) {
    search.answer.refusal = no_match(pattern, "");
  } else {
    search.refuse(
        probe::Refusal::Code::kNoFunction,
        fmt::format("{} of process {} has no function '{}'",
                    objects.size() == 1 ? objects[0].name : "no object", pid, pattern.function),
        hint_for_function(objects, pattern));
  }
  return search.answer;
}

// Where the objects have no function of that name.
std::string PidProbes::hint_for_function(const std::vector<ProcessObject>& objects,
                                         const probe::Pattern& pattern) {
  std::set<std::string> names, modules, stripped;
  std::unordered_set<const Image*> seen;
  for (const ProcessObject& object : objects) {
    const Result<Image*> read = image(object);
    if (!read.ok() || !seen.insert(*read).second) continue;
    modules.insert(fmt::format("{}`{}", pattern.provider, object.name));
    if ((*read)->is_stripped()) stripped.insert(object.name);
    for (const Function& one : (*read)->functions().all()) names.insert(one.name);
  }
  std::string hint = is_one(pattern.function)
                         ? hint_for_absent(pattern.function, names, types_, modules)
                         : std::string();
  if (hint.empty() && stripped.size() == 1 && is_one(pattern.module)) {
    hint = fmt::format(
        "{} is stripped: only functions that it exports have names here; a debug "
        "package or DEBUGINFOD_URLS has the others",
        *stripped.begin());
  }
  return hint;
}

PidProbes::Answer PidProbes::answer(const probe::Pattern& pattern) {
  if (means_all(pattern.provider, kPid) && names_file(pattern.module)) {
    return answer_of_file(pattern);
  }
  if (!probe::is_literal(pattern.provider)) {
    const bool lasts = processes_.may_start && processes_.may_start();
    // What is an address in one process is something else in another.
    const bool is_shared =
        lasts && means_all(pattern.provider, kPid) && pattern.function != kAddress;
    return is_shared ? answer_of_all(pattern) : answer_of_each(pattern);
  }
  Search search = take_apart(pattern);
  if (search.answer.refusal) return search.answer;
  const std::optional<std::int32_t> pid = pid_of_provider(pattern.provider);
  if (!pid) {
    search.refuse(probe::Refusal::Code::kNotAProcess,
                  fmt::format("provider '{}' does not name a process", pattern.provider));
    search.answer.refusal->subject = kPid;
    return search.answer;
  }
  return answer_of(*pid, search);
}

// pid*:/usr/bin/sort:main:entry: the file at that path, for every process that maps it, now or
// later.
PidProbes::Answer PidProbes::answer_of_file(const probe::Pattern& wanted) {
  Search search = take_apart(wanted);
  if (search.answer.refusal) return search.answer;
  const probe::Pattern& pattern = search.pattern;
  search.whose = kEveryones;
  const std::optional<ProcessObject> object = symbol::object_at(pattern.module);
  if (!object) {
    search.refuse(probe::Refusal::Code::kNoObject,
                  fmt::format("'{}' is no ELF file that can be read", pattern.module));
    return search.answer;
  }
  of_objects({*object}, search);
  if (search.is_full()) {
    search.answer.probes.clear();
    search.refuse_as_full();
  } else if (search.answer.probes.empty() && !search.why_not.empty()) {
    search.refuse(search.code, search.why_not);
  } else if (search.answer.probes.empty() && is_one(pattern.function)) {
    search.refuse(probe::Refusal::Code::kNoFunction,
                  fmt::format("{} has no function '{}'", pattern.module, pattern.function),
                  hint_for_function({*object}, pattern));
  } else if (search.answer.probes.empty()) {
    search.refuse(
        probe::Refusal::Code::kNoFunction,
        fmt::format("{} has no function that matches '{}'", pattern.module, pattern.function),
        hint_for_function({*object}, pattern));
  }
  return search.answer;
}

// The files that processes have mapped, and with -Z those that they may map later, for
// every process that maps them as long as we trace.
PidProbes::Answer PidProbes::answer_of_all(const probe::Pattern& wanted) {
  Search search = take_apart(wanted);
  if (search.answer.refusal) return search.answer;
  const probe::Pattern& pattern = search.pattern;
  search.whose = kEveryones;
  std::vector<ProcessObject> meant;
  for (const pid_t pid : seen_.processes()) {
    if (pid == ::getpid() || (processes_.settle && !processes_.settle(pid).ok())) continue;
    search.pid = pid;
    std::vector<ProcessObject> objects;
    std::copy_if(seen_.of(pid).begin(), seen_.of(pid).end(), std::back_inserter(objects),
                 [&](const ProcessObject& object) { return is_meant(object, pattern.module); });
    of_objects(objects, search);
    if (is_one(pattern.module))
      std::move(objects.begin(), objects.end(), std::back_inserter(meant));
  }
  const bool may_come = processes_.may_come && processes_.may_come();
  const bool is_none = search.answer.probes.empty() && search.why_not.empty();
  std::vector<ProcessObject> to_come;
  if (is_one(pattern.module) && (may_come || is_none)) {
    to_come = seen_.to_come(::getpid(), pattern.module);
  }
  if (may_come) {
    of_objects(to_come, search);
  } else if (is_none) {
    std::string hint;
    if (meant.empty() && !to_come.empty()) {
      hint = fmt::format("no process has mapped '{}'; -Z traces {} once it is mapped",
                         pattern.module, to_come[0].path);
    } else if (!meant.empty() && is_one(pattern.function)) {
      const std::string near = hint_for_function(meant, pattern);
      hint = fmt::format("no '{}' of a process has a function '{}'{}", pattern.module,
                         pattern.function, near.empty() ? "" : "; " + near);
    }
    if (!hint.empty()) search.answer.refusal = no_match(pattern, std::move(hint));
  }
  if (!search.is_full()) return search.answer;
  search.answer.probes.clear();
  search.refuse_as_full();
  return search.answer;
}

// Each process that has what the description names; ourselves left out, as what we
// do for a probe would make it fire again.
PidProbes::Answer PidProbes::answer_of_each(const probe::Pattern& pattern) {
  Answer all;
  for (const pid_t pid : symbol::all_processes()) {
    if (pid == ::getpid() || !probe::glob_match(pattern.provider, fmt::format("{}{}", kPid, pid))) {
      continue;
    }
    Search search = take_apart(pattern);
    if (search.answer.refusal) return search.answer;
    Answer one = answer_of(pid, search);
    std::move(one.probes.begin(), one.probes.end(), std::back_inserter(all.probes));
  }
  return all;
}

PidProbes::Search PidProbes::take_apart(const probe::Pattern& pattern) {
  Search search{
      pattern, 0, kItsOwn, {}, false, false, false, {}, {}, {}, probe::Refusal::Code::kCannotProbe,
      {}};
  // one@*, one@1136; a symbol has no such character here.
  if (const std::size_t mark = pattern.function.rfind('@'); mark != std::string::npos) {
    const std::string behind = pattern.function.substr(mark + 1);
    search.is_apart = behind == "*";
    if (!search.is_apart) search.at = support::hexadecimal(behind);
    if (search.is_apart || search.at) search.pattern.function.resize(mark);
  }
  search.entry = probe::field_matches(pattern.name, "entry");
  search.return_ = probe::field_matches(pattern.name, "return");
  search.offsets = !is_one(pattern.name);
  if (search.offsets || search.entry || search.return_) return search;
  search.offsets = true;
  search.offset = support::hexadecimal(pattern.name);
  if (!search.offset) {
    search.refuse(probe::Refusal::Code::kNoName,
                  fmt::format("'{}' is no probe of a function; there are entry, return and "
                              "offsets in hexadecimal",
                              pattern.name),
                  support::did_you_mean(support::nearest(pattern.name, {"entry", "return"})));
  }
  return search;
}

}  // namespace dt::provider
