#pragma once
// Programs at hooks of netfilter (Linux 6.4). What such a program answers decides on the packet: 0
// drops it. Ours only look, so each of them accepts every packet, on every way through it.

#include <linux/bpf.h>

#include <cstdint>
#include <vector>

#include "support/result.h"

namespace dt::kernel {

// BPF_NETFILTER, which Debian 12's headers do not have. A ProgramSpec with this expected_attach is
// one of netfilter, whatever its type is: bpf_prog_type cannot hold the number of that type there.
constexpr std::uint32_t kNetfilterAttach = 45;
constexpr std::uint32_t kNetfilterProgram = 32;  // BPF_PROG_TYPE_NETFILTER

// Makes the program answer NF_ACCEPT wherever its first function ends. An error, and nothing to be
// loaded, where it may end with another answer than a constant that stands right before the end, or
// with that of another program (a tail call).
Status accept_every_packet(std::vector<bpf_insn>& program);

// Makes it read memory of the kernel where it does not say whose memory it means: a program of
// netfilter cannot call bpf_probe_read(), only bpf_probe_read_kernel().
void read_kernel_only(std::vector<bpf_insn>& program);

}  // namespace dt::kernel
