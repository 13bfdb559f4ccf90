// See probes.h.

#include "stap/events/probes.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "machine/x86_64/calls.h"
#include "probe/given_arguments.h"
#include "probe/pattern.h"
#include "stap/events/absent_names.h"
#include "stap/events/absent_points.h"
#include "stap/events/call_names.h"
#include "stap/events/target.h"
#include "stap/events/whose.h"
#include "stap/meaning/handlers.h"
#include "symbol/elf/demangle.h"

namespace dt::stap {

namespace {

constexpr std::string_view kDigits = "0123456789";

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

// The number at the end of a provider's name. A name may have digits of its own: app2 and 1234.
std::string process_of(const Event& event, const std::string& provider) {
  const std::string known = std::to_string(event.code_of);
  return event.code_of != 0 && provider.ends_with(known)
             ? known
             : provider.substr(provider.find_last_not_of(kDigits) + 1);
}

// The file of the code of a probe; empty: that of a library of one process, which is not looked
// for.
ProgramCode code_of(const Event& event, const ProbeInfo& probe) {
  const probe::Description& what = probe.description;
  ProgramCode out{what.module, what.function, event.code_address, event.inlined};
  out.is_from_begin = event.kind == EventKind::kFunctionReturn;
  if (what.module.starts_with('/')) return out;
  const bool is_program = event.pattern.module == "a.out" && !probe.process.empty();
  out.program = is_program ? fmt::format("/proc/{}/exe", probe.process) : "";
  return out;
}

// What has the types of the program. A mark has a provider of its own.
std::string types_of(const ProbeInfo& probe) {
  const std::string& module = probe.description.module;
  const bool is_path = module.starts_with('/');
  return fmt::format("pid{}`{}", is_path && probe.process.empty() ? "*" : probe.process, module);
}

// A register has it, or the stack above the address that is returned to.
void place_argument(std::size_t number, ProgramVariable& out) {
  constexpr auto& kRegisters = machine::kFunctionArguments;
  const bool has_register = number < kRegisters.size();
  out.where = has_register ? ProgramVariable::Where::kRegister : ProgramVariable::Where::kMemory;
  out.number = (has_register ? kRegisters[number] : machine::kSavedSp) / machine::kSavedWordBytes;
  out.offset = has_register ? 0 : machine::stack_argument(number);
}

// prog.c is each path that ends so.
bool is_file(std::string_view wanted, const std::string& path) {
  const std::string last = path.substr(path.rfind('/') + 1);
  return probe::glob_match(std::string(wanted), path) ||
         probe::glob_match(std::string(wanted), last) || path.ends_with(fmt::format("/{}", wanted));
}

// pid1234, pid*
bool is_of_code(const probe::Description& what) {
  constexpr std::string_view kPid = "pid";
  return what.provider.starts_with(kPid) &&
         what.provider.find_first_not_of("*0123456789", kPid.size()) == std::string::npos;
}

}  // namespace

// A point of dtrace() has no place in the file that is known.
bool is_statement(const Event& event) {
  return event.kind == EventKind::kRaw && event.code_address != 0;
}

std::vector<ProbeInfo> EventProbes::probes_of(const Event& event) const {
  std::vector<ProbeInfo> out;
  for (const probe::Probe& one : world_.probes.match(event.pattern)) {
    // A wildcard for the provider of a process also finds pid probes of functions and instructions.
    if (event.kind == EventKind::kMark && is_of_code(one.description)) continue;
    ProbeInfo made;
    made.id = one.id;
    made.description = one.description;
    made.process = process_of(event, one.description.provider);
    made.number = one.binding.key;
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
    const bool is_entry = event.kind == EventKind::kFunctionEntry;
    if ((is_entry || event.kind == EventKind::kFunctionReturn) && is_of_code(one.description)) {
      if (!types || !is_entry) set_parameters(event, made);
      if (!types && is_entry) {
        out.push_back(std::move(made));
        continue;
      }
    }
    std::vector<std::string> names = names_ ? names_(of) : std::vector<std::string>();
    const std::size_t count = types ? types->size() : names.size();
    names.resize(count);
    made.has_all_arguments =
        types && (event.kind == EventKind::kMark || event.kind == EventKind::kTracepoint);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string type = types ? (*types)[i].type : "";
      const bool is_text = is_syscall(event.kind) && is_input(of.description.function, type);
      const bool is_userland = types && (*types)[i].userland;
      ProbeInfo::Argument argument{names[i], type, 0, false, is_text, is_userland};
      if (!is_syscall(event.kind)) set_width(argument, world_.types);
      made.arguments.push_back(std::move(argument));
    }
    if (made.structure && made.result_is == ProbeInfo::Result::kNumber) {
      made.arguments.resize(std::max<std::size_t>(made.arguments.size(), 2));
      made.arguments[1] = user_argument(world_.types, "", world_.types.pointer_to(*made.structure));
    }
    if (event.kind == EventKind::kFunctionReturn && made.arguments.size() > 1) {
      made.result = made.arguments[1].type;
    }
    out.push_back(std::move(made));
  }
  return out;
}

