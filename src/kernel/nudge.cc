// See nudge.h.

#include "kernel/nudge.h"

#include <cstring>
#include <fstream>
#include <limits>

#include "kernel/insn.h"

namespace dt::kernel {
namespace {

using insn::is_wide;

// Where an instruction says how far another one is: in `imm`, in `off`, or not at all.
enum class Distance { kNone, kOffset, kImmediate };

Distance distance_of(const bpf_insn& insn) {
  if (is_wide(insn)) {
    return insn.src_reg == BPF_PSEUDO_FUNC ? Distance::kImmediate : Distance::kNone;
  }
  const int kind = insn.code & 0x07, op = insn.code & 0xf0;
  if (kind == BPF_JMP32 && op == BPF_JA) {
    return Distance::kImmediate;
  }
  if ((kind != BPF_JMP && kind != BPF_JMP32) || op == BPF_EXIT) {
    return Distance::kNone;
  }
  if (op == BPF_CALL) {
    return insn.src_reg == BPF_PSEUDO_CALL ? Distance::kImmediate : Distance::kNone;
  }
  return Distance::kOffset;
}

}  // namespace

bool is_left_to_interpreter(int program) {
  bpf_prog_info info;
  std::memset(&info, 0, sizeof info);
  if (bpf_info(program, &info, sizeof info) < 0 || info.jited_prog_len != 0) {
    return false;
  }
  // Where there is no such setting, or it is off, the kernel only interprets.
  int is_enabled = 0;
  std::ifstream("/proc/sys/net/core/bpf_jit_enable") >> is_enabled;
  return is_enabled != 0;
}

std::optional<Nudged> nudged(std::span<const bpf_insn> insns, std::span<const Function> functions,
                             std::uint32_t at) {
  if (at > 0 && at <= insns.size() && is_wide(insns[at - 1])) {
    --at;  // between the two halves
  }
  // What leads to the instruction that stood here leads to the new one.
  const auto target = [at](std::int64_t place) { return place + (place > at ? 1 : 0); };
  Nudged out;
  out.insns.reserve(insns.size() + 1);
  for (std::uint32_t i = 0; i < insns.size(); ++i) {
    if (i == at) {
      // "If the frame pointer is 0, go to the next instruction": does nothing either way. A plain
      // `goto +0` would not do: the kernel removes it before it compiles the program.
      out.insns.push_back(insn::jump_imm(BPF_JEQ, BPF_REG_10, 0, 0));
    }
    bpf_insn insn = insns[i];
    const Distance where = distance_of(insn);
    if (where != Distance::kNone) {
      const std::int64_t distance = where == Distance::kOffset ? insn.off : insn.imm;
      const auto here = static_cast<std::int64_t>(out.insns.size());
      const std::int64_t changed = target(i + 1 + distance) - (here + 1);
      if (where == Distance::kImmediate) {
        insn.imm = static_cast<std::int32_t>(changed);
      } else if (changed < std::numeric_limits<std::int16_t>::min() ||
                 changed > std::numeric_limits<std::int16_t>::max()) {
        return std::nullopt;
      } else {
        insn.off = static_cast<std::int16_t>(changed);
      }
    }
    out.insns.push_back(insn);
    if (is_wide(insn) && i + 1 < insns.size()) {
      out.insns.push_back(insns[++i]);
    }
  }
  for (Function function : functions) {
    function.insn = static_cast<std::uint32_t>(target(function.insn));
    out.functions.push_back(function);
  }
  return out;
}

}  // namespace dt::kernel
