// See noting_prologue.h.

#include "provider/mechanism/noting_prologue.h"

#include <linux/bpf.h>

#include "bpf/asm/emitter.h"
#include "bpf/asm/reg.h"

namespace dt::provider {
namespace {

using bpf::Cond;
using bpf::Emitter;
using bpf::Label;
using bpf::Reg;

const std::vector<std::int32_t> kOfOneProcess;

}  // namespace

NotingPrologue::NotingPrologue(std::uint32_t note_bytes, const bpf::Machine& machine,
                               Uprobes& uprobes)
    : UprobePrologue(kOfOneProcess, machine, uprobes), note_bytes_(note_bytes) {}

void NotingPrologue::begin_notes(Emitter& e) {
  key_ = e.stack(kKeyBytes);
  note_ = e.stack(note_bytes_);
  e.store(8, e.stack_address(key_), 0, e.call(BPF_FUNC_get_current_pid_tgid, {}));
}

void NotingPrologue::choose(Emitter& e, Reg call) const {
  e.store(8, e.stack_address(key_), 8, call);
}

Reg NotingPrologue::find(Emitter& e) const {
  return e.call(BPF_FUNC_map_lookup_elem, {e.map(kept()), e.stack_address(key_)});
}

Reg NotingPrologue::look_up(Emitter& e, Label none) const {
  const Reg note = find(e);
  e.jump_if_imm(Cond::kEq, note, 0, none);
  return note;
}

void NotingPrologue::forget(Emitter& e) const {
  e.call_void(BPF_FUNC_map_delete_elem, {e.map(kept()), e.stack_address(key_)});
}

void NotingPrologue::remember(Emitter& e, Reg call) const {
  const Label kept_it = e.label();
  choose(e, call);
  const Reg failed = e.call(
      BPF_FUNC_map_update_elem,
      {e.map(kept()), e.stack_address(key_), e.stack_address(note_), e.imm(std::int64_t{BPF_ANY})});
  e.jump_if_imm(Cond::kEq, failed, 0, kept_it);
  count_drop();
  e.bind(kept_it);
}

void NotingPrologue::write(Emitter& e, std::int32_t member, Reg value) const {
  e.store(8, e.stack_address(note_), member, value);
}

void NotingPrologue::write_imm(Emitter& e, std::int32_t member, std::int32_t value) const {
  e.store_imm(8, e.stack_address(note_), member, value);
}

}  // namespace dt::provider
