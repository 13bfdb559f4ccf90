// See print.h.

#include "stap/syntax/print.h"

#include <fmt/core.h>

#include <cctype>
#include <string_view>

#include "front/outcome.h"

namespace dt::stap {
namespace {

std::string list_of(const std::vector<ExprPtr>& all, std::string_view open,
                    std::string_view close) {
  std::string text(open);
  for (std::size_t i = 0; i < all.size(); ++i) {
    text += (i == 0 ? "" : ", ") + (all[i] == nullptr ? std::string("*") : print(*all[i]));
  }
  return text + std::string(close);
}

std::string print_parts(const Expr& expr) {
  std::string text;
  for (const Part& part : expr.parts) {
    text += part.index != nullptr ? fmt::format("[{}]", print(*part.index)) : "->" + part.member;
  }
  return text + std::string(static_cast<std::size_t>(expr.pretty), '$');
}

// An operator in front of -> needs parentheses; what is printed has its own unless it is unary.
std::string member_base(const Expr& expr) {
  const bool is_open = expr.kind == ExprKind::kUnary || expr.is_address ||
                       expr.kind == ExprKind::kTarget || expr.kind == ExprKind::kAtOperator ||
                       expr.kind == ExprKind::kMember;
  return is_open ? "(" + print(expr) + ")" : print(expr);
}

std::string print_statistic(const Expr& expr) {
  std::string text = fmt::format("{}({}", expr.text, print(*expr.kids[0]));
  for (const std::int64_t number : expr.numbers) {
    text += fmt::format(", {}", number);
  }
  return text + ")";
}

const char* type_name_of(Type type) {
  return type == Type::kLong ? ":long" : type == Type::kString ? ":string" : "";
}

class Printer {
 public:
  std::string text;

  void statement(const Stmt& stmt, std::size_t depth) {
    const std::string indent(depth * 2, ' ');
    switch (stmt.kind) {
      case StmtKind::kEmpty:
        text += indent + ";\n";
        break;
      case StmtKind::kExpr:
        text += indent + print(*stmt.expr) + "\n";
        break;
      case StmtKind::kBlock:
        block(stmt, depth);
        break;
      case StmtKind::kIf:
        text += fmt::format("{}if ({})\n", indent, print(*stmt.expr));
        statement(*stmt.body[0], depth + 1);
        if (stmt.body.size() > 1) {
          text += indent + "else\n";
          statement(*stmt.body[1], depth + 1);
        }
        break;
      case StmtKind::kWhile:
        text += fmt::format("{}while ({})\n", indent, print(*stmt.expr));
        statement(*stmt.body[0], depth + 1);
        break;
      case StmtKind::kFor: {
        const auto shown = [](const ExprPtr& one) { return one ? print(*one) : std::string(); };
        text += fmt::format("{}for ({}; {}; {})\n", indent, shown(stmt.init), shown(stmt.expr),
                            shown(stmt.step));
        statement(*stmt.body[0], depth + 1);
        break;
      }
      case StmtKind::kForeach:
        text += fmt::format("{}foreach ({})\n", indent, foreach_head(stmt));
        statement(*stmt.body[0], depth + 1);
        break;
      case StmtKind::kBreak:
        text += indent + "break\n";
        break;
      case StmtKind::kContinue:
        text += indent + "continue\n";
        break;
      case StmtKind::kNext:
        text += indent + "next\n";
        break;
      case StmtKind::kReturn:
        text += indent + (stmt.expr ? "return " + print(*stmt.expr) : "return;") + "\n";
        break;
      case StmtKind::kDelete:
        text += fmt::format("{}delete {}\n", indent, print(*stmt.expr));
        break;
      case StmtKind::kTry:
        text += indent + "try\n";
        block(*stmt.body[0], depth);
        text +=
            indent + (stmt.names.empty() ? "catch" : "catch (" + stmt.names[0].text + ")") + "\n";
        block(*stmt.body[1], depth);
        break;
    }
  }

  void block(const Stmt& stmt, std::size_t depth) {
    const std::string indent(depth * 2, ' ');
    text += indent + "{\n";
    for (const StmtPtr& one : stmt.body) {
      statement(*one, depth + 1);
      end_word(*one);
    }
    text += indent + "}\n";
  }

 private:
  // A name and a parenthesis in the next line would be a call.
  void end_word(const Stmt& stmt) {
    const bool is_open = stmt.kind == StmtKind::kExpr || stmt.kind == StmtKind::kReturn ||
                         stmt.kind == StmtKind::kDelete;
    const char last = text[text.size() - 2];
    const bool is_word = std::isalnum(static_cast<unsigned char>(last)) != 0 || last == '_';
    if (is_open && is_word) text.insert(text.size() - 1, ";");
  }