std::string source_name(const ProbeInfo& probe) {
  const std::string& name = probe.description.function;
  if (!is_of_code(probe.description)) return name;
  return symbol::source_name(std::string_view(name).substr(0, name.find('@')));
}

std::optional<ProgramFunction> EventProbes::function_of(const Event& event,
                                                        const ProbeInfo& probe) const {
  return variables_.function ? variables_.function(code_of(event, probe)) : std::nullopt;
}

// The type of the function, as its name says it; or else, as of several functions of one name, its
// place. It is asked whether it is C only where that matters.
std::optional<types::TypeId> EventProbes::declared(const Event& event, const ProbeInfo& probe,
                                                   bool& is_c) const {
  const probe::Description& what = probe.description;
  const std::string module = fmt::format("{}`{}", what.provider, what.module);
  const auto object = world_.types.find_object(what.function, module);
  std::optional<types::TypeId> type = object ? std::optional(object->type) : std::nullopt;
  const auto returns_structure = [&](types::TypeId id) {
    const types::Type& function = world_.types.resolved(id);
    if (function.kind != types::Kind::kFunction) return false;
    const types::Kind result = world_.types.head(function.target).kind;
    return result == types::Kind::kStruct || result == types::Kind::kUnion;
  };
  if (type && !returns_structure(*type)) return type;
  const std::optional<ProgramFunction> function = function_of(event, probe);
  if (!function) return type;
  is_c = function->is_c;
  if (!type) type = world_.types.of_entry(function->entry, function->is_shared, module);
  return type;
}

// What a copy is given that the compiler has made for some calls is where the debugging information
// says, and not what the prototype says.
UserParameters EventProbes::parameters_of_copy(const Event& event, const ProbeInfo& probe) const {
  UserParameters out;
  if (!variables_.at) return out;
  constexpr auto& kRegisters = machine::kFunctionArguments;
  for (const ProgramVariable& one : variables_.at(code_of(event, probe))) {
    if (!one.is_parameter) continue;
    out.declared.push_back(one.name);
    const auto type = type_of(one, probe);
    if (!type || one.where != ProgramVariable::Where::kRegister || one.offset != 0) continue;
    for (std::size_t i = 0; i < kRegisters.size(); ++i) {
      if (kRegisters[i] / machine::kSavedWordBytes != one.number) continue;
      if (out.arguments.size() <= i) out.arguments.resize(i + 1);
      out.arguments[i] = user_argument(world_.types, one.name, *type);
    }
  }
  return out;
}

// What is not known stays as it is: without names, and with a result that is a number.
void EventProbes::set_parameters(const Event& event, ProbeInfo& probe) const {
  const std::string& name = probe.description.function;
  const bool is_entry = event.kind == EventKind::kFunctionEntry;
  if (symbol::copy_suffix(name) != std::string::npos) {
    // The result may have been left out, as nothing uses it.
    if (!is_entry) probe.result_is = ProbeInfo::Result::kElsewhere;
    UserParameters known = parameters_of_copy(event, probe);
    if (is_entry) probe.arguments = std::move(known.arguments);
    if (is_entry) probe.declared = std::move(known.declared);
    return;
  }
  bool is_c = false;
  const auto type = declared(event, probe, is_c);
  if (!type || world_.types.resolved(*type).kind != types::Kind::kFunction) return;
  const DeclaredFunction function{world_.types.resolved(*type), is_c};
  if (!is_entry) {
    probe.result_is = user_result(world_.types, function);
    const types::Kind result = world_.types.head(function.type.target).kind;
    if (result == types::Kind::kStruct || result == types::Kind::kUnion) {
      probe.structure = function.type.target;
    }
    return;
  }
  UserParameters known = user_parameters(world_.types, function);
  probe.arguments = std::move(known.arguments);
  probe.declared = std::move(known.declared);
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
      report_absent(world_, program.around.programs, event, messages);
      if (pattern != 0) patterns.insert(pattern);
      is_good = false;
      if (event.is_alternative) break;  // the others would say the same
    }
  }
  // Of an optional point that is not there nothing is left, and nothing in its handler is checked.
  const auto is_absent = [&](const Handler& handler) {
    return is_good && !handler.events.empty() && !is_there(handler);
  };
  std::vector<const Handler*> absent;
  for (const Handler& handler : program.handlers) {
    if (is_absent(handler)) absent.push_back(&handler);
  }
  program.left_out = left_out_points(world_, absent);
  std::erase_if(program.handlers, is_absent);
  return is_good;
}

