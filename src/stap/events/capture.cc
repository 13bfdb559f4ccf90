// See capture.h.

#include "stap/events/capture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>

#include "ir/builder.h"
#include "probe/pattern.h"
#include "stap/events/accumulating_code.h"
#include "stap/events/context_values.h"
#include "stap/events/origin_values.h"
#include "stap/events/whose.h"
#include "stap/meaning/contexts.h"

namespace dt::stap {
namespace {

// The text that stands for memory that could not be read.
constexpr std::int64_t kUnreadable = 1;
constexpr std::uint32_t kMostFrames = 20, kWord = 8;  // of a stack, MAXBACKTRACE
// Arguments of profile probes: where the CPU was, in the kernel or else in a program; or 0.
constexpr int kKernelPc = 0, kUserPc = 1;

// As the program has it: two underscores are a dash in our names.
std::string mark_name(const ProbeInfo& probe) {
  std::string out;
  for (const char c : probe.description.name) out += c == '-' ? "__" : std::string(1, c);
  return out;
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
  const std::string name = is_function                      ? probe.description.function
                           : event.kind == EventKind::kMark ? mark_name(probe)
                                                            : probe.description.name;
  return event.text.substr(0, begin) + name + event.text.substr(end);
}

// $syscall, which the probe itself says.
bool is_number_of_call(const Leaf& leaf, const Event& event) {
  return is_syscall(event.kind) && leaf.name == "syscall" && leaf.path.empty();
}

Leaf named_leaf(const std::string& name) {
  Leaf out;
  out.name = name;
  return out;
}

// Whether the value has the width of an argument, and is no memory.
bool is_typed(const Leaf& leaf, const Event& event) {
  const bool is_return = leaf.what == Leaf::What::kReturn || leaf.name == "return";
  const bool is_result = is_return && event.kind == EventKind::kFunctionReturn;
  return (leaf.what == Leaf::What::kValue || is_result) && leaf.path.empty();
}

// A register of the program, which is where the kernel has put it when the thread came in.
ir::ValueId register_value(int number, ir::FunctionBuilder& b) {
  ir::Inst load;
  load.op = ir::Op::kLoadKernel;
  load.type = ir::Type::s64();
  load.args = {b.binary(ir::Op::kAdd, b.builtin(ir::Builtin::kUregs),
                        b.constant(static_cast<std::int64_t>(number) * kWord), ir::Type::s64())};
  return b.add(std::move(load));
}

probe::Point point_of(const ProbeInfo& probe, Span span) {
  probe::Point point;
  const probe::Description& what = probe.description;
  point.pattern = {what.provider, what.module, what.function, what.name, probe::to_string(what)};
  point.id = probe.id;
  point.span = span;
  return point;
}

}  // namespace

ir::Program Capture::make() {
  ir::Program out;
  out.string_size = static_cast<std::uint32_t>(program_.limits.max_string_length);
  for (Handler& handler : program_.handlers) {
    if (handler.kind != HandlerKind::kEvent) continue;
    for (const Event& event : handler.events) clauses_of(handler, event);
  }
  AccumulatingTables tables(program_, out);
  for (Clause& clause : clauses_) out.clauses.push_back(lower(clause, tables));
  tables.finish();
  return out;
}

// Probes of which the same is recorded share a clause.
void Capture::clauses_of(Handler& handler, const Event& event) {
  std::map<std::pair<std::vector<Field>, std::vector<int>>, std::size_t> known;
  for (const ProbeInfo& probe : probes_.of(event)) {
    std::vector<Field> fields = fields_of(handler, event, probe);
    const auto [found, is_new] = known.emplace(
        std::pair(fields, arguments_of_leaves(handler, event, probe)), clauses_.size());
    if (is_new) clauses_.push_back({&handler, &event, std::move(fields), {}, {}});
    clauses_[found->second].probes.push_back(&probe);
  }
}

std::vector<Capture::Field> Capture::fields_of(const Handler& handler, const Event& event,
                                               const ProbeInfo& probe) {
  std::vector<Field> out;
  for (const Fn fn : handler.contexts) {
    if (const auto builtin = builtin_of(fn))
      out.push_back({Field::What::kBuiltin, *builtin, 0, {}, false});
  }
  // uaddr() is the first address of the program's stack.
  if (handler.contexts.contains(Fn::backtrace)) {
    out.push_back({Field::What::kStack, ir::Builtin::kArg, 0, {}, false});
  }
  const bool asks_place = handler.asks_place || handler.contexts.contains(Fn::user_mode);
  if (asks_place && event.kind == EventKind::kProfile) {
    out.push_back({Field::What::kArgument, ir::Builtin::kArg, kKernelPc, {}, false});
    out.push_back({Field::What::kArgument, ir::Builtin::kArg, kUserPc, {}, false});
  }
  if (handler.contexts.contains(Fn::ubacktrace)) {
    out.push_back({Field::What::kUstack, ir::Builtin::kArg, 0, {}, false});
  }
  for (const Leaf& leaf : handler.leaves) leaf_fields(leaf, event, probe, out);
  provided_fields(handler, event, probe, out);
  for (const int one : handler.readings) {
    const Origin& origin = handler.origins[static_cast<std::size_t>(one)];
    out.push_back({Field::What::kAddress, ir::Builtin::kArg, origin.a, {}, false});
    out.push_back({Field::What::kReading, ir::Builtin::kArg, one, {}, false});
    out.push_back({Field::What::kIsRead, ir::Builtin::kArg, one, {}, false});
  }
  if (handler.accumulates) out.push_back({Field::What::kFrom, ir::Builtin::kArg, 0, {}, false});
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// Which arguments the leaves are: probes where these differ do not share a clause.
std::vector<int> Capture::arguments_of_leaves(const Handler& handler, const Event& event,
                                              const ProbeInfo& probe) const {
  std::vector<int> out;
  for (const Leaf& leaf : handler.leaves) out.push_back(argument_number(leaf, event, probe));
  if (!handler.accumulates) return out;
  // What is computed in the kernel depends on the widths, too.
  for (const Leaf& leaf : handler.leaves) out.push_back(width_of_leaf(leaf, event, probe));
  for (const Provided& one : handler.provided) {
    out.push_back(width_of_leaf(named_leaf(one.name), event, probe));
  }
  return out;
}

int Capture::width_of_leaf(const Leaf& leaf, const Event& event, const ProbeInfo& probe) {
  const auto which = static_cast<std::size_t>(argument_number(leaf, event, probe));
  if (which >= probe.arguments.size()) return 0;
  const Width width = width_of(probe.arguments[which]);
  return static_cast<int>(width.bytes) * (width.is_signed ? -1 : 1);
}

// -1: the probe has no such argument.
int Capture::argument_number(const Leaf& leaf, const Event& event, const ProbeInfo& probe) {
  const bool is_return = leaf.what == Leaf::What::kReturn || leaf.name == "return";
  if (is_return) return event.kind == EventKind::kSyscallReturn ? 0 : 1;
  return leaf.argument >= 0 ? leaf.argument : EventProbes::argument(probe, leaf.name);
}

// -1 after an error.
int Capture::argument_of(const Leaf& leaf, const Event& event, const ProbeInfo& probe) {
  const bool is_return =
      event.kind == EventKind::kSyscallReturn || event.kind == EventKind::kFunctionReturn;
  if (leaf.what == Leaf::What::kReturn || (leaf.argument < 0 && leaf.name == "return")) {
    if (is_return) return event.kind == EventKind::kSyscallReturn ? 0 : 1;
    messages_.semantic_error("unable to find $return: this probe point is no return", leaf.span);
    return -1;
  }
  if (is_return) {
    messages_.semantic_error(
        "arguments are not recorded at a return yet: keep the value in an array at the entry",
        leaf.span);
    return -1;
  }
  if (leaf.argument >= 0) return leaf.argument;
  const int found = EventProbes::argument(probe, leaf.name);
  if (found >= 0) return found;
  std::string names;
  for (const ProbeInfo::Argument& one : probe.arguments) {
    if (!one.name.empty()) names += fmt::format("{}${}", names.empty() ? "" : ", ", one.name);
  }
  messages_.semantic_error(
      fmt::format("unable to find local '{}' at {}{}", leaf.name,
                  probe::to_string(probe.description),
                  names.empty() ? "" : fmt::format(" (alternatives: {})", names)),
      leaf.span);
  return -1;
}

void Capture::leaf_fields(const Leaf& leaf, const Event& event, const ProbeInfo& probe,
                          std::vector<Field>& out) {
  if (leaf.what == Leaf::What::kParms) {
    for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
      out.push_back({Field::What::kArgument, ir::Builtin::kArg, static_cast<int>(i), {}, false});
    }
    return;
  }
  if (is_number_of_call(leaf, event) || leaf.what == Leaf::What::kName) return;
  if (leaf.what == Leaf::What::kRegister) {
    out.push_back({Field::What::kBuiltin, ir::Builtin::kUregs, leaf.argument, {}, false});
    return;
  }
  const int argument = argument_of(leaf, event, probe);
  if (argument < 0) return;
  Field wanted = field_of(leaf, argument);
  if (!leaf.path.empty()) {
    const std::string wrong = check_target(types_, target_of(probe, argument), leaf);
    if (!wrong.empty()) return messages_.semantic_error(wrong, leaf.span);
  }
  if (!wanted.path.empty()) {
    out.push_back(
        {Field::What::kIsReadable, ir::Builtin::kArg, argument, wanted.path, wanted.is_address});
  }
  out.push_back(std::move(wanted));
}

Capture::Field Capture::field_of(const Leaf& leaf, int argument) {
  Field out{Field::What::kArgument, ir::Builtin::kArg, argument, leaf.path, leaf.is_address};
  if (leaf.what == Leaf::What::kUserText) out.what = Field::What::kUserText;
  if (leaf.what == Leaf::What::kKernelText) out.what = Field::What::kKernelText;
  return out;
}

TargetType Capture::target_of(const ProbeInfo& probe, int argument) {
  const auto which = static_cast<std::size_t>(argument);
  if (which >= probe.arguments.size()) return {};
  return {probe.arguments[which].type, probe.arguments[which].is_userland};
}

void Capture::provided_fields(const Handler& handler, const Event& event, const ProbeInfo& probe,
                              std::vector<Field>& out) {
  if (!is_syscall(event.kind)) return;
  for (const Provided& one : handler.provided) {
    if (event.kind == EventKind::kSyscallReturn) {
      if (one.name == "argstr") {
        messages_.semantic_error("arguments are not recorded at a return yet", one.symbol->span);
      }
      if (one.name == "retstr" || one.name == "retval")
        out.push_back({Field::What::kArgument, ir::Builtin::kArg, 0, {}, false});
      continue;
    }
    const int which = EventProbes::argument(probe, one.name);
    for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
      const ProbeInfo::Argument& argument = probe.arguments[i];
      if (one.name != "argstr" && static_cast<int>(i) != which) continue;
      out.push_back({Field::What::kArgument, ir::Builtin::kArg, static_cast<int>(i), {}, false});
      if (argument.is_text) {
        out.push_back({Field::What::kUserText, ir::Builtin::kArg, static_cast<int>(i), {}, false});
      }
    }
  }
}

