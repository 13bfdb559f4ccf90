#pragma once
// Names of directories that the kernel makes (struct kernfs_node), compared with one that is known.

#include <string>

#include "bpf/asm/emitter.h"

namespace dt::bpf {

// Goes to `other` where the text at `address` is not `wanted`.
void jump_if_other_name(Emitter& e, Reg address, const std::string& wanted, Label other);

}  // namespace dt::bpf
