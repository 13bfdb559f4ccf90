// See settle.h.

#include "stap/events/settle.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "stap/events/alias_variables.h"
#include "stap/events/bad_variables.h"
#include "stap/events/entries.h"
#include "stap/events/plans.h"
#include "stap/events/summaries.h"
#include "stap/events/target.h"
#include "stap/events/user_parameters.h"
#include "stap/meaning/c_constants.h"
#include "stap/meaning/contexts.h"
#include "stap/syntax/clone.h"

namespace dt::stap {
namespace {

class Settling {
 public:
  Settling(Program& program, EventProbes& probes, const front::World& world, Messages& messages)
      : program_(program),
        probes_(probes),
        world_(world),
        summaries_(probes, world),
        messages_(messages) {}

  bool run() {
    for (const auto& function : program_.script.functions) settle(function->body, {});
    const std::size_t count = program_.handlers.size();
    for (std::size_t i = 0; i < count; ++i) handler(i);
    for (std::size_t i = 0, all = program_.handlers.size(); i < all; ++i) {
      is_good_ = keep_entries(program_, i, probes_, messages_) && is_good_;
    }
    return is_good_;
  }

 private:
  bool error(std::string_view text, Span span) {
    messages_.semantic_error(text, span);
    return is_good_ = false;
  }

  // ---- What is defined ----

  bool is_defined(const Expr& expr, const Here& here) {
    if (expr.kind == ExprKind::kTarget) return is_target_defined(expr, here);
    if (expr.kind == ExprKind::kAtOperator && expr.text == "@cast") {
      const std::string module = expr.kids.size() > 2 ? expr.kids[2]->text : "";
      auto type = find_c_type(world_.types, expr.kids[1]->text, module);
      if (module.starts_with('/') ||
          (module.empty() && here.event != nullptr && is_of_program(*here.event))) {
        const std::string of = module.empty() ? program_of(*here.probe) : "pid*`" + module;
        const auto own = find_c_type(world_.types, expr.kids[1]->text, of);
        if (own || !module.empty()) type = own;
      }
      return type && leads(*type, expr);
    }
    if (expr.kind == ExprKind::kAtOperator && expr.text == "@var") {
      const std::string& text = expr.kids[0]->text;
      std::string module = expr.kids.size() > 1 ? expr.kids[1]->text : "";
      // At a probe of a program, one of the program is meant.
      const bool is_at_program = here.event != nullptr && is_of_program(*here.event);
      if (is_at_program && (module.empty() || module == here.probe->description.module)) {
        const VariableAtProbe& found = probes_.variable(*here.event, *here.probe, "@" + text);
        return found.wrong.empty() && leads(found.type, expr);
      }
      if (module.starts_with('/')) return false;
      if (module.starts_with("kernel")) module.clear();
      const VariablePlace place = find_variable(world_, text.substr(0, text.find('@')), module);
      return place.wrong.empty() && leads(place.type, expr);
    }
    if (expr.kind == ExprKind::kAtOperator && expr.text == "@const") {
      return constant(expr.kids[0]->text).has_value();
    }
    return error("@defined knows target variables, @cast, @var and @const", expr.place);
  }

  // The module of the types of the program.
  static std::string program_of(const ProbeInfo& probe) {
    const probe::Description& what = probe.description;
    return fmt::format("{}`{}", what.module.starts_with('/') ? "pid*" : what.provider, what.module);
  }

