// See origins.h.

#include "stap/events/origins.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "stap/events/operators.h"
#include "stap/events/probes.h"
#include "stap/meaning/access.h"
#include "stap/meaning/memory_bytes.h"

namespace dt::stap {
namespace {

// What a value may be; nullopt: anything.
using Values = std::optional<std::set<int>>;
constexpr std::size_t kMostValues = 32;
constexpr int kMostCopies = 2 * static_cast<int>(kMostValues) + 8;

// The order in which errors are reported.
struct ByPlace {
  bool operator()(const Expr* a, const Expr* b) const {
    return std::tuple(a->place.source, a->place.begin, a) <
           std::tuple(b->place.source, b->place.begin, b);
  }
};

class Analysis {
 public:
  Analysis(Handler& handler, bool skips_bad_variables, Messages& messages)
      : handler_(handler), skips_bad_variables_(skips_bad_variables), messages_(messages) {}

  bool run() {
    frames_.emplace_back();
    constexpr int kMostPasses = 50;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      changed_ = false;
      if (handler_.condition) eval(*handler_.condition);
      statement(*handler_.body);
      if (!changed_) break;
    }
    for (const Expr* const one : unknown_) refuse(*one);
    return unknown_.empty();
  }

 private:
  struct Frame {
    std::map<const Symbol*, Values> variables;
    Values result = std::set<int>();
  };

  bool is_event() const { return !handler_.events.empty(); }

  static bool reads_path(const Expr& expr) {
    return expr.access != nullptr &&
           std::any_of(expr.access->steps.begin(), expr.access->steps.end(),
                       [](const AccessStep& step) { return step.kind == AccessStep::Kind::kPath; });
  }

  void refuse(const Expr& expr) {
    if (is_event()) {
      return messages_.semantic_error(
          "memory is recorded when the probe fires, and this address follows from no value of the "
          "probe alone",
          expr.place, "arguments, task_current(), and members of what they lead to are recorded");
    }
    if (reads_path(expr)) {
      return messages_.semantic_error(
          "the path of a file is made where an event fires, and not here", expr.place,
          "the handler of an event can keep the path in a variable; task_dentry_path() is a path "
          "without what is mounted where");
    }
    messages_.semantic_error("memory of a program is read when an event fires, and not here",
                             expr.place,
                             "the handler of an event can keep the value in a variable");
  }

  int depth(int origin) const { return origin < 0 ? 0 : depths_[static_cast<std::size_t>(origin)]; }

  // -1 where it would be nested too deeply.
  int intern(Origin made) {
    const auto [found, is_new] = numbers_.emplace(made, static_cast<int>(handler_.origins.size()));
    if (!is_new) return found->second;
    const int deep = std::max(depth(made.a), depth(made.b)) + 1;
    handler_.origins.push_back(std::move(made));
    depths_.push_back(deep);
    return found->second;
  }

  Values constant(std::int64_t number) {
    Origin made;
    made.number = number;
    return std::set<int>{intern(made)};
  }

  void join(Values& into, const Values& from) {
    if (!into) return;
    if (!from || into->size() + from->size() > kMostValues * 2) {
      into.reset();
      changed_ = true;
      return;
    }
    for (const int one : *from) {
      if (into->contains(one)) continue;
      if (into->size() < kMostValues) {
        into->insert(one);
        changed_ = true;
      } else if (!follows(one, *into)) {
        into.reset();
        changed_ = true;
        return;
      }
    }
  }

  // Whether the way to a value leads over one of these: a loop goes from one element of a list to
  // the next one. Of so many turns the memory is recorded, and a handler that makes more of them
  // has an error.
  bool follows(int one, const std::set<int>& others) const {
    for (int at = handler_.origins[static_cast<std::size_t>(one)].a; at >= 0;
         at = handler_.origins[static_cast<std::size_t>(at)].a) {
      if (others.contains(at)) return true;
    }
    return false;
  }

  Values each(const Values& of, Origin made) {
    if (!of) return std::nullopt;
    std::set<int> out;
    for (const int one : *of) {
      made.a = one;
      if (depth(one) < kMostCopies) out.insert(intern(made));
    }
    return out.empty() && !of->empty() ? Values() : out;
  }

