// Machine: calls of functions, and what prints. See machine.h.

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "stap/home/histogram.h"
#include "stap/home/machine.h"
#include "stap/meaning/registers.h"
#include "stap/syntax/format.h"
#include "support/clock.h"
#include "support/shown.h"

namespace dt::stap {
namespace {

constexpr std::int64_t kNsOfSecond = 1'000'000'000;

std::int64_t unit_of(Fn fn) {
  switch (fn) {
    case Fn::gettimeofday_us:
    case Fn::local_clock_us:
      return 1000;
    case Fn::gettimeofday_ms:
    case Fn::local_clock_ms:
      return 1'000'000;
    case Fn::gettimeofday_s:
    case Fn::local_clock_s:
      return kNsOfSecond;
    default:
      return 1;
  }
}

std::int64_t low_part(std::int64_t value, std::uint32_t bytes, bool is_signed) {
  const std::uint32_t unused = (8 - bytes) * 8;
  const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
  return is_signed ? static_cast<std::int64_t>(high) >> unused
                   : static_cast<std::int64_t>(high >> unused);
}

// int_arg(1) is an int, whatever the program has written behind it; register("eax") is half of one.
std::int64_t narrowed(const Expr& call, std::int64_t value) {
  const std::string& function = call.text;
  if (function == "register" || function == "u_register") {
    const auto found = find_register(call.kids[0]->text);
    return low_part(value, found ? found->bytes : 8, function == "register");
  }
  if (function == "int_arg" || function == "s32_arg") return static_cast<std::int32_t>(value);
  if (function == "uint_arg" || function == "u32_arg") return static_cast<std::uint32_t>(value);
  return value;
}

}  // namespace

bool Machine::call(Expr& expr, Value& out) {
  if (expr.access != nullptr) return access(expr, out);
  if (expr.leaf >= 0) return leaf(expr, out);
  return expr.function != nullptr ? call_function(expr, out) : call_builtin(expr, out);
}

// What the firing has recorded; where memory could not be read, the second argument or an error.
bool Machine::leaf(Expr& expr, Value& out) {
  const auto which = static_cast<std::size_t>(expr.leaf);
  if (firing_ == nullptr || which >= firing_->leaves.size()) {
    return fail("no value of the probe", expr.place);
  }
  if (firing_->unreadable[which]) {
    if (expr.kids.size() > 1) return evaluate(*expr.kids[1], out);
    if (expr.kind == ExprKind::kTarget) {
      if (program_.limits.skips_bad_variables) {
        out = {};
        return true;
      }
      return fail("kernel read fault [man error::fault]", expr.place);
    }
    return fail(fmt::format("{} string copy fault [man error::fault]",
                            expr.text.starts_with("user") ? "user" : "kernel"),
                expr.place);
  }
  out = firing_->leaves[which];
  if (expr.kind == ExprKind::kCall) out.number = narrowed(expr, out.number);
  if (expr.text.ends_with("_quoted")) out.text = printable_text(out.text, true, SIZE_MAX);
  return true;
}

bool Machine::call_function(Expr& expr, Value& out) {
  std::vector<Value> arguments(expr.kids.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!evaluate(*expr.kids[i], arguments[i])) return false;
  }
  if (static_cast<std::int64_t>(frames_.size()) > program_.limits.max_nesting) {
    return fail("MAXNESTING exceeded", expr.place);
  }
  for (Function* one = expr.function; one != nullptr; one = one->following) {
    frames_.emplace_back(one->locals.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) frames_.back()[i] = arguments[i];
    result_ = {};
    const std::int64_t actions = actions_;
    const Flow flow = statement(*one->body);
    if (flow == Flow::kFail) return false;
    // What a function of the library executes belongs to the statement that calls it: in SystemTap,
    // most are C.
    if (one->is_library) actions_ = actions;
    frames_.pop_back();
    if (flow != Flow::kNext) break;
  }
  out = std::exchange(result_, {});
  return true;
}

