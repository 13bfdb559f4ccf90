// Plans: C types of expressions. See plans.h.
//
// Each pass over the program finds types by those that are known so far; passes are repeated until
// one finds nothing new. What is still unknown then is reported.

#include "stap/events/plans.h"

#include <fmt/core.h>

#include <algorithm>

#include "stap/events/absent_names.h"
#include "stap/events/entries.h"
#include "stap/meaning/contexts.h"
#include "stap/meaning/memory_bytes.h"
#include "stap/meaning/memory_functions.h"
#include "stap/syntax/foreign_words.h"
#include "symbol/kernel/kallsyms.h"

namespace dt::stap {

std::optional<types::TypeId> find_c_type(const types::Catalog& types, std::string_view name,
                                         std::string_view module) {
  if (module.starts_with("kernel")) module = {};
  std::size_t pointers = 0;
  while (!name.empty() && (name.back() == '*' || name.back() == ' ')) {
    pointers += name.back() == '*' ? 1 : 0;
    name.remove_suffix(1);
  }
  if (name.starts_with("const ")) name.remove_prefix(6);
  struct Prefix {
    std::string_view text;
    types::Tag tag;
  };
  constexpr Prefix kPrefixes[] = {{"struct ", types::Tag::kStruct},
                                  {"union ", types::Tag::kUnion},
                                  {"enum ", types::Tag::kEnum}};
  types::Tag tag = types::Tag::kNone;
  for (const Prefix& one : kPrefixes) {
    if (!name.starts_with(one.text)) continue;
    tag = one.tag;
    name.remove_prefix(one.text.size());
    break;
  }
  // Types of a program are named with it: "struct pid*`/usr/bin/sort`line".
  if (const std::size_t tick = name.rfind('`'); tick != std::string_view::npos) {
    module = name.substr(0, tick);
    name.remove_prefix(tick + 1);
  }
  const bool has_prefix = tag != types::Tag::kNone;
  std::optional<types::TypeId> found;
  if (has_prefix) found = types.find(tag, name, module);
  if (!has_prefix) {
    for (const types::Tag one :
         {types::Tag::kNone, types::Tag::kStruct, types::Tag::kUnion, types::Tag::kEnum}) {
      if (!found) found = types.find(one, name, module);
    }
  }
  // A type of a program is never one of the kernel that happens to be called so.
  const bool is_of_program =
      module.starts_with("pid") && module.find('`') != std::string_view::npos;
  if (!found && !module.empty() && !is_of_program) found = find_c_type(types, name, {});
  // A pointer to a type is one of the catalogue's own, which is made when it is first asked for.
  for (; found && pointers > 0; --pointers) {
    found = const_cast<types::Catalog&>(types).pointer_to(*found);
  }
  return found;
}

bool Plans::make() {
  constexpr int kMostPasses = 50;
  for (int pass = 0; pass < kMostPasses; ++pass) {
    changed_ = false;
    everything();
    if (!changed_) break;
  }
  is_last_ = true;
  everything();
  return !failed_;
}

void Plans::error(std::string_view text, Span span, std::string_view hint) {
  failed_ = true;
  messages_.semantic_error(text, span, hint);
}

void Plans::everything() {
  for (const auto& function : program_.script.functions) {
    if (!function->is_used) continue;
    function_ = function.get();
    statement(*function->body);
  }
  function_ = nullptr;
  for (Handler& handler : program_.handlers) {
    handler_ = &handler;
    if (handler.condition) all(*handler.condition);
    statement(*handler.body);
  }
  handler_ = nullptr;
}

void Plans::statement(Stmt& stmt) {
  for (ExprPtr* const one : {&stmt.init, &stmt.expr, &stmt.step, &stmt.limit}) {
    if (*one == nullptr) continue;
    const CType type = visit(**one);
    if (stmt.kind == StmtKind::kReturn && function_ != nullptr) join(function_, type);
  }
  for (const ExprPtr& one : stmt.slice) {
    if (one != nullptr) all(*one);
  }
  for (const StmtPtr& one : stmt.body) statement(*one);
}

void Plans::all(Expr& expr) { visit(expr); }

Plans::CType Plans::known(const void* place) const {
  const auto found = known_.find(place);
  return found == known_.end() || mixed_.contains(place) ? CType() : CType(found->second);
}

void Plans::join(const void* place, CType type) {
  if (!type || place == nullptr || mixed_.contains(place)) return;
  const auto [found, is_new] = known_.emplace(place, *type);
  if (!is_new && world_.types.same(found->second, *type)) return;
  if (!is_new) mixed_.insert(place);
  changed_ = true;
}

// The type of a pointer, or nothing.
Plans::CType Plans::visit(Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kName:
      return known(expr.symbol);
    case ExprKind::kAssign:
      return assignment(expr);
    case ExprKind::kCall:
      return call(expr);
    case ExprKind::kTarget:
      return target(expr);
    case ExprKind::kMember:
      return member(expr);
    case ExprKind::kAtOperator:
      if (expr.text == "@cast") return cast(expr);
      if (expr.text == "@var") return variable(expr);
      return deref(expr);
    case ExprKind::kTernary: {
      all(*expr.kids[0]);
      const CType first = visit(*expr.kids[1]), second = visit(*expr.kids[2]);
      return first && second && !world_.types.same(*first, *second) ? CType()
             : first                                                ? first
                                                                    : second;
    }
    default:
      break;
  }
  for (const ExprPtr& kid : expr.kids) {
    if (kid != nullptr) all(*kid);
  }
  return expr.kind == ExprKind::kIndex ? known(expr.symbol) : CType();
}

