#include "kernel/words.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernel/insn.h"
#include "support/check.h"

namespace dt::kernel {
namespace {

// for (r7 = 0; r7 < kWordsAtOnce * 8; r7 += 8) value[r7] = the word at value[r7]. The
// helper fills what it cannot read with zeros.
std::vector<bpf_insn> words_reader(int map) {
  const auto value = insn::map_value(6, map, 0);
  return {value[0],
          value[1],
          insn::mov_imm(7, 0),
          insn::mov(8, 6),
          insn::make(BPF_ALU64 | BPF_ADD | BPF_X, 8, 7, 0, 0),
          insn::load(BPF_DW, 3, 8, 0),
          insn::store_imm(BPF_DW, 8, 0, 0),
          insn::mov(1, 8),
          insn::mov_imm(2, 4),
          insn::call(BPF_FUNC_probe_read_kernel),
          insn::alu_imm(BPF_ADD, 7, 8),
          insn::jump_imm(BPF_JLT, 7, kWordsAtOnce * 8, -9),
          insn::mov_imm(0, 0),
          insn::exit()};
}

}  // namespace

// One run of the program reads kWordsAtOnce words: addresses go into the map, and the words come
// back in their places.
Status read_words(Kernel& kernel, std::span<const std::uint64_t> addresses,
                  std::span<std::uint32_t> into) {
  DT_CHECK(addresses.size() == into.size(), "{} {}", addresses.size(), into.size());
  MapSpec map;
  map.name = "dt_words";
  map.value_bytes = kWordsAtOnce * 8;
  DT_ASSIGN(const Fd words, kernel.create_map(map));
  ProgramSpec spec;
  spec.name = "dt_words";
  DT_ASSIGN(const Fd program, kernel.load_program(spec, words_reader(words.get()), true));
  constexpr std::uint32_t kOnly = 0;
  constexpr std::array<std::uint64_t, 2> kNothing = {};
  while (!addresses.empty()) {
    std::array<std::uint64_t, kWordsAtOnce> batch = {};
    const std::size_t count = std::min<std::size_t>(addresses.size(), batch.size());
    std::copy_n(addresses.begin(), count, batch.begin());
    DT_TRY(kernel.update(words, &kOnly, batch.data()));
    DT_TRY(kernel.run(program, kNothing, -1));
    DT_TRY(kernel.lookup(words, &kOnly, batch.data()));
    for (std::size_t i = 0; i < count; ++i) into[i] = static_cast<std::uint32_t>(batch[i]);
    addresses = addresses.subspan(count);
    into = into.subspan(count);
  }
  return {};
}

}  // namespace dt::kernel