bool Machine::call_builtin(Expr& expr, Value& out) {
  const Fn fn = static_cast<Fn>(expr.builtin);
  if (is_printing(fn)) return print(expr, fn, out);
  std::vector<Value> arguments(expr.kids.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!evaluate(*expr.kids[i], arguments[i])) return false;
  }
  switch (info(fn).where) {
    case Where::kContext:
      out = context(fn);
      if (fn == Fn::backtrace || fn == Fn::ubacktrace) {
        note_stack(out.text, out.text, fn == Fn::ubacktrace);
      }
      return true;
    case Where::kEffect:
      return effect(fn, arguments);
    case Where::kSymbols:
      return symbols(fn, expr, arguments, out);
    case Where::kAnywhere:
    case Where::kMemory:
    case Where::kArgument:
      break;
  }
  if (fn == Fn::target) {
    out.number = surroundings_.target;
    return true;
  }
  if (fn == Fn::matched) return matched(expr, arguments[0].number, out);
  if (fn == Fn::ngroups) {
    out.number = static_cast<std::int64_t>(matched_.size());
    return true;
  }
  if (fn == Fn::speculation) {
    speculations_[out.number = ++last_speculation_];
    return true;
  }
  if (fn == Fn::stp_pid) {
    out.number = ::getpid();
    return true;
  }
  if (fn == Fn::__pid_namespace) {
    struct stat found = {};
    out.number =
        ::stat("/proc/self/ns/pid", &found) == 0 ? static_cast<std::int64_t>(found.st_ino) : 0;
    return true;
  }
  if (fn == Fn::pid2task) {
    const std::uint64_t task =
        surroundings_.task_of ? surroundings_.task_of(arguments[0].number) : 0;
    out.number = static_cast<std::int64_t>(task);
    return true;
  }
  if (fn == Fn::__cycles_at) {
    out.number = cycles_.at(arguments[0].number);
    return true;
  }
  if (fn == Fn::module_name) {
    out.text = program_.module;
    return true;
  }
  if (fn == Fn::ctime && arguments.empty()) arguments.push_back(context(Fn::gettimeofday_s));
  std::string wrong;
  compute(fn, arguments, tokens_, out, wrong);
  if (!wrong.empty()) return fail(wrong, expr.place);
  out.is_own = (fn == Fn::substr || fn == Fn::str_replace) &&
               std::all_of(arguments.begin(), arguments.end(),
                           [](const Value& one) { return one.has_only_own(); });
  cut(out.text);
  return true;
}

bool Machine::effect(Fn fn, const std::vector<Value>& arguments) {
  switch (fn) {
    case Fn::log:
      write({for_output(arguments[0]) + "\n", {}});
      return true;
    case Fn::warn:
      surroundings_.warn("WARNING: " + arguments[0].text);
      return true;
    case Fn::error:
      error_ = arguments[0].text;
      return false;
    case Fn::assert:
      if (arguments[0].number != 0) return true;
      error_ = arguments.size() > 1 ? arguments[1].text : "Assertion failed";
      return false;
    case Fn::system:
      commands_.push_back(arguments[0].text);
      return true;
    case Fn::speculate:
    case Fn::commit:
    case Fn::discard:
      speculate(fn, arguments[0].number);
      return true;
    case Fn::abort:
      is_aborted_ = has_exited_ = true;
      return true;
    default:
      has_exited_ = true;
      return true;
  }
}

// Of a handler that no event has called, such as one of begin: of this process, and of now.
Value Machine::context_at_home(Fn fn) const {
  Value out;
  switch (fn) {
    case Fn::pid:
    case Fn::tid:
      out.number = ::getpid();
      break;
    case Fn::ppid:
      out.number = ::getppid();
      break;
    case Fn::uid:
      out.number = ::getuid();
      break;
    case Fn::gid:
      out.number = ::getgid();
      break;
    case Fn::cpu:
      out.number = ::sched_getcpu();
      break;
    case Fn::execname:
    case Fn::cmdline_str:
      out.text = "stap";
      break;
    case Fn::pp:
    case Fn::pn:
      out.text = handler_->text;
      break;
    case Fn::probefunc:
    case Fn::ppfunc:
    case Fn::backtrace:
    case Fn::ubacktrace:
    case Fn::uaddr:
    case Fn::user_mode:
      break;
    case Fn::task_current:
      if (surroundings_.current_task) {
        out.number = static_cast<std::int64_t>(surroundings_.current_task());
      }
      break;
    case Fn::gettimeofday_ns:
    case Fn::gettimeofday_us:
    case Fn::gettimeofday_ms:
    case Fn::gettimeofday_s:
      out.number = support::now_ns(CLOCK_REALTIME) / unit_of(fn);
      break;
    default:
      out.number = support::now_ns(CLOCK_MONOTONIC) / unit_of(fn);
      break;
  }
  return out;
}

