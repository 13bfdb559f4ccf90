// A translator says how the members of a stable structure (psinfo_t) are computed from a structure
// of this kernel (struct task_struct). Only the members that a script uses are expanded. A member
// that this kernel cannot provide makes only the scripts fail that use it.

#include "d/check/translators.h"

#include <fmt/core.h>

#include <algorithm>

#include "d/check/expander.h"
#include "d/check/library_use.h"
#include "d/check/scope.h"
#include "d/check/type_names.h"
#include "d/meaning/object.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "support/nearest.h"

namespace dt::d {

void Translators::define(const Translator& definition) {
  TranslatorInfo info;
  info.definition = &definition;
  info.is_library = scope_.in_library;
  if (!types_of(info)) {
    is_any_wrong_ = is_any_wrong_ || !scope_.in_library;
    return;
  }
  for (TranslatorInfo& other : translators_) {
    if (other.output != TypeId{} && rules_.catalog().same(other.output, info.output) &&
        rules_.catalog().same(other.input, info.input)) {
      if (other.is_library && !scope_.in_library) {
        other.output = TypeId{};  // the program's own is used instead
        continue;
      }
      Diagnostic& d =
          error("D_XLATE_REDECL", definition.span,
                fmt::format("translator from \"{}\" to \"{}\" has already been declared",
                            rules_.name(info.input), rules_.name(info.output)));
      d.notes.push_back({other.definition->span, "first declared here"});
      return;
    }
  }
  if (!scope_.in_library) {  // a library's members are checked where they are used
    check_members(info);
  }
  translators_.push_back(info);
}

// Libraries that may translate to `output`.
void Translators::load(TypeId output) {
  const std::string alias = world_.types.at(output).name;
  const std::string tag = rules_.at(output).name;
  libraries_.load(alias);
  if (tag != alias) {
    libraries_.load(tag);
  }
}

// What it translates, and into what.
bool Translators::types_of(TranslatorInfo& info) {
  const Translator& definition = *info.definition;
  const types::ScriptNames names(world_.types, info.is_library);
  const std::optional<TypeId> output = types_.type_of(*definition.output);
  const std::optional<TypeId> input = types_.type_of(*definition.input);
  if (!output || !input) {
    return false;
  }
  if (!rules_.is_aggregate(*output) || rules_.kind(*output) == types::Kind::kForward) {
    error("D_XLATE_SOU", definition.output->span,
          fmt::format("translator output type must be a struct or union, not \"{}\"",
                      rules_.name(*output)));
    return false;
  }
  if (rules_.is_void(*input) || rules_.is_dynamic(*input)) {
    error("D_XLATE_SOU", definition.input->span,
          fmt::format("translator input type may not be \"{}\"", rules_.name(*input)));
    return false;
  }
  info.output = *output;
  info.input = rules_.decay(*input);
  return true;
}

void Translators::check_unused() {
  const Elsewhere elsewhere(scope_);
  const types::ScriptNames names(world_.types, true);
  for (std::size_t i = 0; i < translators_.size(); ++i) {
    TranslatorInfo info = translators_[i];  // loading a library may move it
    if (info.is_library) check_members(info);
  }
}

// Every member is checked, with the input unbound.
void Translators::check_members(TranslatorInfo& info) {
  const Translator& definition = *info.definition;
  info.state = Definition::kGood;
  const std::vector<Binding> bindings = {
      expander_.bind({definition.input_name, info.input}, nullptr)};
  for (const Translator::Member& member : definition.members) {
    if (!world_.types.member(info.output, member.name)) {
      Diagnostic& d = error("D_XLATE_MEMB", member.span,
                            fmt::format("translator member {} is not a member of {}", member.name,
                                        rules_.name(info.output)));
      const std::string near =
          support::nearest(member.name, world_.types.member_names(info.output));
      d.hint = support::did_you_mean(near);
      continue;
    }
    const Expr* value = expander_.expand(member.value, bindings, member.value->span);
    if (value == nullptr || !member_value_fits(info, member, value)) wrong_.push_back(&member);
  }
}

bool Translators::member_value_fits(const TranslatorInfo& info, const Translator::Member& member,
                                    const Expr* value) {
  const auto found = world_.types.member(info.output, member.name);
  const TypeId type = found ? found->type : TypeId{};
  bool ok = false;
  if (rules_.is_string(type) || rules_.is_char_array(type)) {
    ok = is_string_operand(value) || is_null(value);
  } else if (rules_.is_aggregate(type)) {
    ok = rules_.catalog().same(type, value->type);
  } else if (rules_.is_float(type)) {
    ok = same_object(type, value->type, rules_);
  } else if (rules_.is_scalar(type)) {
    ok = rules_.is_scalar(value->type) && rules_.pointers_compatible(type, value->type) &&
         !needs_cast(type, value);
  }
  if (!ok) {
    error("D_XLATE_INCOMPAT", value->span,
          fmt::format("translator member {} definition uses incompatible types: \"{}\" = \"{}\"",
                      member.name, rules_.name(type), type_name(value)));
  }
  return ok;
}

// 1 + the index of the translator; 0 when there is none. One of just this input
// type is better than one of a type that is as good.
std::uint32_t Translators::find(TypeId output, TypeId input) {
  std::uint32_t near = 0;
  for (std::uint32_t i = 0; i < translators_.size(); ++i) {
    const TranslatorInfo& info = translators_[i];
    if (info.output == TypeId{} || !rules_.catalog().same(info.output, output)) {
      continue;
    }
    if (rules_.catalog().same(info.input, input)) {
      return i + 1;
    }
    const bool pointers = rules_.is_pointer(info.input) && rules_.is_pointer(input) &&
                          !rules_.is_void(rules_.pointee(input)) &&
                          rules_.pointers_compatible(info.input, input);
    const bool numbers = rules_.is_integer(info.input) && rules_.is_integer(input);
    if (near == 0 && (pointers || numbers)) {
      near = i + 1;
    }
  }
  return near;
}

void Translators::xlate(Expr* e) {
  const std::optional<TypeId> type = types_.type_of(*e->type_name);
  Expr* operand = e->args[0];
  expr(operand);
  if (!type || bad(operand)) {
    return;
  }
  const bool pointer = rules_.kind(*type) == types::Kind::kPointer;
  const TypeId output = pointer ? rules_.pointee(*type) : *type;
  load(output);
  std::uint32_t found = find(output, rules_.decay(operand->type));
  if (found == 0 && rules_.is_char_array(operand->type)) {
    found = find(output, world_.types.string_type());
  }
  if (found == 0 && is_any_wrong_) {
    return;  // it may be that one
  }
  if (found == 0) {
    Diagnostic& d = error("D_XLATE_NONE", e->span,
                          fmt::format("no translator exists from \"{}\" to \"{}\"",
                                      type_name(operand), rules_.name(output)));
    for (const TranslatorInfo& info : translators_) {
      if (info.output != TypeId{} && rules_.catalog().same(info.output, output)) {
        d.notes.push_back({info.definition->span,
                           fmt::format("there is one from \"{}\"", rules_.name(info.input))});
      }
    }
    return;
  }
  e->args[0] = expander_.implicit_cast(operand, translators_[found - 1].input);
  e->type = *type;
  e->translation = found;
  e->in_user = rules_.is_userland_pointer(operand->type) || operand->in_user;
}

// e is object.member or object->member of a translated object; the member is
// one of the output type.
void Translators::member(Expr* e) {
  // A copy: expanding may bring more translators.
  const TranslatorInfo info = translators_[e->args[0]->translation - 1];
  const std::vector<Translator::Member>& members = info.definition->members;
  const auto first = std::find_if(members.begin(), members.end(),
                                  [e](const auto& one) { return one.name == e->text; });
  const Translator::Member* member = first == members.end() ? nullptr : &*first;
  if (member == nullptr) {
    Diagnostic& d =
        error("D_XLATE_NOCONV", name_span(e),
              fmt::format("translator does not define conversion for member: {}", e->text));
    d.notes.push_back(
        {info.definition->span, fmt::format("the translator from \"{}\" to \"{}\"",
                                            rules_.name(info.input), rules_.name(info.output))});
    return;
  }
  if (std::find(wrong_.begin(), wrong_.end(), member) != wrong_.end()) {
    return;  // reported where it is defined
  }
  e->slot = expander_.next_slot();
  // What the object was made of is the translator's input.
  Expr* input = arena_.expr();
  input->kind = ExprKind::kXlate;
  input->span = e->args[0]->span;
  input->args.push_back(e->args[0]);
  input->in_user = e->args[0]->in_user;
  input->type = input->in_user ? rules_.to_userland(info.input) : info.input;
  const std::vector<Binding> bindings = {
      expander_.bind({info.definition->input_name, info.input}, input)};
  Expr* value = expander_.expand(member->value, bindings, e->span);
  if (value == nullptr || !member_value_fits(info, *member, value)) {
    return;
  }
  const auto found = world_.types.member(info.output, member->name);
  const TypeId type = rules_.is_char_array(found->type) ? world_.types.string_type() : found->type;
  e->symbol = Symbol::kTranslated;
  e->object = input;
  e->inlined = expander_.implicit_cast(value, type);
  e->type = e->inlined->type;
  e->translation = e->inlined->translation;
  e->is_lvalue = rules_.is_aggregate(e->type) && value->is_lvalue;
  e->in_user = value->in_user;
  if (e->inlined->is_constant) {
    e->is_constant = true;
    e->int_value = e->inlined->int_value;
  }
}

void Translators::build(Expr* e) {
  Expr* object = arena_.expr();
  *object = *e;
  const std::vector<Translator::Member>& given =
      translators_[e->translation - 1].definition->members;
  *e = Expr{};
  e->kind = ExprKind::kBuilt;
  e->span = object->span;
  for (const Translator::Member& one : given) {
    if (std::any_of(e->args.begin(), e->args.end(),
                    [&](const Expr* other) { return other->text == one.name; })) {
      continue;
    }
    Expr* value = arena_.expr();
    value->kind = ExprKind::kMember;
    value->span = object->span;
    value->text = one.name;
    value->args = {object};
    member(value);
    if (bad(value)) {
      return;
    }
    if (value->translation != 0 && rules_.is_aggregate(value->type)) {
      build(value);
      value->text = one.name;
    }
    e->args.push_back(value);
  }
  e->type = object->type;
}

// A translated thing as a whole, where it would have to exist.
void Translators::refuse_whole(Expr* e) {
  error("D_XLATE_NOCONV", e->span,
        fmt::format("a translated \"{}\" may not be used as a whole", type_name(e)))
      .hint = member_hint(e);
  e->type = TypeId{};
}

// What to use instead of a translated whole; "" for anything else.
std::string Translators::member_hint(const Expr* e) const {
  if (e->translation == 0 || translators_[e->translation - 1].definition->members.empty()) {
    return "";
  }
  return fmt::format("use its members, such as {}{}", rules_.is_aggregate(e->type) ? "." : "->",
                     translators_[e->translation - 1].definition->members.front().name);
}

}  // namespace dt::d
