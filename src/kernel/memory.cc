#include "kernel/memory.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "kernel/insn.h"

namespace dt::kernel {
namespace {

constexpr std::uint32_t kPieceBytes = 4096;

// u64 ctx[] = { address, size }; gives 0, or below 0 when it cannot be read.
// The comparison with kPieceBytes is for the verifier: behind it the size is known to fit the value
// of the map, without it the call of the helper is refused.
std::vector<bpf_insn> memory_reader(int map) {
  const auto value = insn::map_value(1, map, 0);
  return {insn::mov(6, 1),
          insn::mov_imm(0, -1),
          insn::load(BPF_DW, 2, 6, 8),
          insn::jump_imm(BPF_JGT, 2, kPieceBytes, 4),
          value[0],
          value[1],
          insn::load(BPF_DW, 3, 6, 0),
          insn::call(BPF_FUNC_probe_read_kernel),
          insn::exit()};
}

std::vector<bpf_insn> asker(int map) {
  const auto value = insn::map_value(1, map, 0);
  return {insn::call(BPF_FUNC_get_current_task),
          value[0],
          value[1],
          insn::store(BPF_DW, 1, 0, 0),
          insn::mov_imm(0, 0),
          insn::exit()};
}

}  // namespace

Result<KernelMemory> KernelMemory::open(Kernel& kernel) {
  MapSpec map;
  map.name = "dt_memory";
  map.value_bytes = kPieceBytes;
  DT_ASSIGN(Fd read, kernel.create_map(map));
  ProgramSpec spec;
  spec.name = "dt_memory";
  DT_ASSIGN(Fd program, kernel.load_program(spec, memory_reader(read.get()), true));
  return KernelMemory(kernel, std::move(read), std::move(program));
}

Result<std::uint64_t> KernelMemory::current_task() {
  if (!task_.valid()) {
    ProgramSpec spec;
    spec.name = "dt_task";
    DT_ASSIGN(task_, kernel_->load_program(spec, asker(map_.get()), true));
  }
  const std::array<std::uint64_t, 2> none = {};
  DT_ASSIGN(const RunResult result, kernel_->run(task_, none, -1));
  if (result.return_value != 0) return Error::of_code("the current task is not known", EFAULT);
  std::vector<std::uint8_t> piece(kPieceBytes);
  constexpr std::uint32_t kOnly = 0;
  DT_TRY(kernel_->lookup(map_, &kOnly, piece.data()));
  std::uint64_t task = 0;
  std::memcpy(&task, piece.data(), sizeof task);
  return task;
}

Status KernelMemory::read(std::uint64_t address, std::span<std::uint8_t> into) {
  std::vector<std::uint8_t> piece(kPieceBytes);
  while (!into.empty()) {
    // Not across a page: what is behind it may not be there.
    const std::uint64_t in_page = kPieceBytes - address % kPieceBytes;
    const std::uint64_t size = std::min<std::uint64_t>(into.size(), in_page);
    const std::array<std::uint64_t, 2> args = {address, size};
    DT_ASSIGN(const RunResult result, kernel_->run(program_, args, -1));
    if (result.return_value != 0) {
      return Error::of_code(fmt::format("the kernel's memory at {:#x} cannot be read", address),
                            EFAULT);
    }
    constexpr std::uint32_t kOnly = 0;
    DT_TRY(kernel_->lookup(map_, &kOnly, piece.data()));
    std::memcpy(into.data(), piece.data(), size);
    into = into.subspan(size);
    address += size;
  }
  return {};
}

}  // namespace dt::kernel