Plans::CType Plans::assignment(Expr& expr) {
  visit(*expr.kids[0]);
  const CType type = visit(*expr.kids[1]);
  if (expr.text == "=") join(expr.kids[0]->symbol, type);
  return type;
}

Plans::CType Plans::call(Expr& expr) {
  std::vector<CType> types;
  for (const ExprPtr& kid : expr.kids) types.push_back(visit(*kid));
  if (expr.function == nullptr) {
    if (expr.access != nullptr) return memory_function(expr);
    const Fn fn = static_cast<Fn>(expr.builtin);
    const bool is_task = expr.builtin >= 0 && (fn == Fn::task_current || fn == Fn::pid2task);
    return is_task ? find_c_type(world_.types, "struct task_struct *") : CType();
  }
  for (Function* one = expr.function; one != nullptr; one = one->following) {
    for (std::size_t i = 0; i < types.size() && i < one->locals.size(); ++i) {
      join(one->locals[i].get(), types[i]);
    }
  }
  return known(expr.function);
}

// Of all probes of the handler; nullopt where they differ, or where it is none.
Plans::CType Plans::argument_type(const Expr& expr, bool& is_userland) {
  if (handler_ == nullptr || expr.leaf < 0) return std::nullopt;
  const Leaf& leaf = handler_->leaves[static_cast<std::size_t>(expr.leaf)];
  CType out;
  for (const Event& event : handler_->events) {
    for (const ProbeInfo& probe : probes_.of(event)) {
      const int which = leaf.what == Leaf::What::kReturn || leaf.name == "return" ? -1
                        : leaf.argument >= 0                                      ? leaf.argument
                                             : EventProbes::argument(probe, leaf.name);
      std::string name;
      CType id;
      if (which >= 0 && static_cast<std::size_t>(which) < probe.arguments.size()) {
        const ProbeInfo::Argument& argument = probe.arguments[static_cast<std::size_t>(which)];
        name = argument.type;
        id = argument.id;
        is_userland = argument.is_userland;
      } else if (which < 0) {
        name = probe.result;
        if (probe.structure && probe.arguments.size() > 1) {
          id = probe.arguments[1].id;
          is_userland = true;
        }
      }
      const CType type = id || name.empty() ? id : find_c_type(world_.types, name);
      if (!type || (out && !world_.types.same(*out, *type))) return std::nullopt;
      out = type;
    }
  }
  return out;
}