// An argument, or what its path leads to, as the handler sees it.
TargetValue Capture::leaf_value(const Clause& clause, const Leaf& leaf,
                                ir::FunctionBuilder& b) const {
  const ProbeInfo& probe = *clause.probes.front();
  const int number = argument_number(leaf, *clause.event, probe);
  const ir::ValueId raw = b.builtin(ir::Builtin::kArg, number);
  if (!leaf.path.empty()) {
    const TargetEnd end = leaf.is_address ? TargetEnd::kAddress : TargetEnd::kValue;
    return follow_target(types_, target_of(probe, number), leaf.path, end, raw, b);
  }
  const auto which = static_cast<std::size_t>(number);
  if (!is_typed(leaf, *clause.event) || which >= probe.arguments.size()) return {raw, {}};
  const Width width = width_of(probe.arguments[which]);
  if (width.bytes == sizeof(std::int64_t)) return {raw, {}};
  return {b.extend(raw, ir::Type::integer(width.bytes, width.is_signed)), {}};
}

// Where the handler of a record goes on, if it accumulates in the kernel; what does not is done
// there, before the record.
ir::ValueId Capture::accumulate(const Clause& clause, AccumulatingTables& tables,
                                ir::FunctionBuilder& b) const {
  ir::ValueId from = 0;
  const auto leaf = [&](const Leaf& one) { return leaf_value(clause, one, b); };
  if (clause.handler->accumulates) {
    const ir::BlockId home = b.block();
    from = b.param(home, ir::Type::s64());
    const auto provided = [&](const std::string& name) { return leaf(named_leaf(name)).value; };
    AccumulatingCode(program_, *clause.handler, tables, b, leaf, provided, home).make();
    b.at(clause.event->span);
    b.enter(home);
  } else if (clause.handler->may_end && !program_.accumulations.all.empty()) {
    // Nothing is added behind the firing that may end the run until home has looked at it.
    AccumulatingCode::go_on_at_home(program_.accumulations, b);
  }
  return from;
}