  static std::string foreach_head(const Stmt& stmt) {
    std::string head = stmt.value_name.text.empty() ? "" : stmt.value_name.text + " = ";
    head += "[";
    for (std::size_t i = 0; i < stmt.names.size(); ++i) {
      head += (i == 0 ? "" : ", ") + stmt.names[i].text;
      if (stmt.sort == SortBy::kKey && stmt.sort_key == i) head += stmt.descending ? "-" : "+";
    }
    head += "] in ";
    head += stmt.expr != nullptr ? print(*stmt.expr) : stmt.array.text;
    if (!stmt.slice.empty()) head += list_of(stmt.slice, "[", "]");
    if (!stmt.statistic.empty()) head += " " + stmt.statistic;
    if (stmt.sort == SortBy::kValue) head += stmt.descending ? "-" : "+";
    if (stmt.limit != nullptr) head += " limit " + print(*stmt.limit);
    return head;
  }
};

std::string print_global(const Symbol& symbol) {
  std::string text = fmt::format("{}global {}{}", symbol.is_private ? "private " : "", symbol.name,
                                 symbol.wraps ? "%" : "");
  if (symbol.most > 0) text += fmt::format("[{}]", symbol.most);
  if (symbol.initial != nullptr) {
    const Expr& initial = *symbol.initial;
    const bool is_number = initial.kind == ExprKind::kNumber;
    text += " = " + (is_number ? std::to_string(initial.number) : print(initial));
  }
  return text + "\n";
}

void print_function(const Function& function, Printer& out) {
  out.text += fmt::format("{}function {}{} (", function.is_private ? "private " : "", function.name,
                          type_name_of(function.result));
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    out.text += fmt::format("{}{}{}", i == 0 ? "" : ", ", function.parameters[i].text,
                            type_name_of(function.declared[i]));
  }
  out.text += function.priority == 1 ? ")\n" : fmt::format(") : {}\n", function.priority);
  if (function.is_embedded) {
    out.text += "%{" + function.embedded + "%}\n";
  } else {
    out.block(*function.body, 0);
  }
}

void print_probe(const Probe& probe, Printer& out) {
  out.text += "probe ";
  for (const std::string& alias : probe.aliases) {
    out.text += alias + (probe.is_epilogue ? " += " : " = ");
  }
  for (std::size_t i = 0; i < probe.points.size(); ++i) {
    const ProbePoint& point = probe.points[i];
    out.text += (i == 0 ? "" : ", ") + to_text(point);
    out.text += point.is_sufficient ? "!" : point.is_optional ? "?" : "";
    if (point.condition != nullptr) out.text += fmt::format(" if ({})", print(*point.condition));
  }
  out.text += "\n";
  out.block(*probe.body, 0);
  if (probe.epilogue == nullptr) return;
  out.text += ",\n";
  out.block(*probe.epilogue, 0);
}

}  // namespace

std::string print(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kNumber:
      // A literal has no sign.
      return std::to_string(static_cast<std::uint64_t>(expr.number));
    case ExprKind::kString:
      return front::in_quotes(expr.text);
    case ExprKind::kName:
      return expr.text;
    case ExprKind::kTarget:
      return (expr.is_address ? "&" : "") + expr.text + print_parts(expr);
    case ExprKind::kMember:
      return (expr.is_address ? "&" : "") + member_base(*expr.kids[0]) + print_parts(expr);
    case ExprKind::kEmbedded:
      return "%{" + expr.text + "%}";
    case ExprKind::kIndex:
      return expr.text + list_of(expr.kids, "[", "]");
    case ExprKind::kCall:
      return expr.text + list_of(expr.kids, "(", ")");
    case ExprKind::kUnary:
      return fmt::format("{}({})", expr.text, print(*expr.kids[0]));
    case ExprKind::kIncrement:
      return expr.is_prefix ? fmt::format("({}{})", expr.text, print(*expr.kids[0]))
                            : fmt::format("({}{})", print(*expr.kids[0]), expr.text);
    case ExprKind::kBinary:
    case ExprKind::kAssign:
      return fmt::format("({} {} {})", print(*expr.kids[0]), expr.text, print(*expr.kids[1]));
    case ExprKind::kTernary:
      return fmt::format("({} ? {} : {})", print(*expr.kids[0]), print(*expr.kids[1]),
                         print(*expr.kids[2]));
    case ExprKind::kIn:
      return fmt::format("({} in {})", list_of(expr.kids, "[", "]"), expr.text);
    case ExprKind::kStatistic:
      return print_statistic(expr);
    case ExprKind::kBucket:
      return fmt::format("{}[{}]", print(*expr.kids[0]), print(*expr.kids[1]));
    case ExprKind::kAtOperator:
      return (expr.is_address ? "&" : "") + expr.text + list_of(expr.kids, "(", ")") +
             print_parts(expr);
  }
  return "";
}

std::string print(const Script& script) {
  Printer out;
  for (const Name& one : script.embedded) out.text += "%{" + one.text + "%}\n";
  for (const auto& global : script.globals) {
    if (!global->is_library) out.text += print_global(*global);
  }
  for (const auto& function : script.functions) {
    if (!function->is_library) print_function(*function, out);
  }
  for (const auto& probe : script.aliases) {
    if (!probe->is_library) print_probe(*probe, out);
  }
  for (const auto& probe : script.probes) {
    print_probe(*probe, out);
  }
  return out.text;
}

}  // namespace dt::stap
