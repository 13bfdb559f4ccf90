// See strings.h.

#include "stap/home/strings.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <climits>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>

#include "stap/home/floating.h"
#include "support/file.h"

namespace dt::stap {
namespace {

std::string substring(const std::string& text, std::int64_t start, std::int64_t length) {
  if (start < 0 || length <= 0 || static_cast<std::size_t>(start) >= text.size()) return "";
  return text.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(length));
}

std::string replaced(const std::string& text, const std::string& what, const std::string& with) {
  if (what.empty()) return text;
  std::string out;
  std::size_t at = 0;
  for (std::size_t found = text.find(what); found != std::string::npos;
       found = text.find(what, at)) {
    out += text.substr(at, found - at) + with;
    at = found + what.size();
  }
  return out + text.substr(at);
}

std::int64_t to_number(const std::string& text, std::int64_t base, std::string& error) {
  constexpr std::int64_t kMostBase = 36;
  if (base < 0 || base == 1 || base > kMostBase) {
    error = "invalid base of strtol()";
    return 0;
  }
  // Addresses of the kernel fill all 64 bits.
  return static_cast<std::int64_t>(std::strtoull(text.c_str(), nullptr, static_cast<int>(base)));
}

// The next part of the text between delimiters; an empty text goes on with the one before.
std::string next_token(const std::string& text, const std::string& delimiters, Tokens& tokens) {
  if (!text.empty()) tokens = {text, 0};
  const std::size_t begin = tokens.text.find_first_not_of(delimiters, tokens.at);
  if (begin == std::string::npos) {
    tokens.at = tokens.text.size();
    return "";
  }
  const std::size_t end =
      std::min(tokens.text.find_first_of(delimiters, begin), tokens.text.size());
  tokens.at = std::min(end + 1, tokens.text.size());  // what has ended it is of no later one
  return tokens.text.substr(begin, end - begin);
}

// Of texts that end with a NUL each: those of the numbers `first` to `last` (-1: all that follow).
std::string joined(const std::string& texts, std::int64_t first, std::int64_t last,
                   const std::string& between) {
  std::string out;
  std::int64_t number = 0;
  for (std::size_t at = 0; at < texts.size(); ++number) {
    const std::size_t end = std::min(texts.find('\0', at), texts.size());
    if (number >= first && (last < 0 || number <= last)) {
      out += (number > first ? between : "") + texts.substr(at, end - at);
    }
    at = end + 1;
  }
  return out;
}

// "Wed Nov 25 16:41:51 2026", without a newline.
std::string time_text(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts = {};
  if (::gmtime_r(&time, &parts) == nullptr) return "<out of range>";
  constexpr std::size_t kMost = 64;
  char text[kMost];
  return {text, std::strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &parts)};
}

// The zone of now, as its offset: the name of it and the time are of one kind.
std::tm local_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  ::localtime_r(&now, &parts);
  return parts;
}

std::string zone_name() {
  const std::tm now = local_now();
  return now.tm_zone != nullptr ? now.tm_zone : "";
}

// <linux/errno.h>: what the kernel's own functions return, and a system call that a signal has
// interrupted; from kFirstKernelError on, empty where there is none.
constexpr std::int64_t kFirstKernelError = 512;
constexpr std::string_view kKernelErrors[] = {"ERESTARTSYS",
                                              "ERESTARTNOINTR",
                                              "ERESTARTNOHAND",
                                              "ENOIOCTLCMD",
                                              "ERESTART_RESTARTBLOCK",
                                              "EPROBE_DEFER",
                                              "EOPENSTALE",
                                              "ENOPARAM",
                                              "",
                                              "EBADHANDLE",
                                              "ENOTSYNC",
                                              "EBADCOOKIE",
                                              "ENOTSUPP",
                                              "ETOOSMALL",
                                              "ESERVERFAULT",
                                              "EBADTYPE",
                                              "EJUKEBOX",
                                              "EIOCBQUEUED",
                                              "ERECALLCONFLICT",
                                              "ENOGRACE"};

std::string_view kernel_error(std::int64_t number) {
  const std::int64_t at = number - kFirstKernelError;
  return at >= 0 && at < std::ssize(kKernelErrors) ? kKernelErrors[at] : std::string_view();
}

std::int64_t number_of_errno(const std::string& name) {
  constexpr int kMost = 134;
  for (int i = 1; i < kMost; ++i) {
    if (errno_name(i) == name) return i;
  }
  for (std::int64_t i = 0; i < std::ssize(kKernelErrors); ++i) {
    if (!name.empty() && kKernelErrors[i] == name) return kFirstKernelError + i;
  }
  return 0;
}

std::int64_t random_below(std::int64_t most) {
  static thread_local std::mt19937_64 generator{std::random_device{}()};
  return most <= 0 ? 0 : std::uniform_int_distribution<std::int64_t>(0, most - 1)(generator);
}

// As the process is called when the handler runs; empty if there is none.
std::string name_of_process(std::int64_t pid) {
  const auto name = support::read_file(fmt::format("/proc/{}/comm", pid));
  return name.ok() ? name->substr(0, name->find('\n')) : "";
}

