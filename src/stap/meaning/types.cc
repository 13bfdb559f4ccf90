// See types.h.
//
// Each pass over the program makes types of what it meets; passes are repeated until one changes
// nothing. A contradiction is reported where it is met, once for each place.

#include "stap/meaning/types.h"

#include <fmt/core.h>

#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "stap/meaning/callable.h"
#include "stap/meaning/contexts.h"
#include "stap/syntax/format.h"

namespace dt::stap {
namespace {

class Types {
 public:
  Types(Program& program, const ProvidedType& provided, Messages& messages)
      : program_(program), provided_(provided), messages_(messages) {}

  bool run() {
    settle();
    // What -G alone says something of has the type of that value.
    for (const auto& global : program_.script.globals) {
      if (global->type == Type::kUnknown) global->type = global->option_type;
    }
    settle();
    if (failed_.empty()) {
      is_last_ = true;
      everything();
      unresolved();
    }
    return failed_.empty();
  }

 private:
  void error(std::string_view text, Span span, std::string_view hint = {}) {
    if (failed_.insert({span.source, span.begin}).second)
      messages_.semantic_error(text, span, hint);
  }

  void mismatch(Type a, Type b, Span span) {
    error(fmt::format("type mismatch: expected {} but found {}", type_name(a), type_name(b)), span);
  }

  void settle() {
    constexpr int kMostPasses = 1000;
    for (int pass = 0; pass < kMostPasses && failed_.empty(); ++pass) {
      changed_ = false;
      everything();
      if (!changed_) break;
    }
  }

  // Both are of one type from now on.
  Type unify(Type& place, Type type, Span span) {
    if (place == Type::kUnknown && type != Type::kUnknown) {
      place = type;
      inferred_.emplace(&place, span);
      changed_ = true;
    } else if (type != Type::kUnknown && place != type) {
      contradiction(place, type, span);
    }
    return place;
  }

  // What an expression is before anything is wanted of it.
  static Type given(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kNumber:
        return Type::kLong;
      case ExprKind::kString:
        return Type::kString;
      case ExprKind::kName:
      case ExprKind::kIndex:
        return expr.symbol == nullptr ? Type::kUnknown : expr.symbol->type;
      default:
        return expr.type;
    }
  }

  static bool contradicts(Type a, Type b) {
    return a != Type::kUnknown && b != Type::kUnknown && a != b;
  }

  // What has a type from another place of the script: that place is shown, too.
  void contradiction(const Type& place, Type type, Span span, const std::string& of = {}) {
    const auto found = inferred_.find(&place);
    if (found == inferred_.end()) return mismatch(type, place, span);
    if (!failed_.insert({span.source, span.begin}).second) return;
    messages_.semantic_error(fmt::format("{}type mismatch ({})", of, type_name(type)), span);
    messages_.semantic_error(fmt::format("type {}was first inferred here ({})",
                                         of.empty() ? "" : "of " + of, type_name(place)),
                             found->second);
  }

  void everything() {
    for (const auto& function : program_.script.functions) {
      function_ = function.get();
      statement(*function->body);
      // A function that returns nothing is of no type.
    }
    function_ = nullptr;
    for (Handler& handler : program_.handlers) {
      handler_ = &handler;
      for (const Provided& one : handler.provided) {
        const Type type = provided_(handler, one.name);
        if (type != Type::kUnknown) unify(one.symbol->type, type, one.symbol->span);
      }
      if (handler.condition) infer(*handler.condition, Type::kLong);
      statement(*handler.body);
    }
    handler_ = nullptr;
  }

  // A local variable ends with its handler, before a statistic could say anything.
  void check_local(const Symbol& local, bool is_at_return = false) {
    if (local.type == Type::kUnknown) {
      error("unresolved type ", local.span, hint_of_variable(program_, local.name, is_at_return));
    }
    if (local.type == Type::kStats) {
      error("stat locals not supported, missing global declaration? ", local.span);
    }
  }

