// See ring_room.h. The rest is filled with records that are discarded: they stay in the ring until
// it is read, and are not handed over.

#include "runtime/ring_room.h"

#include <linux/bpf.h>

#include <algorithm>
#include <vector>

#include "kernel/insn.h"
#include "support/align.h"

namespace dt::runtime {
namespace {

namespace insn = kernel::insn;

constexpr std::size_t kMostAtATime = std::size_t{1} << 28;  // what a verifier lets one reserve

std::vector<bpf_insn> take(const Fd& ring, std::size_t bytes) {
  const auto map = insn::map_fd(BPF_REG_1, ring.get());
  return {
      map[0],
      map[1],
      insn::mov_imm(BPF_REG_2, static_cast<std::int32_t>(bytes - BPF_RINGBUF_HDR_SZ)),
      insn::mov_imm(BPF_REG_3, 0),
      insn::call(BPF_FUNC_ringbuf_reserve),
      insn::jump_imm(BPF_JEQ, BPF_REG_0, 0, 3),
      insn::mov(BPF_REG_1, BPF_REG_0),
      insn::mov_imm(BPF_REG_2, BPF_RB_NO_WAKEUP),
      insn::call(BPF_FUNC_ringbuf_discard),
      insn::mov_imm(BPF_REG_0, 0),
      insn::exit(),
  };
}

}  // namespace

std::uint64_t bytes_in_ring(std::uint32_t record_bytes) {
  return support::align_up(std::uint64_t{record_bytes}, 8) + BPF_RINGBUF_HDR_SZ;
}

Status leave_room(kernel::Kernel& kernel, const Fd& ring, std::size_t ring_bytes,
                  std::size_t room) {
  std::size_t left = ring_bytes - std::min(ring_bytes, support::align_up(room, 8));
  while (left > BPF_RINGBUF_HDR_SZ) {
    const std::size_t bytes = std::min(left, kMostAtATime);
    kernel::ProgramSpec spec;
    spec.name = "dt_room";
    spec.type = BPF_PROG_TYPE_RAW_TRACEPOINT;
    DT_ASSIGN(const Fd program, kernel.load_program(spec, take(ring, bytes), true));
    if (auto run = kernel.run(program, {}, -1); !run.ok()) {
      return std::move(run.error()).with("fill a part of the buffer");
    }
    left -= bytes;
  }
  return {};
}

}  // namespace dt::runtime