  Values binary(const std::string& op, const Values& left, const Values& right) {
    if (!left || !right || left->size() * right->size() > kMostValues || !arithmetic_op(op)) {
      return std::nullopt;
    }
    std::set<int> out;
    for (const int a : *left) {
      for (const int b : *right) {
        if (std::max(depth(a), depth(b)) >= kMostCopies) continue;
        Origin made;
        made.kind = Origin::Kind::kBinary;
        made.op = op;
        made.a = a;
        made.b = b;
        out.insert(intern(made));
      }
    }
    return out.empty() && !left->empty() && !right->empty() ? Values() : out;
  }

  // ---- Expressions ----

  Values eval(Expr& expr) {
    for (Part& part : expr.parts) {
      if (part.index != nullptr) eval(*part.index);
    }
    if (expr.access != nullptr) return skipped(expr, access(expr));
    switch (expr.kind) {
      case ExprKind::kNumber:
        return constant(expr.number);
      case ExprKind::kName:
        return variable(expr.symbol);
      case ExprKind::kTarget:
        return skipped(expr, leaf(expr));
      case ExprKind::kBinary: {
        const Values left = eval(*expr.kids[0]), right = eval(*expr.kids[1]);
        return binary(expr.text, left, right);
      }
      case ExprKind::kTernary: {
        eval(*expr.kids[0]);
        Values out = eval(*expr.kids[1]);
        join(out, eval(*expr.kids[2]));
        return out;
      }
      case ExprKind::kAssign:
        return assignment(expr);
      case ExprKind::kIncrement:
        all(expr);
        assign(*expr.kids[0], std::nullopt);
        return std::nullopt;
      case ExprKind::kCall:
        return call(expr);
      default:
        all(expr);
        return std::nullopt;
    }
  }

  void all(Expr& expr) {
    for (const ExprPtr& kid : expr.kids) {
      if (kid != nullptr) eval(*kid);
    }
  }

  Values leaf(const Expr& expr) {
    if (expr.leaf < 0) return std::nullopt;
    const Leaf& of = handler_.leaves[static_cast<std::size_t>(expr.leaf)];
    if (of.what != Leaf::What::kValue && of.what != Leaf::What::kReturn &&
        of.what != Leaf::What::kRegister && of.what != Leaf::What::kVariable) {
      return std::nullopt;
    }
    if (of.name == "syscall") return std::nullopt;  // its number, which the probe says at home
    Origin made;
    made.kind = Origin::Kind::kLeaf;
    made.number = expr.leaf;
    return std::set<int>{intern(made)};
  }

  // An argument of a system call by its name: the same as $name.
  Values argument(const std::string& name) {
    const bool is_address = name.ends_with("_uaddr") &&
                            std::all_of(handler_.events.begin(), handler_.events.end(),
                                        [](const Event& event) { return is_syscall(event.kind); });
    if (!is_address) return std::nullopt;
    const auto found =
        std::find_if(handler_.leaves.begin(), handler_.leaves.end(), [&](const Leaf& leaf) {
          return leaf.what == Leaf::What::kValue && leaf.name == name && leaf.path.empty();
        });
    Origin made;
    made.kind = Origin::Kind::kLeaf;
    made.number = found - handler_.leaves.begin();
    if (found == handler_.leaves.end()) {
      Leaf leaf;
      leaf.name = name;
      handler_.leaves.push_back(std::move(leaf));
    }
    return std::set<int>{intern(made)};
  }

  // A local variable that nothing was assigned to is 0, which is no address.
  Values variable(const Symbol* symbol) {
    if (symbol == nullptr || symbol->is_global) return std::nullopt;
    const bool is_provided = std::any_of(handler_.provided.begin(), handler_.provided.end(),
                                         [&](const Provided& one) { return one.symbol == symbol; });
    if (is_provided) return argument(symbol->name);
    const auto found = frames_.back().variables.find(symbol);
    return found == frames_.back().variables.end() ? Values(std::set<int>()) : found->second;
  }

  void assign(const Expr& place, const Values& value) {
    if (place.kind == ExprKind::kName) assign(place.symbol, value);
  }
  void assign(const Symbol* symbol, const Values& value) {
    if (symbol == nullptr || symbol->is_global) return;
    const auto [found, is_new] = frames_.back().variables.emplace(symbol, Values(std::set<int>()));
    changed_ = changed_ || is_new;
    join(found->second, value);
  }