  bool is_target_defined(const Expr& expr, const Here& here) {
    if (here.event == nullptr) return false;
    if (is_statement(*here.event) && !expr.text.starts_with("$$") &&
        !expr.text.starts_with("$arg")) {
      const VariableAtProbe& found =
          probes_.variable(*here.event, *here.probe, expr.text.substr(1));
      return found.wrong.empty() && leads(found.type, expr);
    }
    const bool is_return = is_return_of_call(*here.event);
    if (expr.text == "$return" && is_return && here.probe->structure) {
      if (here.probe->result_is != ProbeInfo::Result::kStructure) {
        return here.probe->result_is == ProbeInfo::Result::kNumber &&
               leads(world_.types.pointer_to(*here.probe->structure), expr);
      }
      std::string wrong;
      const ReturnedStructure structure(world_.types, *here.probe->structure);
      return expr.parts.empty() ? expr.pretty > 0 : structure.member(expr, wrong) != nullptr;
    }
    if (expr.text == "$return") {
      return is_return && here.probe->result_is == ProbeInfo::Result::kNumber &&
             (expr.parts.empty() || leads_from(here.probe->result, expr));
    }
    if (expr.text == "$$parms" || expr.text == "$$vars") return true;
    if (expr.text == "$$locals") return summaries_.knows_locals(here);
    if (expr.text == "$$name") return has_name(*here.event);
    if (expr.text == "$$provider") return here.event->kind == EventKind::kMark;
    if (expr.text.starts_with("$$")) return false;
    const std::vector<ProbeInfo::Argument> arguments =
        is_return ? probes_.arguments_at_entry(*here.event, *here.probe) : here.probe->arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const bool is_it =
          arguments[i].name == expr.text.substr(1) || expr.text == fmt::format("$arg{}", i + 1);
      if (!is_it) continue;
      const auto& id = arguments[i].id;
      return expr.parts.empty() || (id ? leads(*id, expr) : leads_from(arguments[i].type, expr));
    }
    return false;
  }

  bool leads_from(const std::string& name, const Expr& expr) {
    const auto type = name.empty() ? std::nullopt : find_c_type(world_.types, name);
    return type && leads(*type, expr);
  }

  // Whether there are such members and elements.
  bool leads(types::TypeId type, const Expr& expr) {
    for (const Part& part : expr.parts) {
      const types::Type& now = world_.types.resolved(type);
      const bool is_row = now.kind == types::Kind::kPointer || now.kind == types::Kind::kArray;
      if (part.index != nullptr) {
        if (!is_row && &part != expr.parts.data()) return false;
        if (is_row) type = now.target;
        continue;
      }
      if (now.kind == types::Kind::kPointer) type = now.target;
      const types::Kind kind = world_.types.resolved(type).kind;
      if (kind != types::Kind::kStruct && kind != types::Kind::kUnion) return false;
      const auto found = world_.types.member(world_.types.resolve(type), part.member);
      if (!found) return false;
      type = found->type;
    }
    return true;
  }

  // errno, O_*, SIG*, AF_*, and the enumerators of the kernel's named enumerations.
  std::optional<std::int64_t> constant(const std::string& name) {
    if (const auto known = constant_of_c(name)) return known;
    if (!has_enumerators_) {
      has_enumerators_ = true;
      for (const std::string& one : world_.types.type_names(types::Tag::kEnum, "vmlinux")) {
        const auto type = world_.types.find(types::Tag::kEnum, one, "vmlinux");
        if (!type) continue;
        for (const types::Enumerator& value : world_.types.resolved(*type).enumerators) {
          enumerators_.emplace(value.name, value.value);
        }
      }
    }
    const auto found = enumerators_.find(name);
    return found == enumerators_.end() ? std::nullopt : std::optional(found->second);
  }

  // $return->member, $return$
  static bool is_result_part(const Expr& expr) {
    return expr.kind == ExprKind::kTarget && expr.text == "$return" &&
           (!expr.parts.empty() || expr.pretty > 0);
  }

  // Of a structure in registers. False: of something else.
  bool settle_result_part(ExprPtr& expr, const Here& here) {
    if (here.probe == nullptr || here.probe->result_is != ProbeInfo::Result::kStructure ||
        here.event->kind != EventKind::kFunctionReturn) {
      return false;
    }
    const ReturnedStructure structure(world_.types, *here.probe->structure);
    std::string wrong;
    ExprPtr made = expr->parts.empty() ? structure.shown(*expr) : structure.member(*expr, wrong);
    if (made == nullptr) {
      error(wrong, expr->place);
      made = make_in_place(*expr, ExprKind::kNumber, "0");
    }
    become(expr, std::move(made));
    return true;
  }

  // ---- Handlers ----

