// The netfilter provider: packets of IP at the hooks of netfilter.
//
//   netfilter:vmlinux:ip:pre-routing     function = the family: ip, ip6
//
// Each enabled probe has a program that a link attaches to its hook, in the network namespace of
// dtrace. It runs before all rules. The kernel hands it a struct bpf_nf_ctx: where the hook is
// called from (struct nf_hook_state *), and the packet (struct sk_buff *). Both are read as the
// words that they are in memory: as values of the context they would be typed pointers, for which
// the verifier refuses arithmetic.
//
// The answer of such a program decides on the packet. The kernel layer makes all of them accept it
// (kernel/netfilter.h).

#include "kernel/netfilter.h"

#include <linux/netfilter.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <string>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/prologue.h"
#include "provider/mechanism/providers.h"
#include "provider/mechanism/tracepoint.h"
#include "types/type.h"

namespace dt::provider {
namespace {

struct Family {
  const char* name;
  std::uint32_t number;
};
constexpr Family kFamilies[] = {{"ip", NFPROTO_IPV4}, {"ip6", NFPROTO_IPV6}};
struct Hook {
  const char* name;
  std::uint32_t number;
};
constexpr Hook kHooks[] = {{"pre-routing", NF_INET_PRE_ROUTING},
                           {"local-in", NF_INET_LOCAL_IN},
                           {"forward", NF_INET_FORWARD},
                           {"local-out", NF_INET_LOCAL_OUT},
                           {"post-routing", NF_INET_POST_ROUTING}};

// Of those that trace one hook, each takes the next priority. The kernel refuses the very first.
constexpr std::int32_t kFirstPriority = std::numeric_limits<std::int32_t>::min() + 1;
constexpr std::int32_t kMostTracers = 256;

class NetfilterPrologue : public bpf::Prologue {
 public:
  bool reads_kernel() const override { return true; }
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg, bpf::Label) override { return emitter.imm(0); }

  // arg0 is the packet, arg1 the state.
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override {
    if (number > 1) return emitter.imm(0);
    const bpf::StackSlot slot = emitter.stack(8);
    const bpf::Reg from = emitter.reg();
    emitter.mov(from, context);
    emitter.alu_imm(bpf::Alu::kAdd, from, number == 0 ? 8 : 0);
    emitter.store_imm(8, emitter.stack_address(slot), 0, 0);
    emitter.call_void(BPF_FUNC_probe_read_kernel,
                      {emitter.stack_address(slot), emitter.imm(8), from});
    return emitter.load(8, emitter.stack_address(slot), 0);
  }

  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }
};

class AtHook : public Attachment {
 public:
  explicit AtHook(Fd link) : link_(std::move(link)) {}

 private:
  Fd link_;
};

class NetfilterProvider : public Provider {
 public:
  explicit NetfilterProvider(const types::Catalog& types) : types_(types) {}

  std::string_view name() const override { return "netfilter"; }
  probe::ProviderAttributes attributes() const override {
    return tracepoint_attributes(probe::Stability::kPrivate);
  }

  std::vector<probe::Description> list() const override {
    std::vector<probe::Description> all;
    if (!has_links()) return all;
    for (const Family& family : kFamilies) {
      for (const Hook& hook : kHooks) {
        all.push_back({"netfilter", std::string(types::kKernelModule), family.name, hook.name});
      }
    }
    return all;
  }

  // Those of a kernel without such links, too: whether it has them is not tried for an id.
  std::optional<std::uint32_t> places() const override {
    return static_cast<std::uint32_t>(std::size(kFamilies) * std::size(kHooks));
  }

  bool may_have(std::string_view name) const override {
    return std::any_of(std::begin(kHooks), std::end(kHooks),
                       [name](const Hook& hook) { return name == hook.name; });
  }

  std::string why_not(const probe::Pattern& pattern) const override {
    if (pattern.provider != name() || has_links()) return {};
    return "this kernel attaches no BPF programs to netfilter: Linux 6.4 and later do, built with "
           "CONFIG_NETFILTER_BPF_LINK";
  }

  probe::Binding binding(const probe::Description& probe) const override {
    return {"netfilter:" + probe.function + ":" + probe.name, 0};
  }

  std::optional<std::vector<probe::Argument>> arguments(const probe::Description&) const override {
    return std::vector<probe::Argument>{{"struct sk_buff *", false},
                                        {"struct nf_hook_state *", false}};
  }
  std::vector<std::string> argument_names(const probe::Description&) const override {
    return {"skb", "state"};
  }

  std::unique_ptr<bpf::Prologue> prologue(const std::string&, const bpf::Machine&) const override {
    return std::make_unique<NetfilterPrologue>();
  }

  // A packet may be sent under any lock that the kernel's network code allows.
  bool runs_under_locks(const std::string&) const override { return true; }
  bool runs_under_queue_lock(const std::string&) const override { return false; }

  Result<kernel::ProgramSpec> program_spec(const std::string&) const override {
    kernel::ProgramSpec spec;
    spec.name = "dt_netfilter";
    spec.type = BPF_PROG_TYPE_UNSPEC;
    spec.expected_attach = kernel::kNetfilterAttach;
    return spec;
  }

  std::string source(const std::string& program) const override {
    return "netfilter hook " + program.substr(program.find(':') + 1);
  }

  Result<std::unique_ptr<Attachment>> attach(const std::string& program,
                                             std::span<const probe::Probe>, const Fd& fd,
                                             kernel::Kernel& kernel) const override {
    kernel::NetfilterHook hook = hook_of(program);
    hook.priority = kFirstPriority;
    for (;; ++hook.priority) {
      Result<Fd> link = kernel.attach_netfilter(hook, fd);
      const bool is_taken = !link.ok() && link.error().code == EBUSY;
      if (is_taken && hook.priority < kFirstPriority + kMostTracers) continue;
      DT_ASSIGN(Fd made, std::move(link));
      return std::unique_ptr<Attachment>(std::make_unique<AtHook>(std::move(made)));
    }
  }

 private:
  bool has_links() const { return types_.find(types::Tag::kStruct, "bpf_nf_link").has_value(); }

  // "netfilter:ip6:local-in"
  static kernel::NetfilterHook hook_of(const std::string& program) {
    kernel::NetfilterHook out;
    for (const Family& family : kFamilies) {
      for (const Hook& hook : kHooks) {
        if (program != fmt::format("netfilter:{}:{}", family.name, hook.name)) continue;
        out.family = family.number;
        out.hook = hook.number;
      }
    }
    return out;
  }

  const types::Catalog& types_;
};

}  // namespace

std::unique_ptr<Provider> netfilter_provider(const types::Catalog& types) {
  return std::make_unique<NetfilterProvider>(types);
}

}  // namespace dt::provider
