// See capture.h: the clause of an event, and what it records. capture_decode.cc reads it back.

#include "stap/events/capture.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "ir/builder.h"
#include "machine/x86_64/registers.h"
#include "stap/events/accumulating_code.h"
#include "stap/events/capture_leaf.h"
#include "stap/events/context_values.h"
#include "stap/events/entries.h"
#include "stap/events/origin_values.h"
#include "stap/events/whose.h"
#include "stap/meaning/contexts.h"
#include "stap/syntax/foreign_words.h"
#include "symbol/elf/demangle.h"
#include "types/place.h"

namespace dt::stap {
namespace {

constexpr std::uint32_t kMostRecordedFrames = 20;  // of a stack, MAXBACKTRACE

Leaf named_leaf(const std::string& name) {
  Leaf out;
  out.name = name;
  return out;
}

ir::ValueId register_value(int number, ir::FunctionBuilder& b);

// How the instruction pointer would be at the first of several places. Only one of them is as far
// within its page as the program is now.
ir::ValueId first_site(const std::vector<std::uint64_t>& sites, ir::FunctionBuilder& b) {
  constexpr std::int64_t kWithinPage = 0xfff;
  constexpr int kInstruction = machine::kSavedIp / machine::kSavedWordBytes;
  const ir::ValueId at = register_value(kInstruction, b);
  const ir::ValueId within = b.binary(ir::Op::kAnd, at, b.constant(kWithinPage), ir::Type::s64());
  ir::ValueId out = at;
  for (std::size_t i = 1; i < sites.size(); ++i) {
    const auto place = static_cast<std::int64_t>(sites[i]) & kWithinPage;
    const ir::ValueId is_it =
        b.extend(b.binary(ir::Op::kEq, within, b.constant(place), ir::Type::s32()),
                 ir::Type::integer(4, false));
    const auto distance = static_cast<std::int64_t>(sites[i] - sites[0]);
    const ir::ValueId too_far =
        b.binary(ir::Op::kMul, is_it, b.constant(distance), ir::Type::s64());
    out = b.binary(ir::Op::kSub, out, too_far, ir::Type::s64());
  }
  return out;
}

// What a variable is found from.
ir::ValueId base_value(int number, const std::vector<std::uint64_t>& sites,
                       ir::FunctionBuilder& b) {
  return number == kMarkSite ? first_site(sites, b) : register_value(number, b);
}

// A register of the program, which is where the kernel has put it when the thread came in.
ir::ValueId register_value(int number, ir::FunctionBuilder& b) {
  if (number == kFunctionBegin) {
    // A return is as far behind it as its first argument says.
    constexpr int kInstruction = machine::kSavedIp / machine::kSavedWordBytes;
    const ir::ValueId offset =
        b.extend(b.builtin(ir::Builtin::kArg, 0), ir::Type::integer(4, true));
    return b.binary(ir::Op::kSub, register_value(kInstruction, b), offset, ir::Type::s64());
  }
  ir::Inst load;
  load.op = ir::Op::kLoadKernel;
  load.type = ir::Type::s64();
  load.args = {b.binary(ir::Op::kAdd, b.builtin(ir::Builtin::kUregs),
                        b.constant(static_cast<std::int64_t>(number) * kLeafBytes),
                        ir::Type::s64())};
  return b.add(std::move(load));
}

// Whether a name shows that argument: flags_str.
bool is_shown(const ProbeInfo& probe, std::size_t argument, const std::string& name) {
  return EventProbes::shown_argument(probe, name) == static_cast<int>(argument);
}

probe::Point described_point(const ProbeInfo& probe, Span span) {
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

// The argument that the result is; -1 after an error.
int Capture::result_of(const Leaf& leaf, const Event& event, const ProbeInfo& probe) {
  const std::string function = source_name(probe);
  if (probe.result_is == ProbeInfo::Result::kNothing) {
    messages_.semantic_error(fmt::format("unable to find $return: {} returns nothing", function),
                             leaf.span);
    return -1;
  }
  if (probe.result_is == ProbeInfo::Result::kElsewhere &&
      symbol::copy_suffix(probe.description.function) != std::string::npos) {
    messages_.semantic_error(
        fmt::format("$return of {} is not known: the compiler has made this copy of {}, which may "
                    "return nothing",
                    probe.description.function, function),
        leaf.span, "@defined($return) leaves such copies out");
    return -1;
  }
  if (probe.result_is == ProbeInfo::Result::kElsewhere) {
    messages_.semantic_error(
        fmt::format("$return of {} is in no register for numbers", function), leaf.span,
        "floating-point numbers, and small structures of these or of C++, are not read");
    return -1;
  }
  if (probe.result_is == ProbeInfo::Result::kStructure) {
    messages_.semantic_error(
        fmt::format("$return of {} is a structure in registers: name a member of it", function),
        leaf.span, "$return$ shows all of them");
    return -1;
  }
  if (is_return_of_call(event)) return event.kind == EventKind::kSyscallReturn ? 0 : 1;
  messages_.semantic_error("unable to find $return: this probe point is no return", leaf.span);
  return -1;
}

// -1 after an error.
int Capture::argument_of(const Leaf& leaf, const Event& event, const ProbeInfo& probe) {
  const bool is_return =
      event.kind == EventKind::kSyscallReturn || event.kind == EventKind::kFunctionReturn;
  if (leaf.what == Leaf::What::kReturn || (leaf.argument < 0 && leaf.name == "return")) {
    return result_of(leaf, event, probe);
  }
  if (is_return && (event.kind != EventKind::kSyscallReturn || changes_registers(probe))) {
    messages_.semantic_error(
        "the arguments are not known at this return: keep the value in an array at the entry",
        leaf.span);
    return -1;
  }
  if (leaf.argument >= 0 && is_statement(event)) {
    messages_.semantic_error(
        "arguments are known where functions begin: at a statement, $x is a variable of the source",
        leaf.span,
        event.inlined.empty() ? "register(\"rdi\") is a register"
                              : ".call leaves out the places where the function was inlined");
    return -1;
  }
  const bool is_absent =
      probe.has_all_arguments && leaf.argument >= static_cast<int>(probe.arguments.size());
  if (leaf.argument >= 0 && !is_absent) return leaf.argument;
  const int found = EventProbes::argument(probe, leaf.name);
  if (found >= 0) return found;
  const auto& declared = probe.declared;
  const bool is_copy = symbol::copy_suffix(probe.description.function) != std::string::npos;
  if (is_copy && std::find(declared.begin(), declared.end(), leaf.name) != declared.end()) {
    refuse_in_copy(leaf, event, probe);
    return -1;
  }
  if (std::find(declared.begin(), declared.end(), leaf.name) != declared.end()) {
    messages_.semantic_error(
        fmt::format("the parameter '{}' is in no register for numbers", leaf.name), leaf.span,
        "floating-point numbers, structures and what follows these are not read");
    return -1;
  }
  std::string names;
  for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
    const std::string& name = probe.arguments[i].name;
    if (name.empty() && !is_absent) continue;
    names += fmt::format("{}${}", names.empty() ? "" : ", ",
                         name.empty() ? fmt::format("arg{}", i + 1) : name);
  }
  messages_.semantic_error(
      fmt::format("unable to find local '{}' at {}{}",
                  leaf.argument >= 0 ? fmt::format("arg{}", leaf.argument + 1) : leaf.name,
                  event.text, names.empty() ? "" : fmt::format(" (alternatives: {})", names)),
      leaf.span, hint_of_word("$" + leaf.name, false));
  return -1;
}

// A parameter of work.constprop.0, which the compiler has made for some calls of work().
void Capture::refuse_in_copy(const Leaf& leaf, const Event& event, const ProbeInfo& probe) {
  const auto& all = probes_.variables(event, probe);
  const auto found = std::find_if(all.begin(), all.end(), [&](const ProgramVariable& one) {
    return one.name == leaf.name && one.is_parameter;
  });
  const bool is_constant = found != all.end() && found->where == ProgramVariable::Where::kConstant;
  const std::string why =
      is_constant
          ? fmt::format("it is {} in all its calls, and no argument any more", found->offset)
          : std::string("the compiler has left it out, or it is in no register");
  messages_.semantic_error(
      fmt::format(
          "the parameter '{}' of {}, a copy of {} that the compiler has made, is not read: {}",
          leaf.name, probe.description.function, source_name(probe), why),
      leaf.span, fmt::format("@defined(${}) leaves such copies out", leaf.name));
}

void Capture::leaf_fields(const Leaf& leaf, const Event& event, const ProbeInfo& probe,
                          std::vector<Field>& out) {
  if (leaf.what == Leaf::What::kParms) {
    for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
      const int number = passed_as(event, static_cast<int>(i));
      out.push_back({Field::What::kArgument, ir::Builtin::kArg, number, {}, false});
    }
    return;
  }
  if (is_number_of_call(leaf, event) || leaf.what == Leaf::What::kName) return;
  if (leaf.what == Leaf::What::kRegister) {
    out.push_back({Field::What::kBuiltin, ir::Builtin::kUregs, leaf.argument, {}, false});
    return;
  }
  if (leaf.what == Leaf::What::kVariable) {
    const VariableAtProbe& variable = probes_.variable(event, probe, leaf.name);
    if (!variable.wrong.empty()) return messages_.semantic_error(variable.wrong, leaf.span);
    if (variable.place.where == ProgramVariable::Where::kConstant) return;
    out.push_back(field_of(variable.place));
    return;
  }
  const int argument = argument_of(leaf, event, probe);
  if (argument < 0) return;
  Field wanted = field_of(leaf, event, argument);
  if (!leaf.path.empty()) {
    const TargetFault wrong = check_target(types_, target_of(probe, argument), leaf);
    if (!wrong.text.empty()) {
      return messages_.semantic_error(wrong.text, wrong.place == Span() ? leaf.span : wrong.place);
    }
  }
  if (!wanted.path.empty()) {
    out.push_back(
        {Field::What::kIsReadable, ir::Builtin::kArg, argument, wanted.path, wanted.is_address});
  }
  out.push_back(std::move(wanted));
}

Capture::Field Capture::field_of(const Leaf& leaf, const Event& event, int argument) {
  if (!is_result(leaf)) argument = passed_as(event, argument);
  Field out{Field::What::kArgument, ir::Builtin::kArg, argument, leaf.path, leaf.is_address};
  if (leaf.what == Leaf::What::kUserText) out.what = Field::What::kUserText;
  if (leaf.what == Leaf::What::kKernelText) out.what = Field::What::kKernelText;
  return out;
}

Capture::Field Capture::field_of(const ProgramVariable& variable) {
  return {Field::What::kAtRegister, ir::Builtin::kUregs, variable.number, {}, false,
          variable.offset};
}

TargetType Capture::target_of(const ProbeInfo& probe, int argument) {
  const auto which = static_cast<std::size_t>(argument);
  if (which >= probe.arguments.size()) return {};
  const ProbeInfo::Argument& of = probe.arguments[which];
  return {of.type, of.is_userland, of.id};
}

void Capture::provided_fields(const Handler& handler, const Event& event, const ProbeInfo& probe,
                              std::vector<Field>& out) {
  if (!is_syscall(event.kind)) return;
  for (const Provided& one : handler.provided) {
    const bool is_return = event.kind == EventKind::kSyscallReturn;
    if (is_return && (one.name == "retstr" || one.name == "retval")) {
      out.push_back({Field::What::kArgument, ir::Builtin::kArg, 0, {}, false});
      continue;
    }
    const int which = EventProbes::argument(probe, one.name);
    const bool is_text = one.name == "argstr" || EventProbes::shown_argument(probe, one.name) >= 0;
    for (std::size_t i = 0; i < probe.arguments.size(); ++i) {
      const ProbeInfo::Argument& argument = probe.arguments[i];
      if (!is_text && static_cast<int>(i) != which) continue;
      if (is_return && changes_registers(probe)) {
        messages_.semantic_error("the arguments of this call are not known at its return",
                                 one.symbol->span);
        break;
      }
      const int number = passed_as(event, static_cast<int>(i));
      out.push_back({Field::What::kArgument, ir::Builtin::kArg, number, {}, false});
      if (argument.is_text) {
        out.push_back({Field::What::kUserText, ir::Builtin::kArg, number, {}, false});
      }
      if (is_text && (one.name == "argstr" || is_shown(probe, i, one.name))) {
        memory_fields(event, probe, i, out);
      }
    }
  }
}

// What an address leads to.
void Capture::memory_fields(const Event& event, const ProbeInfo& probe, std::size_t argument,
                            std::vector<Field>& out) {
  const bool is_return = event.kind == EventKind::kSyscallReturn;
  const std::string& name = probe.arguments[argument].name;
  for (const MemoryPart& part : memory_of(probe.description.function, name, is_return)) {
    out.push_back(memory_field(passed_as(event, static_cast<int>(argument)), part));
  }
}

// An argument, or what its path leads to, as the handler sees it.
TargetValue Capture::leaf_value(const Clause& clause, const Leaf& leaf,
                                ir::FunctionBuilder& b) const {
  if (leaf.what == Leaf::What::kRegister) return {register_value(leaf.argument, b), {}};
  const ProbeInfo& probe = *clause.probes.front();
  if (leaf.what == Leaf::What::kVariable) {
    const VariableAtProbe& variable = probes_.variable(*clause.event, probe, leaf.name);
    const Width& width = variable.width;
    const ir::ValueId offset = b.constant(variable.place.offset);
    ir::ValueId raw = offset;
    if (variable.place.where != ProgramVariable::Where::kConstant) {
      raw = b.binary(ir::Op::kAdd,
                     base_value(variable.place.number, probes_.sites(*clause.event, probe), b),
                     offset, ir::Type::s64());
    }
    if (variable.place.where == ProgramVariable::Where::kMemory) return {raw, {}};
    if (width.bytes == kLeafBytes) return {raw, {}};
    return {b.extend(raw, ir::Type::integer(width.bytes, width.is_signed)), {}};
  }
  const int number = argument_number(leaf, *clause.event, probe);
  const int passed = is_result(leaf) ? number : passed_as(*clause.event, number);
  const ir::ValueId raw = b.builtin(ir::Builtin::kArg, passed);
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
    const auto provided = [&](const std::string& name) {
      const Leaf wanted = named_leaf(name == "retval" ? "return" : name);
      // Of several calls, one may have no argument of this name: there it is 0.
      const ProbeInfo& probe = *clause.probes.front();
      const bool is_there = argument_number(wanted, *clause.event, probe) >= 0;
      return is_there ? leaf(wanted).value : b.constant(0);
    };
    AccumulatingCode(program_, *clause.handler, tables, b, leaf, provided, home).make();
    b.at(clause.event->span);
    b.enter(home);
  } else if (clause.handler->may_end && !program_.accumulations.all.empty()) {
    // Nothing is added behind the firing that may end the run until home has looked at it.
    AccumulatingCode::go_on_at_home(program_.accumulations, b);
  }
  return from;
}