  // The answers of all @defined, in the order of the text; of $$parms$ its text, and where its
  // variables are; of $x at a statement, where that is.
  using Answers = std::vector<std::string>;

  bool is_variable(const Expr& expr, const Here& here) const {
    return expr.kind == ExprKind::kTarget && is_at_code(*here.event) &&
           !expr.text.starts_with("$$") && !expr.text.starts_with("$arg") && expr.text != "$return";
  }

  // A statement of a program, or a function of one beside statements: its copies in other
  // functions.
  bool is_at_code(const Event& event) const {
    const bool is_function = event.kind == EventKind::kFunctionEntry && is_of_program(event);
    return is_statement(event) || (is_at_statement_ && is_function);
  }

  // What the probes of one handler have in common of a variable.
  std::string place_of(const std::string& name, const Here& here) const {
    const VariableAtProbe& one = probes_.variable(*here.event, *here.probe, name);
    if (!one.wrong.empty()) return "-";
    return fmt::format("{}:{}", static_cast<int>(one.place.where), one.type.value);
  }

  std::string summary_answer(const Expr& question, const Here& here) const {
    std::string out = summaries_.format(question, here);
    if (!is_statement(*here.event)) return out;
    for (const Summaries::Part& one : summaries_.parts(question, here)) {
      if (!one.target.empty()) out += " " + place_of(one.target.substr(1), here);
    }
    return out;
  }

  std::string answer(const Expr& question, const Here& here) {
    if (summaries_.is_shown(question, here)) return summary_answer(question, here);
    if (question.text == "$$locals") return "-";
    if (is_variable(question, here)) return place_of(question.text.substr(1), here);
    if (Summaries::is_of_result(question)) {
      return Summaries::result_format(question, here) +
             (question.pretty > 0 ? result_type(here) : "");
    }
    const std::string is_there = is_defined(question, here) ? "1" : "0";
    const bool is_read = is_result_part(question) && is_of_program(*here.event) &&
                         here.event->kind == EventKind::kFunctionReturn;
    return is_read ? is_there + result_type(here) : is_there;
  }

  // What tells the results of two functions apart, whose parts are elsewhere or called otherwise.
  static std::string result_type(const Here& here) {
    const auto& structure = here.probe->structure;
    return fmt::format(" {} {}", here.probe->result, structure ? structure->value : 0);
  }

  // Whether it names arguments at the return of a system call: of most calls they are still known
  // there, and of others they are kept at the entry (events/entries.h).
  bool asks_given(const Handler& handler) const {
    bool asks = false;
    const auto look = [&](const Expr& expr) {
      const bool is_name = expr.kind == ExprKind::kName;
      asks = asks || (expr.kind == ExprKind::kTarget && expr.text != "$return") ||
             (is_name && (expr.text == "argstr" || is_argument(handler, expr.text)));
    };
    for_each(*handler.body, look);
    if (handler.condition) for_each(*handler.condition, look);
    return asks;
  }

  bool is_argument(const Handler& handler, const std::string& name) const {
    return std::any_of(handler.events.begin(), handler.events.end(), [&](const Event& event) {
      const auto& all = probes_.of(event);
      return std::any_of(all.begin(), all.end(), [&](const ProbeInfo& probe) {
        return EventProbes::argument(probe, name) >= 0 ||
               EventProbes::shown_argument(probe, name) >= 0;
      });
    });
  }

  bool has_both_kinds(const Handler& handler) const {
    bool changes = false, keeps = false;
    for (const Event& event : handler.events) {
      if (event.kind != EventKind::kSyscallReturn) return false;
      for (const ProbeInfo& probe : probes_.of(event)) {
        (changes_registers(probe) ? changes : keeps) = true;
      }
    }
    return changes && keeps;
  }

