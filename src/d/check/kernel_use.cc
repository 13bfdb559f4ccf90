#include "d/check/kernel_use.h"

#include <fmt/core.h>

#include "d/check/fold.h"
#include "d/check/library_use.h"
#include "d/check/objects.h"
#include "d/check/wording.h"
#include "d/meaning/function_table.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "d/syntax/world.h"
#include "ir/address_text.h"
#include "support/diagnostics.h"

namespace dt::d {

namespace {

// struct pt_regs of x86-64, which is 21 words, in its order.
constexpr std::uint64_t kRegisters = ir::kRegisters;
// Behind them, in uregs[] with a constant index: those of lib/regs.d that the kernel keeps
// elsewhere.
constexpr std::uint64_t kThreadRegisters = 8;

}  // namespace

// Reports and returns false when the kernel's types lack one of `members`.
bool KernelUse::has_members(const Expr* e, std::string_view what,
                            std::span<const KernelMember> members) {
  for (const KernelMember& one : members) {
    const auto type = world_.types.find(types::Tag::kStruct, one.aggregate, "vmlinux");
    if (type && world_.types.member(*type, one.member)) {
      continue;
    }
    Diagnostic& d =
        error_once("D_SYM_NOTYPES", name_span(e),
                   type ? fmt::format("{} needs member {} of struct {}, which this kernel "
                                      "does not have",
                                      what, one.member, one.aggregate)
                        : fmt::format("{} needs struct {} of the kernel, which was not found", what,
                                      one.aggregate));
    d.hint = world_.types.errors();
    return false;
  }
  return true;
}

// inet_ntop(), link_ntop(): a family that is a constant must be a known one.
void KernelUse::address_family(Expr* e, Fn fn) {
  const Expr* family = e->args[0];
  if (!family->is_constant) {
    return;
  }
  const auto kind = static_cast<ir::AddressKind>(family->int_value);
  const bool is_known = fn == Fn::kLinkNtop
                            ? kind == ir::AddressKind::kEther
                            : kind == ir::AddressKind::kInet || kind == ir::AddressKind::kInet6;
  if (!is_known || family->int_value > 255) {
    error("D_PROTO_ARG", family->span,
          fn == Fn::kLinkNtop ? "link_ntop( ) argument #1 must be 1 (ARPHRD_ETHER)"
                              : "inet_ntop( ) argument #1 must be 2 (AF_INET) or 10 (AF_INET6)");
  }
}

void KernelUse::derived_variable(Expr* e) {
  const Derived derived = builtin_table()[e->index].derived;
  if (derived == Derived::kUregs || derived == Derived::kRegs) {
    error("D_IDENT_BADREF", e->span,
          fmt::format("array '{}' may not be referenced as scalar", e->text))
        .hint = fmt::format("write {}[R_PC], or another register's number", e->text);
    e->type = {};
  } else if (derived == Derived::kJid) {
    set_constant(e, 0, e->type, rules_);
  } else if (!has_members(e, e->text, kernel_members(derived))) {
    e->type = {};
  }
}

void KernelUse::unsupported_variable(const Expr* e) {
  const std::string_view name = e->text;
  if (name == "vinstrs" || name == "vcycles" || name == "cpuinstrs" || name == "cpucycles") {
    error_once(
        "D_VAR_UNSUP", e->span,
        fmt::format("variable '{}' is not supported: it needs a hardware counter for each thread, "
                    "which the kernel does not keep",
                    name))
        .hint = "vtimestamp is the time that the thread has been on a CPU";
    return;
  }
  Diagnostic& d = error_once(
      "D_VAR_UNSUP", e->span,
      fmt::format("variable '{}' is defined by a library of D, which is not there", name));
  d.hint = world_.libraries ? libraries_.why_not(e->text) : "-x nolibs leaves all of them out";
}

// uregs[i]: the user's registers of the thread; regs[i]: those of the kernel's code
// at the probe, where that has them. Nothing here runs virtual machines.
bool KernelUse::register_element(Expr* e) {
  const Expr* base = e->args[0];
  if (base->text == "vmregs") {
    error_once("D_VAR_UNSUP", base->span,
               "vmregs[ ] may not be referenced: the kernel does not show registers of its guests")
        .hint = "uregs[ ] are the registers of the thread in user mode";
    return true;
  }
  if (e->args.size() != 2) {
    error("D_PROTO_LEN", e->span,
          prototype_mismatch(base->text, "[ ]", "arg", e->args.size() - 1, 1, false));
    return true;
  }
  Expr* at = e->args[1];
  expr(at);
  if (bad(at)) {
    return true;
  }
  if (!rules_.is_integer(at->type)) {
    error("D_PROTO_ARG", at->span,
          fmt::format("{}[ ] argument #1 is incompatible with prototype:\n\tprototype: "
                      "integer\n\t argument: {}",
                      base->text, type_name(at)));
    return true;
  }
  const std::uint64_t count = kRegisters + (base->text == "uregs" ? kThreadRegisters : 0);
  if (at->is_constant && at->int_value >= count) {
    error("D_REGS_IDX", at->span,
          fmt::format("index {} is out of range for {}[ ], which has {} registers",
                      static_cast<std::int64_t>(at->int_value), base->text, count));
    return true;
  }
  if (at->is_constant && at->int_value >= kRegisters) {
    // The library's inline will check its argument, which is to be as if it never was.
    Expr* const plain = arena_.expr();
    plain->kind = ExprKind::kInt;
    plain->span = at->span;
    plain->int_value = at->int_value;
    e->args[1] = plain;
    return false;
  }
  e->symbol = Symbol::kRegister;
  e->type = world_.types.integer(8, false);
  return true;
}

}  // namespace dt::d
