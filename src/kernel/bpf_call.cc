// See bpf_call.h.

#include "kernel/bpf_call.h"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "kernel/lockdown.h"

namespace dt::kernel {
namespace {

// The effective capabilities of this process; all of them when it cannot tell.
std::uint64_t effective_capabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data = {};
  if (::syscall(SYS_capget, &header, data.data()) != 0) {
    return ~0ULL;
  }
  return data[0].effective | (std::uint64_t{data[1].effective} << 32);
}

std::string privilege_remedy() {
  const std::uint64_t have = effective_capabilities();
  const auto has = [&](unsigned capability) { return ((have >> capability) & 1) != 0; };
  if (has(CAP_SYS_ADMIN) || (has(CAP_BPF) && has(CAP_PERFMON))) {
    // Only this mode forbids BPF programs to read the kernel's memory; "integrity" forbids
    // bpf_probe_write_user() alone.
    if (lockdown_mode() == "confidentiality") {
      return "the kernel is locked down (confidentiality mode), which forbids tracing; boot "
             "without lockdown=confidentiality";
    }
    return "a security policy of this system (a container's seccomp filter, or a security module) "
           "forbids the call; run outside of the container or allow bpf(2) and perf_event_open(2)";
  }
  std::string missing;
  if (!has(CAP_BPF)) {
    missing = "CAP_BPF";
  }
  if (!has(CAP_PERFMON)) {
    missing += missing.empty() ? "CAP_PERFMON" : " and CAP_PERFMON";
  }
  return fmt::format("this process lacks {} (CAP_SYS_ADMIN includes {}); run it as root", missing,
                     has(CAP_BPF) || has(CAP_PERFMON) ? "it" : "both");
}

}  // namespace

// bpf(2) refuses a command if a byte behind the last field that it knows is not zero (EINVAL or
// E2BIG). `bpf_attr attr = {}` would not do: it sets the first member of the union, and the bytes
// behind this member may keep what the stack held.
bpf_attr zero_attr() {
  bpf_attr attr;
  std::memset(&attr, 0, sizeof attr);
  return attr;
}

int bpf_call(bpf_cmd command, bpf_attr& attr) {
  const long result = ::syscall(SYS_bpf, command, &attr, sizeof attr);
  return result < 0 ? -errno : static_cast<int>(result);
}

int bpf_info(int fd, void* info, std::uint32_t bytes) {
  bpf_attr attr = zero_attr();
  attr.info.bpf_fd = static_cast<std::uint32_t>(fd);
  attr.info.info_len = bytes;
  attr.info.info = to_u64(info);
  return bpf_call(BPF_OBJ_GET_INFO_BY_FD, attr);
}

int perf_open(perf_event_attr& attr, int pid, int cpu) {
  const long result = ::syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
  return result < 0 ? -errno : static_cast<int>(result);
}

std::uint64_t to_u64(const void* pointer) { return std::bit_cast<std::uint64_t>(pointer); }

const char* command_name(bpf_cmd command) {
  switch (static_cast<int>(command)) {
    case BPF_MAP_CREATE:
      return "BPF_MAP_CREATE";
    case BPF_MAP_LOOKUP_ELEM:
      return "BPF_MAP_LOOKUP_ELEM";
    case BPF_MAP_UPDATE_ELEM:
      return "BPF_MAP_UPDATE_ELEM";
    case BPF_MAP_DELETE_ELEM:
      return "BPF_MAP_DELETE_ELEM";
    case BPF_MAP_GET_NEXT_KEY:
      return "BPF_MAP_GET_NEXT_KEY";
    case BPF_MAP_LOOKUP_BATCH:
      return "BPF_MAP_LOOKUP_BATCH";
    case BPF_MAP_DELETE_BATCH:
      return "BPF_MAP_DELETE_BATCH";
    case BPF_MAP_FREEZE:
      return "BPF_MAP_FREEZE";
    case BPF_PROG_LOAD:
      return "BPF_PROG_LOAD";
    case BPF_PROG_TEST_RUN:
      return "BPF_PROG_RUN";
    case BPF_BTF_LOAD:
      return "BPF_BTF_LOAD";
    case BPF_RAW_TRACEPOINT_OPEN:
      return "BPF_RAW_TRACEPOINT_OPEN";
    case BPF_LINK_CREATE:
      return "BPF_LINK_CREATE";
    case BPF_OBJ_GET_INFO_BY_FD:
      return "BPF_OBJ_GET_INFO_BY_FD";
    default:
      return "BPF";
  }
}

std::string remedy(int code) {
  switch (code) {
    case EPERM:
      return privilege_remedy();
    case ENOMEM:
      return "the kernel could not allocate the memory; lower bufsize, aggsize or dynvarsize (-b, "
             "-x)";
    case E2BIG:
      return "too large for the kernel; lower bufsize, aggsize, dynvarsize or strsize (-b, -x)";
    case EMFILE:
    case ENFILE:
      return "too many open files; raise the limit (ulimit -n)";
    case ENOSYS:
      return "this kernel was built without BPF, or a policy (a container's seccomp filter) hides "
             "it";
    case kNotSupported:
      return "the kernel's JIT does not come to an end with this program; any change of the script "
             "helps";
    default:
      return {};
  }
}

std::string perf_remedy(int code) {
  switch (code) {
    case EACCES:
      return privilege_remedy();
    case ENODEV:
      return "the CPU is offline";
    case ENOSYS:
      return "this kernel was built without perf events, or a policy (a container's seccomp "
             "filter) "
             "hides them";
    default:
      return remedy(code);
  }
}

Error bpf_error(bpf_cmd command, std::string_view object, int code) {
  const std::string what = object.empty()
                               ? fmt::format("bpf({})", command_name(command))
                               : fmt::format("bpf({}) of '{}'", command_name(command), object);
  Error error = support::system_error(what, code);
  error.remedy = remedy(code);
  return error;
}

}  // namespace dt::kernel
