// See probes.h.

#include "stap/events/probes.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "probe/given_arguments.h"
#include "stap/events/call_names.h"
#include "stap/events/whose.h"
#include "stap/meaning/handlers.h"

namespace dt::stap {

namespace {

// Of a number; anything else is as wide as a register.
void set_width(ProbeInfo::Argument& argument, const types::Catalog& types) {
  std::string_view name = argument.type;
  std::string_view module;
  constexpr std::string_view kEnum = "enum ";
  const types::Tag tag = name.starts_with(kEnum) ? types::Tag::kEnum : types::Tag::kNone;
  if (tag == types::Tag::kEnum) name.remove_prefix(kEnum.size());
  if (const std::size_t tick = name.rfind('`'); tick != std::string_view::npos) {
    module = name.substr(0, tick);
    name.remove_prefix(tick + 1);
  }
  if (name.empty() || name.ends_with('*')) return;
  const auto found = types.find(tag, name, module);
  if (!found) return;
  const types::Type& type = types.head(*found);
  if (type.kind != types::Kind::kInt && type.kind != types::Kind::kEnum) return;
  argument.bytes = type.size;
  argument.is_signed = type.is_signed;
}

// A text that a system call is given. Some are declared as if they were written to.
bool is_input(std::string_view call, std::string_view type) {
  const bool is_path_of = call == "mount" || call == "umount" || call == "umount2" ||
                          call == "utime" || call == "utimes";
  return type == "const char *" || (is_path_of && type == "char *");
}

// pid1234
bool is_of_code(const probe::Description& what) {
  constexpr std::string_view kPid = "pid";
  return what.provider.starts_with(kPid) &&
         what.provider.find_first_not_of("0123456789", kPid.size()) == std::string::npos;
}

// The number of the pattern of aliases that has made the handler; 0: none has.
std::uint32_t pattern_of(const Handler& handler) {
  for (const Handler::Choice& choice : handler.choices) {
    if (choice.point == kOfPattern && !handler.alias.empty()) return choice.list;
  }
  return 0;
}

}  // namespace

bool is_syscall(EventKind kind) {
  return kind == EventKind::kSyscallEntry || kind == EventKind::kSyscallReturn;
}

std::vector<ProbeInfo> EventProbes::probes_of(const Event& event) const {
  std::vector<ProbeInfo> out;
  for (const probe::Probe& one : world_.probes.match(event.pattern)) {
    // A wildcard for the provider of a process also finds pid probes of functions and instructions.
    if (event.kind == EventKind::kMark && is_of_code(one.description)) continue;
    ProbeInfo made{one.id, one.description, one.binding.key, {}, {}};
    // The arguments of a system call are known of its entry, also at its return.
    probe::Probe of = one;
    if (event.kind == EventKind::kSyscallReturn) {
      probe::Pattern entry = event.pattern;
      entry.function = one.description.function;
      entry.name = "entry";
      const std::vector<probe::Probe> found = world_.probes.match(entry);
      if (!found.empty()) of = found.front();
    }
    const auto types = world_.probes.arguments(of);
    std::vector<std::string> names = names_ ? names_(of) : std::vector<std::string>();
    const std::size_t count = types ? types->size() : names.size();
    names.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string type = types ? (*types)[i].type : "";
      const bool is_text = is_syscall(event.kind) && is_input(of.description.function, type);
      const bool is_userland = types && (*types)[i].userland;
      ProbeInfo::Argument argument{names[i], type, 0, false, is_text, is_userland};
      if (!is_syscall(event.kind)) set_width(argument, world_.types);
      made.arguments.push_back(std::move(argument));
    }
    if (event.kind == EventKind::kFunctionReturn && made.arguments.size() > 1) {
      made.result = made.arguments[1].type;
    }
    out.push_back(std::move(made));
  }
  return out;
}

