// See library.h.

#include "stap/meaning/library.h"

#include <algorithm>
#include <set>

#include "probe/pattern.h"
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

// The files of all aliases whose first word matches a pattern.
void add_families(const std::string& pattern, const LibraryIndex& index,
                  std::set<std::string>& names) {
  for (const auto& [name, file] : index) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) continue;
    if (probe::glob_match(pattern, std::string_view(name).substr(0, dot))) names.insert(file);
  }
}

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
        if (!is_family(family)) names.insert(family);
        if (!probe::is_literal(family)) add_families(family, index, names);
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

}  // namespace dt::stap
