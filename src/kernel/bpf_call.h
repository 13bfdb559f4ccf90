#pragma once
// bpf(2) and perf_event_open(2) themselves, and what their refusals mean to a
// person. Raw calls rather than libbpf's: Debian 12's libbpf is older than the
// kernels that we run on, and its feature probes cost more than our start-up.

#include <linux/bpf.h>
#include <linux/perf_event.h>

#include <string>
#include <string_view>

#include "support/result.h"

namespace dt::kernel {

// A zeroed attribute block: the kernel refuses stray bytes in unknown fields.
bpf_attr zero_attr();

// The call's result (a file descriptor, or 0), or -errno.
int bpf_call(bpf_cmd command, bpf_attr& attr);

// What the kernel says of a program, a map or a link: a bpf_..._info, zeroed before.
int bpf_info(int fd, void* info, std::uint32_t bytes);

// -errno on failure.
int perf_open(perf_event_attr& attr, int pid, int cpu);

// The kernel's ENOTSUPP, which has no name in user space.
constexpr int kNotSupported = 524;

std::uint64_t to_u64(const void* pointer);

// "BPF_MAP_CREATE".
const char* command_name(bpf_cmd command);

// "bpf(BPF_MAP_CREATE) of 'dt_globals': Operation not permitted" with a remedy
// where one is known. `object` may be empty.
Error bpf_error(bpf_cmd command, std::string_view object, int code);

// What to do about `code`, or "" when nothing is known. For EPERM it names the
// capability that this process lacks, or the lockdown mode in force.
std::string remedy(int code);
// The same for perf_event_open(2), which says EACCES where bpf(2) says EPERM.
std::string perf_remedy(int code);

}  // namespace dt::kernel