// The value of a field before its path is followed.
ir::ValueId Capture::start_of(const Field& field, const Lowering& at) {
  ir::FunctionBuilder& b = at.b;
  switch (field.what) {
    case Field::What::kIsReadable:
      return at.readable.at({field.argument, field.path, field.is_address});
    case Field::What::kAddress:
    case Field::What::kReading:
      return at.origins.of(field.argument).value;
    case Field::What::kIsRead:
      return at.origins.is_readable(field.argument);
    case Field::What::kFrom:
      return at.from;
    case Field::What::kStack:
    case Field::What::kUstack: {
      ir::Inst walk;
      const bool is_kernel = field.what == Field::What::kStack;
      walk.op = is_kernel ? ir::Op::kStack : ir::Op::kUstack;
      // A user stack has the process before its frames.
      walk.type = ir::Type::bytes((kMostRecordedFrames + (is_kernel ? 0 : 1)) * kLeafBytes);
      return b.add(std::move(walk));
    }
    case Field::What::kAtRegister:
      return b.binary(ir::Op::kAdd, base_value(field.argument, at.sites, b),
                      b.constant(field.offset), ir::Type::s64());
    case Field::What::kBuiltin:
      if (field.builtin == ir::Builtin::kUregs) return register_value(field.argument, b);
      break;
    case Field::What::kArgument:
    case Field::What::kUserText:
    case Field::What::kKernelText:
    case Field::What::kMemory:
      break;
  }
  return b.builtin(field.builtin, field.argument);
}