void EventProbes::move_to_resume(Program& program, const Messages& messages) {
  for (Handler& handler : program.handlers) {
    if (!messages.is_of_library(handler.span)) continue;
    if (!handler.contexts.contains(Fn::ubacktrace) && !handler.contexts.contains(Fn::cmdline_str)) {
      continue;
    }
    for (Event& event : handler.events) {
      if (event.pattern.provider != "sched" || event.pattern.name != "on-cpu") continue;
      Event resumed = event;
      resumed.pattern.name = "resume";
      std::vector<ProbeInfo> found = probes_of(resumed);
      if (found.empty()) continue;
      event.pattern = resumed.pattern;
      set(event, std::move(found));
    }
  }
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

const std::vector<ProgramVariable>& EventProbes::variables(const Event& event,
                                                           const ProbeInfo& probe) const {
  const auto [found, is_new] = at_probes_.try_emplace({probe.id, event.inlined});
  if (!is_new || !variables_.at) return found->second;
  found->second = variables_.at(code_of(event, probe));
  // Where the function begins, its parameters are still in their registers, whatever it does with
  // them then, and it has no variables yet.
  const bool is_entry = event.kind == EventKind::kFunctionEntry;
  const bool is_copy = symbol::copy_suffix(probe.description.function) != std::string::npos;
  if ((!is_entry && event.pattern.name != "0") || !event.inlined.empty() || is_copy) {
    return found->second;
  }
  ProbeInfo entry = probe;
  Event of = event;
  of.kind = EventKind::kFunctionEntry;
  of.code_address = 0;
  set_parameters(of, entry);
  for (ProgramVariable& one : found->second) {
    if (!one.is_parameter && !is_entry) continue;
    one.where = ProgramVariable::Where::kNowhere;
    for (std::size_t i = 0; one.is_parameter && i < entry.arguments.size(); ++i) {
      if (entry.arguments[i].name == one.name) place_argument(i, one);
    }
  }
  return found->second;
}

std::optional<types::TypeId> EventProbes::type_of(const ProgramVariable& variable,
                                                  const ProbeInfo& probe) const {
  if (!variable.type) return std::nullopt;
  return world_.types.of_entry(*variable.type, variable.is_type_shared, types_of(probe));
}

std::string EventProbes::type_text(const ProgramVariable& variable, const ProbeInfo& probe) const {
  const auto type = type_of(variable, probe);
  return type ? source_name(world_.types, *type) : "";
}

const std::vector<std::uint64_t>& EventProbes::sites(const Event& event,
                                                     const ProbeInfo& probe) const {
  const auto [found, is_new] = sites_.try_emplace(probe.id);
  if (is_new && variables_.sites && event.kind == EventKind::kMark) {
    std::string provider = probe.description.provider;
    provider.resize(provider.size() - (provider.ends_with('*') ? 1 : probe.process.size()));
    found->second =
        variables_.sites(code_of(event, probe).program, provider, probe.description.name);
  }
  return found->second;
}

// Those outside of functions, as they are found from the place of the probe; from that of a mark,
// which may be at several places, as the first of them would find them.
std::vector<ProgramVariable> EventProbes::outside(const Event& event, const ProbeInfo& probe,
                                                  const std::string& name,
                                                  std::string& wrong) const {
  if (!variables_.outside) return {};
  ProgramCode code = code_of(event, probe);
  if (event.kind != EventKind::kMark) return variables_.outside(code, name);
  const std::vector<std::uint64_t>& all = sites(event, probe);
  constexpr std::uint64_t kWithinPage = 0xfff;
  std::set<std::uint64_t> within;  // programs are loaded in whole pages
  for (const std::uint64_t one : all) within.insert(one & kWithinPage);
  if (all.empty() || within.size() != all.size()) {
    wrong = fmt::format("'{}' is not found from this mark: {}", name,
                        all.empty() ? "the debugging information of its program is not known"
                                    : "it is at several places that nothing tells apart");
    return {};
  }
  code.address = all.front();
  std::vector<ProgramVariable> out = variables_.outside(code, name);
  for (ProgramVariable& one : out) {
    const bool is_in_memory = one.where == ProgramVariable::Where::kMemory;
    if (all.size() > 1 && is_in_memory) one.number = kMarkSite;
  }
  return out;
}

std::vector<std::string> EventProbes::outside_names(const Event& event,
                                                    const ProbeInfo& probe) const {
  if (!variables_.outside_names) return {};
  return variables_.outside_names(code_of(event, probe).program);
}

// A name of the place is one of the function, or else of what is outside of functions.
VariableAtProbe EventProbes::find_variable(const Event& event, const ProbeInfo& probe,
                                           const std::string& name) const {
  VariableAtProbe out;
  const bool is_outside = name.starts_with('@');
  const std::string bare = is_outside ? name.substr(1, name.find('@', 1) - 1) : name;
  const std::size_t at = is_outside ? name.find('@', 1) : std::string::npos;
  std::vector<ProgramVariable> found;
  std::string names;
  if (!is_outside) {
    for (const ProgramVariable& one : variables(event, probe)) {
      names += fmt::format("{}${}", names.empty() ? "" : ", ", one.name);
      if (one.name == bare) found = {one};
    }
  }
  if (found.empty()) {
    found = outside(event, probe, bare, out.wrong);
    if (!out.wrong.empty()) return out;
    if (at != std::string::npos) {
      std::erase_if(found,
                    [&](const auto& one) { return !is_file(name.substr(at + 1), one.file); });
    }
  }
  if (found.empty()) {
    out.wrong = is_outside
                    ? no_program_variable(name.substr(1), outside_names(event, probe))
                    : fmt::format("unable to find local '{}' at {}{}", name, event.text,
                                  names.empty() ? "" : fmt::format(" (alternatives: {})", names));
  } else if (found.size() > 1) {
    out.wrong = several_variables(bare, probe.description.module, found);
  } else if (found.front().where == ProgramVariable::Where::kNowhere) {
    out.wrong = fmt::format(
        "'{}' is not in memory or a register at {}: it was optimized out, is where it is not read, "
        "or is one of two of that name, as a function that was inlined begins there",
        bare, event.text);
  }
  if (!out.wrong.empty()) return out;
  out.place = found.front();
  const auto type = type_of(out.place, probe);
  if (!type) {
    out.wrong = fmt::format("the type of '{}' is not known", bare);
    return out;
  }
  out.type = *type;
  const types::Type& head = world_.types.head(*type);
  if (head.kind == types::Kind::kInt || head.kind == types::Kind::kEnum) {
    out.width = {std::min<std::uint32_t>(head.size, 8), head.is_signed};
  } else if (head.kind != types::Kind::kPointer &&
             out.place.where == ProgramVariable::Where::kRegister) {
    out.wrong = fmt::format("'{}' is in a register, where a value of '{}' is not read", bare,
                            source_name(world_.types, *type));
  } else if (out.place.where == ProgramVariable::Where::kConstant &&
             head.kind != types::Kind::kPointer) {
    out.wrong = fmt::format("'{}' is a constant that is no number", bare);
  }
  return out;
}

const VariableAtProbe& EventProbes::variable(const Event& event, const ProbeInfo& probe,
                                             const std::string& name) const {
  const auto [found, is_new] = by_name_.try_emplace({probe.id, event.inlined, name});
  if (is_new) found->second = find_variable(event, probe, name);
  return found->second;
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
  return typed(raw, width_of(argument));
}

std::int64_t typed(std::int64_t raw, const Width& width) {
  constexpr std::uint32_t kBits = 8, kWord = 8;
  const std::uint32_t unused = (kWord - width.bytes) * kBits;
  const std::uint64_t high = static_cast<std::uint64_t>(raw) << unused;
  return width.is_signed ? static_cast<std::int64_t>(high) >> unused
                         : static_cast<std::int64_t>(high >> unused);
}

}  // namespace dt::stap
