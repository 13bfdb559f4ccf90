#pragma once
// argstr and retstr: the arguments and the result of a system call as text.

#include <optional>
#include <string>
#include <vector>

#include "stap/events/probes.h"

namespace dt::stap {

// What was recorded of an argument: its number, and its text or memory if it could be read.
struct RecordedArgument {
  std::int64_t number = 0;
  std::optional<std::string> text;
  std::vector<std::uint8_t> bytes = {};  // of the memory that it leads to, as far as it is there
};

std::string argument_text(const ProbeInfo& probe, const std::vector<RecordedArgument>& arguments);
// One of them, as argstr has it.
std::string shown_text(const ProbeInfo& probe, std::size_t which,
                       const std::vector<RecordedArgument>& arguments);
std::string result_text(const ProbeInfo& probe, std::int64_t result);
// $$parms: fd=0x3 filename=0x7ff...
std::string parameter_text(const ProbeInfo& probe, const std::vector<RecordedArgument>& arguments);

}  // namespace dt::stap
