// See library.h.

#include "stap/meaning/library.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <utility>

#include "probe/pattern.h"
#include "stap/meaning/effects.h"
#include "stap/meaning/functions.h"
#include "stap/meaning/points.h"

namespace dt::stap {
namespace {

class Calls {
 public:
  explicit Calls(const Script& script) : script_(script) {}
  std::set<std::string> unknown;  // functions that are called and not here

  void statement(const Stmt& stmt) {
    for (const ExprPtr* const one : {&stmt.expr, &stmt.init, &stmt.step, &stmt.limit}) {
      if (*one != nullptr) expression(**one);
    }
    for (const ExprPtr& one : stmt.slice) {
      if (one != nullptr) expression(*one);
    }
    for (const StmtPtr& one : stmt.body) statement(*one);
  }

  void expression(const Expr& expr) {
    for (const ExprPtr& kid : expr.kids) {
      if (kid != nullptr) expression(*kid);
    }
    for (const Part& part : expr.parts) {
      if (part.index != nullptr) expression(*part.index);
    }
    if (expr.kind != ExprKind::kCall || find_function(expr.text) >= 0) return;
    const bool is_own = std::any_of(script_.functions.begin(), script_.functions.end(),
                                    [&](const auto& one) { return one->name == expr.text; });
    if (!is_own) unknown.insert(expr.text);
    if (!is_own && expr.text == "returnstr") unknown.insert("return_str");
  }

 private:
  const Script& script_;
};

// The files of all aliases whose first two words match those of a point: a family may have several
// files. Of a first word with `**`, any second word may be a part.
void add_families(const ProbePoint& point, const LibraryIndex& index,
                  std::set<std::string>& names) {
  const std::string& family = point.components.front().name;
  const bool has_second = point.components.size() > 1 && family.find("**") == std::string::npos;
  const std::string second = has_second ? point.components[1].name : "*";
  for (const auto& [name, file] : index) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) continue;
    if (!probe::glob_match(family, std::string_view(name).substr(0, dot))) continue;
    const std::string_view rest = std::string_view(name).substr(dot + 1);
    if (probe::glob_match(second, rest.substr(0, rest.find('.')))) names.insert(file);
  }
}

// ---- uaddr_af, uaddr_ip and uaddr_ip_port at connect() and bind(), args at execve() ----

struct CallText {
  std::string_view name;
  std::array<std::string_view, 2> calls, arguments;  // the calls, and what of theirs is shown
  bool is_at_return = true;                          // the memory is the same then
};
constexpr std::array<std::string_view, 2> kAddressed = {"connect", "bind"},
                                          kAddresses = {"$uservaddr", "$umyaddr"};
constexpr CallText kCallTexts[] = {
    {"uaddr_af", kAddressed, kAddresses},
    {"uaddr_ip", kAddressed, kAddresses},
    {"uaddr_ip_port", kAddressed, kAddresses},
    {"args", {"execve", "execveat"}, {"$argv", "$argv"}, false},
};

bool has(const ProbePoint& point, const CallText& text) {
  return point.components.size() > 1 && point.components[0].name.ends_with("syscall") &&
         std::find(text.calls.begin(), text.calls.end(), point.components[1].name) !=
             text.calls.end() &&
         (text.is_at_return || point.components.size() == 2);
}

class CallTexts {
 public:
  CallTexts(const Script& script, const Stmt& body, const CallText& text)
      : script_(script), body_(body), text_(text) {}

  void statement(Stmt& stmt) {
    for (ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
      if (*one != nullptr) expression(**one);
    }
    for (ExprPtr& one : stmt.slice) {
      if (one != nullptr) expression(*one);
    }
    for (StmtPtr& one : stmt.body) statement(*one);
  }

 private:
  bool is_meant(const Expr& expr) const {
    return expr.kind == ExprKind::kName && expr.text == text_.name && !writes(body_, expr.text) &&
           std::none_of(script_.globals.begin(), script_.globals.end(),
                        [&](const auto& one) { return one->name == expr.text; });
  }

  static ExprPtr made(const Expr& at, ExprKind kind, std::string text) {
    auto out = std::make_unique<Expr>();
    out->kind = kind;
    out->span = at.span;
    out->place = at.place;
    out->text = std::move(text);
    return out;
  }

  // __uaddr_ip(@choose_defined($uservaddr, @choose_defined($umyaddr, 0)))
  void expression(Expr& expr) {
    for (const ExprPtr& kid : expr.kids) {
      if (kid != nullptr) expression(*kid);
    }
    for (Part& part : expr.parts) {
      if (part.index != nullptr) expression(*part.index);
    }
    if (!is_meant(expr)) return;
    ExprPtr bound = made(expr, ExprKind::kAtOperator, "@choose_defined");
    bound->kids.push_back(made(expr, ExprKind::kTarget, std::string(text_.arguments[1])));
    bound->kids.push_back(made(expr, ExprKind::kNumber, ""));
    ExprPtr either = made(expr, ExprKind::kAtOperator, "@choose_defined");
    either->kids.push_back(made(expr, ExprKind::kTarget, std::string(text_.arguments[0])));
    either->kids.push_back(std::move(bound));
    expr.kind = ExprKind::kCall;
    expr.text = "__" + expr.text;
    expr.kids.push_back(std::move(either));
  }

  const Script& script_;
  const Stmt& body_;
  const CallText& text_;
};

}  // namespace

LibraryIndex read_index(std::string_view text) {
  LibraryIndex out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    out.emplace(line.substr(0, blank), line.substr(blank + 1));
  }
  return out;
}

std::vector<std::string> library_names(const Script& script, const LibraryIndex& index) {
  std::set<std::string> names;
  Calls calls(script);
  for (const auto* const probes : {&script.probes, &script.aliases}) {
    for (const auto& probe : *probes) {
      calls.statement(*probe->body);
      for (const ProbePoint& point : probe->points) {
        const std::string& family = point.components.front().name;
        if (!is_family(family)) {
          names.insert(family);
          add_families(point, index, names);
        } else if (point.components.size() > 1) {
          const auto alias = index.find(family + "." + point.components[1].name);  // syscall.send
          if (alias != index.end()) names.insert(alias->second);
        }
        if (point.condition) calls.expression(*point.condition);
      }
    }
  }
  for (const auto& function : script.functions) calls.statement(*function->body);
  for (const std::string& one : calls.unknown) {
    const auto found = index.find(one);
    if (found != index.end()) names.insert(found->second);
  }
  return {names.begin(), names.end()};
}

void call_for_texts(Script& script) {
  for (auto* const probes : {&script.probes, &script.aliases}) {
    for (auto& probe : *probes) {
      for (const CallText& text : kCallTexts) {
        const bool is_meant =
            std::any_of(probe->points.begin(), probe->points.end(),
                        [&](const ProbePoint& point) { return has(point, text); });
        if (is_meant) CallTexts(script, *probe->body, text).statement(*probe->body);
      }
    }
  }
}

}  // namespace dt::stap
