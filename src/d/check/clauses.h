#pragma once
// Clauses and statements.

#include <cstddef>
#include <vector>

#include "d/check/part.h"

namespace dt::d {

struct Clause;
struct Stmt;

class Names;
class Pragmas;
class ProbeArguments;
class Tables;
class Translators;
class TypeNames;
class UndefinedNames;

class Clauses : Part {
 public:
  Clauses(Context& context, Tables& tables, Names& names, UndefinedNames& undefined,
          ProbeArguments& probe_arguments, Translators& translators, TypeNames& types,
          Pragmas& pragmas)
      : Part(context),
        tables_(tables),
        names_(names),
        undefined_(undefined),
        probe_arguments_(probe_arguments),
        translators_(translators),
        types_(types),
        pragmas_(pragmas) {}

  // Checks the statements, then the predicate: it may read what its own clause assigns. It is
  // checked first where it makes a variable that the statements read, and at the end of the
  // program where only a later clause makes what it reads.
  void check(Clause& clause);
  // Checks the predicates that have waited for the end of the program.
  void check_waiting();

 private:
  struct Waiting {
    Clause* clause;
    std::size_t stability;  // the place of the clause's, if it is wanted
  };

  // All but a predicate that waits; there were so many errors before it.
  void check_first(Clause& clause, std::size_t errors);
  void actions(Clause& clause);
  void predicate(const Clause& clause);
  bool must_wait(const Clause& clause);
  void stability(const Clause& clause, std::size_t place);
  void condition(Expr* e, const char* what);
  void refuse_misplaced(std::size_t errors);
  void give_back(const Expr* e);
  void statement(Stmt* stmt);
  void expression_statement(Stmt* stmt);
  // `quiet ? 1 : trace(2)` as a statement is an if with an else.
  bool void_ternary(Stmt* stmt);

  Tables& tables_;
  Names& names_;
  UndefinedNames& undefined_;
  ProbeArguments& probe_arguments_;
  Translators& translators_;
  TypeNames& types_;
  Pragmas& pragmas_;
  std::vector<Waiting> waiting_;
  bool is_right_ = true;  // of the clause that was checked last
};

}  // namespace dt::d
