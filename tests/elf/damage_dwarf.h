#pragma once
// Damage to call frame information and DWARF, as damage.h has it.

#include "view.h"

namespace dt::elf {

bool damage_frames(View& view, Damaged& out, Random& random);
bool damage_dwarf(View& view, Damaged& out, Random& random);

}  // namespace dt::elf
