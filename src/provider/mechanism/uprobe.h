#pragma once
// Places in user code, for the providers that are made of them. All enabled
// probes of one program become one link for each file and process (uprobe.multi) or, where the
// kernel has no such links, one event for each process (kernel/uprobe_events.h). Which of them
// fired is known from the cookie:
//
//     high 32 bits: a number of the site      low 32 bits: the probe's key
//
// The kernel gives a program the cookie of a link. That of an event it has to find, where the
// kernel notes what it is about, on behalf of the thread that has come to a breakpoint:
//
//     task_struct.utask -> uprobe_task.vaddr -> uprobe_dispatch_data.tu -> trace_uprobe
//         .tp.args[0].code -> fetch_insn.immediate: the cookie    [1]: the process

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/prologue.h"
#include "kernel/features.h"
#include "provider/mechanism/provider.h"
#include "provider/mechanism/whose.h"

namespace dt::provider {

struct UprobePlace {
  const probe::Probe* probe = nullptr;
  std::string path;  // of the file
  pid_t pid = 0;
  kernel::UprobeSites::Site site;
};

constexpr std::uint64_t uprobe_cookie(std::uint32_t key, std::uint32_t number) {
  return std::uint64_t{number} << 32 | key;
}

// Where the kernel's structures have what leads to an event's cookie, in bytes.
struct UprobeEventOffsets {
  std::int32_t task_utask = -1, utask_dispatch = -1, dispatch_event = -1;
  std::int32_t event_arguments = -1;  // pointers to the two, so far from one another:
  std::int32_t argument_bytes = -1;
  std::int32_t constant = -1;
  bool are_known() const;
};

// How this kernel lets programs run at places in user code. It is found out at the first question,
// so that runs without such places do not wait for it.
class Uprobes {
 public:
  using TryFeature = std::function<Status(kernel::Feature)>;
  // `types`, the kernel's, must outlive it.
  Uprobes(const types::Catalog& types, TryFeature try_feature)
      : types_(types), try_feature_(std::move(try_feature)) {}

  // By links (uprobe.multi); otherwise by events.
  bool has_links();
  const UprobeEventOffsets& event_offsets();
  // Where struct task_struct has what fs points to in the thread; -1: this kernel does not say.
  std::int32_t thread_base_offset();
  // An error where there is no way.
  Result<kernel::ProgramSpec> program_spec(const std::string& program);
  // "uprobe.multi".
  std::string way();
  // Where the kernel refuses some of the places, the error names their probes.
  Result<std::unique_ptr<Attachment>> attach(std::vector<UprobePlace> places, const Fd& program,
                                             kernel::Kernel& kernel);

 private:
  const types::Catalog& types_;
  TryFeature try_feature_;
  std::optional<bool> has_links_;
  std::optional<UprobeEventOffsets> offsets_;
};

// The context is the thread's struct pt_regs as it came to the site.
class UprobePrologue : public bpf::Prologue {
 public:
  // `whose`: firings, by key, empty when each probe is of one process; it and `uprobes` outlive
  // this.
  UprobePrologue(const std::vector<std::int32_t>& whose, const bpf::Machine& machine,
                 Uprobes& uprobes);

  // What own_table() gives, and behind it `whose`, when it is not all the same to us.
  std::vector<std::uint8_t> table() const final;
  void table_at(std::uint32_t offset) final { table_at_ = offset; }
  bool prepare(const Needs& needs) override;
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) override;
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }
  // At an event a thread has a lock of the kernel's that other threads at breakpoints may wait for.
  bool may_wait() const override { return uprobes_.has_links(); }

 protected:
  const Needs& needs() const { return needs_; }
  // A multiple of 8 bytes.
  virtual std::vector<std::uint8_t> own_table() const { return {}; }
  std::uint32_t own_table_at() const { return table_at_; }
  // True when argument() asks for site_number().
  virtual bool uses_site_number() const { return false; }
  bpf::Reg site_number(bpf::Emitter& emitter) const;
  // The cookie; none if it is not needed (`asks`). Leaves when the process is not the one that the
  // place is for.
  bpf::Reg find_cookie(bpf::Emitter& emitter, bpf::Reg context, bool asks, bpf::Label leave) const;
  // 8 bytes of user memory; 0 when they cannot be read.
  bpf::Reg load_user(bpf::Emitter& emitter, bpf::Reg address) const;

 private:
  bpf::Reg find_event_cookie(bpf::Emitter& emitter, bool asks, bpf::Label leave) const;
  bpf::Reg whose_by_key(bpf::Emitter& emitter, bpf::Reg key, bpf::Label leave) const;
  void leave_unless_ours(bpf::Emitter& emitter, bpf::Reg key, bpf::Label leave) const;

  const std::vector<std::int32_t>& whose_;
  const bpf::Machine& machine_;
  Uprobes& uprobes_;
  bool asks_whose_ = false, has_own_ = false;
  Needs needs_;
  std::uint32_t table_at_ = 0;
  bpf::Reg cookie_;
};

}  // namespace dt::provider