// All bits, or none in a call with i386's number, whose structures have other members.
ir::ValueId Capture::wide_only(Lowering& at) const {
  if (at.wide) return *at.wide;
  ir::FunctionBuilder& b = at.b;
  constexpr std::int64_t kIs386 = 2;  // TS_COMPAT of <asm/thread_info.h>
  const std::int32_t place = types::offset_or_none(types_, "task_struct", "thread_info.status");
  if (place < 0) return at.wide.emplace(b.constant(-1));
  const ir::ValueId address = b.binary(ir::Op::kAdd, b.builtin(ir::Builtin::kCurthread),
                                       b.constant(place), ir::Type::s64());
  const ir::ValueId status =
      b.extend(b.unary(ir::Op::kLoadKernel, address, ir::Type::u32()), ir::Type::u64());
  const ir::ValueId bit = b.binary(ir::Op::kAnd, status, b.constant(kIs386), ir::Type::s64());
  const ir::ValueId is_386 = b.binary(ir::Op::kShrU, bit, b.constant(1), ir::Type::s64());
  return at.wide.emplace(b.binary(ir::Op::kSub, is_386, b.constant(1), ir::Type::s64()));
}

ir::ValueId Capture::field_value(const Clause& clause, const Field& field, Lowering& at) const {
  ir::FunctionBuilder& b = at.b;
  ir::ValueId value = start_of(field, at);
  if (!field.path.empty() && field.what != Field::What::kIsReadable) {
    const TargetEnd end = field.is_address                       ? TargetEnd::kAddress
                          : field.what == Field::What::kArgument ? TargetEnd::kValue
                                                                 : TargetEnd::kText;
    const TargetValue found = follow_target(
        types_, target_of(*clause.probes.front(), field.argument), field.path, end, value, b);
    value = found.value;
    at.readable[{field.argument, field.path, field.is_address}] =
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
  if (field.what == Field::What::kMemory) {
    ir::Inst read;
    read.op = ir::Op::kTryUser;
    read.type = ir::Type::bytes(recorded_bytes(field.part));
    // At 0, nothing is there.
    value = b.binary(ir::Op::kAnd, value, wide_only(at), ir::Type::s64());
    read.args = {b.binary(ir::Op::kAdd, value, b.constant(field.part.offset), ir::Type::s64())};
    read.imm = field.part.bytes;
    value = b.add(std::move(read));
  }
  return value;
}

record::FieldType Capture::type_of(const Field& field, const ir::Type& type) {
  const bool is_text = type.kind == ir::TypeKind::kString;
  const record::FieldKind kind = field.what == Field::What::kStack    ? record::FieldKind::kStack
                                 : field.what == Field::What::kUstack ? record::FieldKind::kUstack
                                 : is_text                            ? record::FieldKind::kString
                                 : field.what == Field::What::kMemory ? record::FieldKind::kBytes
                                                                      : record::FieldKind::kInt;
  return {kind, type.size, type.is_signed};
}

ir::EcbDesc Capture::lower(Clause& clause, AccumulatingTables& tables) const {
  const Span span = clause.event->span;
  ir::EcbDesc out;
  out.span = clause.handler->span;
  for (const ProbeInfo* const probe : clause.probes)
    out.points.push_back(described_point(*probe, span));
  ir::FunctionBuilder b;
  b.at(span);
  OriginValues origins(
      *clause.handler, b, [&](const Leaf& leaf) { return leaf_value(clause, leaf, b); },
      program_.limits.max_string_length);
  leave_others(clause.event->whose, types_, b);
  if (is_statement(*clause.event)) {
    constexpr int kInstruction = machine::kSavedIp / machine::kSavedWordBytes;
    leave_other_functions(*clause.event, register_value(kInstruction, b), b);
  }
  if (clause.event->caller.bytes != 0) {
    constexpr int kInstruction = machine::kSavedIp / machine::kSavedWordBytes;
    constexpr int kStack = machine::kSavedSp / machine::kSavedWordBytes;
    leave_other_callers(*clause.event, register_value(kInstruction, b), register_value(kStack, b),
                        b);
  }
  Lowering at = {.b = b,
                 .origins = origins,
                 .from = accumulate(clause, tables, b),
                 .sites = probes_.sites(*clause.event, *clause.probes.front())};
  std::vector<ir::ValueId> values;
  record::Layout layout;
  for (const Field& field : clause.fields) {
    values.push_back(field_value(clause, field, at));
    layout.fields.push_back({type_of(field, b.type_of(values.back())), 0, span});
  }
  // The handler prints; the record itself prints nothing. An action makes it one that is read.
  record::Action action;
  action.kind = record::ActionKind::kPrintf;
  action.field_count = static_cast<std::uint32_t>(layout.fields.size());
  action.span = span;
  layout.actions = {std::move(action)};
  record::place_fields(layout);
  clause.places = layout.fields;
  b.emit(std::move(values));
  b.ret();
  out.layouts = {std::move(layout)};
  out.body = b.finish();
  return out;
}

}  // namespace dt::stap
