#pragma once
// Clauses and statements.

#include <string>

#include "d/check/part.h"

namespace dt::d {

struct Clause;
struct Stmt;

class Pragmas;
class ProbeArguments;
class Tables;
class Translators;
class TypeNames;

class Clauses : Part {
 public:
  Clauses(Context& context, Tables& tables, ProbeArguments& probe_arguments,
          Translators& translators, TypeNames& types, Pragmas& pragmas)
      : Part(context),
        tables_(tables),
        probe_arguments_(probe_arguments),
        translators_(translators),
        types_(types),
        pragmas_(pragmas) {}

  // Checks the predicate, then the statements.
  void check(Clause& clause);

 private:
  void predicate(Expr* e);
  std::string comparison_hint(const Expr* e) const;
  void statement(Stmt* stmt);
  void expression_statement(Stmt* stmt);
  // `quiet ? 1 : trace(2)` as a statement is an if with an else.
  bool void_ternary(Stmt* stmt);

  Tables& tables_;
  ProbeArguments& probe_arguments_;
  Translators& translators_;
  TypeNames& types_;
  Pragmas& pragmas_;
};

}  // namespace dt::d