  // A variable that nothing gives a type has no value that could be read.
  void unresolved() {
    for (const auto& global : program_.script.globals) {
      if (global->type == Type::kUnknown && (global->is_read || global->is_written)) {
        error("unresolved type ", global->arity_place.end > 0 ? global->arity_place : global->span);
      }
    }
    for (Handler& handler : program_.handlers) {
      for (const auto& local : handler.locals) {
        check_local(*local, fires_at_returns(handler));
      }
    }
    for (const auto& function : program_.script.functions) {
      if (!function->is_used) continue;
      for (const auto& local : function->locals) {
        check_local(*local);
      }
    }
  }

  // ---- Expressions ----

  Type infer(Expr& expr, Type want) {
    const Type type = type_of(expr, want);
    if (type != Type::kUnknown && want != Type::kUnknown && type != want) {
      mismatch(want, type, expr.place);
    }
    if (expr.type == Type::kUnknown && type != Type::kUnknown) {
      expr.type = type;
      changed_ = true;
    }
    return type != Type::kUnknown ? type : want;
  }

  Type type_of(Expr& expr, Type want) {
    switch (expr.kind) {
      case ExprKind::kNumber:
        return Type::kLong;
      case ExprKind::kString:
        return Type::kString;
      case ExprKind::kName:
        return expr.symbol == nullptr ? Type::kUnknown : unify(expr.symbol->type, want, expr.place);
      case ExprKind::kIndex:
        keys(expr);
        return expr.symbol == nullptr ? Type::kUnknown : unify(expr.symbol->type, want, expr.place);
      case ExprKind::kIn:
        keys(expr);
        return Type::kLong;
      case ExprKind::kTarget:
        if (expr.access != nullptr) return memory(expr);
        return leaf_type(expr);
      case ExprKind::kCall:
        return call(expr, want);
      case ExprKind::kUnary:
      case ExprKind::kIncrement:
        infer(*expr.kids[0], Type::kLong);
        return Type::kLong;
      case ExprKind::kBinary:
        return binary(expr);
      case ExprKind::kTernary:
        return ternary(expr, want);
      case ExprKind::kAssign:
        return assignment(expr, want);
      case ExprKind::kStatistic:
        infer(*expr.kids[0], Type::kStats);
        note_histogram(expr);
        note_shift(expr);
        return expr.text.starts_with("@hist") ? Type::kStats : Type::kLong;
      case ExprKind::kBucket:
        infer(*expr.kids[0], Type::kStats);
        infer(*expr.kids[1], Type::kLong);
        return Type::kLong;
      case ExprKind::kAtOperator:
      case ExprKind::kMember:
        return memory(expr);
      case ExprKind::kEmbedded:
        return Type::kUnknown;
    }
    return Type::kUnknown;
  }

  // @cast(p, "t")->m, t->m, $x->a[i], $x$: a number, or with $ a text.
  Type memory(Expr& expr) {
    for (const ExprPtr& kid : expr.kids) {
      const bool is_pointer = expr.text == "@cast" && kid == expr.kids.front();
      if (kid->kind != ExprKind::kString || is_pointer) infer(*kid, Type::kLong);
    }
    for (Part& part : expr.parts) {
      if (part.index != nullptr) infer(*part.index, Type::kLong);
    }
    return expr.pretty > 0 || expr.is_summary ? Type::kString : Type::kLong;
  }

  Type leaf_type(const Expr& expr) const {
    if (expr.leaf < 0 || handler_ == nullptr) return Type::kUnknown;
    switch (handler_->leaves[static_cast<std::size_t>(expr.leaf)].what) {
      case Leaf::What::kUserText:
      case Leaf::What::kKernelText:
      case Leaf::What::kParms:
      case Leaf::What::kName:
        return Type::kString;
      case Leaf::What::kValue:
      case Leaf::What::kReturn:
      case Leaf::What::kRegister:
      case Leaf::What::kVariable:
        return Type::kLong;
    }
    return Type::kLong;
  }