// What a function like pid() gives: of the firing, if there is one.
Value Machine::context(Fn fn) const {
  Value out;
  if (fn == Fn::task_current && firing_ != nullptr && firing_->is_now) {
    const std::int64_t thread = firing_->contexts[static_cast<std::size_t>(Fn::tid)].number;
    if (surroundings_.task_of)
      out.number = static_cast<std::int64_t>(surroundings_.task_of(thread));
    return out;
  }
  if (fn == Fn::pn && !handler_->alias.empty()) {
    out.text = handler_->alias;
    return out;
  }
  // nd_syscall.read, as the script has it.
  constexpr std::size_t kVariant = 3;
  const bool is_variant = handler_->text.size() > kVariant && handler_->text[kVariant - 1] == '_' &&
                          handler_->text.compare(kVariant, 8, "syscall.") == 0;
  if (firing_ != nullptr && (fn == Fn::pn || fn == Fn::pp) && is_variant) {
    out.text = handler_->text.substr(0, kVariant) + firing_->point;
    return out;
  }
  const bool is_function = fn == Fn::probefunc || fn == Fn::ppfunc;
  if (firing_ != nullptr && firing_->kernel_place != 0 && is_function) {
    const auto found = named(firing_->kernel_place, false);
    if (found) out.text = found->function;
    return out;
  }
  if (firing_ != nullptr) return firing_->contexts[static_cast<std::size_t>(fn)];
  constexpr Fn kOfCaller[] = {Fn::pid, Fn::tid,      Fn::ppid,       Fn::uid,
                              Fn::gid, Fn::execname, Fn::cmdline_str};
  const bool is_of_caller =
      caller_ != nullptr &&
      std::find(std::begin(kOfCaller), std::end(kOfCaller), fn) != std::end(kOfCaller);
  if (is_of_caller) return caller_->contexts[static_cast<std::size_t>(fn)];
  return context_at_home(fn);
}

// ---- Regular expressions, speculations ----

bool Machine::match(Expr& expr, const std::string& text, Value& out) {
  std::unique_ptr<Pattern>& pattern = patterns_[&expr];
  if (pattern == nullptr) pattern = std::make_unique<Pattern>(expr.kids[1]->text);
  std::vector<std::string> found = pattern->match(text);
  const bool is_there = !found.empty();
  if (is_there) matched_ = std::move(found);
  out = {};
  out.number = is_there == (expr.text == "=~") ? 1 : 0;
  return true;
}

bool Machine::matched(Expr& expr, std::int64_t number, Value& out) {
  if (number < 0 || static_cast<std::size_t>(number) >= matched_.size()) {
    return fail(fmt::format("the last match has no group {}", number), expr.place);
  }
  out.text = matched_[static_cast<std::size_t>(number)];
  return true;
}

void Machine::put(Written written) {
  for (front::OutcomeHistogram& one : written.histograms) surroundings_.histogram(std::move(one));
  surroundings_.write(written.text);
}

void Machine::write(Written written) {
  const auto found = speculations_.find(speculation_);
  if (found == speculations_.end()) return put(std::move(written));
  constexpr std::size_t kMost = 16 << 20;
  Written& kept = found->second;
  if (kept.text.size() + written.text.size() > kMost) return;
  kept.text += written.text;
  for (front::OutcomeHistogram& one : written.histograms) {
    kept.histograms.push_back(std::move(one));
  }
}

// What a firing prints behind speculate(id) waits for commit(id) or discard(id).
void Machine::speculate(Fn fn, std::int64_t number) {
  if (fn == Fn::speculate) {
    speculation_ = number;
    return;
  }
  if (speculation_ == number) speculation_ = 0;
  const auto found = speculations_.find(number);
  if (found == speculations_.end()) return;
  if (fn == Fn::commit) put(std::move(found->second));
  speculations_.erase(found);
}

