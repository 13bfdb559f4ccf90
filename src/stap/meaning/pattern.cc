// See pattern.h.

#include "stap/meaning/pattern.h"

#include <regex.h>

#include <cctype>
#include <cstdlib>

namespace dt::stap {
namespace {

// A repetition of repetitions is copied as often as the product of their numbers.
bool repeats_too_much(const std::string& text) {
  constexpr long kMost = 1000;
  long product = 1;
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) {
    const long first = std::strtol(text.c_str() + at + 1, nullptr, 10);
    const std::size_t comma = text.find_first_of(",}", at);
    const bool has_second = comma != std::string::npos && text[comma] == ',';
    const long second = has_second ? std::strtol(text.c_str() + comma + 1, nullptr, 10) : 0;
    const long times = first > second ? first : second;
    if (times > kMost) return true;  // before the product, which it could make too large for a long
    product *= times > 0 ? times : 1;
    if (product > kMost) return true;
  }
  return false;
}

bool refers_back(const std::string& text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] != '\\') continue;
    if (std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0) return true;
    ++at;
  }
  return false;
}

}  // namespace

struct Pattern::Compiled {
  regex_t regex = {};
  bool is_good = false;
};

std::string check_pattern(const std::string& text) {
  if (refers_back(text)) return "references back are not of the language";
  if (repeats_too_much(text)) return "it repeats a part more than 1000 times";
  regex_t regex = {};
  const int wrong = ::regcomp(&regex, text.c_str(), REG_EXTENDED);
  if (wrong == 0) {
    ::regfree(&regex);
    return "";
  }
  constexpr std::size_t kMost = 200;
  char message[kMost];
  ::regerror(wrong, &regex, message, sizeof message);
  return message;
}

Pattern::Pattern(const std::string& text) : compiled_(std::make_unique<Compiled>()) {
  compiled_->is_good = ::regcomp(&compiled_->regex, text.c_str(), REG_EXTENDED) == 0;
}

Pattern::~Pattern() {
  if (compiled_->is_good) ::regfree(&compiled_->regex);
}

std::vector<std::string> Pattern::match(const std::string& text) const {
  std::vector<std::string> out;
  if (!compiled_->is_good) return out;
  std::vector<regmatch_t> found(compiled_->regex.re_nsub + 1);
  if (::regexec(&compiled_->regex, text.c_str(), found.size(), found.data(), 0) != 0) return out;
  for (const regmatch_t& one : found) {
    out.push_back(one.rm_so < 0 ? std::string()
                                : text.substr(static_cast<std::size_t>(one.rm_so),
                                              static_cast<std::size_t>(one.rm_eo - one.rm_so)));
  }
  return out;
}

}  // namespace dt::stap
