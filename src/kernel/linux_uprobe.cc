// LinuxKernel: probes in user code, many at once: by uprobe.multi (Linux 6.6), or by an event of
// tracefs (uprobe_events.h).
//
// A process that a link names by its pid alone gets breakpoints, and others pay
// nothing. The link holds the file: what it is called later does not matter.

#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

#include "kernel/bpf_call.h"
#include "kernel/linux.h"

namespace dt::kernel {
namespace {

// bpf_attr.link_create of a uprobe.multi link, which Debian 12's headers do not have. The layout is
// the kernel's interface and cannot change; a kernel that does not know this kind of link refuses
// it by its number.
struct UprobeMultiAttr {
  std::uint32_t prog_fd;
  std::uint32_t target_fd;
  std::uint32_t attach_type;
  std::uint32_t flags;
  std::uint64_t path;
  std::uint64_t offsets;
  std::uint64_t ref_ctr_offsets;
  std::uint64_t cookies;
  std::uint32_t count;
  std::uint32_t multi_flags;
  std::uint32_t pid;
  std::uint32_t padding;
};
static_assert(sizeof(UprobeMultiAttr) <= sizeof(bpf_attr));

std::string remedy_of(int code) {
  switch (code) {
    case ESRCH:
      return "the process has ended";
    case kNotSupported:
      return "the kernel puts no breakpoint on one of these instructions";
    default:
      return remedy(code);
  }
}

}  // namespace

Result<Fd> LinuxKernel::attach_uprobes(const UprobeSites& sites, const Fd& program) {
  std::vector<std::uint64_t> offsets, cookies, semaphores;
  bool any_semaphore = false;
  for (const UprobeSites::Site& site : sites.sites) {
    offsets.push_back(site.offset);
    cookies.push_back(site.cookie);
    semaphores.push_back(site.semaphore);
    any_semaphore = any_semaphore || site.semaphore != 0;
  }
  UprobeMultiAttr link;
  std::memset(&link, 0, sizeof link);
  link.prog_fd = static_cast<std::uint32_t>(program.get());
  link.attach_type = kUprobeMulti;
  link.path = to_u64(sites.path.c_str());
  link.offsets = to_u64(offsets.data());
  link.cookies = to_u64(cookies.data());
  link.ref_ctr_offsets = any_semaphore ? to_u64(semaphores.data()) : 0;
  link.count = static_cast<std::uint32_t>(offsets.size());
  link.pid = static_cast<std::uint32_t>(sites.pid);
  bpf_attr attr = zero_attr();
  std::memcpy(&attr, &link, sizeof link);
  if (keeper_ == nullptr) {
    DT_ASSIGN(keeper_, Keeper::start());
  }
  DT_ASSIGN(const long made,
            call_apart(SYS_bpf, BPF_LINK_CREATE, static_cast<long>(to_u64(&attr)), sizeof attr));
  const auto fd = static_cast<int>(made);
  if (fd < 0) {
    Error error = bpf_error(BPF_LINK_CREATE, sites.path, -fd);
    error.remedy = fd == -EINVAL || fd == -EOPNOTSUPP
                       ? "this kernel may lack uprobe.multi (Linux 6.6 and later have it; "
                         "`dtrace --self-test` tells)"
                       : remedy_of(-fd);
    return error;
  }
  return Fd(fd);
}

Result<std::unique_ptr<Kernel::Attached>> LinuxKernel::attach_uprobe_event(
    std::span<const UprobeSites> files, const Fd& program) {
  if (uprobe_events_ == nullptr) {
    DT_ASSIGN(uprobe_events_, UprobeEvents::open());
  }
  Result<std::unique_ptr<Attached>> event =
      uprobe_events_->attach(files, program, online_cpus().front());
  if (!event.ok() && event.error().remedy.empty()) {
    event.error().remedy = remedy_of(event.error().code);
  }
  return event;
}

}  // namespace dt::kernel
