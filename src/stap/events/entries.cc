// See entries.h.

#include "stap/events/entries.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "stap/meaning/effects.h"
#include "stap/syntax/print.h"

namespace dt::stap {

void for_each(const Expr& expr, const std::function<void(const Expr&)>& f) {
  f(expr);
  for (const ExprPtr& kid : expr.kids) {
    if (kid != nullptr) for_each(*kid, f);
  }
  for (const Part& part : expr.parts) {
    if (part.index != nullptr) for_each(*part.index, f);
  }
}

void for_each(const Stmt& stmt, const std::function<void(const Expr&)>& f) {
  for (const ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
    if (*one != nullptr) for_each(**one, f);
  }
  for (const ExprPtr& one : stmt.slice) {
    if (one != nullptr) for_each(*one, f);
  }
  for (const StmtPtr& one : stmt.body) for_each(*one, f);
}

bool is_return_of_call(const Event& event) {
  return event.kind == EventKind::kSyscallReturn || event.kind == EventKind::kFunctionReturn;
}

namespace {

class Entries {
 public:
  Entries(Program& program, std::size_t which, EventProbes& probes, Messages& messages)
      : program_(program), which_(which), probes_(probes), messages_(messages) {}

  bool run() {
    Handler& handler = program_.handlers[which_];
    can_ = !handler.events.empty();
    for (const Event& event : handler.events) can_ = can_ && is_return_of_call(event);
    knows_given_ = can_ && std::all_of(handler.events.begin(), handler.events.end(), [&](auto& of) {
                     const auto& all = probes_.of(of);
                     return of.kind == EventKind::kSyscallReturn &&
                            std::none_of(all.begin(), all.end(), changes_registers);
                   });
    if (handler.condition) take(handler.condition);
    take(*handler.body);
    if (kept_.empty()) return is_good_;
    add_handler();
    return is_good_;
  }

 private:
  void take(Stmt& stmt) {
    for (ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
      if (*one != nullptr) take(*one);
    }
    for (ExprPtr& one : stmt.slice) {
      if (one != nullptr) take(one);
    }
    for (StmtPtr& one : stmt.body) take(*one);
  }

  void take(ExprPtr& expr) {
    const bool is_entry = expr->kind == ExprKind::kAtOperator && expr->text == "@entry";
    const bool is_argument = expr->kind == ExprKind::kTarget && expr->text != "$return" &&
                             expr->text != "$syscall" && can_ &&
                             (!expr->text.starts_with("$$") || is_of_parameters(*expr));
    if (is_entry && !can_) {
      messages_.semantic_error("@entry is known at returns of functions and system calls only",
                               expr->place);
      is_good_ = false;
      return;
    }
    // At the return of a system call the probe still knows what the call was given.
    if (knows_given_ && (is_given(inner(*expr)) || reads_given(inner(*expr), is_entry))) {
      unwrap(expr);
      return take_kids(*expr);
    }
    if (is_entry) return keep(expr, std::move(expr->kids[0]));
    // user_string($x), with the memory at the entry, too.
    const bool is_call = expr->kind == ExprKind::kCall && !expr->kids.empty() && can_;
    const int fn = is_call ? find_function(expr->text) : -1;
    const bool reads = fn >= 0 && info(static_cast<Fn>(fn)).where == Where::kMemory;
    if (reads && names_argument(*expr->kids[0])) {
      if (!is_same_at_return(*expr)) return;
      unwrap(expr);
      return keep(expr, std::move(expr));
    }
    if (is_argument || is_of_entry(*expr)) return keep(expr, std::move(expr));
    take_kids(*expr);
  }

  void take_kids(Expr& expr) {
    for (ExprPtr& kid : expr.kids) {
      if (kid != nullptr) take(kid);
    }
    for (Part& part : expr.parts) {
      if (part.index != nullptr) take(part.index);
    }
  }

