#pragma once
// What subroutines and built-in variables need that follow the kernel's
// structures; registers.

#include <cstdint>
#include <span>
#include <string_view>

#include "d/check/part.h"
#include "d/meaning/kernel_member.h"

namespace dt::d {

enum class Fn : std::uint8_t;

class LibraryUse;
class Objects;

class KernelUse : Part {
 public:
  KernelUse(Context& context, Objects& objects, LibraryUse& libraries)
      : Part(context), objects_(objects), libraries_(libraries) {}

  // Reports, and returns false, when the kernel's types lack one of `members`, which `what` needs.
  bool has_members(const Expr* e, std::string_view what, std::span<const KernelMember> members);
  // inet_ntop(), link_ntop(): a family that is a constant must be a known one.
  void address_family(Expr* e, Fn fn);
  // A built-in variable that is computed from others.
  void derived_variable(Expr* e);
  // uregs[i]: the user's registers of the thread; regs[i]: those of the kernel's code at the probe.
  // False when the library is to say where the register is.
  bool register_element(Expr* e);
  // Reports a built-in variable that there is not.
  void unsupported_variable(const Expr* e);

 private:
  Objects& objects_;
  LibraryUse& libraries_;
};

}  // namespace dt::d