  // With --skip-badvars, the handler goes on with 0 for $x that cannot be read.
  Values skipped(const Expr& expr, const Values& of) {
    if (expr.kind != ExprKind::kTarget || !skips_bad_variables_) return of;
    Origin made;
    made.kind = Origin::Kind::kSkipped;
    return each(of, made);
  }

  Values assignment(Expr& expr) {
    for (const ExprPtr& kid : expr.kids[0]->kids) {
      if (kid != nullptr) eval(*kid);
    }
    const Values value = eval(*expr.kids[1]);
    const Values out = expr.text == "=" ? value : Values();
    assign(*expr.kids[0], out);
    return out;
  }

  Values call(Expr& expr) {
    std::vector<Values> arguments;
    for (const ExprPtr& kid : expr.kids) arguments.push_back(eval(*kid));
    if (expr.function == nullptr) {
      if (expr.leaf >= 0) return leaf(expr);
      if (expr.builtin < 0 || static_cast<Fn>(expr.builtin) != Fn::task_current) {
        return std::nullopt;
      }
      Origin made;
      made.kind = Origin::Kind::kTask;
      return std::set<int>{intern(made)};
    }
    Values out = std::set<int>();
    for (Function* one = expr.function; one != nullptr; one = one->following) {
      join(out, call(*one, arguments));
    }
    return out;
  }

  // A function is analysed once for each set of arguments.
  Values call(Function& function, const std::vector<Values>& arguments) {
    const auto [found, is_new] = calls_.emplace(std::pair(&function, arguments), Values());
    if (!is_new) return found->second;  // within itself: anything
    // fibonacci(n - 1) + fibonacci(n - 2) would be analysed for each n.
    constexpr std::size_t kMostFrames = 16, kMostCalls = 1000;
    constexpr std::ptrdiff_t kMostWithinItself = 2;
    if (frames_.size() > kMostFrames || calls_.size() > kMostCalls ||
        std::count(active_.begin(), active_.end(), &function) >= kMostWithinItself) {
      return call_blindly(function);
    }
    const bool had_changed = changed_;
    active_.push_back(&function);
    frames_.emplace_back();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      frames_.back().variables.emplace(function.locals[i].get(), arguments[i]);
    }
    constexpr int kMostPasses = 50;
    for (int pass = 0; pass < kMostPasses; ++pass) {
      changed_ = false;
      statement(*function.body);
      if (!changed_) break;
    }
    const Values out = frames_.back().result;
    frames_.pop_back();
    active_.pop_back();
    changed_ = had_changed;
    return found->second = out;
  }

  // Too deep: nothing is known of what it does.
  Values call_blindly(Function& function) {
    if (!blind_.insert(&function).second) return std::nullopt;
    frames_.emplace_back();
    for (const auto& local : function.locals) {
      frames_.back().variables.emplace(local.get(), Values());
    }
    statement(*function.body);
    frames_.pop_back();
    return std::nullopt;
  }

  Values access(Expr& expr) {
    Access& of = *expr.access;
    for (const ExprPtr& kid : expr.kids) {
      if (kid != nullptr && kid.get() != of.base) eval(*kid);
    }
    Values at = of.address           ? constant(*of.address)
                : of.base != nullptr ? eval(*of.base)
                                     : leaf(expr);
    const auto is_read = [](const AccessStep& step) {
      return step.kind == AccessStep::Kind::kLoad || step.kind == AccessStep::Kind::kText ||
             step.kind == AccessStep::Kind::kPath;
    };
    const auto user_reads = [&](const AccessStep& step) {
      return is_read(step) && step.is_userland;
    };
    const bool reads = of.bytes || std::any_of(of.steps.begin(), of.steps.end(), is_read) ||
                       std::any_of(of.shown.begin(), of.shown.end(),
                                   [&](const ShownPart& part) { return is_read(part.load); });
    if (!is_event() && reads) {
      // Memory of the kernel is read when the handler runs; memory of a program cannot be.
      const bool is_userland =
          (of.bytes && of.bytes->is_userland) ||
          std::any_of(of.steps.begin(), of.steps.end(), user_reads) ||
          std::any_of(of.shown.begin(), of.shown.end(),
                      [&](const ShownPart& part) { return user_reads(part.load); });
      // The text that stands for memory that cannot be read is made here.
      if ((is_userland && of.instead == nullptr) || reads_path(expr)) unknown_.insert(&expr);
      return std::nullopt;
    }
    bool is_part = false;
    for (AccessStep& step : of.steps) {
      at = follow(at, step);
      is_part = step.bit_size != 0;
    }
    for (ShownPart& part : of.shown) {
      if (part.as == ShownPart::As::kText || part.load.kind == AccessStep::Kind::kAdd) continue;
      Values place = binary("+", at, constant(part.offset));
      if (part.pointer) place = follow(place, *part.pointer);
      AccessStep step = part.load;
      follow(place, step);
    }
    if (of.bytes) follow_bytes(at, *of.bytes);
    if (!at && reads) unknown_.insert(&expr);
    return is_part || of.bytes || !of.shown.empty() ? Values() : at;
  }

