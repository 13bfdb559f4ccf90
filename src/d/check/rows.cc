// The names of columns are constants, because the header is printed before the values are known,
// and because other programs find the values by them.

#include "d/check/rows.h"

#include <fmt/core.h>

#include "d/check/formats.h"
#include "d/check/wording.h"
#include "d/meaning/printf_format.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "record/columns.h"
#include "support/diagnostics.h"

namespace dt::d {

void Rows::check(Expr* e) {
  if (e->args.empty() || e->args.size() % 2 != 0) {
    error("D_PROTO_LEN", e->span,
          fmt::format("{}( ) prototype mismatch: each column is followed by its value", e->text))
        .hint = "printrow(\"PID\", pid, \"COMM\", execname)";
    return;
  }
  for (std::size_t i = 0; i < e->args.size(); i += 2) {
    if (!column(e, i)) {
      return;
    }
  }
}

// The column at `at`, and its value behind it.
bool Rows::column(Expr* e, std::size_t at) {
  const Expr* name = e->args[at];
  const Expr* value = e->args[at + 1];
  if (name->kind != ExprKind::kString) {
    error("D_PROTO_ARG", name->span,
          fmt::format("{}( ) argument #{} is incompatible with prototype:\n\tprototype: string "
                      "constant\n\t argument: {}",
                      e->text, at + 1, type_name(name)))
        .hint = "the name of a column stands before its value: printrow(\"PID\", pid)";
    return false;
  }
  const auto column = record::parse_column(name->text);
  if (!column) {
    error("D_SYNTAX", name->span,
          fmt::format("{}( ) argument #{} is no column: a name, and perhaps one conversion",
                      e->text, at + 1))
        .hint = "\"PID\", \"COMM %-16s\", \"LAT(ms) %{ms}.3f\"";
    return false;
  }
  const Conversion conversion{column->piece};
  if (conversion.supply != record::Supply::kNone) {
    error(
        "D_PRINTF_ARG_TYPE", name->span,
        fmt::format("{}( ) argument #{} shows a number of the machine, which is for printf( ) only",
                    e->text, at + 1));
    return false;
  }
  const types::Kind kind = rules_.kind(value->type);
  const bool is_shown =
      conversion.conversion == 0
          ? rules_.is_integer(value->type) || rules_.is_string_like(value->type) ||
                rules_.is_char_array(value->type) || kind == types::Kind::kSymbol ||
                kind == types::Kind::kUserSymbol
          : conversion.conversion != 'k' && formats_.conversion_accepts(conversion, value);
  if (!is_shown) {
    error("D_PRINTF_ARG_TYPE", value->span,
          fmt::format("{}( ) argument #{} cannot be shown in column {}: {}", e->text, at + 2,
                      column->name, type_name(value)))
        .hint = rules_.is_pointer(value->type) && conversion.conversion == 0
                    ? fmt::format("\"{} %p\" shows an address", column->name)
                    : "a value is a number, a string or a symbol";
  }
  return is_shown;
}

}  // namespace dt::d