Plans::CType Plans::target(Expr& expr) {
  for (Part& part : expr.parts) {
    if (part.index != nullptr) all(*part.index);
  }
  if (expr.leaf < 0) return std::nullopt;
  if (handler_->leaves[static_cast<std::size_t>(expr.leaf)].what == Leaf::What::kVariable) {
    return program_variable(expr);
  }
  bool is_userland = false;
  const bool has_path = !handler_->leaves[static_cast<std::size_t>(expr.leaf)].path.empty();
  const CType type = argument_type(expr, is_userland);
  if (expr.access != nullptr) {
    if (!type) {
      if (is_last_ && reported_.insert(&expr).second) {
        error(
            fmt::format("the type of '{}' is not known, or not the same at all probes", expr.text),
            expr.place);
      }
      return std::nullopt;
    }
    return plan(expr, {.type = *type, .is_userland = is_userland});
  }
  if (!has_path) {
    if (!type || world_.types.resolved(*type).kind != types::Kind::kPointer) return CType();
    // What it leads to is known to be memory of the program by its type alone.
    const types::TypeId target = world_.types.resolved(*type).target;
    return is_userland ? world_.types.pointer_to(world_.types.userland(target)) : *type;
  }
  // $x->y is a leaf; its type is that of the same path here.
  Access scratch;
  if (!type) return std::nullopt;
  Walk walk{scratch, *type, false, is_userland};
  const bool was_last = std::exchange(is_last_, false);
  const bool leads = parts(expr, walk);
  const CType end = leads ? finish(expr, walk) : CType();
  is_last_ = was_last;
  return end;
}

Plans::CType Plans::cast(Expr& expr) {
  all(*expr.kids[0]);
  for (Part& part : expr.parts) {
    if (part.index != nullptr) all(*part.index);
  }
  std::string module = expr.kids.size() > 2 ? module_of(expr.kids[2]->text) : "";
  // A path is the module of a type of that program, and the pointer is one of its memory. Without
  // a module, a probe of a program means the types of that program, and then the kernel's.
  bool is_userland = module.starts_with('/');
  if (is_userland) module = "pid*`" + module;
  CType type;
  if (module.empty()) {
    type = type_of_program(expr.kids[1]->text);
    is_userland = type.has_value();
  }
  if (!type) type = find_c_type(world_.types, expr.kids[1]->text, module);
  if (!type) {
    if (is_last_ && reported_.insert(&expr).second) {
      error(no_type(world_.types, expr.kids[1]->text, module,
                    module.empty() ? "" : expr.kids[2]->text),
            expr.place);
    }
    return std::nullopt;
  }
  // A pointer's name may be given as it is, or that of the type that it leads to.
  const bool is_pointer = world_.types.resolved(*type).kind == types::Kind::kPointer;
  const types::TypeId pointer = is_pointer ? *type : world_.types.pointer_to(*type);
  return plan(expr, {.type = pointer, .base = expr.kids[0].get(), .is_userland = is_userland});
}

// The whole path of a program, as process("./prog") has it; modules of the kernel have no slash,
// and "kernel<linux/list.h>" names a header.
std::string Plans::module_of(const std::string& text) const {
  const bool is_path = text.find('/') != std::string::npos && text.find('<') == std::string::npos;
  if (!is_path || !program_.around.programs.find_program) return text;
  const std::string whole = program_.around.programs.find_program(text);
  if (!whole.empty()) return whole;
  return text.starts_with('/') ? text : "/" + text;  // one that is not there, and not the kernel's
}

// Of the program of the probe, where all of its probes are of that one.
Plans::CType Plans::type_of_program(std::string_view name) {
  if (handler_ == nullptr || !is_of_programs(*handler_)) return std::nullopt;
  CType out;
  for (const Event& event : handler_->events) {
    for (const ProbeInfo& probe : probes_.of(event)) {
      const probe::Description& what = probe.description;
      // A mark has a provider of its own.
      const bool is_path = what.module.starts_with('/');
      if (!is_path && !what.provider.starts_with("pid")) return std::nullopt;
      const std::string module =
          fmt::format("{}`{}", is_path ? "pid*" : what.provider, what.module);
      const CType type = find_c_type(world_.types, name, module);
      if (!type || (out && !world_.types.same(*out, *type))) return std::nullopt;
      out = type;
    }
  }
  return out;
}