  void handler(std::size_t which) {
    lend_alias_variables(program_.handlers[which], probes_);
    // $value of a file is a variable, and no value of a probe.
    if (Handler& it = program_.handlers[which];
        program_.limits.skips_bad_variables && it.kind != HandlerKind::kFile) {
      skip_bad_variables(*it.body);
      skip_bad_variables(it.condition);
    }
    std::vector<const Expr*> questions;
    const auto& all = program_.handlers[which].events;
    const bool is_at_statement = std::any_of(all.begin(), all.end(), is_statement);
    is_at_statement_ = is_at_statement;
    const bool is_at_return = std::any_of(all.begin(), all.end(), [](const Event& event) {
      return event.kind == EventKind::kFunctionReturn && is_of_program(event);
    });
    const auto collect = [&](const Expr& expr) {
      if (Summaries::is_summary(expr, is_at_statement) || Summaries::is_of_result(expr) ||
          (is_at_return && is_result_part(expr))) {
        questions.push_back(&expr);
      }
      if (is_at_statement && expr.kind == ExprKind::kTarget && !expr.text.starts_with("$$")) {
        questions.push_back(&expr);
      }
      if (expr.kind == ExprKind::kAtOperator &&
          (expr.text == "@defined" || expr.text == "@choose_defined")) {
        questions.push_back(expr.kids[0].get());
      }
    };
    const Handler& asked = program_.handlers[which];
    for_each(*asked.body, collect);
    if (asked.condition) for_each(*asked.condition, collect);
    const bool is_divided = asks_given(asked) && has_both_kinds(asked);
    if ((questions.empty() && !is_divided) || asked.events.empty()) {
      return settle(program_.handlers[which], Here());
    }
    std::map<Answers, std::vector<std::vector<ProbeInfo>>> groups;  // by event
    for (std::size_t i = 0; i < asked.events.size(); ++i) {
      for (const ProbeInfo& probe : probes_.of(asked.events[i])) {
        Answers answers;
        for (const Expr* const one : questions) {
          answers.push_back(answer(*one, {&asked.events[i], &probe}));
        }
        if (is_divided) answers.emplace_back(changes_registers(probe) ? "1" : "0");
        auto& group = groups[answers];
        group.resize(asked.events.size());
        group[i].push_back(probe);
      }
    }
    split(which, groups);
  }

  void split(std::size_t which,
             const std::map<Answers, std::vector<std::vector<ProbeInfo>>>& groups) {
    bool is_first = true;
    const Handler& whole = program_.handlers[which];
    std::vector<Handler> parts;
    for (std::size_t i = 0; i < groups.size(); ++i) parts.push_back(copy(whole));
    std::size_t i = 0;
    for (const auto& [answers, by_event] : groups) {
      if (!is_first) program_.handlers.push_back(Handler());
      Handler& to = is_first ? program_.handlers[which] : program_.handlers.back();
      is_first = false;
      to = std::move(parts[i++]);
      Here here;
      for (std::size_t event = 0; event < to.events.size(); ++event) {
        to.events[event].is_optional = true;
        probes_.set(to.events[event], by_event[event]);
      }
      for (const Event& event : to.events) {
        if (here.event == nullptr && !probes_.of(event).empty()) {
          here = {&event, &probes_.of(event).front()};
        }
      }
      settle(to, here);
    }
  }

  static Handler copy(const Handler& of) {
    Handler made;
    made.kind = of.kind;
    made.order = of.order;
    made.period_ns = of.period_ns;
    made.random_ns = of.random_ns;
    made.events = of.events;
    made.text = of.text;
    made.alias = of.alias;
    made.begins = of.begins;
    made.body = clone(*of.body);
    if (of.condition) made.condition = clone(*of.condition);
    made.span = of.span;
    made.choices = of.choices;
    return made;
  }

  void settle(Handler& handler, const Here& here) {
    if (handler.condition) settle(handler.condition, here);
    settle(handler.body, here);
  }

  // ---- The tree ----
  //
  // What stands behind @defined is chosen before names are looked up, so what is not taken may name
  // what is not there. A condition that is a number of the script leaves nothing out.