void EventProbes::report_absent(const Event& event, Messages& messages) const {
  const auto refusal = world_.probes.refusal(event.pattern);
  std::string text = refusal ? refusal->text : "no match";
  std::string similar;
  constexpr std::size_t kMost = 3;
  for (const auto& one : world_.probes.near(event.pattern, refusal ? 0 : kMost)) {
    const bool is_named = one.provider == event.pattern.provider;
    const std::string& name = event.pattern.function.empty() ? one.name : one.function;
    if (is_named) similar += fmt::format("{}{}", similar.empty() ? "" : ", ", name);
  }
  if (!similar.empty()) text += fmt::format(" (similar: {})", similar);
  const std::string hint = refusal ? refusal->hint : world_.probes.why_not(event.pattern);
  messages.semantic_error(fmt::format("while resolving probe point: {}", text), event.span, hint);
}

bool EventProbes::is_there(const Handler& handler) const {
  return std::any_of(handler.events.begin(), handler.events.end(),
                     [&](const Event& event) { return !of(event).empty(); });
}

bool EventProbes::find(Program& program, Messages& messages) {
  std::map<std::uint32_t, std::uint32_t> enough;  // list -> its first sufficient point
  for (const Handler& handler : program.handlers) {
    bool is_there = handler.kind != HandlerKind::kEvent;
    for (const Event& event : handler.events) {
      const auto& found = all_[&event] = probes_of(event);
      is_there = is_there || !found.empty();
    }
    for (const Handler::Choice& choice : handler.choices) {
      if (choice.is_sufficient && is_there) enough.emplace(choice.list, choice.point);
    }
  }
  std::erase_if(program.handlers, [&](const Handler& handler) {
    return std::any_of(handler.choices.begin(), handler.choices.end(),
                       [&](const Handler::Choice& choice) {
                         const auto at = enough.find(choice.list);
                         return at != enough.end() && at->second < choice.point;
                       });
  });
  std::set<std::uint32_t> patterns;  // of which something is there, or what is not was reported
  for (const Handler& handler : program.handlers) {
    if (handler.events.empty() || is_there(handler)) patterns.insert(pattern_of(handler));
  }
  patterns.erase(0);
  bool is_good = true;
  for (const Handler& handler : program.handlers) {
    for (const Event& event : handler.events) {
      const std::string cannot = check_whose(event, world_.types);
      if (!cannot.empty()) messages.semantic_error(cannot, event.span);
      is_good = is_good && cannot.empty();
      const bool is_choice =
          std::any_of(handler.choices.begin(), handler.choices.end(),
                      [](const Handler::Choice& choice) { return choice.is_sufficient; });
      const bool is_other = event.is_alternative && is_there(handler);
      if (!of(event).empty() || event.is_optional || is_choice || is_other) continue;
      const std::uint32_t pattern = pattern_of(handler);
      if (patterns.contains(pattern)) continue;
      report_absent(event, messages);
      if (pattern != 0) patterns.insert(pattern);
      is_good = false;
      if (event.is_alternative) break;  // the others would say the same
    }
  }
  // Of an optional point that is not there nothing is left, and nothing in its handler is checked.
  std::erase_if(program.handlers, [&](const Handler& handler) {
    return is_good && !handler.events.empty() &&
           std::all_of(handler.events.begin(), handler.events.end(),
                       [&](const Event& event) { return of(event).empty(); });
  });
  return is_good;
}

const std::vector<ProbeInfo>& EventProbes::of(const Event& event) const { return all_.at(&event); }

Event EventProbes::entry_of(const Event& event) {
  Event out = event;
  out.kind = event.kind == EventKind::kSyscallReturn ? EventKind::kSyscallEntry
                                                     : EventKind::kFunctionEntry;
  out.pattern.name = "entry";
  out.is_optional = true;
  return out;
}

// Those of the functions whose returns are probed, and no others.
void EventProbes::set_entry(const Event& entry, const Event& event) {
  std::vector<ProbeInfo> all;
  for (ProbeInfo& one : probes_of(entry)) {
    const bool is_meant =
        std::any_of(of(event).begin(), of(event).end(), [&](const ProbeInfo& other) {
          return other.description.function == one.description.function &&
                 other.description.module == one.description.module;
        });
    if (is_meant) all.push_back(std::move(one));
  }
  all_[&entry] = std::move(all);
}

std::vector<ProbeInfo::Argument> EventProbes::arguments_at_entry(const Event& event,
                                                                 const ProbeInfo& probe) const {
  Event entry = entry_of(event);
  entry.pattern.function = probe.description.function;
  const std::vector<ProbeInfo> found = probes_of(entry);
  return found.empty() ? std::vector<ProbeInfo::Argument>() : found.front().arguments;
}

