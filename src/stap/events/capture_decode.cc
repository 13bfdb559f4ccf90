// See capture.h: a firing, from the bytes that its clause has recorded.

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "probe/pattern.h"
#include "stap/events/capture.h"
#include "stap/events/capture_leaf.h"
#include "stap/events/context_values.h"
#include "stap/events/origin_values.h"
#include "stap/home/strings.h"
#include "stap/meaning/contexts.h"

namespace dt::stap {
namespace {

// As the program has it: two underscores are a dash in our names.
std::string mark_name(const ProbeInfo& probe) {
  std::string out;
  for (const char c : probe.description.name) out += c == '-' ? "__" : std::string(1, c);
  return out;
}

// Without the process, or the sign for each of them.
std::string provider_name(const ProbeInfo& probe) {
  const std::string& provider = probe.description.provider;
  const std::size_t process = provider.ends_with('*') ? 1 : probe.process.size();
  return provider.substr(0, provider.size() - process);
}

// The point with what its wildcards stand for.
std::string point_text(const Event& event, const ProbeInfo& probe) {
  const bool is_function =
      event.kind == EventKind::kFunctionEntry || event.kind == EventKind::kFunctionReturn;
  const std::string_view component = is_function                            ? ".function(\""
                                     : event.kind == EventKind::kMark       ? ".mark(\""
                                     : event.kind == EventKind::kTracepoint ? ".trace(\""
                                                                            : "";
  const std::size_t found = component.empty() ? std::string::npos : event.text.rfind(component);
  if (found == std::string::npos) return event.text;
  const std::size_t begin = found + component.size(), end = event.text.find('"', begin);
  if (end == std::string::npos || probe::is_literal(event.text.substr(begin, end - begin))) {
    return event.text;
  }
  const std::string name = is_function                      ? source_name(probe)
                           : event.kind == EventKind::kMark ? mark_name(probe)
                                                            : probe.description.name;
  return event.text.substr(0, begin) + name + event.text.substr(end);
}

}  // namespace

std::optional<Value> Capture::field(const Clause& clause, const Field& wanted,
                                    std::span<const std::uint8_t> bytes) const {
  const auto found = std::find(clause.fields.begin(), clause.fields.end(), wanted);
  if (found == clause.fields.end()) return std::nullopt;
  const record::Field& place =
      clause.places[static_cast<std::size_t>(found - clause.fields.begin())];
  const std::uint32_t at = place.offset, size = place.type.size;
  if (at + size > bytes.size()) return std::nullopt;
  Value out;
  if (place.type.kind == record::FieldKind::kString) {
    for (std::size_t i = at; i < at + size && bytes[i] != 0; ++i) {
      out.text += static_cast<char>(bytes[i]);
    }
    const bool is_read = wanted.what != Field::What::kBuiltin;
    if (is_read && out.text == std::string(1, kUnreadable)) return std::nullopt;
    return out;
  }
  if (wanted.what == Field::What::kMemory) {
    if (bytes[at + size - kLeafBytes] == 0) return std::nullopt;
    out.text.assign(reinterpret_cast<const char*>(bytes.data()) + at, wanted.part.bytes);
    return out;
  }
  if (wanted.what == Field::What::kStack || wanted.what == Field::What::kUstack) {
    // A process is named in front of its frames.
    const std::uint32_t first = wanted.what == Field::What::kUstack ? kLeafBytes : 0;
    for (std::uint32_t i = first; i + kLeafBytes <= size; i += kLeafBytes) {
      std::uint64_t frame = 0;
      std::memcpy(&frame, bytes.data() + at + i, kLeafBytes);
      if (frame == 0) break;
      if (out.text.empty()) out.number = static_cast<std::int64_t>(frame);
      out.text += fmt::format("{}{:#x}", out.text.empty() ? "" : " ", frame);
    }
    return out;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + at, std::min<std::size_t>(size, sizeof bits));
  const auto unused = static_cast<std::uint32_t>((sizeof bits - size) * 8);
  out.number = place.type.is_signed ? static_cast<std::int64_t>(bits << unused) >> unused
                                    : static_cast<std::int64_t>(bits);
  return out;
}

std::vector<RecordedArgument> Capture::arguments(const Clause& clause, const ProbeInfo& probe,
                                                 std::span<const std::uint8_t> bytes) const {
  std::vector<RecordedArgument> out;
  for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
    const int number = passed_as(*clause.event, static_cast<int>(i));
    RecordedArgument one;
    if (const auto raw =
            field(clause, {Field::What::kArgument, ir::Builtin::kArg, number, {}, false}, bytes)) {
      one.number = raw->number;
    }
    if (auto text =
            field(clause, {Field::What::kUserText, ir::Builtin::kArg, number, {}, false}, bytes)) {
      one.text = std::move(text->text);
    }
    out.push_back(std::move(one));
  }
  memory(clause, probe, bytes, out);
  return out;
}

