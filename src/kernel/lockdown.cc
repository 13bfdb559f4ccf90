// See lockdown.h.

#include "kernel/lockdown.h"

#include "support/file.h"

namespace dt::kernel {

// "none integrity [confidentiality]": all modes, the one in force in brackets.
std::string_view parse_lockdown(std::string_view text) {
  const std::size_t begin = text.find('[');
  const std::size_t end = text.find(']', begin == text.npos ? text.size() : begin);
  return end == text.npos ? std::string_view() : text.substr(begin + 1, end - begin - 1);
}

std::string lockdown_mode() {
  const Result<std::string> text = support::read_file("/sys/kernel/security/lockdown");
  return text.ok() ? std::string(parse_lockdown(*text)) : std::string();
}

}  // namespace dt::kernel