// @var("name@file", "module"): a variable of the kernel.
Plans::CType Plans::variable(Expr& expr) {
  for (Part& part : expr.parts) {
    if (part.index != nullptr) all(*part.index);
  }
  const std::string& text = expr.kids[0]->text;
  const std::string name = text.substr(0, text.find('@'));
  std::string module = expr.kids.size() > 1 ? module_of(expr.kids[1]->text) : "";
  const bool is_of_program = module.starts_with('/') ||
                             (module.empty() && handler_ != nullptr && is_of_programs(*handler_));
  if (module.starts_with("kernel")) module.clear();
  if (is_of_program) return global_of_program(expr, text, module);
  const VariablePlace place = find_variable(world_, name, module);
  if (!place.wrong.empty()) {
    if (is_last_ && reported_.insert(&expr).second) error(place.wrong, expr.place);
    return std::nullopt;
  }
  return plan(expr, {.type = place.type, .is_place = true, .address = place.address});
}

// @var("name@file") at a probe of a program. It is found from where the probe is: the distance of
// both is the same wherever the program is loaded.
Plans::CType Plans::global_of_program(Expr& expr, const std::string& text,
                                      const std::string& module) {
  const auto refuse = [&](std::string_view why) -> CType {
    if (is_last_ && reported_.insert(&expr).second) error(why, expr.place);
    return std::nullopt;
  };
  if (handler_ == nullptr) {
    return refuse("a variable of a program is read at its probes: give the function its value");
  }
  for (const Event& event : handler_->events) {
    for (const ProbeInfo& probe : probes_.of(event)) {
      if (module.empty() || module == probe.description.module) continue;
      return refuse(fmt::format("this probe is not in {}, so its variables are not read here",
                                expr.kids[1]->text));
    }
  }
  if (expr.leaf < 0) {
    Leaf leaf;
    leaf.what = Leaf::What::kVariable;
    leaf.name = "@" + text;
    leaf.span = expr.place;
    const auto found = std::find(handler_->leaves.begin(), handler_->leaves.end(), leaf);
    expr.leaf = static_cast<int>(found - handler_->leaves.begin());
    if (found == handler_->leaves.end()) handler_->leaves.push_back(std::move(leaf));
  }
  return program_variable(expr);
}

// The leaf is where the variable is, or its value, if it is in a register.
Plans::CType Plans::program_variable(Expr& expr) {
  const std::string& name = handler_->leaves[static_cast<std::size_t>(expr.leaf)].name;
  std::optional<VariableAtProbe> same;
  std::string wrong;
  for (const Event& event : handler_->events) {
    for (const ProbeInfo& probe : probes_.of(event)) {
      const VariableAtProbe& one = probes_.variable(event, probe, name);
      if (wrong.empty()) wrong = one.wrong;
      if (!one.wrong.empty()) break;
      const bool is_same = !same || (same->place.where == one.place.where &&
                                     world_.types.same(same->type, one.type));
      if (!is_same && wrong.empty()) {
        wrong = fmt::format("'{}' has another type or place at some of the probes", expr.text);
      }
      if (!same) same = one;
    }
  }
  if (!wrong.empty() || !same) {
    if (is_last_ && reported_.insert(&expr).second) error(wrong, expr.place);
    return std::nullopt;
  }
  const bool is_place = same->place.where == ProgramVariable::Where::kMemory;
  return plan(expr, {.type = same->type, .is_place = is_place, .is_userland = true});
}

VariablePlace find_variable(const front::World& world, const std::string& name,
                            const std::string& module) {
  VariablePlace out;
  const auto object = world.types.find_object(name, module.empty() ? "vmlinux" : module);
  if (world.kallsyms == nullptr) {
    out.wrong = "the addresses of the kernel's variables are not known here";
    return out;
  }
  const auto found = world.kallsyms->find(name);
  if (!found.ok()) {
    out.wrong = found.error().text;
    return out;
  }
  std::vector<symbol::KernelObject> all;
  for (const symbol::KernelObject& one : *found) {
    if (!one.is_function && (module.empty() || one.module == module)) all.push_back(one);
  }
  if (all.size() != 1) {
    out.wrong = all.empty() ? no_kernel_variable(world, name)
                            : fmt::format("there are several variables '{}' in the kernel", name);
    return out;
  }
  if (all.front().is_per_cpu || (object && object->is_per_cpu)) {
    out.wrong = fmt::format("'{}' is a variable of each CPU, which is not read", name);
    return out;
  }
  // The kernel's BTF has the types of variables of each CPU only; others are of one word.
  out.type = object ? object->type : world.types.integer(8, true);
  out.address = static_cast<std::int64_t>(all.front().address.value);
  return out;
}

