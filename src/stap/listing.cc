// See listing.h.

#include "stap/listing.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "stap/meaning/contexts.h"
#include "stap/meaning/functions.h"
#include "stap/meaning/types.h"

namespace dt::stap {
namespace {

bool is_return(const Event& event) {
  return event.kind == EventKind::kSyscallReturn || event.kind == EventKind::kFunctionReturn;
}

// process("path"), process(12), with the library where one is meant.
std::string program_of(const Event& event, const ProbeInfo& probe, std::string_view stem) {
  const std::string& module = probe.description.module;
  if (!event.whose.program.empty()) {
    return fmt::format("process(\"{}\").library(\"{}\")", event.whose.program, module);
  }
  if (module.starts_with('/')) return fmt::format("process(\"{}\")", module);
  const std::string pid = probe.description.provider.substr(stem.size());
  const bool is_program = event.pattern.module == "a.out";
  return is_program ? fmt::format("process({})", pid)
                    : fmt::format("process({}).library(\"{}\")", pid, module);
}

std::string mark_of(const Event& event, const ProbeInfo& probe) {
  std::string provider = probe.description.provider;
  provider.resize(provider.find_last_not_of("*0123456789") + 1);
  // A name may end in digits itself; those of a process stand behind it.
  if (probe.description.provider.ends_with('*')) {
    provider = probe.description.provider.substr(0, probe.description.provider.size() - 1);
  }
  std::string name;
  for (const char c : probe.description.name) name += c == '-' ? "__" : std::string(1, c);
  return fmt::format("{}.provider(\"{}\").mark(\"{}\")", program_of(event, probe, provider),
                     provider, name);
}

// name@file:line of one of several of its name.
std::string shown_function(const Event& event, const ProbeInfo& probe, const EventProbes& probes) {
  const std::string& symbol = probe.description.function;
  if (symbol.find('@') == std::string::npos) return symbol;
  const std::string name = source_name(probe);
  const std::optional<ProgramFunction> found = probes.function_of(event, probe);
  if (!found || found->file.empty()) return name;
  return fmt::format("{}@{}:{}", name, found->file, found->line);
}

std::string point_of(const Event& event, const ProbeInfo& probe, const EventProbes& probes) {
  const probe::Description& what = probe.description;
  const std::string suffix = is_return(event) ? ".return" : "";
  if (is_linkage(event) || event.caller.bytes != 0) return event.text;
  if (what.provider == "syscall") {
    const bool is_of_process = event.text.starts_with("process");
    const std::string& name = event.function.empty() ? what.function : event.function;
    return is_of_process ? event.text : fmt::format("syscall.{}{}", name, suffix);
  }
  if (event.kind == EventKind::kTracepoint) {
    return fmt::format("kernel.trace(\"{}:{}\")", what.module, what.name);
  }
  if (what.provider == "fbt") {
    const std::string where =
        what.module == "vmlinux" ? "kernel" : fmt::format("module(\"{}\")", what.module);
    return fmt::format("{}.function(\"{}\"){}", where, what.function, suffix);
  }
  if (event.kind == EventKind::kFunctionEntry || event.kind == EventKind::kFunctionReturn) {
    return fmt::format("{}.function(\"{}\"){}", program_of(event, probe, "pid"),
                       shown_function(event, probe, probes), suffix);
  }
  if (event.kind == EventKind::kMark) return mark_of(event, probe);
  return event.text;
}

// As SystemTap writes it, struct name*, and without the program whose type it is.
std::string shown_type(std::string type) {
  for (std::size_t at = type.find(" *"); at != std::string::npos; at = type.find(" *")) {
    type.erase(at, 1);
  }
  const std::size_t tick = type.rfind('`');
  if (tick == std::string::npos) return type;
  const std::size_t begin = type.rfind(' ', type.find('`'));
  type.erase(begin == std::string::npos ? 0 : begin + 1,
             tick - (begin == std::string::npos ? 0 : begin + 1) + 1);
  return type;
}

std::string variables_of(const Handler& handler, const Event& event, const ProbeInfo& probe,
                         const EventProbes& probes) {
  std::string out;
  const auto add = [&out](std::string_view name, std::string_view type) {
    out += fmt::format(" {}:{}", name, type);
  };
  for (const auto& local : handler.locals) {
    if (local->is_written && !local->name.starts_with("__"))
      add(local->name, type_name(local->type));
  }
  if (is_syscall(event.kind) && handler.alias.empty()) {
    add("name", "string");
    add(event.kind == EventKind::kSyscallReturn ? "retstr" : "argstr", "string");
    for (const ProbeInfo::Argument& one : probe.arguments) {
      const bool is_said = one.name.empty() || one.name == "name";  // of the call, as it is called
      if (event.kind == EventKind::kSyscallEntry && !is_said) {
        add(one.name, one.is_text ? "string" : "long");
      }
    }
  }
  if (is_return(event)) {
    constexpr std::size_t kResult = 1;
    const bool is_typed =
        event.kind == EventKind::kFunctionReturn && probe.arguments.size() > kResult;
    add("$return", is_typed ? shown_type(probe.arguments[kResult].type) : "long");
    return out;
  }
  if (is_statement(event)) {
    for (const ProgramVariable& one : probes.variables(event, probe)) {
      if (!one.name.empty()) add("$" + one.name, shown_type(probes.type_text(one, probe)));
    }
    return out;
  }
  for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
    const ProbeInfo::Argument& one = probe.arguments[i];
    if (event.kind == EventKind::kMark) {
      add(fmt::format("$arg{}", i + 1), one.type.empty() ? "long" : shown_type(one.type));
    } else if (!one.name.empty()) {
      add("$" + one.name, shown_type(one.type));
    }
  }
  return out;
}

void list_points(bool has_variables, const Program& program, const EventProbes& probes,
                 std::set<std::string>& out) {
  for (const Handler& handler : program.handlers) {
    if (handler.is_entry) continue;  // what a return asks of its entry
    if (handler.events.empty()) out.insert(handler.alias.empty() ? handler.text : handler.alias);
    for (const Event& event : handler.events) {
      for (const ProbeInfo& probe : probes.of(event)) {
        std::string line = handler.alias.empty() ? point_of(event, probe, probes) : handler.alias;
        if (has_variables) line += variables_of(handler, event, probe, probes);
        out.insert(std::move(line));
      }
    }
  }
}

std::string_view type_of_letter(char letter) {
  return letter == 'l' ? "long" : letter == 's' ? "string" : "unknown";
}

void list_functions(const Program& program, std::set<std::string>& out) {
  for (std::size_t i = 0; i < function_count(); ++i) {
    const FunctionInfo& one = info(static_cast<Fn>(i));
    std::string parameters;
    int number = 0;
    for (const char c : one.parameters) {
      if (c == '?') continue;
      parameters += fmt::format("{}arg{}:{}", number == 0 ? "" : ", ", number + 1,
                                c == 'x' ? "any" : type_of_letter(c));
      ++number;
    }
    out.insert(fmt::format("{}:{} ({})", one.name, type_of_letter(one.result), parameters));
  }
  for (const auto& one : program.script.functions) {
    if (one->name.starts_with("__")) continue;
    std::string parameters;
    for (std::size_t i = 0; i < one->parameters.size(); ++i) {
      parameters += fmt::format("{}{}:{}", i == 0 ? "" : ", ", one->parameters[i].text,
                                type_name(one->declared[i]));
    }
    out.insert(fmt::format("{}:{} ({})", one->name, type_name(one->result), parameters));
  }
}

constexpr std::string_view kPointTypes[] = {
    "begin",
    "begin(number)",
    "dtrace(string)",
    "end",
    "end(number)",
    "error",
    "error(number)",
    "kernel.function(string)",
    "kernel.function(string).call",
    "kernel.function(string).return",
    "kernel.function(string).return.maxactive(number)",
    "kernel.trace(string)",
    "kprobe.function(string)",
    "kprobe.function(string).return",
    "kprobe.module(string).function(string)",
    "kprobe.module(string).function(string).return",
    "module(string).function(string)",
    "module(string).function(string).call",
    "module(string).function(string).return",
    "never",
    "perf.type(number).config(number)",
    "perf.type(number).config(number).sample(number)",
    "process(number).begin",
    "process(number).end",
    "process(number).function(string)",
    "process(number).function(string).call",
    "process(number).function(string).return",
    "process(number).library(string).function(string)",
    "process(number).library(string).function(string).return",
    "process(number).mark(string)",
    "process(number).plt",
    "process(number).plt(string)",
    "process(number).provider(string).mark(string)",
    "process(number).syscall",
    "process(number).syscall.return",
    "process(number).thread.begin",
    "process(number).thread.end",
    "process(string).begin",
    "process(string).end",
    "process(string).function(string)",
    "process(string).function(string).call",
    "process(string).function(string).callee(string)",
    "process(string).function(string).callee(string).return",
    "process(string).function(string).callees",
    "process(string).function(string).exported",
    "process(string).function(string).inline",
    "process(string).function(string).label(string)",
    "process(string).function(string).return",
    "process(string).library(string).function(string)",
    "process(string).library(string).function(string).return",
    "process(string).library(string).mark(string)",
    "process(string).mark(string)",
    "process(string).plt",
    "process(string).plt(string)",
    "process(string).provider(string).mark(string)",
    "process(string).statement(string)",
    "process(string).statement(string).nearest",
    "process(string).syscall",
    "process(string).syscall.return",
    "process(string).thread.begin",
    "process(string).thread.end",
    "process.begin",
    "process.end",
    "process.function(string)",
    "process.function(string).return",
    "process.library(string).function(string)",
    "process.mark(string)",
    "process.syscall",
    "process.syscall.return",
    "process.thread.begin",
    "process.thread.end",
    "syscall.NAME",
    "syscall.NAME.return",
    "syscall_any",
    "syscall_any.return",
    "timer.hz(number)",
    "timer.jiffies(number)",
    "timer.jiffies(number).randomize(number)",
    "timer.ms(number)",
    "timer.ms(number).randomize(number)",
    "timer.ns(number)",
    "timer.ns(number).randomize(number)",
    "timer.profile",
    "timer.profile.freq.hz(number)",
    "timer.profile.tick",
    "timer.s(number)",
    "timer.s(number).randomize(number)",
    "timer.us(number)",
    "timer.us(number).randomize(number)",
};

}  // namespace

std::string list(Listing what, const Program& program, const EventProbes& probes) {
  std::set<std::string> lines;
  switch (what) {
    case Listing::kNothing:
      break;
    case Listing::kPoints:
    case Listing::kVariables:
      list_points(what == Listing::kVariables, program, probes, lines);
      break;
    case Listing::kAliases:
      for (const std::string& one : program.around.aliases) lines.insert(one);
      break;
    case Listing::kFunctions:
      list_functions(program, lines);
      break;
    case Listing::kTypes:
      lines.insert(std::begin(kPointTypes), std::end(kPointTypes));
      break;
  }
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace dt::stap
