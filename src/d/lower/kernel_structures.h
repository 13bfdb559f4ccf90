#pragma once
// Subroutines and built-in variables that follow the kernel's structures, and
// those that the kernel is asked for.

#include <cstdint>

#include "d/lower/upper_part.h"
#include "d/meaning/kernel_member.h"
#include "types/type.h"

namespace dt::d {
enum class Fn : std::uint8_t;
}

namespace dt::d::lowering {

class KernelStructures : UpperPart {
 public:
  explicit KernelStructures(const Core& core) : UpperPart(core) {}

  ValueId subroutine(const Expr* e);
  // uregs[i], regs[i]. An index that is known only now faults where it is no register's.
  ValueId register_element(const Expr* e);
  ValueId builtin_string(const Expr* e);
  // What the process of a task was started with, as Program::arguments has it; else its name.
  ValueId process_arguments(const Expr* e);
  // A member of the structure at `base`.
  ValueId load_member(ValueId base, const KernelMember& member);

 private:
  types::Catalog::Found place_of(const KernelMember& member) const;
  ValueId member_at(ValueId base, const KernelMember& member);
  // The number of a thread, a process or a struct pid in the namespace that dtrace is in.
  ValueId seen_number(ValueId of, Fn what);
  // The file behind a descriptor of the process, NULL where there is none.
  ValueId open_file(ValueId number);
  ValueId machine_number(const Expr* e);
  ValueId kernel_register(ValueId index);
  // "global", or the name of the container.
  ValueId zone_name(std::uint32_t size);
};

}  // namespace dt::d::lowering
