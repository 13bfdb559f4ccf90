#pragma once

// The code by which a program on sys_enter or sys_exit finds which system call it is, and its
// arguments. What the kernel hands the programs:
//
//   sys_enter: u64 ctx[] = { struct pt_regs *, number }
//   sys_exit:  u64 ctx[] = { struct pt_regs *, return value }
//
// Calls by i386's numbers are known by a bit in thread_info.status. To ask for
// it takes a helper, so a cheaper test comes first: the SYSCALL instruction
// leaves rip in rcx, in a 64-bit code segment. int $0x80 and a 32-bit task's
// entries do not. What fails the test (also native calls whose rcx a debugger
// or signal changed, and all of them on CPUs with FRED) asks for the bit. Only a
// program that puts the address behind its int $0x80 into rcx is taken wrongly.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bpf/layout/prologue.h"

namespace dt::provider {

// `compat_offset`: where thread_info.status is in task_struct; -1 when there are no 32-bit tasks to
// tell apart. `key_count`: how many keys there are (syscall_table.h). `is_solaris`: calls,
// arguments and results are those of Solaris (solaris_calls.h).
std::unique_ptr<bpf::Prologue> syscall_prologue(bool is_return, std::int32_t compat_offset,
                                                std::size_t key_count, bool is_solaris);

}  // namespace dt::provider
