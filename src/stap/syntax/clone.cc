// See clone.h.

#include "stap/syntax/clone.h"

namespace dt::stap {
namespace {

ExprPtr clone_or_null(const ExprPtr& expr) { return expr != nullptr ? clone(*expr) : nullptr; }

void clone_all(const std::vector<ExprPtr>& from, std::vector<ExprPtr>& to) {
  for (const ExprPtr& one : from) to.push_back(clone_or_null(one));
}

}  // namespace

ExprPtr clone(const Expr& expr) {
  auto out = std::make_unique<Expr>();
  out->kind = expr.kind;
  out->span = expr.span;
  out->place = expr.place;
  out->text = expr.text;
  out->number = expr.number;
  out->is_prefix = expr.is_prefix;
  out->is_address = expr.is_address;
  out->pretty = expr.pretty;
  out->is_summary = expr.is_summary;
  out->depth = expr.depth;
  out->numbers = expr.numbers;
  clone_all(expr.kids, out->kids);
  for (const Part& part : expr.parts) {
    out->parts.push_back({part.member, clone_or_null(part.index), part.place});
  }
  return out;
}

StmtPtr clone(const Stmt& stmt) {
  auto out = std::make_unique<Stmt>();
  out->kind = stmt.kind;
  out->span = stmt.span;
  out->expr = clone_or_null(stmt.expr);
  out->init = clone_or_null(stmt.init);
  out->step = clone_or_null(stmt.step);
  out->limit = clone_or_null(stmt.limit);
  for (const StmtPtr& one : stmt.body) out->body.push_back(clone(*one));
  out->is_alias = stmt.is_alias;
  out->is_of_library = stmt.is_of_library;
  out->names = stmt.names;
  out->value_name = stmt.value_name;
  out->array = stmt.array;
  out->statistic = stmt.statistic;
  clone_all(stmt.slice, out->slice);
  out->sort = stmt.sort;
  out->sort_key = stmt.sort_key;
  out->descending = stmt.descending;
  return out;
}

}  // namespace dt::stap