// ---- Printing ----

bool Machine::print_histogram(Expr& expr, Printed& out) {
  Expr& of = *expr.kids[0];
  const Element* const at = of.kind == ExprKind::kIndex ? element(of, false) : nullptr;
  if (!error_.empty()) return false;
  const Statistics* found = at != nullptr ? &at->statistics : nullptr;
  if (of.kind != ExprKind::kIndex) found = &global(*of.symbol).statistics;
  const bool is_linear = expr.text == "@hist_linear";
  if (found == nullptr || found->count == 0) return fail("empty aggregate", expr.place);
  out.text += draw(*found, is_linear, program_.limits.histogram_elision);
  if (!out.is_shown || !surroundings_.histogram) return true;
  front::OutcomeHistogram& made = out.histograms.emplace_back(histogram_of(*found, is_linear));
  made.name = of.symbol->name;
  for (std::size_t i = 0; at != nullptr && i < at->keys.size(); ++i) {
    const Value& key = at->keys[i];
    made.keys.push_back({of.symbol->keys[i] == Type::kString, key.number, key.text});
  }
  return true;
}

// As it is printed.
std::string Machine::for_output(const Value& value) {
  return value.is_own ? value.text : support::shown_text(value.text);
}

// What is not printed yet (sprint) keeps the characters of its texts.
bool Machine::printed(Expr& expr, Printed& out) {
  if (expr.kind == ExprKind::kStatistic && expr.text.starts_with("@hist")) {
    return print_histogram(expr, out);
  }
  Value value;
  if (!evaluate(expr, value)) return false;
  if (expr.type != Type::kString) {
    out.text += std::to_string(value.number);
    return true;
  }
  out.is_own = out.is_own && value.has_only_own();
  out.text += out.is_shown ? for_output(value) : value.text;
  return true;
}

bool Machine::formatted(Expr& expr, Printed& printed) {
  std::string& out = printed.text;
  std::string wrong;
  std::size_t next = 1;
  for (FormatPiece& piece : parse_format(expr.kids[0]->text, wrong)) {
    if (piece.conversion == '\0') {
      out += piece.literal;
      continue;
    }
    Value value;
    if (piece.width_is_argument) {
      if (!evaluate(*expr.kids[next++], value)) return false;
      constexpr std::int64_t kMost = 4096;
      piece.minus = piece.minus || value.number < 0;
      piece.width = static_cast<int>(std::min(std::abs(value.number), kMost));
    }
    if (piece.precision_is_argument) {
      if (!evaluate(*expr.kids[next++], value)) return false;
      piece.precision = static_cast<int>(value.number);
    }
    Value argument;
    if (!evaluate(*expr.kids[next++], argument)) return false;
    if (piece.conversion == 's') {
      printed.is_own = printed.is_own && argument.has_only_own();
      append_text(out, piece, printed.is_shown ? for_output(argument) : argument.text);
    } else if (piece.takes_memory()) {
      append_memory(out, piece, argument.text);
    } else {
      append_number(out, piece, argument.number);
    }
  }
  return true;
}

bool Machine::print(Expr& expr, Fn fn, Value& out) {
  const bool is_text = info(fn).result == 's';
  Printed made{"", true, !is_text};
  std::string& text = made.text;
  switch (fn) {
    case Fn::printf:
    case Fn::sprintf:
      if (!formatted(expr, made)) return false;
      break;
    case Fn::printd:
    case Fn::printdln:
    case Fn::sprintd:
    case Fn::sprintdln:
      for (std::size_t i = 1; i < expr.kids.size(); ++i) {
        if (i > 1) text += expr.kids[0]->text;
        if (!printed(*expr.kids[i], made)) return false;
      }
      break;
    default:
      for (const ExprPtr& kid : expr.kids) {
        if (!printed(*kid, made)) return false;
      }
      break;
  }
  if (fn == Fn::println || fn == Fn::printdln || fn == Fn::sprintln || fn == Fn::sprintdln) {
    text += '\n';
  }
  if (is_text) {
    out.text = std::move(text);
    out.is_own = made.is_own;
    cut(out.text);
  } else {
    write({std::move(text), std::move(made.histograms)});
  }
  return true;
}

}  // namespace dt::stap