bool compute_text(Fn fn, const std::vector<Value>& in, Tokens& tokens, Value& out) {
  switch (fn) {
    case Fn::substr:
      out.text = substring(in[0].text, in[1].number, in[2].number);
      return true;
    case Fn::str_replace:
      out.text = replaced(in[0].text, in[1].text, in[2].text);
      return true;
    case Fn::tokenize:
      out.text = next_token(in[0].text, in[1].text, tokens);
      return true;
    case Fn::text_str:
      out.text = printable_text(in[0].text, false, SIZE_MAX);
      return true;
    case Fn::text_strn:
      out.text = printable_text(in[0].text, in[2].number != 0,
                                static_cast<std::size_t>(std::max<std::int64_t>(in[1].number, 0)));
      return true;
    case Fn::__texts:
      out.text = joined(in[0].text, in[1].number, in[2].number, in[3].text);
      return true;
    case Fn::string_quoted:
      out.text = printable_text(in[0].text, true, SIZE_MAX);
      return true;
    case Fn::ctime:
      out.text = time_text(in[0].number);
      return true;
    case Fn::tz_ctime:
      out.text = time_text(in[0].number + local_now().tm_gmtoff) + " " + zone_name();
      return true;
    case Fn::tz_name:
      out.text = zone_name();
      return true;
    case Fn::errno_str:
      out.text = errno_name(std::abs(in[0].number));
      return true;
    case Fn::signal_name:
      out.text = name_of_signal(in[0].number);
      return true;
    case Fn::pid2execname:
      out.text = name_of_process(in[0].number);
      return true;
    case Fn::__loadavg: {
      std::ifstream file("/proc/loadavg");
      std::getline(file, out.text);
      return true;
    }
    case Fn::env_var: {
      const char* const value = std::getenv(in[0].text.c_str());
      out.text = value != nullptr ? value : "";
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

std::string name_of_signal(std::int64_t number) {
  if (number <= 0 || number >= NSIG) return fmt::format("Signal:{}", number);
  const char* const name = ::sigabbrev_np(static_cast<int>(number));
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("SIGRT:{}", number);
}

std::string errno_name(std::int64_t number) {
  if (const auto name = kernel_error(number); !name.empty()) return std::string(name);
  const char* const name =
      number > 0 && number < INT_MAX ? ::strerrorname_np(static_cast<int>(number)) : nullptr;
  return name != nullptr ? name : fmt::format("E#{}", number);
}

std::string printable_text(std::string_view text, bool is_quoted, std::size_t most) {
  std::string out = is_quoted ? "\"" : "";
  constexpr std::string_view kSpecial = "\n\t\r\a\b\f\v\\\"", kLetters = "ntrabfv\\\"";
  const bool is_cut = text.size() > most;
  for (const char c : text.substr(0, most)) {
    if (const std::size_t found = kSpecial.find(c); found != std::string_view::npos) {
      out += '\\';
      out += kLetters[found];
    } else if (std::isprint(static_cast<unsigned char>(c)) == 0) {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + (is_quoted ? "\"" : "") + (is_cut ? "..." : "");
}

bool compute(Fn fn, const std::vector<Value>& in, Tokens& tokens, Value& out, std::string& error) {
  switch (fn) {
    case Fn::strlen:
      out.number = static_cast<std::int64_t>(in[0].text.size());
      return true;
    case Fn::stringat: {
      const std::int64_t at = in[1].number;
      if (at < 0 || static_cast<std::size_t>(at) >= in[0].text.size()) {
        error = fmt::format("position {} is out of bounds of a string", at);
        return true;
      }
      out.number = static_cast<unsigned char>(in[0].text[static_cast<std::size_t>(at)]);
      return true;
    }
    case Fn::isinstr:
      out.number = in[0].text.find(in[1].text) != std::string::npos ? 1 : 0;
      return true;
    case Fn::strpos: {
      const std::size_t found = in[0].text.find(in[1].text);
      out.number = found == std::string::npos ? -1 : static_cast<std::int64_t>(found);
      return true;
    }
    case Fn::isdigit:
      out.number =
          !in[0].text.empty() && std::isdigit(static_cast<unsigned char>(in[0].text[0])) != 0 ? 1
                                                                                              : 0;
      return true;
    case Fn::strtol:
      out.number = to_number(in[0].text, in[1].number, error);
      return true;
    case Fn::ctime:
    case Fn::tz_ctime:
      // The text has always 24 characters, so the years have four digits.
      if (in[0].number < INT32_MIN || in[0].number > INT32_MAX) {
        error = fmt::format("{} is out of the range of {}()", in[0].number, info(fn).name);
        return true;
      }
      return compute_text(fn, in, tokens, out);
    case Fn::tz_gmtoff:
      out.number = -local_now().tm_gmtoff;
      return true;
    case Fn::num_online_cpus:
      out.number = ::sysconf(_SC_NPROCESSORS_ONLN);
      return true;
    case Fn::randint:
      out.number = random_below(in[0].number);
      return true;
    case Fn::errno_value:
      out.number = number_of_errno(in[0].text);
      return true;
    default:
      return compute_floating(fn, in, out) || compute_text(fn, in, tokens, out);
  }
}

}  // namespace dt::stap