  void settle(StmtPtr& stmt, const Here& here) {
    for (ExprPtr* const one : {&stmt->init, &stmt->expr, &stmt->step, &stmt->limit}) {
      if (*one != nullptr) settle(*one, here);
    }
    for (ExprPtr& one : stmt->slice) {
      if (one != nullptr) settle(one, here);
    }
    const bool is_decided = stmt->kind == StmtKind::kIf && stmt->expr->is_answer;
    if (is_decided) {
      const std::size_t taken = stmt->expr->number != 0 ? 0 : 1;
      auto instead = std::make_unique<Stmt>();
      instead->span = stmt->span;
      if (taken < stmt->body.size()) instead = std::move(stmt->body[taken]);
      stmt = std::move(instead);
      return settle(stmt, here);
    }
    for (StmtPtr& one : stmt->body) settle(one, here);
  }

  static void become(ExprPtr& expr, ExprPtr other) { expr = std::move(other); }
  static void become(ExprPtr& expr, std::int64_t number, bool is_answer = true) {
    auto made = std::make_unique<Expr>();
    made->span = expr->span;
    made->place = expr->place;
    made->number = number;
    made->is_answer = is_answer;
    expr = std::move(made);
  }

  void settle(ExprPtr& expr, const Here& here) {
    if (here.probe != nullptr && summaries_.is_shown(*expr, here)) {
      return summaries_.show(expr, here);
    }
    if (Summaries::is_of_result(*expr)) {
      const std::string format = Summaries::result_format(*expr, here);
      if (!format.empty()) {
        Summaries::show_result(expr, format);
        for (ExprPtr& kid : expr->kids) settle(kid, here);
        return;
      }
    }
    if (is_result_part(*expr) && settle_result_part(expr, here)) return;
    if (expr->kind == ExprKind::kAtOperator) {
      if (expr->text == "@defined") return become(expr, is_defined(*expr->kids[0], here) ? 1 : 0);
      if (expr->text == "@choose_defined") {
        ExprPtr chosen = std::move(expr->kids[is_defined(*expr->kids[0], here) ? 0 : 1]);
        become(expr, std::move(chosen));
        return settle(expr, here);
      }
      if (expr->text == "@const" || expr->text == "@enum") return named(expr);
    }
    if (expr->kind == ExprKind::kTernary) {
      settle(expr->kids[0], here);
      if (expr->kids[0]->is_answer) {
        ExprPtr chosen = std::move(expr->kids[expr->kids[0]->number != 0 ? 1 : 2]);
        become(expr, std::move(chosen));
        return settle(expr, here);
      }
    }
    const bool is_logical =
        expr->kind == ExprKind::kBinary && (expr->text == "&&" || expr->text == "||");
    if (is_logical) {
      settle(expr->kids[0], here);
      const Expr& left = *expr->kids[0];
      if (left.is_answer && (left.number != 0) == (expr->text == "||")) {
        return become(expr, left.number != 0 ? 1 : 0);
      }
    }
    for (ExprPtr& kid : expr->kids) {
      if (kid != nullptr) settle(kid, here);
    }
    for (Part& part : expr->parts) {
      if (part.index != nullptr) settle(part.index, here);
    }
    if (is_logical && expr->kids[0]->is_answer && expr->kids[1]->is_answer) {
      return become(expr, expr->kids[1]->number != 0 ? 1 : 0);
    }
    if (expr->kind == ExprKind::kUnary && expr->text == "!" && expr->kids[0]->is_answer) {
      become(expr, expr->kids[0]->number == 0 ? 1 : 0);
    }
  }

  void named(ExprPtr& expr) {
    const std::string name = expr->kids[0]->text;
    const auto value = constant(name);
    if (!value) {
      error(fmt::format("'{}' is no constant of C or of the kernel's named enumerations", name),
            expr->place);
    }
    become(expr, value.value_or(0), false);
  }

  Program& program_;
  EventProbes& probes_;
  const front::World& world_;
  const Summaries summaries_;
  Messages& messages_;
  std::map<std::string, std::int64_t> enumerators_;
  bool has_enumerators_ = false;
  bool is_good_ = true;
  bool is_at_statement_ = false;  // one of the events of the handler at hand
};

}  // namespace

bool settle(Program& program, EventProbes& probes, const front::World& world, Messages& messages) {
  return Settling(program, probes, world, messages).run();
}

}  // namespace dt::stap
