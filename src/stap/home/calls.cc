// See calls.h.

#include "stap/home/calls.h"

#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "support/shown.h"

namespace dt::stap {

BuiltinCalls::BuiltinCalls(Execution& run, Evaluator& expressions, const Matches& matches)
    : run_(run),
      expressions_(expressions),
      matches_(matches),
      context_(run),
      names_(run, context_),
      stacks_(run, context_),
      speculations_(run),
      printing_(run, expressions, speculations_) {}

bool BuiltinCalls::call(Expr& expr, Value& out) {
  const Fn fn = static_cast<Fn>(expr.builtin);
  if (is_printing(fn)) return printing_.print(expr, fn, out);
  std::vector<Value> arguments(expr.kids.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!expressions_.evaluate(*expr.kids[i], arguments[i])) return false;
  }
  switch (info(fn).where) {
    case Where::kContext:
      out = context_.of(fn);
      if (fn == Fn::backtrace || fn == Fn::ubacktrace) {
        stacks_.note(out.text, out.text, fn == Fn::ubacktrace);
      }
      return true;
    case Where::kEffect:
      return effect(fn, arguments);
    case Where::kSymbols:
      return symbols(expr, fn, arguments, out);
    case Where::kAnywhere:
    case Where::kMemory:
    case Where::kArgument:
      break;
  }
  if (fn == Fn::matched) return matched(expr, arguments[0].number, out);
  return of_run(fn, arguments, out) || computed(expr, fn, arguments, out);
}

// What depends on the run, and on nothing that is recorded; false: another function.
bool BuiltinCalls::of_run(Fn fn, const std::vector<Value>& arguments, Value& out) {
  switch (fn) {
    case Fn::target:
      out.number = run_.surroundings.target;
      return true;
    case Fn::ngroups:
      out.number = static_cast<std::int64_t>(matches_.groups().size());
      return true;
    case Fn::speculation:
      out.number = speculations_.begin();
      return true;
    case Fn::stp_pid:
      out.number = ::getpid();
      return true;
    case Fn::__pid_namespace: {
      struct stat found = {};
      const bool is_there = ::stat("/proc/self/ns/pid", &found) == 0;
      out.number = is_there ? static_cast<std::int64_t>(found.st_ino) : 0;
      return true;
    }
    case Fn::pid2task: {
      const auto& task_of = run_.surroundings.task_of;
      out.number = task_of ? static_cast<std::int64_t>(task_of(arguments[0].number)) : 0;
      return true;
    }
    case Fn::__cycles_at:
      out.number = cycles_.at(arguments[0].number);
      return true;
    case Fn::module_name:
      out.text = run_.program.module;
      return true;
    default:
      return false;
  }
}

bool BuiltinCalls::computed(Expr& expr, Fn fn, std::vector<Value>& arguments, Value& out) {
  if (fn == Fn::ctime && arguments.empty()) {
    arguments.push_back(context_.of(Fn::gettimeofday_s));
  }
  std::string wrong;
  compute(fn, arguments, tokens_, out, wrong);
  if (!wrong.empty()) return run_.fail(wrong, expr.place);
  out.is_own = (fn == Fn::substr || fn == Fn::str_replace) &&
               std::all_of(arguments.begin(), arguments.end(),
                           [](const Value& one) { return one.has_only_own(); });
  run_.cut(out.text);
  return true;
}

bool BuiltinCalls::effect(Fn fn, const std::vector<Value>& arguments) {
  switch (fn) {
    case Fn::log:
      speculations_.write({for_output(arguments[0]) + "\n", {}});
      return true;
    case Fn::warn:
      run_.surroundings.warn("WARNING: " + arguments[0].text);
      return true;
    case Fn::error:
      run_.error = arguments[0].text;
      return false;
    case Fn::assert:
      if (arguments[0].number != 0) return true;
      run_.error = arguments.size() > 1 ? arguments[1].text : "Assertion failed";
      return false;
    case Fn::system:
      commands_.push_back(arguments[0].text);
      return true;
    case Fn::speculate:
    case Fn::commit:
    case Fn::discard:
      speculations_.act(fn, arguments[0].number);
      return true;
    case Fn::abort:
      run_.is_aborted = run_.has_exited = true;
      return true;
    default:
      run_.has_exited = true;
      return true;
  }
}

bool BuiltinCalls::symbols(Expr& expr, Fn fn, const std::vector<Value>& arguments, Value& out) {
  AddressNames::Made made = names_.compute(fn, arguments);
  if (!made.error.empty()) return run_.fail(made.error, expr.place);
  if (made.is_printed) {
    speculations_.write({support::shown_text(made.value.text)});
    return true;
  }
  out = std::move(made.value);
  run_.cut(out.text);
  stacks_.note(out.text, made.addresses, made.is_user);
  return true;
}

bool BuiltinCalls::matched(Expr& expr, std::int64_t number, Value& out) {
  const std::vector<std::string>& groups = matches_.groups();
  if (number < 0 || static_cast<std::size_t>(number) >= groups.size()) {
    return run_.fail(fmt::format("the last match has no group {}", number), expr.place);
  }
  out.text = groups[static_cast<std::size_t>(number)];
  return true;
}

}  // namespace dt::stap
