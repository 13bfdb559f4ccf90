// The kernel's functions and variables: `sym and mod`sym.
//
// The address comes from kallsyms and is a constant of the program; the type
// comes from BTF. A variable without a type has an address and nothing else.

#include "d/check/symbol.h"

#include <algorithm>

#include "d/check/fold.h"
#include "d/check/unknown_types.h"
#include "d/meaning/foreign_words.h"
#include "support/nearest.h"
#include "symbol/kernel/kallsyms.h"

namespace dt::d {

using types::TypeId;

namespace {

constexpr std::string_view kPerCpuOffsets = "__per_cpu_offset";

struct KnownObject {
  std::string_view name;
  const char* type;
};
constexpr KnownObject kKnownObjects[] = {
#define DT_KERNEL_OBJECT(name, type) {#name, type},
#include "d/meaning/kernel_objects.def"
#undef DT_KERNEL_OBJECT
};

std::string written(const Expr* e) { return e->module + "`" + e->text; }

}  // namespace

void KernelSymbols::unknown_module(const Expr* e) {
  Diagnostic& d =
      diagnostics_.error("D_IDENT_UNDEF", e->span,
                         fmt::format("failed to resolve {}: Unknown module name", written(e)));
  d.hint = hint_for_program_file(e->module, world_);
  if (!d.hint.empty()) {
    return;
  }
  const std::vector<std::string> names = world_.types.module_names();
  const std::string near = support::nearest(e->module, {names.begin(), names.end()});
  if (!near.empty()) {
    d.hint = support::did_you_mean(fmt::format("{}`{}", near, e->text));
  }
}

void KernelSymbols::unknown_symbol(const Expr* e) {
  Diagnostic& d =
      diagnostics_.error("D_IDENT_UNDEF", e->span,
                         fmt::format("failed to resolve {}: Unknown symbol name", written(e)));
  const auto elsewhere = world_.kallsyms->find(e->text);
  if (elsewhere.ok() && !elsewhere->empty()) {
    d.hint = support::did_you_mean(fmt::format("{}`{}", elsewhere->front().module, e->text));
    return;
  }
  if (const std::string_view hint = foreign_symbol(e->text); !hint.empty()) {
    d.hint = hint;
    return;
  }
  if (KernelEnumerators::is_plain_name(e)) {
    d.hint = support::did_you_mean(enumerators_.suggestion(e));
    if (!d.hint.empty()) {
      return;
    }
  }
  const std::string near = world_.kallsyms->near(e->text, e->module);
  const auto any = world_.kallsyms->find("init_task");
  if (!near.empty()) {
    d.hint = support::did_you_mean(fmt::format("{}`{}", e->module, near));
  } else if (any.ok() && any->empty()) {
    d.hint =
        "this kernel tells where its functions are, not its variables (no CONFIG_KALLSYMS_ALL)";
  }
}

// A name without a module is looked for in the kernel proper, then in its modules.
std::optional<symbol::KernelObject> KernelSymbols::find(const Expr* e) {
  if (world_.kallsyms == nullptr) {
    diagnostics_.error(
        "D_SYM_BADREF", e->span,
        fmt::format("kernel symbol {} may not be referenced: there is no kernel to ask",
                    written(e)));
    return std::nullopt;
  }
  Result<std::vector<symbol::KernelObject>> all = world_.kallsyms->find(e->text);
  if (!all.ok()) {
    diagnostics_
        .error(
            "D_SYM_BADREF", e->span,
            fmt::format("kernel symbol {} may not be referenced: {}", written(e), all.error().text))
        .hint = all.error().remedy;
    return std::nullopt;
  }
  if (!e->module.empty() && !world_.kallsyms->has_module(e->module)) {
    if (world_.types.has_module(e->module)) {
      const bool is_of_d = e->module == "C" || e->module == "D";
      diagnostics_
          .error("D_SYM_BADREF", e->span,
                 fmt::format("symbol {} may not be referenced: {} {}, and only its types can be "
                             "named",
                             written(e), e->module,
                             is_of_d ? "has types of the script" : "is part of a user program"))
          .hint = is_of_d ? std::string() : world_.types.errors();
    } else {
      unknown_module(e);
    }
    return std::nullopt;
  }
  const auto of_module = [&](std::string_view module) {
    std::vector<symbol::KernelObject> kept;
    std::copy_if(all->begin(), all->end(), std::back_inserter(kept),
                 [&](const symbol::KernelObject& one) { return one.module == module; });
    return kept;
  };
  std::vector<symbol::KernelObject> found = of_module(e->module.empty() ? "vmlinux" : e->module);
  if (found.empty() && e->module.empty()) {
    found = std::move(*all);
  }
  if (found.empty()) {
    unknown_symbol(e);
    return std::nullopt;
  }
  if (found.size() > 1) {
    const bool apart = found.front().module != found.back().module;
    Diagnostic& d =
        diagnostics_.error("D_IDENT_AMBIG", e->span,
                           fmt::format("{} is ambiguous: the kernel has {} symbols of that name",
                                       written(e), found.size()));
    if (apart) {
      d.hint = fmt::format("name the module, as in '{}`{}'", found.front().module, e->text);
    }
    return std::nullopt;
  }
  return std::move(found.front());
}

std::optional<types::Object> KernelSymbols::object_of(const symbol::KernelObject& found,
                                                      const std::string& name) {
  if (auto object = world_.types.find_object(name, found.module)) {
    const bool describes_function =
        rules_.kind(object->type) == types::Kind::kFunction && !object->is_per_cpu;
    return describes_function == found.is_function ? object : std::nullopt;
  }
  const auto known = std::find_if(std::begin(kKnownObjects), std::end(kKnownObjects),
                                  [&](const KnownObject& one) { return one.name == name; });
  if (known == std::end(kKnownObjects) || found.module != "vmlinux" || found.is_function) {
    return std::nullopt;
  }
  const std::optional<TypeId> type = rules_.parse(known->type);
  return type ? std::optional(types::Object{*type, false}) : std::nullopt;
}

// This CPU's copy is found by the table of offsets that the kernel keeps.
bool KernelSymbols::per_cpu_variable(const Expr* e, const symbol::KernelObject& found) {
  if (per_cpu_offsets_ == 0 && found.is_per_cpu) {
    const auto table = world_.kallsyms->find(kPerCpuOffsets);
    if (table.ok() && table->size() == 1) {
      per_cpu_offsets_ = table->front().address.value;
    }
  }
  if (found.is_per_cpu && per_cpu_offsets_ != 0) {
    return true;
  }
  diagnostics_.error(
      "D_SYM_BADREF", e->span,
      fmt::format("kernel symbol {} may not be referenced: every CPU has its own, and {}",
                  written(e),
                  found.is_per_cpu ? "the kernel does not tell where (no symbol __per_cpu_offset)"
                                   : "those of modules cannot be found"));
  return false;
}

// Whether a function or a variable has the name.
bool KernelSymbols::is_symbol(const Expr* e) {
  if (world_.kallsyms == nullptr) {
    return false;
  }
  const Result<std::vector<symbol::KernelObject>> all = world_.kallsyms->find(e->text);
  return all.ok() && std::any_of(all->begin(), all->end(), [&](const symbol::KernelObject& one) {
           return e->module.empty() || one.module == e->module;
         });
}

// The kernel names its variables in small letters, and its types tell its functions. So an
// enumerator with a capital letter is not looked for among the symbols, which the kernel takes tens
// of milliseconds to write.
bool KernelSymbols::is_no_symbol(const Expr* e) const {
  const std::string_view module = e->module.empty() ? "vmlinux" : std::string_view(e->module);
  return std::any_of(e->text.begin(), e->text.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) &&
         !world_.types.find_object(e->text, module);
}

void KernelSymbols::resolve(Expr* e, bool address) {
  if (!address && (is_no_symbol(e) || !is_symbol(e)) && enumerators_.resolve(e)) {
    return;
  }
  const std::optional<symbol::KernelObject> found = find(e);
  if (!found) {
    return;
  }
  const std::optional<types::Object> object = object_of(*found, e->text);
  e->symbol = Symbol::kKernelSymbol;
  if (found->is_function) {
    const TypeId function = object ? object->type : world_.types.void_type();
    set_constant(e, found->address.value, world_.types.pointer_to(function), rules_);
    return;
  }
  if (!object && !address) {
    Diagnostic& d = diagnostics_.error(
        "D_SYM_NOTYPES", e->span,
        fmt::format("no symbolic type information is available for {}`{}", found->module, e->text));
    d.hint = fmt::format("its address can be given a type, as in *(int *)&{}", written(e));
    return;
  }
  const bool is_per_cpu = found->is_per_cpu || (object && object->is_per_cpu);
  if (is_per_cpu && !per_cpu_variable(e, *found)) {
    return;
  }
  e->int_value = found->address.value;
  e->is_per_cpu = is_per_cpu;
  e->is_lvalue = true;
  e->type = object ? object->type : world_.types.void_type();
}

}  // namespace dt::d
