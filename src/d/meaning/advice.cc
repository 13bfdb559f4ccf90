// See advice.h.

#include "d/meaning/advice.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace dt::d {
namespace {

bool is_pointer(const probe::Argument& argument) {
  return argument.type.find('*') != std::string::npos;
}

bool is_string(const probe::Argument& argument) {
  return argument.userland && argument.type.find("char *") != std::string::npos;
}

}  // namespace

std::string advice_on(const probe::Catalog& probes, ProbeId probe, std::uint32_t argument) {
  const auto found = probes.find(probe);
  const auto arguments = found ? probes.arguments(*found) : std::nullopt;
  if (!arguments || argument >= arguments->size()) return "";
  const probe::Argument& asked = (*arguments)[argument];
  if (is_pointer(asked)) {
    const probe::Description& of = found->description;
    if (of.provider != "syscall" || of.name != "entry") return "";
    return fmt::format(
        "if arg{} is an address, its page has not been accessed yet: keep arg{} in a self-> "
        "variable, "
        "and read there at syscall::{}:return, when the kernel has read it",
        argument, argument, of.function);
  }
  const auto string = std::find_if(arguments->begin(), arguments->end(), is_string);
  std::string advice = fmt::format("arg{} is no address but a number (args[{}] is of type {})",
                                   argument, argument, asked.type);
  if (string != arguments->end()) {
    const auto at = string - arguments->begin();
    advice += fmt::format("; the string is arg{} (args[{}] is of type {})", at, at, string->type);
  }
  return advice;
}

}  // namespace dt::d
