// The text form of the typed tree:
//
//   var global x : int64_t
//   agg @a[string] count
//   clause syscall::read:entry
//     predicate
//       binary == : int
//         pid : int builtin
//         1 : int constant
//     expr
//       ...

#include "d/check/typed_print.h"

#include "d/meaning/function_table.h"
#include "d/syntax/ast_print.h"

namespace dt::d {
namespace {

// Variables are shown as they are written, before their names.
const char* shown_before(ExprKind kind) {
  switch (kind) {
    case ExprKind::kIdent:
      return "";
    case ExprKind::kScoped:
      return "`";
    case ExprKind::kThreadVar:
      return "self->";
    case ExprKind::kClauseVar:
      return "this->";
    case ExprKind::kAggregation:
      return "@";
    case ExprKind::kSizeofType:
      return "sizeof";
    default:
      return kind_word(kind);
  }
}

const char* symbol_word(Symbol symbol) {
  switch (symbol) {
    case Symbol::kUnresolved:
      return "";
    case Symbol::kBuiltin:
      return " builtin";
    case Symbol::kGlobal:
      return " global";
    case Symbol::kThread:
      return " thread";
    case Symbol::kClause:
      return " clause";
    case Symbol::kInline:
      return " inline";
    case Symbol::kParameter:
      return " parameter";
    case Symbol::kTranslated:
      return " translated";
    case Symbol::kEnumerator:
      return " enumerator";
    case Symbol::kKernelSymbol:
    case Symbol::kKernelEnumerator:
      return " kernel";
    case Symbol::kMacro:
      return " macro";
    case Symbol::kRegister:
      return " register";
    case Symbol::kAction:
      return " action";
    case Symbol::kSubroutine:
      return " subroutine";
    case Symbol::kAggFunc:
      return " aggregating";
  }
  return "";
}

std::string quoted_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    } else {
      out += fmt::format("\\{:03o}", byte);
    }
  }
  return out + '"';
}

class Printer {
 public:
  Printer(const Checked& checked, const World& world) : checked_(checked), world_(world) {}

  void tables() {
    for (const VariableInfo& info : checked_.variables) {
      out_ += fmt::format("var {} {}", ir::scope_name(info.scope), info.name);
      for (std::size_t i = 0; i < info.keys.size(); ++i) {
        out_ += fmt::format("{}{}", i == 0 ? "[" : ", ", type(info.keys[i]));
      }
      out_ += fmt::format("{} : {}\n", info.keys.empty() ? "" : "]", type(info.type));
    }
    for (const AggregationInfo& info : checked_.aggregations) {
      out_ += fmt::format("agg @{}", info.name);
      for (std::size_t i = 0; i < info.keys.size(); ++i) {
        out_ += fmt::format("{}{}", i == 0 ? "[" : ", ", type(info.keys[i].type));
      }
      out_ +=
          fmt::format("{} {}\n", info.keys.empty() ? "" : "]", record::agg_func_name(info.func));
    }
  }

  void clause(const Clause& clause) {
    out_ += "clause ";
    for (std::size_t i = 0; i < clause.probes.size(); ++i) {
      out_ += (i == 0 ? "" : ", ") + clause.probes[i].text;
    }
    out_ += '\n';
    if (clause.predicate != nullptr) {
      out_ += "  predicate\n";
      expr(clause.predicate, 2);
    }
    for (const Stmt* stmt : clause.body) {
      statement(*stmt, 1);
    }
  }

  std::string take() { return std::move(out_); }

 private:
  std::string type(types::TypeId id) const {
    return id == types::TypeId{} ? "?" : world_.types.name(id);
  }

  void indent(int depth) { out_.append(static_cast<std::size_t>(depth) * 2, ' '); }

  void statement(const Stmt& stmt, int depth) {
    indent(depth);
    switch (stmt.kind) {
      case StmtKind::kEmpty:
        out_ += "empty\n";
        return;
      case StmtKind::kExpr:
        out_ += "expr\n";
        expr(stmt.expr, depth + 1);
        return;
      case StmtKind::kIf:
        out_ += "if\n";
        expr(stmt.expr, depth + 1);
        break;
      case StmtKind::kBlock:
        out_ += "block\n";
        break;
    }
    for (const Stmt* inner : stmt.body) {
      statement(*inner, depth + 1);
    }
  }

  void expr(const Expr* e, int depth) {
    indent(depth);
    const bool folded = e->is_constant;
    if (folded) {
      const bool is_signed = world_.types.resolved(e->type).is_signed;
      out_ += is_signed ? fmt::format("{}", static_cast<std::int64_t>(e->int_value))
                        : fmt::format("{}", e->int_value);
    } else if (e->kind == ExprKind::kString) {
      out_ += quoted_text(e->text);
    } else {
      out_ += shown_before(e->kind);
      const bool is_name = e->kind == ExprKind::kIdent || e->kind == ExprKind::kThreadVar ||
                           e->kind == ExprKind::kClauseVar || e->kind == ExprKind::kAggregation ||
                           e->kind == ExprKind::kScoped;
      if (e->kind == ExprKind::kMember) {
        out_ += e->arrow ? " ->" : " .";
        out_ += e->text;
      } else if (!e->text.empty() && e->kind != ExprKind::kIndex) {
        out_ += is_name ? e->text : " " + e->text;
      } else if (e->kind == ExprKind::kAssign) {
        out_ += e->op == Op::kNone ? " =" : fmt::format(" {}=", op_text(e->op));
      } else if (e->op != Op::kNone) {
        out_ += fmt::format(" {}", op_text(e->op));
      }
    }
    out_ += fmt::format(" : {}{}", type(e->type), folded ? " constant" : symbol_word(e->symbol));
    if (e->is_lvalue && e->symbol == Symbol::kUnresolved) {
      out_ += e->in_user ? " in user memory" : " in kernel memory";
    }
    out_ += '\n';
    if (!folded) {
      for (const Expr* arg : e->args) {
        expr(arg, depth + 1);
      }
    }
  }

  const Checked& checked_;
  const World& world_;
  std::string out_;
};

}  // namespace

std::string print_typed(const std::vector<Unit>& units, const Checked& checked,
                        const World& world) {
  Printer printer(checked, world);
  printer.tables();
  for (const Unit& unit : units) {
    for (const Item& item : unit.items) {
      if (item.kind == Item::Kind::kClause) {
        printer.clause(unit.clauses[item.index]);
      }
    }
  }
  return printer.take();
}

}  // namespace dt::d