  void keys(Expr& expr) {
    for (std::size_t i = 0; i < expr.kids.size(); ++i) {
      if (expr.kids[i] == nullptr || expr.symbol == nullptr) continue;
      Type& key = expr.symbol->keys[i];
      if (const Type known = given(*expr.kids[i]); contradicts(key, known)) {
        return contradiction(key, known, expr.kids[i]->place, fmt::format("index {} ", i));
      }
      const Type type = infer(*expr.kids[i], key);
      if (type == Type::kStats) return mismatch(Type::kLong, Type::kStats, expr.kids[i]->place);
      unify(key, type, expr.kids[i]->place);
    }
  }

  Type binary(Expr& expr) {
    Expr &left = *expr.kids[0], &right = *expr.kids[1];
    if (expr.text == ".") {
      infer(left, Type::kString);
      infer(right, Type::kString);
      return Type::kString;
    }
    if (expr.text == "=~" || expr.text == "!~") {
      infer(left, Type::kString);
      infer(right, Type::kString);
      return Type::kLong;
    }
    constexpr std::string_view kComparisons[] = {"==", "!=", "<", ">", "<=", ">="};
    for (const std::string_view one : kComparisons) {
      if (expr.text != one) continue;
      const Type known = given(right);
      const Type type = infer(left, known);
      if (contradicts(type, known)) return Type::kLong;
      infer(right, type);
      if (type == Type::kUnknown && right.type != Type::kUnknown) infer(left, right.type);
      if (type == Type::kStats) mismatch(Type::kLong, Type::kStats, left.place);
      return Type::kLong;
    }
    infer(left, Type::kLong);
    infer(right, Type::kLong);
    return Type::kLong;
  }

  Type ternary(Expr& expr, Type want) {
    infer(*expr.kids[0], Type::kLong);
    const Type first = infer(*expr.kids[1], want);
    const Type second = infer(*expr.kids[2], first);
    if (first == Type::kUnknown && second != Type::kUnknown) infer(*expr.kids[1], second);
    return second;
  }

  Type assignment(Expr& expr, Type want) {
    Expr &left = *expr.kids[0], &right = *expr.kids[1];
    if (expr.text == "<<<") {
      infer(left, Type::kStats);
      infer(right, Type::kLong);
      return Type::kLong;
    }
    if (expr.text == ".=") {
      infer(left, Type::kString);
      infer(right, Type::kString);
      return Type::kString;
    }
    if (expr.text != "=") {
      infer(left, Type::kLong);
      infer(right, Type::kLong);
      return Type::kLong;
    }
    const Type known = given(right);
    const Type type = infer(left, known != Type::kUnknown ? known : want);
    if (contradicts(type, known)) return known;
    const Type value = infer(right, type);
    if (type == Type::kUnknown && value != Type::kUnknown) infer(left, value);
    if (value == Type::kStats) mismatch(Type::kLong, Type::kStats, right.place);
    const bool is_run = function_ == nullptr || function_->is_used;
    if (is_last_ && is_run && value == Type::kUnknown && right.kind == ExprKind::kCall) {
      error(no_value(right), right.place);
      // The variable has no type for the same reason.
      if (left.symbol != nullptr) {
        failed_.insert({left.symbol->span.source, left.symbol->span.begin});
      }
    }
    return value;
  }

  // @variance(s, bits): one number of bits for a variable.
  void note_shift(const Expr& expr) {
    constexpr std::int64_t kMost = 62;
    if (!is_last_ || expr.text != "@variance" || expr.numbers.empty()) return;
    const std::int64_t bits = expr.numbers[0];
    if (bits < 0 || bits > kMost) {
      return error(fmt::format("bit shift ({}) out of range <0..{}>", bits, kMost), expr.place);
    }
    const auto known = shifts_.emplace(expr.kids[0]->symbol, bits);
    if (known.first->second != bits) {
      error(fmt::format("conflicting bit shifts declared (previously {})", known.first->second),
            expr.place);
    }
  }