int EventProbes::argument(const ProbeInfo& probe, const std::string& name) {
  const auto find = [&](std::string_view wanted) {
    for (std::size_t i = 0; i < probe.arguments.size() && !wanted.empty(); ++i) {
      if (probe.arguments[i].name == wanted) return static_cast<int>(i);
    }
    return -1;
  };
  const int found = find(name);
  if (found >= 0 || probe.description.provider != "syscall") return found;
  return find(kernel_name_of(probe.description.function, name));
}

int EventProbes::shown_argument(const ProbeInfo& probe, const std::string& name) {
  constexpr std::string_view kShown = "_str";
  if (probe.description.provider != "syscall" || argument(probe, name) >= 0) return -1;
  if (name == "sig_name") return argument(probe, "sig");
  if (!name.ends_with(kShown)) return -1;
  return argument(probe, name.substr(0, name.size() - kShown.size()));
}

bool changes_registers(const ProbeInfo& probe) {
  return !probe::keeps_arguments(probe.description.function);
}

Type EventProbes::provided(const Handler& handler, const std::string& name) const {
  for (const Event& event : handler.events) {
    if (!is_syscall(event.kind)) continue;
    if (name == "name" || name == "argstr") return Type::kString;
    if (name == "syscall_nr") return Type::kLong;
    if (event.kind == EventKind::kSyscallReturn) {
      if (name == "retstr") return Type::kString;
      if (name == "retval") return Type::kLong;
    }
    for (const ProbeInfo& probe : of(event)) {
      if (shown_argument(probe, name) >= 0) return Type::kString;
      const int which = argument(probe, name);
      if (which < 0) continue;
      const bool is_text = probe.arguments[static_cast<std::size_t>(which)].is_text;
      return is_text && !name.ends_with("_uaddr") ? Type::kString : Type::kLong;
    }
  }
  return Type::kUnknown;
}

Width width_of(const ProbeInfo::Argument& argument) {
  const std::string &type = argument.type, &name = argument.name;
  if (argument.bytes != 0) return {std::min<std::uint32_t>(argument.bytes, 8), argument.is_signed};
  // -1 says "none" of descriptors and "as it is" of owners, whatever sign the type has.
  constexpr std::string_view kDescriptors[] = {"fd",    "dfd",    "newdfd", "olddfd",
                                               "fd_in", "fd_out", "fildes"};
  const bool is_descriptor =
      std::find(std::begin(kDescriptors), std::end(kDescriptors), name) != std::end(kDescriptors);
  if (type.find('*') != std::string::npos) return {};  // pipe2(int *fildes), too
  if (is_descriptor || type == "uid_t" || type == "gid_t") return {4, true};
  constexpr std::string_view kSigned[] = {"int",     "pid_t",        "key_t", "clockid_t",
                                          "timer_t", "key_serial_t", "s32",   "mqd_t",
                                          "rwf_t",   "const int",    "enum"};
  constexpr std::string_view kUnsigned[] = {"unsigned int", "u32", "__u32", "qid_t", "uint32_t"};
  if (std::find(std::begin(kSigned), std::end(kSigned), type) != std::end(kSigned)) {
    return {4, true};
  }
  if (std::find(std::begin(kUnsigned), std::end(kUnsigned), type) != std::end(kUnsigned)) {
    return {4, false};
  }
  if (type == "umode_t" || type == "unsigned short" || type == "u16") {
    return {2, false};
  }
  if (type == "bool" || type == "u8" || type == "unsigned char") {
    return {1, false};
  }
  return {};
}

std::int64_t typed(std::int64_t raw, const ProbeInfo::Argument& argument) {
  const Width width = width_of(argument);
  constexpr std::uint32_t kBits = 8, kWord = 8;
  const std::uint32_t unused = (kWord - width.bytes) * kBits;
  const std::uint64_t high = static_cast<std::uint64_t>(raw) << unused;
  return width.is_signed ? static_cast<std::int64_t>(high) >> unused
                         : static_cast<std::int64_t>(high >> unused);
}

}  // namespace dt::stap