// The memory of arguments, up to the first part that is not there.
void Capture::memory(const Clause& clause, const ProbeInfo& probe,
                     std::span<const std::uint8_t> bytes,
                     std::vector<RecordedArgument>& out) const {
  const bool is_return = clause.event->kind == EventKind::kSyscallReturn;
  for (std::size_t i = 0; i < out.size(); ++i) {
    // What is also the address of a result is no longer what the call was given.
    const bool is_result = std::count_if(out.begin(), out.end(), [&](const RecordedArgument& one) {
                             return one.number == out[i].number;
                           }) > 1;
    if (is_return && is_result) continue;
    const int number = passed_as(*clause.event, static_cast<int>(i));
    const std::string& name = probe.arguments[i].name;
    for (const MemoryPart& part : memory_of(probe.description.function, name, is_return)) {
      const auto there = field(clause, memory_field(number, part), bytes);
      if (!there) break;
      out[i].bytes.insert(out[i].bytes.end(), there->text.begin(), there->text.end());
    }
  }
}

Value Capture::provided(const Clause& clause, const ProbeInfo& probe, const std::string& name,
                        std::span<const std::uint8_t> bytes) const {
  Value out;
  if (!is_syscall(clause.event->kind)) return out;
  if (name == "name") {
    const std::string& shown = clause.event->function;
    out.text = shown.empty() ? probe.description.function : shown;
  } else if (name == "syscall_nr") {
    out.number = probe.number;
  } else if (name == "argstr") {
    out.text = argument_text(probe, arguments(clause, probe, bytes));
  } else if (name == "retval") {
    const auto result =
        field(clause, {Field::What::kArgument, ir::Builtin::kArg, 0, {}, false}, bytes);
    if (result) out.number = result->number;
  } else if (name == "retstr") {
    const auto result =
        field(clause, {Field::What::kArgument, ir::Builtin::kArg, 0, {}, false}, bytes);
    if (result) out.text = result_text(probe, result->number);
  } else if (const int shown = EventProbes::shown_argument(probe, name); shown >= 0) {
    out.text = shown_text(probe, static_cast<std::size_t>(shown), arguments(clause, probe, bytes));
  } else if (const int which = EventProbes::argument(probe, name); which >= 0) {
    const RecordedArgument one = arguments(clause, probe, bytes)[static_cast<std::size_t>(which)];
    const ProbeInfo::Argument& argument = probe.arguments[static_cast<std::size_t>(which)];
    out.number = typed(one.number, argument);
    if (argument.is_text) {
      out.text = one.text ? printable_text(*one.text, true, SIZE_MAX)
                          : fmt::format("{:#x}", static_cast<std::uint64_t>(one.number));
    }
  }
  return out;
}

void Capture::contexts(const Clause& clause, const ProbeInfo& probe,
                       std::span<const std::uint8_t> bytes, Firing& firing) const {
  firing.contexts.resize(function_count());
  for (const Fn fn : clause.handler->contexts) {
    Value& out = firing.contexts[static_cast<std::size_t>(fn)];
    if (const auto builtin = builtin_of(fn)) {
      if (auto value = field(clause, {Field::What::kBuiltin, *builtin, 0, {}, false}, bytes)) {
        out = std::move(*value);
        out.number /= ns_of(fn);
      }
    } else if (fn == Fn::backtrace || fn == Fn::ubacktrace || fn == Fn::uaddr) {
      const Field::What what = fn == Fn::backtrace ? Field::What::kStack : Field::What::kUstack;
      if (auto value = field(clause, {what, ir::Builtin::kArg, 0, {}, false}, bytes)) {
        out = std::move(*value);
      }
    } else if (fn == Fn::user_mode) {
      const bool is_program = is_of_programs(*clause.handler);
      const auto pc =
          field(clause, {Field::What::kArgument, ir::Builtin::kArg, kUserPc, {}, false}, bytes);
      // Elsewhere the handler may have asked for that argument, which is another one.
      const bool is_sample = clause.event->kind == EventKind::kProfile;
      out.number = is_program || (is_sample && pc && pc->number != 0) ? 1 : 0;
    } else if (fn == Fn::probefunc || fn == Fn::ppfunc) {
      const std::string& function = clause.event->function;
      out.text = function.empty() ? source_name(probe) : function;
    } else {
      out.text = firing.point;
    }
  }
}