// Of self->x, this->x and args->x, where nothing has given these names a value.
std::string Plans::foreign_member(const Expr& expr) const {
  const Expr& base = *expr.kids[0];
  const bool is_unknown =
      base.kind == ExprKind::kName && base.symbol != nullptr && !base.symbol->is_written;
  return is_unknown ? hint_of_member(base.text, expr.parts.front().member) : "";
}

Plans::CType Plans::member(Expr& expr) {
  const CType type = visit(*expr.kids[0]);
  for (Part& part : expr.parts) {
    if (part.index != nullptr) all(*part.index);
  }
  if (!type) {
    if (is_last_ && reported_.insert(&expr).second) {
      const std::string hint = foreign_member(expr);
      constexpr std::string_view kHowTo =
          "the value is no pointer to a type that is known, or to several: "
          "@cast(pointer, \"type\")->member gives it one";
      error("unknown type in dereference", expr.parts.front().place, hint.empty() ? kHowTo : hint);
    }
    return std::nullopt;
  }
  return plan(expr, {.type = *type, .base = expr.kids[0].get()});
}

// @kderef(size, address), @uderef(size, address).
Plans::CType Plans::deref(Expr& expr) {
  for (const ExprPtr& kid : expr.kids) all(*kid);
  if (expr.text != "@kderef" && expr.text != "@uderef") return std::nullopt;
  auto access = std::make_shared<Access>();
  access->base = expr.kids[1].get();
  AccessStep load;
  load.kind = AccessStep::Kind::kLoad;
  load.size = static_cast<std::uint32_t>(expr.kids[0]->number);
  load.is_userland = expr.text == "@uderef";
  const bool is_size = load.size == 1 || load.size == 2 || load.size == 4 || load.size == 8;
  if (!is_size && is_last_ && reported_.insert(&expr).second) {
    error("the size of what is read is 1, 2, 4 or 8 bytes", expr.kids[0]->place);
  }
  access->steps.push_back(load);
  expr.access = std::move(access);
  return std::nullopt;
}

// kernel_string(p), user_int(p), ...
Plans::CType Plans::memory_function(Expr& expr) {
  const MemoryFunction what = memory_function_of(static_cast<Fn>(expr.builtin));
  auto access = std::make_shared<Access>();
  access->base = expr.kids[0].get();
  if (what.is_bytes || what.unit != 0) {
    bytes(expr, what, *access);
    expr.access = std::move(access);
    return std::nullopt;
  }
  AccessStep read;
  read.kind = what.size == kPathSize ? AccessStep::Kind::kPath
              : what.size == 0       ? AccessStep::Kind::kText
                                     : AccessStep::Kind::kLoad;
  read.size = what.size;
  read.is_signed = what.is_signed;
  read.is_userland = what.is_userland;
  access->steps.push_back(read);
  access->is_lenient = what.is_lenient;
  // What it gives where memory cannot be read stands last: user_string(p, "?").
  const std::size_t instead = what.is_counted ? 2 : 1;
  if (what.size == 0 && expr.kids.size() > instead) access->instead = expr.kids[instead].get();
  expr.access = std::move(access);
  return std::nullopt;
}

void Plans::bytes(Expr& expr, const MemoryFunction& what, Access& out) {
  out.bytes = AccessBytes{what.is_bytes ? expr.kids[1].get() : nullptr, what.unit,
                          what.is_userland || is_of_program(*expr.kids[0])};
  if (expr.kids.size() > 2) out.instead = expr.kids[2].get();
  if (!what.is_bytes || expr.kids[1]->kind != ExprKind::kNumber) return;
  const std::int64_t count = expr.kids[1]->number;
  if ((count < 0 || count > kMostBytes) && is_last_ && reported_.insert(&expr).second) {
    error(fmt::format("at most {} bytes of memory are recorded", kMostBytes), expr.place);
  }
}

// Whether it is an argument that is known to lead to memory of a program.
bool Plans::is_of_program(const Expr& address) {
  if (handler_ == nullptr || address.leaf < 0) return false;
  bool is_userland = false;
  argument_type(address, is_userland);
  return is_userland || is_of_programs(*handler_);
}

}  // namespace dt::stap
