// Messages on stderr, in DTrace's words.

#include "cli/report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "consumer/text.h"

namespace dt::cli {
namespace {

std::string compile_prefix(const Program& program) {
  if (program.is_file) {
    return fmt::format("failed to compile script {}: ", program.text);
  }
  // A long program is not repeated: its excerpt follows.
  constexpr std::size_t kMaxShown = 72;
  std::string_view text = program.text;
  text = text.substr(0, text.find_first_of("\r\n"));
  std::size_t length = std::min(text.size(), kMaxShown);
  while (length < text.size() && length > 0 &&
         (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) {
    --length;  // not through the middle of a UTF-8 character
  }
  return fmt::format("invalid probe specifier {}{}: ", text.substr(0, length),
                     length < program.text.size() ? "..." : "");
}

void put(std::string_view text) {
  std::string escaped;
  if (::isatty(STDERR_FILENO) == 1) {
    consumer::append_for_terminal(escaped, text);
    text = escaped;
  }
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void say(std::string_view text) { put(fmt::format("dtrace: {}\n", text)); }

void say_text(std::string_view text) { put(text); }

void say_hint(std::string_view text) { put(fmt::format("hint: {}\n", text)); }

void say_excerpt(const Diagnostic& diagnostic, const Sources& sources) {
  put(support::render(diagnostic, sources));
}

void report(const Error& error, bool verbose) {
  say(error.text);
  if (!error.remedy.empty()) {
    say_hint(error.remedy);
  }
  if (verbose && !error.log.empty()) {
    put(error.log + '\n');
  }
}

void report(const Diagnostics& diagnostics, const Sources& sources, const CommandLine& line) {
  bool first = true;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (first) {
      const std::uint32_t source = diagnostic.span.source;
      const std::string prefix = source < line.programs.size()
                                     ? compile_prefix(line.programs[source])
                                 : line.programs.empty() ? std::string()
                                                         : compile_prefix(line.programs.front());
      say(prefix + support::headline(diagnostic, sources, line.options.errtags));
      first = false;
    }
    put(support::render(diagnostic, sources));
  }
  if (diagnostics.total() > diagnostics.all().size()) {
    say(fmt::format("{} more errors are not shown",
                    diagnostics.total() - diagnostics.all().size()));
  }
}

std::string program_name(const Program& program) {
  return program.is_file ? program.text : program.text.substr(0, program.text.find_first_of("{/;"));
}

std::string matched_text(const Program& program, std::uint32_t probes) {
  return fmt::format("{} '{}' matched {} probe{}", program.is_file ? "script" : "description",
                     program_name(program), probes, probes == 1 ? "" : "s");
}

}  // namespace dt::cli