  // An argument itself, and no memory; $$parms; pointer_arg(1).
  static bool is_given(const Expr& expr) {
    const int fn = expr.kind == ExprKind::kCall ? find_function(expr.text) : -1;
    if (fn >= 0) {
      return info(static_cast<Fn>(fn)).where == Where::kArgument && expr.text.ends_with("_arg");
    }
    return expr.kind == ExprKind::kTarget && expr.text != "$return" && expr.text != "$syscall" &&
           expr.parts.empty() && expr.pretty == 0 && !expr.is_address &&
           (!expr.text.starts_with("$$") || is_of_parameters(expr));
  }

  // Memory at an address that follows from arguments alone. With @entry, what the call does not
  // change is meant: a text that it is given, which at the entry may not be in memory yet.
  bool reads_given(const Expr& expr, bool is_entry) {
    const int fn =
        expr.kind == ExprKind::kCall && !expr.kids.empty() ? find_function(expr.text) : -1;
    if (fn < 0 || info(static_cast<Fn>(fn)).where != Where::kMemory) return false;
    bool follows = true, names = false;
    for_each(*expr.kids[0], [&](const Expr& one) {
      const bool is_wrapper = one.kind == ExprKind::kAtOperator && one.text == "@entry";
      const bool is_address =
          one.kind == ExprKind::kName && one.text.ends_with("_uaddr") && is_of_call(one);
      names = names || is_given(one) || is_address;
      follows = follows && (is_given(one) || is_address || is_wrapper ||
                            one.kind == ExprKind::kNumber || one.kind == ExprKind::kBinary);
    });
    return follows && names && (!is_entry || is_unchanged(inner(*expr.kids[0])));
  }

  // Whether the call does not write where that argument leads.
  bool is_unchanged(const Expr& pointer) {
    if (pointer.kind != ExprKind::kTarget) return false;
    for (const Event& event : program_.handlers[which_].events) {
      for (const ProbeInfo& probe : probes_.of(event)) {
        const int which = EventProbes::argument(probe, pointer.text.substr(1));
        if (which < 0) return false;
        const ProbeInfo::Argument& what = probe.arguments[static_cast<std::size_t>(which)];
        if (!what.type.starts_with("const ")) return false;
      }
    }
    return true;
  }

  static const Expr& inner(const Expr& expr) {
    const bool is_entry = expr.kind == ExprKind::kAtOperator && expr.text == "@entry";
    return is_entry ? *expr.kids[0] : expr;
  }

  // Memory is read at the entry, so what it holds must be the same at the return: a buffer that the
  // call fills is not.
  bool is_same_at_return(const Expr& call) {
    const Expr& pointer = inner(*call.kids[0]);
    if (pointer.kind != ExprKind::kTarget || !pointer.parts.empty()) return true;
    for (const Event& event : program_.handlers[which_].events) {
      for (const ProbeInfo& probe : probes_.of(event)) {
        const auto arguments = probes_.arguments_at_entry(event, probe);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
          const bool is_it = "$" + arguments[i].name == pointer.text ||
                             fmt::format("$arg{}", i + 1) == pointer.text;
          if (!is_it || arguments[i].type.starts_with("const ")) continue;
          messages_.semantic_error(
              "memory is that of the entry, and the call may have changed what the pointer leads "
              "to",
              call.place, fmt::format("@entry({}) reads it at the entry", print(call)));
          return is_good_ = false;
        }
      }
    }
    return true;
  }

  // user_string(@entry($x)) is what user_string($x) is.
  static void unwrap(ExprPtr& expr) {
    if (expr->kind == ExprKind::kAtOperator && expr->text == "@entry") {
      ExprPtr value = std::move(expr->kids[0]);
      expr = std::move(value);
    }
    for (ExprPtr& kid : expr->kids) {
      if (kid != nullptr) unwrap(kid);
    }
  }

  // argstr, and the arguments of a system call by their names, where they are no variables of the
  // script.
  bool is_of_entry(const Expr& expr) const { return !knows_given_ && is_of_call(expr); }