  // One variable has the histogram of one set of parameters.
  void note_histogram(Expr& expr) {
    Symbol* const symbol = expr.kids[0]->symbol;
    if (!is_last_ || symbol == nullptr || expr.text != "@hist_linear") return;
    if (expr.numbers[2] <= 0 || expr.numbers[0] >= expr.numbers[1]) {
      return error("invalid bounds or width of @hist_linear", expr.place);
    }
    std::vector<std::int64_t>& known = symbol->histogram;
    if (!known.empty() && known != expr.numbers) {
      return error(fmt::format("multiple histogram types declared on '{}'", symbol->name),
                   expr.place);
    }
    known = expr.numbers;
    constexpr std::int64_t kMostBuckets = 100000;
    if ((expr.numbers[1] - expr.numbers[0]) / expr.numbers[2] > kMostBuckets) {
      error("@hist_linear has too many buckets", expr.place);
    }
  }

  // ---- Calls ----

  Type call(Expr& expr, Type want) {
    if (expr.leaf >= 0) {
      if (info(static_cast<Fn>(expr.builtin)).where == Where::kMemory && expr.kids.size() > 1) {
        infer(*expr.kids[1], Type::kString);
      }
      return leaf_type(expr);
    }
    if (expr.function != nullptr) return call_function(expr, want);
    if (expr.builtin < 0) return Type::kUnknown;
    const Fn fn = static_cast<Fn>(expr.builtin);
    if (is_printing(fn)) {
      printing(expr, fn);
    } else {
      std::size_t i = 0;
      for (const char c : info(fn).parameters) {
        if (c == '?' || i >= expr.kids.size()) continue;
        infer(*expr.kids[i++], c == 's' ? Type::kString : Type::kLong);
      }
    }
    // What gives nothing has no type of its own: where a number is wanted, it is 0.
    switch (info(fn).result) {
      case 's':
        return Type::kString;
      case '-':
        return Type::kUnknown;
      default:
        return Type::kLong;
    }
  }

  Type call_function(Expr& expr, Type want) {
    Function* first = expr.function;
    for (Function* one = first; one != nullptr; one = one->following) {
      for (std::size_t i = 0; i < expr.kids.size(); ++i) {
        Type& parameter = one->locals[i]->type;
        unify(parameter, infer(*expr.kids[i], parameter), expr.kids[i]->place);
      }
      unify(one->result, first->result != Type::kUnknown ? first->result : want, expr.place);
      unify(first->result, one->result, expr.place);
    }
    return first->result;
  }

  void printable(Expr& expr) {
    if (expr.kind == ExprKind::kStatistic && expr.text.starts_with("@hist")) {
      infer(expr, Type::kStats);
      return;
    }
    const Type type = infer(expr, Type::kUnknown);
    if (type == Type::kStats) mismatch(Type::kLong, Type::kStats, expr.place);
    // A variable without a type is reported by its name.
    if (is_last_ && type == Type::kUnknown && expr.kind == ExprKind::kCall) {
      error(no_value(expr), expr.place);
    }
  }

  static std::string no_value(const Expr& call) {
    return fmt::format("unresolved type ({}() returns nothing)", call.text);
  }

  void printing(Expr& expr, Fn fn) {
    const bool is_formatted = fn == Fn::printf || fn == Fn::sprintf;
    if (is_formatted) return formatted(expr);
    for (const ExprPtr& kid : expr.kids) printable(*kid);
  }

  void formatted(Expr& expr) {
    std::string wrong;  // The parser has reported it.
    const std::vector<FormatPiece> pieces = parse_format(expr.kids[0]->text, wrong);
    infer(*expr.kids[0], Type::kString);
    std::vector<Type> wanted;
    for (const FormatPiece& piece : pieces) {
      if (piece.width_is_argument) wanted.push_back(Type::kLong);
      if (piece.precision_is_argument) wanted.push_back(Type::kLong);
      if (piece.conversion != '\0') wanted.push_back(piece.type());
    }
    if (wanted.size() != expr.kids.size() - 1) {
      return error("Wrong number of args to formatted print operator", expr.place,
                   fmt::format("too {} arguments for the format: {} instead of {}",
                               expr.kids.size() - 1 < wanted.size() ? "few" : "many",
                               expr.kids.size() - 1, wanted.size()));
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) infer(*expr.kids[i + 1], wanted[i]);
  }

