// See absent_target.h.
//
// Without -c and -p, $target is 0 in expressions, as scripts that have other ways to choose a
// process expect: ($target ? pid == $target : execname == $$1). Where the whole predicate depends
// on a process that has this number, the script prints nothing, and nothing says why.

#include "d/check/absent_target.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "d/syntax/macros.h"
#include "front/absent_return.h"
#include "front/newer_call.h"
#include "probe/pattern.h"
#include "record/stack_depth.h"

namespace dt::d {
namespace {

bool is_target(const Expr* e, const Sources& sources) {
  return e->kind == ExprKind::kInt && sources.text(e->span) == "$target";
}

// The part that is never true, of those that must all be true; nullptr: there is none.
const Expr* never_true(const Expr* e, const Sources& sources) {
  if (e->kind == ExprKind::kBinary && e->op == Op::kLogAnd) {
    const Expr* const found = never_true(e->args[0], sources);
    return found != nullptr ? found : never_true(e->args[1], sources);
  }
  if (e->kind == ExprKind::kBinary && e->op == Op::kEq) {
    const Expr* const other = is_target(e->args[0], sources)   ? e->args[1]
                              : is_target(e->args[1], sources) ? e->args[0]
                                                               : nullptr;
    const bool is_process = other != nullptr && other->kind == ExprKind::kIdent &&
                            (other->text == "pid" || other->text == "ppid" || other->text == "tid");
    return is_process ? e : nullptr;
  }
  const bool is_descent = e->kind == ExprKind::kCall && e->text == "progenyof" &&
                          e->args.size() == 1 && is_target(e->args[0], sources);
  return is_descent ? e : nullptr;
}

// The system call whose return is described by its name; empty for other descriptions. A pattern
// means other calls, too.
std::string call_that_returns(const ProbeSpec& spec) {
  const std::optional<probe::Pattern> pattern = probe::parse_pattern(spec.text);
  const bool is_return = pattern && pattern->provider == "syscall" && pattern->name == "return";
  return is_return ? pattern->function : "";
}

using Remarks = std::vector<std::pair<std::string, std::string>>;

// "..." of '...', which may be within parentheses.
std::string as_text(std::string_view written) {
  std::string out = "\"";
  const std::size_t begin = written.find('\'') + 1, end = written.rfind('\'');
  bool is_escaped = false;
  for (const char c : written.substr(begin, end - begin)) {
    if (c == '"' && !is_escaped) out += '\\';
    is_escaped = c == '\\' && !is_escaped;
    out += c;
  }
  return out + '"';
}

// As in C, '...' is a number: the codes of its characters.
void add_characters(const std::vector<Stmt*>& body, const Sources& sources, Remarks& out) {
  for (const Stmt* const one : body) {
    add_characters(one->body, sources, out);
    const Expr* const e = one->kind == StmtKind::kExpr ? one->expr : nullptr;
    const bool is_traced = e != nullptr && e->kind == ExprKind::kCall && e->text == "trace" &&
                           e->args.size() == 1 && e->args[0]->is_char;
    if (!is_traced) continue;
    const std::string_view written = sources.text(e->args[0]->span);
    std::pair remark(fmt::format("trace({}) prints a number, not a text", written),
                     fmt::format("write a text in double quotes: trace({})", as_text(written)));
    if (std::find(out.begin(), out.end(), remark) == out.end()) out.push_back(std::move(remark));
  }
}

void add_stacks(const Expr* e, std::vector<std::string>& out) {
  if (e->kind == ExprKind::kCall && !e->args.empty() &&
      (e->text == "stack" || e->text == "ustack" || e->text == "jstack") &&
      e->args[0]->int_value > record::kMostStackFrames) {
    std::string remark = fmt::format("{}({}) gives {} frames at most", e->text,
                                     e->args[0]->int_value, record::kMostStackFrames);
    if (std::find(out.begin(), out.end(), remark) == out.end()) out.push_back(std::move(remark));
  }
  for (const Expr* const inner : e->args) add_stacks(inner, out);
}

void add_stacks(const std::vector<Stmt*>& body, std::vector<std::string>& out) {
  for (const Stmt* const one : body) {
    if (one->expr != nullptr) add_stacks(one->expr, out);
    add_stacks(one->body, out);
  }
}

}  // namespace

std::vector<std::string> remarks_on_returns(const std::vector<Unit>& units) {
  std::vector<std::string> out;
  for (const Unit& unit : units) {
    for (const Clause& clause : unit.clauses) {
      const bool has_execve = std::ranges::any_of(
          clause.probes, [](const ProbeSpec& spec) { return call_that_returns(spec) == "execve"; });
      for (const ProbeSpec& spec : clause.probes) {
        const std::string call = call_that_returns(spec), why = front::why_no_return(call);
        if (why.empty() || (call == "execveat" && has_execve)) continue;
        const std::string remark = fmt::format("{}: {}", spec.text, why);
        if (std::find(out.begin(), out.end(), remark) == out.end()) out.push_back(remark);
      }
    }
  }
  return out;
}

Remarks remarks_on_calls(const std::vector<Unit>& units, const World& world) {
  std::vector<probe::Pattern> described;
  for (const Unit& unit : units) {
    for (const Clause& clause : unit.clauses) {
      for (const ProbeSpec& spec : clause.probes) {
        if (auto pattern = probe::parse_pattern(spec.text)) described.push_back(*pattern);
      }
    }
  }
  Remarks out;
  std::set<std::string> said;
  for (const probe::Pattern& one : described) {
    const front::NewerCall* const found =
        one.provider == "syscall" ? front::newer_call(one.function) : nullptr;
    if (found == nullptr || said.contains(one.function)) continue;
    const auto is_newer = [&](const probe::Pattern& other) {
      return probe::field_matches(other.provider, "syscall") &&
             probe::field_matches(other.function, found->newer) &&
             probe::field_matches(other.name, one.name.empty() ? "entry" : one.name);
    };
    probe::Pattern newer = one;
    newer.function = found->newer;
    newer.text.clear();
    newer.text = probe::to_string(newer);
    if (std::ranges::any_of(described, is_newer)) continue;
    // With -x compat=solaris, the old name means both calls.
    const std::vector<probe::Probe> probes = world.probes.match(newer);
    if (probes.empty() || probes.front().description.function != found->newer) continue;
    const bool has_path = found->has_directory && one.name == "entry";
    out.emplace_back(
        fmt::format("{}: most programs call {}() now", one.text, found->newer),
        fmt::format("{},{} means both{}", one.text, newer.text,
                    has_path ? fmt::format("; at {} the path is arg1", found->newer) : ""));
    said.insert(one.function);
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> remarks_on_target(const std::vector<Unit>& units,
                                                                   const Sources& sources,
                                                                   const World& world) {
  if (world.macro && world.macro("target")) return {};
  for (const Unit& unit : units) {
    for (const Clause& clause : unit.clauses) {
      const Expr* const never =
          clause.predicate == nullptr ? nullptr : never_true(clause.predicate, sources);
      if (never == nullptr) continue;
      return {{fmt::format("there is no process for $target: '{}' is never true",
                           sources.text(never->span)),
               Macros::undefined_hint("target")}};
    }
  }
  return {};
}

Remarks remarks_on_characters(const std::vector<Unit>& units, const Sources& sources) {
  Remarks out;
  for (const Unit& unit : units) {
    for (const Clause& clause : unit.clauses) add_characters(clause.body, sources, out);
  }
  return out;
}

std::vector<std::string> remarks_on_stacks(const std::vector<Unit>& units) {
  std::vector<std::string> out;
  for (const Unit& unit : units) {
    for (const Clause& clause : unit.clauses) add_stacks(clause.body, out);
  }
  return out;
}

}  // namespace dt::d
