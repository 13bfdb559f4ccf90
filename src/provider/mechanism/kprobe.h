#pragma once
// Programs at breakpoints in the kernel's code, or on links of its functions: what
// they are handed (struct pt_regs), and what keeps them attached.

#include <cstdint>
#include <vector>

#include "bpf/layout/prologue.h"
#include "provider/mechanism/provider.h"

namespace dt::provider {

// The prologue of a probe at a function's entry or return. The key is the attach cookie.
class RegistersPrologue : public bpf::Prologue {
 public:
  // When there are `keys`, the cookies are 0 to `keys` - 1, and every one is of a probe that is
  // enabled.
  explicit RegistersPrologue(bool is_return, std::uint32_t keys = 0)
      : is_return_(is_return), keys_(keys) {}

  std::size_t key_count() const override { return keys_; }
  // The function itself is where the registers stand at its entry.
  std::uint32_t stack_frames_to_skip() const override { return is_return_ ? 0 : 1; }
  bool stack_is_of_context() const override { return true; }
  bool stack_begins_with_caller() const override { return true; }
  bool prepare(const Needs& needs) override;
  bpf::Reg enter(bpf::Emitter& emitter, bpf::Reg context, bpf::Label leave) override;
  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override;
  bpf::Reg error_number(bpf::Emitter& emitter, bpf::Reg context) override;

 private:
  bool is_return_;
  std::uint32_t keys_;
  bool needs_key_ = true;
};

// The prologue of a probe at any instruction: the places of the function's arguments are unknown
// there.
class InstructionPrologue : public RegistersPrologue {
 public:
  InstructionPrologue() : RegistersPrologue(false) {}

  bpf::Reg argument(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override;
  bool has_registers() const override { return true; }
  bpf::Reg kernel_register(bpf::Emitter& emitter, bpf::Reg context, std::uint32_t number) override;
};

// Links, which detach when they are closed.
class FunctionLinks : public Attachment {
 public:
  // `kernel` must outlive it.
  FunctionLinks(kernel::Kernel& kernel, bool counts_misses)
      : kernel_(kernel), counts_misses_(counts_misses) {}
  ~FunctionLinks() override;
  void add(Fd link) { links_.push_back(std::move(link)); }
  std::uint64_t lost() override;

 private:
  kernel::Kernel& kernel_;
  bool counts_misses_;
  std::vector<Fd> links_;
};

}  // namespace dt::provider
