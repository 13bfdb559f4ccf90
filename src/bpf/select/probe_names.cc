// See probe_names.h.
//
// The names of a probe are known when the program is compiled: a table by slot in read-only memory,
// or the text itself where there is one probe only. A record contains the number of the probe
// instead of its names, which the consumer looks up.

#include "bpf/select/probe_names.h"

#include <linux/bpf.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "bpf/routine/routine.h"
#include "bpf/routine/string_code.h"
#include "bpf/select/context.h"
#include "bpf/select/facts.h"
#include "bpf/select/storage.h"
#include "bpf/select/values.h"
#include "record/field.h"

namespace dt::bpf {

void ProbeNames::probe_id(const ir::Inst& inst) {
  std::vector<std::uint32_t> ids;
  for (const probe::Probe& probe : f_.spec.probes) ids.push_back(probe.id.value);
  values_.define(inst, facts_.by_slot(ids));
}

void ProbeNames::probe_name(const ir::Inst& inst) {
  const bool is_of_process =
      std::any_of(f_.spec.probes.begin(), f_.spec.probes.end(),
                  [](const probe::Probe& probe) { return !probe.binding.stem.empty(); });
  if (inst.builtin == ir::Builtin::kProbeprov && is_of_process) return provider_of_process(inst);
  const std::uint32_t size = inst.type.size, step = (size + 7) / 8 * 8;
  std::vector<std::uint8_t> table;
  for (const probe::Probe& probe : f_.spec.probes) {
    const probe::Description& d = probe.description;
    const std::string& name = inst.builtin == ir::Builtin::kProbeprov   ? d.provider
                              : inst.builtin == ir::Builtin::kProbemod  ? d.module
                              : inst.builtin == ir::Builtin::kProbefunc ? d.function
                                                                        : d.name;
    const std::size_t start = table.size();
    const std::size_t length = std::min<std::size_t>(name.size(), size - 1);
    table.insert(table.end(), name.begin(), name.begin() + static_cast<std::ptrdiff_t>(length));
    table.resize(start + step, 0);
  }
  const Reg base = f_.rodata(unit_.add_rodata(table)).base;
  if (f_.spec.slot.valid()) {
    const Reg offset = facts_.checked_slot();
    e_.alu_imm(Alu::kMul, offset, static_cast<std::int32_t>(step));
    e_.alu(Alu::kAdd, base, offset);
  }
  values_.define_memory(inst, {base, 0}, step);
}

Reg ProbeNames::provider_number() {
  std::vector<std::uint32_t> numbers;
  for (const probe::Probe& probe : f_.spec.probes) {
    const std::vector<std::string>& stems = unit_.schema.stems;
    const auto at = std::find(stems.begin(), stems.end(), probe.binding.stem);
    const auto stem = static_cast<std::uint32_t>(at - stems.begin());
    numbers.push_back(at == stems.end() ? probe.id.value
                                        : record::kOfProcess | stem << record::kStemShift);
  }
  const Reg number = copy(e_, facts_.by_slot(numbers));
  const bool are_plain = std::none_of(numbers.begin(), numbers.end(), [](std::uint32_t one) {
    return (one & record::kOfProcess) != 0;
  });
  if (are_plain) return number;
  const Reg process = facts_.tgid();
  const Label is_plain = e_.label();
  e_.jump_if_imm(Cond::kLe, number, INT32_MAX, is_plain);
  e_.alu(Alu::kOr, number, process);
  e_.bind(is_plain);
  return number;
}

// Behind the stem of its provider's name, the number of the process that came to a
// probe of many processes.
void ProbeNames::provider_of_process(const ir::Inst& inst) {
  constexpr std::uint32_t kMostStem = 56;  // 8 bytes are left for the number
  const std::uint32_t size = inst.type.size, step = words_up(size);
  std::vector<std::uint8_t> table;
  std::vector<std::uint32_t> lengths;
  for (const probe::Probe& probe : f_.spec.probes) {
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
  const Place text = storage_.frame_place(kNumberTextBytes, f_.position);
  const Place buffer = storage_.frame_place(step + kNumberTextBytes, f_.last_use(inst.result));
  const Label done = e_.label();
  const Reg start = e_.held_copy(e_.call_subprogram(unit_.routine(Routine::Kind::kToText),
                                                    {f_.address(text), facts_.tgid(), e_.imm(10)}));
  e_.jump_if_imm(Cond::kGe, start, kNumberTextBytes, f_.exit);
  const Reg count = e_.imm(kNumberTextBytes), from = sum(e_, f_.address(text), start);
  e_.alu(Alu::kSub, count, start);
  const Reg base = f_.rodata(unit_.add_rodata(table)).base;
  if (f_.spec.slot.valid()) {
    const Reg offset = facts_.checked_slot();
    e_.alu_imm(Alu::kMul, offset, static_cast<std::int32_t>(step));
    e_.alu(Alu::kAdd, base, offset);
  }
  e_.call_void(BPF_FUNC_probe_read_kernel, {f_.address(buffer), e_.imm(step), base});
  const Reg length = e_.held_copy(facts_.by_slot(lengths));
  e_.jump_if_imm(Cond::kEq, length, 0, done);
  e_.jump_if_imm(Cond::kGt, length, static_cast<std::int32_t>(kMostStem), done);
  const Reg bytes = e_.held_copy(count);
  e_.jump_if_imm(Cond::kGt, bytes, kNumberTextBytes, done);
  e_.call_void(BPF_FUNC_probe_read_kernel, {sum(e_, f_.address(buffer), length), bytes, from});
  e_.bind(done);
  values_.define_memory(inst, buffer, step);
}

}  // namespace dt::bpf