void Capture::leaves(const Clause& clause, const ProbeInfo& probe,
                     std::span<const std::uint8_t> bytes, Firing& firing) const {
  const Handler& handler = *clause.handler;
  firing.leaves.assign(handler.leaves.size(), {});
  firing.unreadable.assign(handler.leaves.size(), false);
  for (std::size_t i = 0; i < handler.leaves.size(); ++i) {
    const Leaf& leaf = handler.leaves[i];
    if (leaf.what == Leaf::What::kParms) {
      firing.leaves[i].text = parameter_text(probe, arguments(clause, probe, bytes));
      continue;
    }
    if (is_number_of_call(leaf, *clause.event)) {
      firing.leaves[i].number = probe.number;
      continue;
    }
    if (leaf.what == Leaf::What::kName) {
      firing.leaves[i].text = !leaf.name.empty()          ? provider_name(probe)
                              : is_linkage(*clause.event) ? clause.event->function
                                                          : mark_name(probe);
      continue;
    }
    if (leaf.what == Leaf::What::kRegister) {
      const auto value = field(
          clause, {Field::What::kBuiltin, ir::Builtin::kUregs, leaf.argument, {}, false}, bytes);
      if (value) firing.leaves[i].number = value->number;
      continue;
    }
    if (leaf.what == Leaf::What::kVariable) {
      const VariableAtProbe& variable = probes_.variable(*clause.event, probe, leaf.name);
      if (variable.place.where == ProgramVariable::Where::kConstant) {
        firing.leaves[i].number = typed(variable.place.offset, variable.width);
        continue;
      }
      const auto value = field(clause, field_of(variable.place), bytes);
      if (!value) continue;
      const bool is_value = variable.place.where == ProgramVariable::Where::kRegister;
      firing.leaves[i].number = is_value ? typed(value->number, variable.width) : value->number;
      continue;
    }
    const int argument = argument_number(leaf, *clause.event, probe);
    const Field wanted = field_of(leaf, *clause.event, argument);
    auto value = field(clause, wanted, bytes);
    if (!wanted.path.empty()) {
      const auto is_readable = field(
          clause,
          {Field::What::kIsReadable, ir::Builtin::kArg, argument, wanted.path, wanted.is_address},
          bytes);
      if (!is_readable || is_readable->number == 0) value.reset();
    }
    firing.unreadable[i] = !value;
    if (!value) continue;
    const auto which = static_cast<std::size_t>(argument);
    if (is_typed(leaf, *clause.event) && which < probe.arguments.size()) {
      value->number = typed(value->number, probe.arguments[which]);
    }
    firing.leaves[i] = std::move(*value);
  }
}

void Capture::readings(const Clause& clause, std::span<const std::uint8_t> bytes,
                       Firing& firing) const {
  const Handler& handler = *clause.handler;
  firing.readings.clear();
  for (const int one : handler.readings) {
    const Origin& origin = handler.origins[static_cast<std::size_t>(one)];
    const auto get = [&](Field::What what, int of) {
      return field(clause, {what, ir::Builtin::kArg, of, {}, false}, bytes);
    };
    const auto address = get(Field::What::kAddress, origin.a);
    const auto is_read = get(Field::What::kIsRead, one);
    if (!address || !is_read) continue;
    Reading made;
    made.address = static_cast<std::uint64_t>(address->number);
    made.size = origin.size;
    made.is_userland = origin.is_userland;
    const auto value = get(Field::What::kReading, one);
    made.is_readable = value && is_read->number != 0;
    if (value) {
      made.bits = static_cast<std::uint64_t>(value->number);
      made.text = value->text;
    }
    firing.readings.push_back(std::move(made));
  }
}

Handler* Capture::decode(const front::Recorded& recorded, Firing& firing) const {
  if (recorded.clause >= clauses_.size() || recorded.probe == nullptr) return nullptr;
  const Clause& clause = clauses_[recorded.clause];
  const auto found =
      std::find_if(clause.probes.begin(), clause.probes.end(),
                   [&](const ProbeInfo* one) { return one->id == recorded.probe->id; });
  if (found == clause.probes.end()) return nullptr;
  const ProbeInfo& probe = **found;
  firing.point = is_syscall(clause.event->kind)
                     ? fmt::format("syscall.{}{}", probe.description.function,
                                   clause.event->kind == EventKind::kSyscallReturn ? ".return" : "")
                     : point_text(*clause.event, probe);
  firing.additions = 0;
  firing.goes_home = false;
  if (const auto from =
          field(clause, {Field::What::kFrom, ir::Builtin::kArg, 0, {}, false}, recorded.bytes)) {
    firing.goes_home = from->number > 0;
    firing.additions = std::max<std::int64_t>(from->number - 1, 0);
  }
  contexts(clause, probe, recorded.bytes, firing);
  const auto place = [&](int argument) {
    if (clause.event->kind != EventKind::kProfile) return std::uint64_t{0};
    const auto value = field(
        clause, {Field::What::kArgument, ir::Builtin::kArg, argument, {}, false}, recorded.bytes);
    return value ? static_cast<std::uint64_t>(value->number) : 0;
  };
  firing.kernel_place = place(kKernelPc);
  firing.user_place = place(kUserPc);
  leaves(clause, probe, recorded.bytes, firing);
  readings(clause, recorded.bytes, firing);
  firing.provided.clear();
  firing.faults.clear();
  for (const Provided& one : clause.handler->provided) {
    firing.provided.push_back(provided(clause, probe, one.name, recorded.bytes));
  }
  return clause.handler;
}

}  // namespace dt::stap