  void follow_bytes(const Values& at, const AccessBytes& of) {
    const BytePieces pieces = pieces_of(of);
    const Values from = pieces.is_aligned ? binary("&", at, constant(-kByteWord)) : at;
    for (const BytePiece& one : pieces.list) {
      AccessStep step;
      step.kind = AccessStep::Kind::kLoad;
      step.size = one.size;
      step.is_userland = of.is_userland;
      follow(one.offset == 0 ? from : binary("+", from, constant(one.offset)), step);
    }
  }

  // Of an index that may be anything, all elements of an array that is not long.
  Values index_of(AccessStep& step) {
    Values index = eval(*step.index);
    if (index || step.count == 0 || step.count > kMostValues) return index;
    index = std::set<int>();
    for (std::uint32_t i = 0; i < step.count; ++i) {
      const Values one = constant(i);
      index->insert(one->begin(), one->end());
    }
    return index;
  }

  Values follow(const Values& at, AccessStep& step) {
    switch (step.kind) {
      case AccessStep::Kind::kAdd:
        return step.number == 0 ? at : binary("+", at, constant(step.number));
      case AccessStep::Kind::kIndex:
        return binary("+", at, binary("*", index_of(step), constant(step.number)));
      case AccessStep::Kind::kLoad:
      case AccessStep::Kind::kText:
      case AccessStep::Kind::kPath:
        break;
    }
    const bool is_text = step.kind == AccessStep::Kind::kText;
    const bool is_path = step.kind == AccessStep::Kind::kPath;
    Origin made;
    made.kind = is_text ? Origin::Kind::kText : is_path ? Origin::Kind::kPath : Origin::Kind::kLoad;
    made.size = is_text ? 0 : is_path ? kPathSize : step.size;
    made.is_signed = step.is_signed && step.bit_size == 0;
    made.is_userland = step.is_userland;
    const Values out = each(at, made);
    if (out) handler_.readings.insert(out->begin(), out->end());
    return out;
  }

  // ---- Statements ----

  void statement(Stmt& stmt) {
    for (ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
      if (*one == nullptr) continue;
      const Values value = eval(**one);
      if (stmt.kind == StmtKind::kReturn) join(frames_.back().result, value);
    }
    for (const ExprPtr& one : stmt.slice) {
      if (one != nullptr) eval(*one);
    }
    for (const Name& name : stmt.names) assign(name.symbol, std::nullopt);
    assign(stmt.value_name.symbol, std::nullopt);
    for (const StmtPtr& one : stmt.body) statement(*one);
  }

  Handler& handler_;
  bool skips_bad_variables_;
  Messages& messages_;
  std::map<Origin, int> numbers_;
  std::vector<int> depths_;
  std::vector<Frame> frames_;
  std::map<std::pair<const Function*, std::vector<Values>>, Values> calls_;
  std::vector<const Function*> active_;  // what is being analysed, from the outermost one
  std::set<const Function*> blind_;
  std::set<const Expr*, ByPlace> unknown_;
  bool changed_ = false;
};

}  // namespace

bool find_origins(Program& program, Messages& messages) {
  bool is_good = true;
  for (Handler& handler : program.handlers) {
    Analysis analysis(handler, program.limits.skips_bad_variables, messages);
    is_good = analysis.run() && is_good;
  }
  return is_good;
}

}  // namespace dt::stap