ir::EcbDesc Capture::lower(Clause& clause, AccumulatingTables& tables) const {
  ir::EcbDesc out;
  out.span = clause.handler->span;
  for (const ProbeInfo* const probe : clause.probes) {
    out.points.push_back(point_of(*probe, clause.event->span));
  }
  ir::FunctionBuilder b;
  b.at(clause.event->span);
  OriginValues origins(
      *clause.handler, b, [&](const Leaf& leaf) { return leaf_value(clause, leaf, b); },
      program_.limits.max_string_length);
  leave_others(clause.event->whose, types_, b);
  const ir::ValueId from = accumulate(clause, tables, b);
  std::vector<ir::ValueId> values;
  record::Layout layout;
  // Of paths; what they lead to stands before it.
  std::map<std::tuple<int, std::vector<Leaf::Step>, bool>, ir::ValueId> readable;
  for (const Field& field : clause.fields) {
    ir::ValueId value = 0;
    if (field.what == Field::What::kIsReadable) {
      value = readable.at({field.argument, field.path, field.is_address});
    } else if (field.what == Field::What::kAddress || field.what == Field::What::kReading) {
      value = origins.of(field.argument).value;
    } else if (field.what == Field::What::kFrom) {
      value = from;
    } else if (field.what == Field::What::kStack || field.what == Field::What::kUstack) {
      ir::Inst walk;
      const bool is_kernel = field.what == Field::What::kStack;
      walk.op = is_kernel ? ir::Op::kStack : ir::Op::kUstack;
      walk.type = ir::Type::bytes((kMostFrames + (is_kernel ? 0 : 1)) * kWord);
      value = b.add(std::move(walk));
    } else if (field.what == Field::What::kIsRead) {
      value = origins.is_readable(field.argument);
    } else if (field.what == Field::What::kBuiltin && field.builtin == ir::Builtin::kUregs) {
      value = register_value(field.argument, b);
    } else {
      value = b.builtin(field.builtin, field.argument);
    }
    if (!field.path.empty() && field.what != Field::What::kIsReadable) {
      const TargetEnd end = field.is_address                       ? TargetEnd::kAddress
                            : field.what == Field::What::kArgument ? TargetEnd::kValue
                                                                   : TargetEnd::kText;
      const TargetValue found = follow_target(
          types_, target_of(*clause.probes.front(), field.argument), field.path, end, value, b);
      value = found.value;
      readable[{field.argument, field.path, field.is_address}] =
          found.is_readable ? *found.is_readable : b.constant(1, ir::Type::s32());
    }
    if (field.what == Field::What::kUserText || field.what == Field::What::kKernelText) {
      ir::Inst read;
      read.op = field.what == Field::What::kUserText ? ir::Op::kUserText : ir::Op::kKernelText;
      read.type = ir::Type::string(static_cast<std::uint32_t>(program_.limits.max_string_length));
      read.args = {value};
      read.imm = kUnreadable;
      value = b.add(std::move(read));
    }
    const ir::Type type = b.type_of(value);
    const bool is_text = type.kind == ir::TypeKind::kString;
    const record::FieldKind kind = field.what == Field::What::kStack    ? record::FieldKind::kStack
                                   : field.what == Field::What::kUstack ? record::FieldKind::kUstack
                                   : is_text                            ? record::FieldKind::kString
                                                                        : record::FieldKind::kInt;
    layout.fields.push_back({{kind, type.size, type.is_signed}, 0, clause.event->span});
    values.push_back(value);
  }
  // The handler prints; the record itself prints nothing. An action makes it one that is read.
  record::Action action;
  action.kind = record::ActionKind::kPrintf;
  action.field_count = static_cast<std::uint32_t>(layout.fields.size());
  action.span = clause.event->span;
  layout.actions = {std::move(action)};
  record::place_fields(layout);
  clause.places = layout.fields;
  b.emit(std::move(values));
  b.ret();
  out.layouts = {std::move(layout)};
  out.body = b.finish();
  return out;
}

