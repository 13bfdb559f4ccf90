#pragma once
// Places in user code, for the providers that are made of them. All enabled
// probes of one program become one link for each file and process; which of them
// fired is known from the cookie:
//
//     high 32 bits: a number of the site      low 32 bits: the probe's key

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "provider/provider.h"
#include "provider/whose.h"

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

kernel::ProgramSpec uprobe_program(const std::string& program);
// Where the kernel refuses some of them, the error names their probes.
Result<std::unique_ptr<Attachment>> attach_uprobes(std::vector<UprobePlace> places,
                                                   const Fd& program, kernel::Kernel& kernel);

// The context is the thread's struct pt_regs as it came to the site.
class UprobePrologue : public bpf::Prologue {
 public:
  // Where struct pt_regs of x86-64 has what a function is given and gives back.
  static constexpr std::int32_t kArguments[6] = {112, 104, 96, 88, 72, 64};  // di si dx cx r8 r9
  static constexpr std::int32_t kResult = 80, kStackPointer = 152;

  // `whose`: firings, by key; outlives this.
  UprobePrologue(const std::vector<std::int32_t>& whose, const bpf::Machine& machine);

  // What own_table() gives, and behind it `whose`, when it is not all the same to us.
  std::vector<std::uint8_t> table() const final;
  void table_at(std::uint32_t offset) final { table_at_ = offset; }
  bool prepare(const Needs& needs) override;
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) override;
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg) override { return emitter.imm(0); }
  bool may_wait() const override { return true; }

 protected:
  const Needs& needs() const { return needs_; }
  // A multiple of 8 bytes.
  virtual std::vector<std::uint8_t> own_table() const { return {}; }
  std::uint32_t own_table_at() const { return table_at_; }
  // True when argument() asks for site_number().
  virtual bool uses_site_number() const { return false; }
  bpf::Reg site_number(bpf::Emitter& emitter) const;
  // 8 bytes of user memory; 0 when they cannot be read.
  bpf::Reg load_user(bpf::Emitter& emitter, bpf::Reg address) const;

 private:
  bpf::Reg whose_by_key(bpf::Emitter& emitter, bpf::Reg key, bpf::Label leave) const;
  void leave_unless_ours(bpf::Emitter& emitter, bpf::Reg key, bpf::Label leave) const;

  const std::vector<std::int32_t>& whose_;
  const bpf::Machine& machine_;
  bool asks_whose_ = false;
  Needs needs_;
  std::uint32_t table_at_ = 0;
  bpf::Reg cookie_;
};

}  // namespace dt::provider
