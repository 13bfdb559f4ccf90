#include "stap/events/summaries.h"

#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <utility>

#include "stap/events/entries.h"
#include "stap/events/plans.h"

namespace dt::stap {

bool is_of_program(const Event& event) {
  return event.kind == EventKind::kMark || event.pattern.provider.starts_with("pid");
}

bool Summaries::is_summary(const Expr& expr, bool is_at_statement) {
  if (expr.kind != ExprKind::kTarget) return false;
  const bool is_of_parameters = expr.text == "$$parms" || expr.text == "$$vars";
  return is_at_statement ? is_of_parameters || expr.text == "$$locals"
                         : (is_of_parameters && expr.pretty > 0) || expr.text == "$$locals";
}

bool Summaries::knows_locals(const Here& here) const {
  return is_statement(*here.event) ||
         (here.event->kind == EventKind::kFunctionEntry && is_of_program(*here.event) &&
          probes_.function_of(*here.event, *here.probe));
}
bool Summaries::is_shown(const Expr& expr, const Here& here) const {
  return is_summary(expr, is_statement(*here.event)) &&
         (expr.text != "$$locals" || knows_locals(here));
}

std::string Summaries::result_format(const Expr& expr, const Here& here) {
  if (here.probe == nullptr || here.event->kind != EventKind::kFunctionReturn) return {};
  if (here.probe->result_is == ProbeInfo::Result::kNothing) return " ";
  const bool is_structure = here.probe->result_is == ProbeInfo::Result::kStructure;
  if (here.probe->result_is == ProbeInfo::Result::kElsewhere ||
      (is_structure && expr.pretty == 0)) {
    return "return=?";
  }
  if (is_structure) return "return=%s";
  if (expr.pretty == 0) return {};
  return here.probe->result.empty() ? "return=0x%x" : "return=%s";
}
bool Summaries::is_of_result(const Expr& expr) {
  return expr.kind == ExprKind::kTarget && expr.text == "$$return";
}

ExprPtr make_in_place(const Expr& at, ExprKind kind, std::string text) {
  auto made = std::make_unique<Expr>();
  made->kind = kind;
  made->span = at.span;
  made->place = at.place;
  made->text = std::move(text);
  return made;
}

void Summaries::show_result(ExprPtr& expr, const std::string& format) {
  if (format.find('%') == std::string::npos) {
    expr = make_in_place(*expr, ExprKind::kString, format == " " ? "" : format);
    return;
  }
  ExprPtr call = make_in_place(*expr, ExprKind::kCall, "sprintf");
  call->kids.push_back(make_in_place(*expr, ExprKind::kString, format));
  call->kids.push_back(make_in_place(*expr, ExprKind::kTarget, "$return"));
  if (format.ends_with('s')) call->kids.back()->pretty = expr->pretty;
  expr = std::move(call);
}

std::vector<Summaries::Part> Summaries::parts(const Expr& expr, const Here& here) const {
  if (is_statement(*here.event)) return variables(expr, here);
  std::vector<Part> out;
  if (expr.text == "$$locals") {
    for (const ProgramVariable& one : probes_.variables(*here.event, *here.probe)) {
      if (!one.is_parameter && !one.name.empty()) out.push_back({one.name, "?", "", false});
    }
    return out;
  }
  std::size_t i = 0;
  for (const ProbeInfo::Argument& one : parameters(here)) {
    ++i;
    const std::string name = one.name.empty() ? fmt::format("$arg{}", i) : one.name;
    const std::string target = one.name.empty() ? name : "$" + one.name;
    if (one.name.empty() && !here.probe->declared.empty()) continue;
    out.push_back({name, has_type(one) ? "%s" : "0x%x", target, has_type(one)});
  }
  for (const std::string& name : here.probe->declared) {
    if (EventProbes::argument(*here.probe, name) < 0) out.push_back({name, "?", "", false});
  }
  return out;
}

std::vector<Summaries::Part> Summaries::variables(const Expr& expr, const Here& here) const {
  std::vector<Part> out;
  for (const ProgramVariable& one : probes_.variables(*here.event, *here.probe)) {
    if (one.name.empty() || (expr.text == "$$parms" && !one.is_parameter) ||
        (expr.text == "$$locals" && one.is_parameter)) {
      continue;
    }
    const auto type = probes_.type_of(one, *here.probe);
    const types::Kind kind = type ? world_.types.head(*type).kind : types::Kind::kVoid;
    const bool is_number = kind == types::Kind::kInt || kind == types::Kind::kEnum ||
                           kind == types::Kind::kPointer || kind == types::Kind::kArray;
    const bool is_structure = kind == types::Kind::kStruct || kind == types::Kind::kUnion;
    const bool is_in_memory = one.where == ProgramVariable::Where::kMemory;
    const bool is_read = one.where != ProgramVariable::Where::kNowhere &&
                         (is_in_memory || kind != types::Kind::kArray) &&
                         (is_number || (is_structure && is_in_memory && expr.pretty > 0));
    Part& made = out.emplace_back();
    made = {one.name, is_read ? "%s" : "?", is_read ? "$" + one.name : ""};
    made.is_pretty = is_read && expr.pretty > 0;
    made.is_text = is_read;
  }
  return out;
}

std::vector<ProbeInfo::Argument> Summaries::parameters(const Here& here) const {
  return is_return_of_call(*here.event) ? probes_.arguments_at_entry(*here.event, *here.probe)
                                        : here.probe->arguments;
}

// A parameter whose type is not known is its number.
bool Summaries::has_type(const ProbeInfo::Argument& argument) const {
  if (argument.id) return true;
  return !argument.type.empty() && find_c_type(world_.types, argument.type).has_value();
}

std::string Summaries::format(const Expr& expr, const Here& here) const {
  std::string out;
  for (const Part& one : parts(expr, here)) {
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", one.name, one.format);
  }
  return out;
}

void Summaries::show(ExprPtr& expr, const Here& here) const {
  ExprPtr call = make_in_place(*expr, ExprKind::kCall, "sprintf");
  call->kids.push_back(make_in_place(*expr, ExprKind::kString, format(*expr, here)));
  for (const Part& one : parts(*expr, here)) {
    if (one.target.empty()) continue;
    call->kids.push_back(make_in_place(*expr, ExprKind::kTarget, one.target));
    if (one.is_pretty) call->kids.back()->pretty = expr->pretty;
    call->kids.back()->is_summary = one.is_text || one.is_pretty;
  }
  expr = std::move(call);
}

}  // namespace dt::stap