// ---- Decoding ----

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
  if (wanted.what == Field::What::kStack || wanted.what == Field::What::kUstack) {
    // A process is named in front of its frames.
    const std::uint32_t first = wanted.what == Field::What::kUstack ? kWord : 0;
    for (std::uint32_t i = first; i + kWord <= size; i += kWord) {
      std::uint64_t frame = 0;
      std::memcpy(&frame, bytes.data() + at + i, kWord);
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
    const int number = static_cast<int>(i);
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
  return out;
}

Value Capture::provided(const Clause& clause, const ProbeInfo& probe, const std::string& name,
                        std::span<const std::uint8_t> bytes) const {
  Value out;
  if (!is_syscall(clause.event->kind)) return out;
  if (name == "name") {
    out.text = probe.description.function;
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
      out.text = probe.description.function;
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
      firing.leaves[i].text = mark_name(probe);
      continue;
    }
    if (leaf.what == Leaf::What::kRegister) {
      const auto value = field(
          clause, {Field::What::kBuiltin, ir::Builtin::kUregs, leaf.argument, {}, false}, bytes);
      if (value) firing.leaves[i].number = value->number;
      continue;
    }
    const int argument = argument_number(leaf, *clause.event, probe);
    const Field wanted = field_of(leaf, argument);
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
