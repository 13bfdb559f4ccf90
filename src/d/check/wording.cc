#include "d/check/wording.h"

#include <fmt/core.h>

#include "d/syntax/ast.h"

namespace dt::d {

std::string shown_name(const std::string& name) { return name == "_" ? "" : name; }

std::string write_text(const Expr* e) {
  if (e->kind != ExprKind::kAssign) {
    return op_text(e->op);
  }
  return e->op == Op::kNone ? "=" : fmt::format("{}=", op_text(e->op));
}

std::string prototype_mismatch(std::string_view name, std::string_view brackets,
                               std::string_view what, std::size_t passed, std::size_t expected,
                               bool at_least) {
  return fmt::format("{}{} prototype mismatch: {} {}{} passed, {}{} expected", name, brackets,
                     passed, what, passed == 1 ? "" : "s", at_least ? "at least " : "", expected);
}

}  // namespace dt::d
