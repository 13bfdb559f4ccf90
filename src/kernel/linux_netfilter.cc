// LinuxKernel: programs at hooks of netfilter; and what netfilter.h promises of them.

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "kernel/bpf_call.h"
#include "kernel/linux.h"
#include "kernel/netfilter.h"

namespace dt::kernel {
namespace {

constexpr std::int32_t kAccept = 1;  // NF_ACCEPT

// bpf_attr.link_create of such a link.
struct NetfilterAttr {
  std::uint32_t prog_fd;
  std::uint32_t target_fd;
  std::uint32_t attach_type;
  std::uint32_t flags;
  std::uint32_t family;
  std::uint32_t hook;
  std::int32_t priority;
  std::uint32_t hook_flags;
};
static_assert(sizeof(NetfilterAttr) <= sizeof(bpf_attr));

bool is_call_within(const bpf_insn& one) {
  return one.code == (BPF_JMP | BPF_CALL) && one.src_reg == BPF_PSEUDO_CALL;
}
bool is_function_address(const bpf_insn& one) {
  return one.code == (BPF_LD | BPF_DW | BPF_IMM) && one.src_reg == BPF_PSEUDO_FUNC;
}
bool is_exit(const bpf_insn& one) { return one.code == (BPF_JMP | BPF_EXIT); }
bool sets_result(const bpf_insn& one) {
  const bool is_move =
      one.code == (BPF_ALU64 | BPF_MOV | BPF_K) || one.code == (BPF_ALU | BPF_MOV | BPF_K);
  return is_move && one.dst_reg == BPF_REG_0;
}

// Where the first function ends: the others are called, or their addresses are taken.
std::size_t end_of_first(const std::vector<bpf_insn>& program) {
  std::size_t end = program.size();
  for (std::size_t at = 0; at < program.size(); ++at) {
    if (!is_call_within(program[at]) && !is_function_address(program[at])) continue;
    const auto begin = static_cast<std::int64_t>(at) + 1 + program[at].imm;
    if (begin > 0 && begin < static_cast<std::int64_t>(end)) end = static_cast<std::size_t>(begin);
  }
  return end;
}

// Behind it, another program answers.
bool is_tail_call(const bpf_insn& one) {
  return one.code == (BPF_JMP | BPF_CALL) && one.src_reg == 0 && one.imm == BPF_FUNC_tail_call;
}

// Whether an instruction other than the one before may lead there.
bool is_jumped_to(const std::vector<bpf_insn>& program, std::size_t end, std::size_t target) {
  for (std::size_t at = 0; at < end; ++at) {
    const std::uint8_t kind = BPF_CLASS(program[at].code), op = BPF_OP(program[at].code);
    const bool is_jump = (kind == BPF_JMP || kind == BPF_JMP32) && op != BPF_CALL && op != BPF_EXIT;
    if (!is_jump) continue;
    const bool is_far = kind == BPF_JMP32 && op == BPF_JA;
    const std::int64_t by = is_far ? program[at].imm : program[at].off;
    if (static_cast<std::int64_t>(at) + 1 + by == static_cast<std::int64_t>(target)) return true;
  }
  return false;
}

}  // namespace

Status accept_every_packet(std::vector<bpf_insn>& program) {
  const Error may_not = Error::of("a program of netfilter may end without accepting the packet");
  if (std::any_of(program.begin(), program.end(), is_tail_call)) return may_not;
  const std::size_t end = end_of_first(program);
  for (std::size_t at = 0; at < end; ++at) {
    if (!is_exit(program[at])) continue;
    if (at == 0 || !sets_result(program[at - 1]) || is_jumped_to(program, end, at)) return may_not;
    program[at - 1].imm = kAccept;
  }
  return {};
}

void read_kernel_only(std::vector<bpf_insn>& program) {
  for (bpf_insn& one : program) {
    if (one.code != (BPF_JMP | BPF_CALL) || one.src_reg != 0) continue;
    if (one.imm == BPF_FUNC_probe_read) one.imm = BPF_FUNC_probe_read_kernel;
    if (one.imm == BPF_FUNC_probe_read_str) one.imm = BPF_FUNC_probe_read_kernel_str;
  }
}

Result<Fd> LinuxKernel::attach_netfilter(const NetfilterHook& hook, const Fd& program) {
  NetfilterAttr link = {};
  link.prog_fd = static_cast<std::uint32_t>(program.get());
  link.attach_type = kNetfilterAttach;
  link.family = hook.family;
  link.hook = hook.hook;
  link.priority = hook.priority;
  bpf_attr attr = zero_attr();
  std::memcpy(&attr, &link, sizeof link);
  const int fd = bpf_call(BPF_LINK_CREATE, attr);
  if (fd >= 0) return Fd(fd);
  Error error = bpf_error(BPF_LINK_CREATE, "netfilter", -fd);
  if (fd == -EINVAL) error.remedy = "Linux 6.4 and later have it, with CONFIG_NETFILTER_BPF_LINK";
  return error;
}

}  // namespace dt::kernel
