#pragma once
// Members of the kernel's structures that subroutines and built-in variables
// follow, by name. Their offsets come from the kernel's types (BTF). The checker
// makes sure that all of them exist; the lowering loads them.

#include <span>

#include "d/meaning/function_table.h"

namespace dt::d {

struct KernelMember {
  const char* aggregate;  // a struct's tag
  const char* member;
};

std::span<const KernelMember> kernel_members(Fn fn);
// pcap(): data, len and data_len of a packet.
std::span<const KernelMember> packet_members();
std::span<const KernelMember> kernel_members(Derived variable);
// What a subroutine is about that only other kernels have, or "".
std::string_view foreign_subject(Fn fn);
// uregs, regs and vmregs.
bool is_register_array(std::string_view name);

}  // namespace dt::d
