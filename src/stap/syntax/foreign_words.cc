// See foreign_words.h.

#include "stap/syntax/foreign_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "stap/syntax/foreign_points.h"

namespace dt::stap {
namespace {

struct OwnWord {
  std::string_view foreign, own;
};
constexpr OwnWord kOwnWords[] = {
    {"comm", "execname()"},
    {"nsecs", "ktime_get_ns()"},
    {"timestamp", "ktime_get_ns()"},
    {"walltimestamp", "gettimeofday_ns()"},
    {"elapsed", "ktime_get_ns() less what it was at probe begin"},
    {"vtimestamp", "task_utime() + task_stime()"},
    {"errno", "errno_str($return) at the return of a system call"},
    {"retval", "$return, at the return of a function or a system call"},
    {"args", "$NAME for each argument: stap -L POINT lists them"},
    {"func", "probefunc()"},
    {"probename", "pn()"},
    {"kstack", "backtrace(), which print_backtrace() prints with names"},
    {"stack", "backtrace(), which print_backtrace() prints with names"},
    {"ustack", "ubacktrace(), which print_ubacktrace() prints with names"},
    {"curthread", "task_current()"},
    {"curtask", "task_current()"},
    {"curpsinfo", "task_current()"},
    {"curlwpsinfo", "task_current()"},
    {"curcpu", "cpu()"},
    {"cwd", "task_cwd_path(task_current()), which fullpath_struct_path() makes a text of"},
    {"cpid", "target()"},
    {"rand", "randint(N)"},
    {"ncpus", "num_online_cpus()"},
    {"ucaller", "ucallers(1)"},
    {"NULL", "0"},
    {"true", "1"},
    {"false", "0"},
    {"$target", "target()"},
};

// What collects values in D and bpftrace, and what shows them here; count() is ++.
struct Aggregation {
  std::string_view function, shown;
};
constexpr Aggregation kAggregations[] = {
    {"count", ""},
    {"sum", "@sum({})"},
    {"min", "@min({})"},
    {"max", "@max({})"},
    {"avg", "@avg({})"},
    {"stddev", "@variance({})"},
    {"stats", "@count({0}), @avg({0}), @sum({0})"},
    {"quantize", "print(@hist_log({}))"},
    {"llquantize", "print(@hist_log({}))"},
    {"hist", "print(@hist_log({}))"},
    {"lquantize", "print(@hist_linear({}, LOW, HIGH, WIDTH))"},
    {"lhist", "print(@hist_linear({}, LOW, HIGH, WIDTH))"},
};

// 2 of arg2; -1: another word.
int number_of_foreign_argument(std::string_view word) {
  constexpr std::string_view kArgument = "arg";
  if (word.size() != kArgument.size() + 1 || !word.starts_with(kArgument)) return -1;
  const char digit = word.back();
  return digit >= '0' && digit <= '9' ? digit - '0' : -1;
}

// Behind the ']' that closes the '[' at `at`; the end where none does.
std::size_t behind_brackets(const std::vector<Token>& tokens, std::size_t at) {
  std::size_t depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].is("[")) ++depth;
    if (tokens[at].is("]") && --depth == 0) return at + 1;
  }
  return at;
}

// The kinds of probes that D has no provider of the same name of.
bool is_of_bpftrace(std::string_view kind) {
  constexpr std::string_view kBpftraceKinds[] = {
      "kprobe", "kretprobe", "kfunc",      "kretfunc",      "fentry",   "fexit",    "uprobe",
      "usdt",   "uretprobe", "tracepoint", "rawtracepoint", "interval", "software", "hardware"};
  return std::find(std::begin(kBpftraceKinds), std::end(kBpftraceKinds), kind) !=
         std::end(kBpftraceKinds);
}

}  // namespace

std::string hint_of_word(std::string_view word, bool is_return) {
  if (const int number = number_of_foreign_argument(word); number >= 0) {
    // The first one is arg0 there, and $arg1 here.
    constexpr int kMost = 9;
    if (is_return && number <= 1) return "here it is $return";
    return number < kMost ? fmt::format("here it is $arg{}", number + 1) : "";
  }
  for (const OwnWord& one : kOwnWords) {
    if (one.foreign == word) return fmt::format("here it is {}", one.own);
  }
  return {};
}

std::string hint_of_member(std::string_view base, std::string_view member) {
  if (base == "self") {
    return fmt::format("here a variable of each thread is an array: global {0}, and {0}[tid()]",
                       member);
  }
  if (base == "this") return fmt::format("here it is a local variable: {}", member);
  if (base != "args") return {};
  return fmt::format("here it is ${}: stap -L POINT lists the arguments of a point", member);
}

std::string hint_of_aggregation(const std::vector<Token>& tokens, std::size_t at) {
  const std::string name = tokens[at].text.substr(1);
  std::size_t next = at + 1;
  const bool has_keys = next < tokens.size() && tokens[next].is("[");
  if (has_keys) next = behind_brackets(tokens, next);
  const std::string element = has_keys ? name + "[KEY]" : name;
  const auto is = [&](std::size_t ahead, std::string_view text) {
    return next + ahead < tokens.size() && tokens[next + ahead].is(text);
  };
  if (is(0, "=") && is(2, "(")) {
    for (const Aggregation& one : kAggregations) {
      if (!is(1, one.function)) continue;
      if (one.shown.empty()) return fmt::format("here it is global {}, and {}++", name, element);
      return fmt::format("here it is global {}, {} <<< VALUE, and {}", name, element,
                         fmt::format(fmt::runtime(one.shown), element));
    }
  }
  const bool is_variable = has_keys || is(0, "=") || is(0, "++") || is(0, "+=") || is(0, "-=");
  return is_variable ? fmt::format("here it is global {}, and {}", name, element) : "";
}

std::string hint_of_clause(const Token& first, const Token& second, std::string_view point) {
  if (first.kind != TokenKind::kIdentifier) return {};
  const bool is_session = first.is("BEGIN") || first.is("END") || first.is("ERROR");
  if (!second.is(":") && !second.is("-") && !(second.is("{") && is_session)) return {};
  const std::string own = is_of_bpftrace(first.text) ? own_point(point) : "";
  return own.empty() ? "this is D: dtrace -n '...'" : fmt::format("here it is probe {}", own);
}

}  // namespace dt::stap