  bool is_of_call(const Expr& expr) const {
    if (expr.kind != ExprKind::kName || !can_ || expr.text == "name") return false;
    const Handler& handler = program_.handlers[which_];
    for (const auto& global : program_.script.globals) {
      if (global->name == expr.text) return false;
    }
    if (writes(*handler.body, expr.text)) return false;
    for (const Event& event : handler.events) {
      if (event.kind != EventKind::kSyscallReturn) return false;
      if (expr.text == "argstr") continue;
      const auto& all = probes_.of(event);
      const bool is_named = std::any_of(all.begin(), all.end(), [&](const ProbeInfo& probe) {
        return EventProbes::argument(probe, expr.text) >= 0 ||
               EventProbes::shown_argument(probe, expr.text) >= 0;
      });
      if (!is_named) return false;
    }
    return true;
  }

  static bool is_of_parameters(const Expr& expr) {
    return expr.text == "$$parms" || expr.text == "$$vars";
  }

  static bool names_argument(const Expr& expr) {
    bool found = false;
    for_each(expr, [&](const Expr& one) {
      found = found || (one.kind == ExprKind::kTarget && one.text != "$return");
    });
    return found;
  }

  // The expression goes to the entry, and a variable takes its place.
  void keep(ExprPtr& place, ExprPtr value) {
    const std::string text = print(*value);
    std::size_t number = 0;
    while (number < texts_.size() && texts_[number] != text) ++number;
    auto name = std::make_unique<Expr>();
    name->kind = ExprKind::kName;
    name->span = value->span;
    name->place = value->place;
    name->text = fmt::format("{}{}", kEntryPrefix, number);
    if (number == texts_.size()) {
      texts_.push_back(text);
      kept_.push_back(std::move(value));
    }
    place = std::move(name);
  }

  // try { __entry_0 = value } catch (__fault_0) { }
  static StmtPtr statement(std::size_t number, ExprPtr value) {
    const Span span = value->span, place = value->place;
    auto name = std::make_unique<Expr>();
    name->kind = ExprKind::kName;
    name->span = span;
    name->place = place;
    name->text = fmt::format("{}{}", kEntryPrefix, number);
    auto assignment = std::make_unique<Expr>();
    assignment->kind = ExprKind::kAssign;
    assignment->span = span;
    assignment->place = place;
    assignment->text = "=";
    assignment->kids.push_back(std::move(name));
    assignment->kids.push_back(std::move(value));
    const auto make = [&](StmtKind kind) {
      auto made = std::make_unique<Stmt>();
      made->kind = kind;
      made->span = span;
      return made;
    };
    StmtPtr inner = make(StmtKind::kExpr);
    inner->expr = std::move(assignment);
    StmtPtr tried = make(StmtKind::kBlock);
    tried->body.push_back(std::move(inner));
    StmtPtr whole = make(StmtKind::kTry);
    whole->names.push_back({fmt::format("__fault_{}", number), place});
    whole->body.push_back(std::move(tried));
    whole->body.push_back(make(StmtKind::kBlock));
    return whole;
  }

  void add_handler() {
    Handler made;
    made.kind = HandlerKind::kEvent;
    made.is_entry = true;
    made.body = std::make_unique<Stmt>();
    made.body->kind = StmtKind::kBlock;
    const Handler& from = program_.handlers[which_];
    made.span = made.body->span = from.span;
    made.text = from.text;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      made.body->body.push_back(statement(i, std::move(kept_[i])));
    }
    for (const Event& event : from.events) made.events.push_back(EventProbes::entry_of(event));
    made.entry_count = kept_.size();
    program_.handlers.push_back(std::move(made));
    Handler& added = program_.handlers.back();
    Handler& handler = program_.handlers[which_];
    for (std::size_t i = 0; i < handler.events.size(); ++i) {
      probes_.set_entry(added.events[i], handler.events[i]);
    }
    handler.entry = static_cast<int>(program_.handlers.size()) - 1;
    handler.entry_count = kept_.size();
  }

  Program& program_;
  std::size_t which_;
  EventProbes& probes_;
  Messages& messages_;
  std::vector<ExprPtr> kept_;
  std::vector<std::string> texts_;
  bool can_ = false, is_good_ = true;
  bool knows_given_ = false;  // at the return, the arguments of the call are known
};

}  // namespace

bool keep_entries(Program& program, std::size_t which, EventProbes& probes, Messages& messages) {
  return Entries(program, which, probes, messages).run();
}

}  // namespace dt::stap