  // ---- Statements ----

  void foreach_statement(Stmt& stmt) {
    if (stmt.expr != nullptr) {
      infer(*stmt.expr, Type::kStats);
      if (stmt.names[0].symbol) unify(stmt.names[0].symbol->type, Type::kLong, stmt.names[0].span);
    } else if (stmt.array.symbol != nullptr) {
      Symbol& array = *stmt.array.symbol;
      for (std::size_t i = 0; i < stmt.names.size(); ++i) {
        Symbol& name = *stmt.names[i].symbol;
        unify(name.type, array.keys[i], stmt.names[i].span);
        unify(array.keys[i], name.type, stmt.names[i].span);
        if (i < stmt.slice.size() && stmt.slice[i] != nullptr) {
          unify(array.keys[i], infer(*stmt.slice[i], array.keys[i]), stmt.slice[i]->place);
        }
      }
      if (!stmt.statistic.empty()) unify(array.type, Type::kStats, stmt.array.span);
      if (stmt.value_name.symbol != nullptr) {
        if (array.type == Type::kStats) {
          return mismatch(Type::kLong, Type::kStats, stmt.value_name.span);
        }
        unify(stmt.value_name.symbol->type, array.type, stmt.value_name.span);
        unify(array.type, stmt.value_name.symbol->type, stmt.value_name.span);
      }
    }
    if (stmt.limit != nullptr) infer(*stmt.limit, Type::kLong);
    statement(*stmt.body[0]);
  }

  void statement(Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kForeach:
        return foreach_statement(stmt);
      case StmtKind::kDelete:
        if (stmt.expr->kind == ExprKind::kIndex) keys(*stmt.expr);
        return;
      case StmtKind::kReturn:
        if (stmt.expr != nullptr && function_ != nullptr) {
          const Type known = given(*stmt.expr);
          if (contradicts(function_->result, known) && inferred_.contains(&function_->result)) {
            return contradiction(function_->result, known, stmt.expr->place);
          }
          const Type type = infer(*stmt.expr, function_->result);
          unify(function_->result, type, stmt.expr->place);
        }
        return;
      case StmtKind::kTry:
        for (Name& name : stmt.names) unify(name.symbol->type, Type::kString, name.span);
        break;
      case StmtKind::kExpr:
        infer(*stmt.expr, Type::kUnknown);
        return;
      case StmtKind::kEmpty:
      case StmtKind::kBlock:
      case StmtKind::kIf:
      case StmtKind::kWhile:
      case StmtKind::kFor:
      case StmtKind::kBreak:
      case StmtKind::kContinue:
      case StmtKind::kNext:
        break;
    }
    if (stmt.init != nullptr) infer(*stmt.init, Type::kUnknown);
    if (stmt.expr != nullptr) infer(*stmt.expr, Type::kLong);
    if (stmt.step != nullptr) infer(*stmt.step, Type::kUnknown);
    for (const StmtPtr& one : stmt.body) statement(*one);
  }

  Program& program_;
  const ProvidedType& provided_;
  Messages& messages_;
  Handler* handler_ = nullptr;
  Function* function_ = nullptr;
  std::set<std::pair<std::uint32_t, std::uint32_t>> failed_;
  std::map<const Type*, Span> inferred_;  // where variables, keys and functions have got a type
  std::map<const Symbol*, std::int64_t> shifts_;  // of @variance
  bool changed_ = false;
  bool is_last_ = false;
};

}  // namespace

const char* type_name(Type type) {
  switch (type) {
    case Type::kLong:
      return "long";
    case Type::kString:
      return "string";
    case Type::kStats:
      return "stats";
    case Type::kUnknown:
      break;
  }
  return "unknown";
}

bool infer_types(Program& program, const ProvidedType& provided, Messages& messages) {
  return Types(program, provided, messages).run();
}

}  // namespace dt::stap
