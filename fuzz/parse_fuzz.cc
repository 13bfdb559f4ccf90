// Any bytes through the lexer and the parser: they must end, within their
// limits, with a tree or with errors, and every place they name must be in the
// text.

#include <cstddef>
#include <cstdint>
#include <string>

#include "d/syntax/parse_test.h"
#include "d/syntax/parser.h"
#include "support/check.h"

namespace dt::d {
namespace {

constexpr std::size_t kMaxPrinted = 4096;  // longer inputs are parsed only

void check_span(Span span, std::size_t size) {
  DT_CHECK(span.source == 0 && span.begin <= span.end && span.end <= size, "{}-{} of {}",
           span.begin, span.end, size);
}

void check_expr(const Expr& e, std::size_t size) {
  check_span(e.span, size);
  DT_CHECK(e.height <= kMaxDepth);
  for (const Expr* arg : e.args) {
    DT_CHECK(arg != nullptr && arg->height < e.height);
    check_expr(*arg, size);
  }
}

void check_stmt(const Stmt& s, std::size_t size) {
  check_span(s.span, size);
  if (s.expr != nullptr) {
    check_expr(*s.expr, size);
  }
  for (const Stmt* inner : s.body) {
    DT_CHECK(inner != nullptr);
    check_stmt(*inner, size);
  }
}

void run(std::string text, front::Input::Spec spec) {
  const std::size_t size = text.size();
  ParseRun run(std::move(text), spec, {"t.d", "12", "name", "a b"});
  if (size <= kMaxPrinted) {
    run.tokens();
  }
  ParseContext context = run.context();
  const std::optional<Unit> unit = parse(run.source, spec, context);
  DT_CHECK(unit.has_value() == !run.diagnostics.any());
  for (const Diagnostic& d : run.diagnostics.all()) {
    check_span(d.span, size);
    DT_CHECK(!d.text.empty() && !d.tag.empty());
    support::render(d, run.sources);
    support::headline(d, run.sources, true);
  }
  if (!unit) {
    return;
  }
  for (const Clause& clause : unit->clauses) {
    check_span(clause.span, size);
    DT_CHECK(!clause.probes.empty());
    if (clause.predicate != nullptr) {
      check_expr(*clause.predicate, size);
    }
    for (const Stmt* s : clause.body) {
      check_stmt(*s, size);
    }
  }
  if (size <= kMaxPrinted) {
    print(*unit, run.sources);
  }
}

}  // namespace
}  // namespace dt::d

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Spec = dt::front::Input::Spec;
  const std::string text(data, data + size);
  dt::d::run(text, Spec::kProgram);
  constexpr Spec kOthers[] = {Spec::kName, Spec::kProvider, Spec::kModule, Spec::kFunction,
                              Spec::kId};
  dt::d::run(text, kOthers[size % std::size(kOthers)]);
  return 0;
}
