#pragma once
// The kernel's functions, variables and enumerators as D names them: `sym and mod`sym.

#include <cstdint>
#include <optional>
#include <string>

#include "d/check/kernel_enumerators.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "support/diagnostics.h"
#include "symbol/kernel/kallsyms.h"

namespace dt::d {

class KernelSymbols {
 public:
  KernelSymbols(World& world, Diagnostics& diagnostics, KernelEnumerators& enumerators)
      : world_(world), diagnostics_(diagnostics), enumerators_(enumerators), rules_(world.types) {}

  // Gives e its address and type, or reports why it has none; an enumerator, which comes after
  // functions and variables, is its value. `address`: only the address is wanted, as in &`sym,
  // which needs no type.
  void resolve(Expr* e, bool address);
  // Where the kernel keeps the offsets of the CPUs' copies of a variable; 0
  // when no such variable was resolved.
  std::uint64_t per_cpu_offsets() const { return per_cpu_offsets_; }

 private:
  void unknown_module(const Expr* e);
  void unknown_symbol(const Expr* e);
  bool is_symbol(const Expr* e);
  bool is_no_symbol(const Expr* e) const;
  std::optional<symbol::KernelObject> find(const Expr* e);
  std::optional<types::Object> object_of(const symbol::KernelObject& found,
                                         const std::string& name);
  bool per_cpu_variable(const Expr* e, const symbol::KernelObject& found);

  World& world_;
  Diagnostics& diagnostics_;
  KernelEnumerators& enumerators_;
  TypeRules rules_;
  std::uint64_t per_cpu_offsets_ = 0;
};

}  // namespace dt::d
