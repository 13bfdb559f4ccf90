// See colour.h.

#include "cli/colour.h"

#include <cstdlib>

#include "dtrace/tracer.h"

namespace dt::cli {
namespace {

// SGR sequences of ECMA-48: 1 is bold, 31 red, 32 green, 36 cyan; without a number, all is reset.
constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[1;31m", kGreen = "\x1b[32m",
                           kCyan = "\x1b[36m", kPlain = "\x1b[m";

std::string marked(std::string_view colour, std::string_view text) {
  return std::string(colour).append(text).append(kPlain);
}

bool is_underline(std::string_view line) {
  return line.find('^') != std::string_view::npos &&
         line.find_first_not_of(" \t^~") == std::string_view::npos;
}

std::string coloured_line(std::string_view line) {
  constexpr std::string_view kErrorMark = " error: ";
  for (const std::string_view speaker : {"dtrace:", "hint:"}) {
    if (line.starts_with(speaker)) {
      return marked(speaker == "hint:" ? kCyan : kBold, speaker)
          .append(line.substr(speaker.size()));
    }
  }
  if (is_underline(line)) {
    const std::size_t begin = line.find_first_of("^~");
    return std::string(line.substr(0, begin)).append(marked(kGreen, line.substr(begin)));
  }
  if (const std::size_t at = line.find(kErrorMark);
      at != std::string_view::npos && line[0] != ' ') {
    return marked(kBold, line.substr(0, at))
        .append(" ")
        .append(marked(kRed, "error:"))
        .append(line.substr(at + kErrorMark.size() - 1));
  }
  return std::string(line);
}

}  // namespace

bool wants_colour() {
  const char* const no = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (no == nullptr || *no == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::string coloured(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out += coloured_line(text.substr(at, end - at));
    if (end == std::string_view::npos) {
      break;
    }
    out += '\n';
    at = end + 1;
  }
  return out;
}

std::string for_terminal(std::string_view text) {
  // Escaped first: a message can contain a name that a traced program has chosen, and its escape
  // sequences must not reach the terminal. Those for colours are added behind that.
  const std::string escaped = dtrace::escape_for_terminal(text);
  return wants_colour() ? coloured(escaped) : escaped;
}

}  // namespace dt::cli
