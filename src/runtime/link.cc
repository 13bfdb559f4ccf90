// See link.h.

#include "runtime/link.h"

#include <algorithm>

#include "kernel/verifier_log.h"
#include "support/check.h"

namespace dt::runtime {
Result<std::vector<bpf_insn>> link(const bpf::Object& object, const FindMap& find) {
  std::vector<bpf_insn> insns = object.insns;
  for (const bpf::Relocation& relocation : object.relocations) {
    DT_CHECK(relocation.insn + 1 < insns.size(), "relocation of instruction {} of {}",
             relocation.insn, insns.size());
    const int fd = find(relocation.map);
    if (fd < 0) {
      return Error::of(
          fmt::format("link {}: the program uses map {} {}, which this run does not have",
                      object.program, bpf::map_name(relocation.map.kind), relocation.map.index));
    }
    // A reference to a map is a 64-bit immediate, two instructions long: the map's descriptor is in
    // the first one, the offset in its value in the second. The kernel puts addresses there when it
    // loads the program.
    bpf_insn& low = insns[relocation.insn];
    bpf_insn& high = insns[relocation.insn + 1];
    low.src_reg = relocation.is_value ? BPF_PSEUDO_MAP_VALUE : BPF_PSEUDO_MAP_FD;
    low.imm = fd;
    high.imm = relocation.is_value ? static_cast<std::int32_t>(relocation.offset) : 0;
  }
  return insns;
}

std::optional<Span> rejected_at(const bpf::Object& object, const std::string& log) {
  const std::optional<std::uint32_t> insn = kernel::verifier_instruction(log);
  if (!insn.has_value()) {
    return std::nullopt;
  }
  // The last entry at or before the instruction.
  const auto after = std::upper_bound(
      object.lines.begin(), object.lines.end(), *insn,
      [](std::uint32_t number, const bpf::LineEntry& entry) { return number < entry.insn; });
  if (after == object.lines.begin()) {
    return std::nullopt;
  }
  return std::prev(after)->span;
}

}  // namespace dt::runtime
