// LinuxKernel: programs at functions of the kernel and other places of its code.

#include <linux/perf_event.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "kernel/bpf_call.h"
#include "kernel/linux.h"
#include "support/check.h"

namespace dt::kernel {
namespace {

// What the kernel says of a link (bpf_link_info), newer than the headers of Debian 12.
struct LinkInfo {
  std::uint32_t type, id, program, pad;
  std::uint64_t words[16];
};
// Where a link's description says how many firings were missed: an index into LinkInfo::words, by
// the type of the link. These are the words in linux/bpf.h of Linux 6.7, which added `missed`:
//
//   perf event    { type, pad } { func_name } { name_len, offset } { addr } { missed }
//   kprobe.multi  { addrs } { count, flags } { missed }
//
// Older kernels leave the word as it was given: 0.
constexpr std::uint32_t kPerfEventLink = 7, kKprobeMultiLink = 8;
constexpr std::size_t kMissedOfPerfEvent = 4, kMissedOfKprobeMulti = 2;

constexpr const char* kKprobeDevice = "/sys/bus/event_source/devices/kprobe";
constexpr std::uint64_t kReturnProbe = 1;  // bit 0 of the event's config

// The number of the events that are breakpoints in the kernel's code.
Result<std::uint32_t> kprobe_event_type() {
  std::ifstream file(std::string(kKprobeDevice) + "/type");
  std::uint32_t type = 0;
  if (!(file >> type)) {
    return Error::of_code(fmt::format("{}: this kernel has no kprobes", kKprobeDevice), ENOENT,
                          "use a kernel built with CONFIG_KPROBE_EVENTS");
  }
  return type;
}

std::string name_of(const CodePlace& place) {
  if (place.symbol.empty()) {
    return fmt::format("{:#x}", place.address);
  }
  return place.address == 0 ? place.symbol : fmt::format("{}+{:#x}", place.symbol, place.address);
}

}  // namespace

Result<Fd> LinuxKernel::attach_functions(const FunctionSet& functions, const Fd& program) {
  const std::size_t count = functions.size();
  DT_CHECK(functions.cookies.empty() || functions.cookies.size() == count, "{}", count);
  std::vector<const char*> symbols;
  for (const std::string& symbol : functions.symbols) {
    symbols.push_back(symbol.c_str());
  }
  bpf_attr attr = zero_attr();
  attr.link_create.prog_fd = static_cast<std::uint32_t>(program.get());
  attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
  attr.link_create.kprobe_multi.flags = functions.at_return ? BPF_F_KPROBE_MULTI_RETURN : 0;
  attr.link_create.kprobe_multi.cnt = static_cast<std::uint32_t>(count);
  if (symbols.empty()) {
    attr.link_create.kprobe_multi.addrs = to_u64(functions.addresses.data());
  } else {
    attr.link_create.kprobe_multi.syms = to_u64(symbols.data());
  }
  // The kernel sorts what has cookies.
  if (!functions.cookies.empty()) {
    attr.link_create.kprobe_multi.cookies = to_u64(functions.cookies.data());
  }
  const int fd = bpf_call(BPF_LINK_CREATE, attr);
  if (fd < 0) {
    return bpf_error(
        BPF_LINK_CREATE,
        count == 1 && !symbols.empty() ? functions.symbols[0] : fmt::format("{} functions", count),
        -fd);
  }
  return Fd(fd);
}

// The event is opened on CPU 0 and for no process. This decides only where it would count: a
// breakpoint is in code that all CPUs share, and its program runs on each of them.
Result<Fd> LinuxKernel::attach_code(const CodePlace& place, std::uint64_t cookie,
                                    const Fd& program) {
  DT_ASSIGN(const std::uint32_t type, kprobe_event_type());
  perf_event_attr event;
  std::memset(&event, 0, sizeof event);
  event.size = sizeof event;
  event.type = type;
  event.config = place.at_return ? kReturnProbe : 0;
  event.config1 = place.symbol.empty() ? 0 : to_u64(place.symbol.c_str());
  event.config2 = place.address;
  const int opened = perf_open(event, -1, 0);
  if (opened < 0) {
    Error error =
        support::system_error(fmt::format("perf_event_open of {}", name_of(place)), -opened);
    // EILSEQ: the address is not the beginning of an instruction. The others: the kernel excludes
    // the function (NOKPROBE_SYMBOL), or what the instruction does.
    const bool is_forbidden =
        opened == -EINVAL || opened == -EADDRNOTAVAIL || opened == -EILSEQ || opened == -EOPNOTSUPP;
    error.remedy = is_forbidden ? "the kernel allows no breakpoint there" : perf_remedy(-opened);
    return error;
  }
  const Fd breakpoint(opened);
  bpf_attr attr = zero_attr();
  attr.link_create.prog_fd = static_cast<std::uint32_t>(program.get());
  attr.link_create.target_fd = static_cast<std::uint32_t>(breakpoint.get());
  attr.link_create.attach_type = BPF_PERF_EVENT;
  attr.link_create.perf_event.bpf_cookie = cookie;
  const int fd = bpf_call(BPF_LINK_CREATE, attr);
  if (fd < 0) {
    return bpf_error(BPF_LINK_CREATE, name_of(place), -fd);
  }
  return Fd(fd);
}

Result<std::uint64_t> LinuxKernel::missed_by_link(const Fd& link) {
  LinkInfo info;
  std::memset(&info, 0, sizeof info);
  const int result = bpf_info(link.get(), &info, sizeof info);
  if (result < 0) {
    return bpf_error(BPF_OBJ_GET_INFO_BY_FD, {}, -result);
  }
  return info.type == kKprobeMultiLink ? info.words[kMissedOfKprobeMulti]
         : info.type == kPerfEventLink ? info.words[kMissedOfPerfEvent]
                                       : 0;
}

}  // namespace dt::kernel
