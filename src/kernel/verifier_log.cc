// The log at level 1 holds the path that failed, one line per instruction
//
//     12: (79) r0 = *(u64 *)(r1 +2000)
//
// with the state of the registers behind it or on lines of its own ("12: R1=..."),
// then the reason, then statistics ("processed 13 insns ...").

#include "kernel/verifier_log.h"

#include <cctype>
#include <charconv>
#include <vector>

namespace dt::kernel {
namespace {

std::vector<std::string_view> lines_of(std::string_view log) {
  std::vector<std::string_view> lines;
  while (!log.empty()) {
    const std::size_t end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    if (!line.empty()) {
      lines.push_back(line);
    }
    if (end == std::string_view::npos) {
      break;
    }
    log.remove_prefix(end + 1);
  }
  return lines;
}

// "12: " at the start of a line; what follows goes to `rest`. The number is that of an instruction
// in the program as it was loaded, by which the line of the script is found (runtime/link.cc).
std::optional<std::uint32_t> numbered(std::string_view line, std::string_view& rest) {
  std::uint32_t number = 0;
  const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), number);
  const auto used = static_cast<std::size_t>(end - line.data());
  if (code != std::errc() || used >= line.size() || line[used] != ':') {
    return std::nullopt;
  }
  rest = line.substr(used + 1);
  return number;
}

bool starts_with_any(std::string_view line, std::initializer_list<std::string_view> prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (line.starts_with(prefix)) {
      return true;
    }
  }
  return false;
}

// Whether the line is one of those that the verifier prints beside the reason. The kernel has no
// separate field for the reason, and its texts are not an interface: they change between versions.
// So the reason is the last line that is none of the known others.
bool is_noise(std::string_view line) {
  std::string_view rest;
  return numbered(line, rest).has_value() || starts_with_any(line, {"processed ",
                                                                    "verification time",
                                                                    "stack depth",
                                                                    "from ",
                                                                    "func#",
                                                                    " R0",
                                                                    " R1",
                                                                    " R2",
                                                                    " R3",
                                                                    " R4",
                                                                    " R5",
                                                                    " R6",
                                                                    " R7",
                                                                    " R8",
                                                                    " R9",
                                                                    " R10",
                                                                    "parent ",
                                                                    "last_idx",
                                                                    "regs=",
                                                                    "mark_precise",
                                                                    "caller:",
                                                                    "callee:",
                                                                    "returning from",
                                                                    "to caller at",
                                                                    " frame",
                                                                    "frame1:",
                                                                    "; ",
                                                                    "propagating",
                                                                    "Live regs",
                                                                    "arg#",
                                                                    "Validating ",
                                                                    "cur state:",
                                                                    "old state:"});
}

}  // namespace

std::string verifier_reason(std::string_view log) {
  const std::vector<std::string_view> lines = lines_of(log);
  for (std::size_t i = lines.size(); i > 0; --i) {
    if (!is_noise(lines[i - 1])) {
      return std::string(lines[i - 1]);
    }
  }
  return {};
}

std::string forbidden_function(std::string_view log) {
  const std::string reason = verifier_reason(log);
  // Linux 6.13 has the first text, older ones the second; the third is of functions without a
  // number.
  for (const std::string_view before :
       {"program of this type cannot use helper ", "unknown func ", "calling kernel function "}) {
    const std::size_t at = reason.find(before);
    if (at == std::string::npos) continue;
    const std::string_view rest = std::string_view(reason).substr(at + before.size());
    return std::string(rest.substr(0, rest.find_first_of("# ")));
  }
  return {};
}

std::optional<std::uint32_t> verifier_instruction(std::string_view log) {
  // Refusals of the shape of the program carry the number in the reason:
  // "unreachable insn 7", "back-edge from insn 5 to 2", "infinite loop detected
  // at insn 18". All others are about the last instruction that was looked at.
  const std::string reason = verifier_reason(log);
  const std::size_t at = reason.find("insn ");
  if (at != std::string::npos) {
    std::uint32_t number = 0;
    const char* const begin = reason.data() + at + 5;
    if (std::from_chars(begin, reason.data() + reason.size(), number).ec == std::errc()) {
      return number;
    }
  }
  const std::vector<std::string_view> lines = lines_of(log);
  for (std::size_t i = lines.size(); i > 0; --i) {
    std::string_view rest;
    const std::optional<std::uint32_t> number = numbered(lines[i - 1], rest);
    if (number.has_value() && rest.starts_with(" (")) {
      return number;
    }
  }
  return std::nullopt;
}

}  // namespace dt::kernel
