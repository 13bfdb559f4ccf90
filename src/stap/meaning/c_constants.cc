// See c_constants.h.

#include "stap/meaning/c_constants.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/socket.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace dt::stap {
namespace {

struct Constant {
  std::string_view name;
  std::int64_t value;
};
constexpr Constant kConstants[] = {
    {"O_RDONLY", O_RDONLY},       {"O_WRONLY", O_WRONLY},
    {"O_RDWR", O_RDWR},           {"O_CREAT", O_CREAT},
    {"O_EXCL", O_EXCL},           {"O_TRUNC", O_TRUNC},
    {"O_APPEND", O_APPEND},       {"O_NONBLOCK", O_NONBLOCK},
    {"O_DIRECTORY", O_DIRECTORY}, {"O_CLOEXEC", O_CLOEXEC},
    {"O_NOFOLLOW", O_NOFOLLOW},   {"O_NOCTTY", O_NOCTTY},
    {"O_ACCMODE", O_ACCMODE},     {"O_SYNC", O_SYNC},
    {"O_DSYNC", O_DSYNC},         {"AT_FDCWD", AT_FDCWD},
    {"SEEK_SET", SEEK_SET},       {"SEEK_CUR", SEEK_CUR},
    {"SEEK_END", SEEK_END},       {"AF_UNSPEC", AF_UNSPEC},
    {"AF_UNIX", AF_UNIX},         {"AF_LOCAL", AF_LOCAL},
    {"AF_INET", AF_INET},         {"AF_INET6", AF_INET6},
    {"AF_NETLINK", AF_NETLINK},   {"AF_PACKET", AF_PACKET},
    {"AF_VSOCK", AF_VSOCK},       {"PF_INET", PF_INET},
    {"PF_INET6", PF_INET6},       {"SOCK_STREAM", SOCK_STREAM},
    {"SOCK_DGRAM", SOCK_DGRAM},   {"SOCK_RAW", SOCK_RAW},
    {"INT_MAX", INT32_MAX},       {"INT_MIN", INT32_MIN},
    {"LONG_MAX", INT64_MAX},      {"LONG_MIN", INT64_MIN},
    {"UINT_MAX", UINT32_MAX},     {"NULL", 0},
};

// Without comments, and blanks around.
std::string bare(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
      out += ' ';
    } else if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else {
      out += text[i++];
    }
  }
  const std::size_t first = out.find_first_not_of(" \t\r\n;");
  if (first == std::string::npos) return "";
  return out.substr(first, out.find_last_not_of(" \t\r\n;") - first + 1);
}

std::optional<std::int64_t> named(const std::string& name) {
  for (const Constant& one : kConstants) {
    if (one.name == name) return one.value;
  }
  constexpr int kMostErrno = 134;
  for (int i = 1; i < kMostErrno; ++i) {
    const char* const known = ::strerrorname_np(i);
    if (known != nullptr && name == known) return i;
  }
  for (int i = 1; i < NSIG; ++i) {
    const char* const known = ::sigabbrev_np(i);
    if (known != nullptr && name == fmt::format("SIG{}", known)) return i;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> constant_of_c(std::string_view text) {
  std::string word = bare(text);
  while (word.size() > 1 && word.front() == '(' && word.back() == ')') {
    word = bare(std::string_view(word).substr(1, word.size() - 2));
  }
  if (word.empty()) return std::nullopt;
  const bool is_negative = word.front() == '-';
  const std::string digits = bare(std::string_view(word).substr(is_negative ? 1 : 0));
  if (digits.empty()) return std::nullopt;
  std::optional<std::int64_t> value = named(digits);
  if (!value && std::isdigit(static_cast<unsigned char>(digits[0])) != 0) {
    char* end = nullptr;
    errno = 0;
    const unsigned long long number = std::strtoull(digits.c_str(), &end, 0);
    while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') ++end;
    if (*end == '\0' && errno == 0) value = static_cast<std::int64_t>(number);
  }
  if (!value) return std::nullopt;
  return is_negative ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(*value)) : *value;
}

std::string instead_of_c(std::string_view text) {
  struct Row {
    std::string_view word, instead;
  };
  constexpr Row kRows[] = {
      {"CONTEXT->regs", "pointer_arg(N) and int_arg(N) read what the function was called with"},
      {"current->", "task_current()->member reads the current task"},
      {"task_struct", "@cast(pointer, \"task_struct\")->member reads a task"},
      {"->", "@cast(pointer, \"type\")->member reads a member"},
      {"kread", "@kderef(size, address) reads memory of the kernel"},
      {"deref", "@kderef(size, address) reads memory of the kernel"},
      {"get_cycles", "the function get_cycles() has it"},
      {"ktime_get", "ktime_get_ns() is a clock"},
      {"smp_processor_id", "cpu() is the number of the CPU"},
      {"sizeof", "&@cast(0, \"type\")[1] is the size of a type"},
      {"printk", "println() prints"},
      {"_stp_printf", "printf() prints"},
  };
  for (const Row& one : kRows) {
    if (text.find(one.word) != std::string_view::npos) return std::string(one.instead);
  }
  return "";
}

bool is_idle_c(std::string_view text) {
  const std::string rest = bare(text);
  bool is_directive = false;
  for (std::size_t at = 0; at < rest.size();) {
    const std::size_t end = std::min(rest.find('\n', at), rest.size());
    const std::string_view line = std::string_view(rest).substr(at, end - at);
    const std::size_t first = line.find_first_not_of(" \t\r");
    const bool begins = first != std::string_view::npos && line[first] == '#';
    if (first != std::string_view::npos && !begins && !is_directive) return false;
    is_directive = (begins || is_directive) && !line.empty() && line.back() == '\\';
    at = end + 1;
  }
  return true;
}

}  // namespace dt::stap
