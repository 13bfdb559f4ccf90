// See registers.h.

#include "stap/meaning/registers.h"

#include "machine/x86_64/register_names.h"
#include "machine/x86_64/registers.h"

namespace dt::stap {
namespace {

// Those that are no general registers, and sp, which in scripts is the whole one.
struct Special {
  std::string_view name;
  std::int32_t saved;
  std::uint32_t bytes;
};
constexpr Special kSpecialRegisters[] = {{"orig_rax", machine::kSavedOrigAx, 8},
                                         {"orig_eax", machine::kSavedOrigAx, 4},
                                         {"rip", machine::kSavedIp, 8},
                                         {"eip", machine::kSavedIp, 4},
                                         {"ip", machine::kSavedIp, 8},
                                         {"xcs", machine::kSavedCs, 8},
                                         {"cs", machine::kSavedCs, 8},
                                         {"eflags", machine::kSavedFlags, 8},
                                         {"rflags", machine::kSavedFlags, 8},
                                         {"flags", machine::kSavedFlags, 8},
                                         {"sp", machine::kSavedSp, 8},
                                         {"xss", machine::kSavedSs, 8},
                                         {"ss", machine::kSavedSs, 8}};

RegisterName saved(std::int32_t offset, std::uint32_t bytes) {
  return {offset / machine::kSavedWordBytes, bytes};
}

}  // namespace

std::optional<RegisterName> find_register(std::string_view name) {
  for (const Special& one : kSpecialRegisters) {
    if (one.name == name) return saved(one.saved, one.bytes);
  }
  const auto found = machine::general_register(name);
  if (!found) return std::nullopt;
  return saved(machine::kSavedByEncoding[found->encoding], found->bytes);
}

}  // namespace dt::stap
