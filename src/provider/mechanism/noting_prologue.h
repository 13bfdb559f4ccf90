#pragma once
// The start of a program that keeps a note of each call from where the function begins to where
// it returns:
//
//   { u64 what bpf_get_current_pid_tgid() gives, u64 what the call is known by } -> the note

#include <vector>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"
#include "bpf/layout/memory.h"
#include "bpf/layout/prologue.h"
#include "provider/mechanism/uprobe.h"

namespace dt::provider {

class NotingPrologue : public UprobePrologue {
 public:
  // The keys of its probes say which process they are of. `uprobes` outlives it.
  NotingPrologue(std::uint32_t note_bytes, const bpf::Machine& machine, Uprobes& uprobes);

  bpf::HashMap keeps() const final { return {kKeyBytes, note_bytes_}; }
  bool prepare(const Needs&) final { return false; }

 protected:
  // Before anything else of this.
  void begin_notes(bpf::Emitter& e);
  // The calling thread's call that is looked up and forgotten from here on.
  void choose(bpf::Emitter& e, bpf::Reg call) const;
  bpf::Reg find(bpf::Emitter& e) const;  // 0: there is no note
  bpf::Reg look_up(bpf::Emitter& e, bpf::Label none) const;
  void forget(bpf::Emitter& e) const;
  // What write() and write_imm() have made of the note, as that of this call; where there is no
  // room that is a drop.
  void remember(bpf::Emitter& e, bpf::Reg call) const;
  void write(bpf::Emitter& e, std::int32_t member, bpf::Reg value) const;
  void write_imm(bpf::Emitter& e, std::int32_t member, std::int32_t value) const;

 private:
  static constexpr std::uint32_t kKeyBytes = 16;

  std::uint32_t note_bytes_;
  bpf::StackSlot key_, note_;
};

}  // namespace dt::provider
