// See advice.h.

#include "d/meaning/advice.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace dt::d {
namespace {

// A string as the provider has it, too: at an address.
bool is_pointer(const probe::Argument& argument) {
  return argument.type.find('*') != std::string::npos || argument.type == "string";
}

bool is_string(const probe::Argument& argument) {
  return argument.userland && argument.type.find("char *") != std::string::npos;
}

// Where a string can be read of which the page is brought in by the kernel. A program that has
// executed another one has lost the memory that it passed.
std::string place_to_read(const probe::Description& of, std::uint32_t argument) {
  constexpr const char* kStarted =
      "at proc:::exec-success, curpsinfo->pr_psargs is of the program that has started";
  const std::string keep =
      fmt::format("keep arg{} in a self-> variable, and read there at ", argument);
  if (of.provider == "proc" && of.name == "exec") {
    return fmt::format("{}proc:::exec-failure; {}", keep, kStarted);
  }
  if (of.provider != "syscall" || of.name != "entry") return "";
  if (of.function == "execve" || of.function == "execveat") {
    return fmt::format("{}syscall::{}:return if the call has failed (errno); {}", keep, of.function,
                       kStarted);
  }
  return fmt::format("{}syscall::{}:return, when the kernel has read it", keep, of.function);
}

}  // namespace

std::string advice_on(const probe::Catalog& probes, ProbeId probe, std::uint32_t argument) {
  const auto found = probes.find(probe);
  const auto arguments = found ? probes.arguments(*found) : std::nullopt;
  if (!arguments || argument >= arguments->size()) return "";
  const probe::Argument& asked = (*arguments)[argument];
  if (is_pointer(asked)) {
    const std::string place = place_to_read(found->description, argument);
    if (place.empty()) return "";
    return fmt::format("if arg{} is an address, its page has not been accessed yet: {}", argument,
                       place);
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
