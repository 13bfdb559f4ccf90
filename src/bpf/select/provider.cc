// Selector: the name of the provider of a probe of many processes, which ends with the
// number of the one that came to it.

#include <algorithm>

#include "bpf/routine/routine.h"
#include "bpf/routine/string_code.h"
#include "bpf/select/selector.h"

namespace dt::bpf {

// What a record has for probeprov: the probe's id, or record::kOfProcess and the process.
Reg Selector::provider_number() {
  std::vector<std::uint32_t> numbers;
  for (const probe::Probe& probe : spec_.probes) {
    const std::vector<std::string>& stems = unit_.schema.stems;
    const auto at = std::find(stems.begin(), stems.end(), probe.binding.stem);
    const auto stem = static_cast<std::uint32_t>(at - stems.begin());
    numbers.push_back(at == stems.end() ? probe.id.value
                                        : record::kOfProcess | stem << record::kStemShift);
  }
  const Reg number = copy(e_, by_slot(numbers));
  const bool are_plain = std::none_of(numbers.begin(), numbers.end(), [](std::uint32_t one) {
    return (one & record::kOfProcess) != 0;
  });
  if (are_plain) return number;
  const Reg process = tgid();
  const Label is_plain = e_.label();
  e_.jump_if_imm(Cond::kLe, number, INT32_MAX, is_plain);
  e_.alu(Alu::kOr, number, process);
  e_.bind(is_plain);
  return number;
}

// Behind the stem of its provider's name, the number of the process that came to a
// probe of many processes.
void Selector::provider_of_process(const ir::Inst& inst) {
  constexpr std::uint32_t kMostStem = 56;  // 8 bytes are left for the number
  const std::uint32_t size = inst.type.size, step = words_up(size);
  std::vector<std::uint8_t> table;
  std::vector<std::uint32_t> lengths;
  for (const probe::Probe& probe : spec_.probes) {
    const std::string& stem = probe.binding.stem;
    const std::string& text = stem.empty() ? probe.description.provider : stem;
    const std::size_t start = table.size();
    const std::size_t most = stem.empty() ? size - 1 : kMostStem;
    table.insert(table.end(), text.begin(),
                 text.begin() + static_cast<std::ptrdiff_t>(std::min(text.size(), most)));
    table.resize(start + step, 0);
    lengths.push_back(static_cast<std::uint32_t>(std::min<std::size_t>(stem.size(), kMostStem)));
  }
  unit_.frame_slack = std::max(unit_.frame_slack, kOperandSlack);
  const Place text = frame_place(kNumberTextBytes, position_);
  const Place buffer = frame_place(step + kNumberTextBytes, last_use(inst.result));
  const Label done = e_.label();
  const Reg start = e_.held_copy(e_.call_subprogram(unit_.routine(Routine::Kind::kToText),
                                                    {address(text), tgid(), e_.imm(10)}));
  e_.jump_if_imm(Cond::kGe, start, kNumberTextBytes, exit_label_);
  const Reg count = e_.imm(kNumberTextBytes), from = sum(e_, address(text), start);
  e_.alu(Alu::kSub, count, start);
  const Reg base = rodata(unit_.add_rodata(table)).base;
  if (spec_.slot.valid()) {
    const Reg offset = checked_slot();
    e_.alu_imm(Alu::kMul, offset, static_cast<std::int32_t>(step));
    e_.alu(Alu::kAdd, base, offset);
  }
  e_.call_void(BPF_FUNC_probe_read_kernel, {address(buffer), e_.imm(step), base});
  const Reg length = e_.held_copy(by_slot(lengths));
  e_.jump_if_imm(Cond::kEq, length, 0, done);
  e_.jump_if_imm(Cond::kGt, length, static_cast<std::int32_t>(kMostStem), done);
  const Reg bytes = e_.held_copy(count);
  e_.jump_if_imm(Cond::kGt, bytes, kNumberTextBytes, done);
  e_.call_void(BPF_FUNC_probe_read_kernel, {sum(e_, address(buffer), length), bytes, from});
  e_.bind(done);
  define_memory(inst, buffer, step);
}

}  // namespace dt::bpf
