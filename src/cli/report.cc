// Messages on stderr, in DTrace's words.

#include "cli/report.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/colour.h"
#include "support/shown.h"

namespace dt::cli {
namespace {

void put(std::string_view text) {
  const std::string shown =
      ::isatty(STDERR_FILENO) == 1 ? for_terminal(text) : support::shown_text(text);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

}  // namespace

void say(std::string_view text) { put(fmt::format("dtrace: {}\n", text)); }

void say_text(std::string_view text) { put(text); }

void say_hint(std::string_view text) { put(fmt::format("hint: {}\n", text)); }

std::string error_text(const dtrace::Error& error, bool verbose) {
  std::string text = fmt::format("dtrace: {}\n", error.text);
  if (!error.remedy.empty()) {
    text += fmt::format("hint: {}\n", error.remedy);
  }
  if (verbose && !error.log.empty()) {
    text += error.log + '\n';
  }
  return text + error.excerpt;
}

void report(const dtrace::Error& error, bool verbose) { put(error_text(error, verbose)); }

void report(const dtrace::Message& message) {
  say(message.text);
  put(message.excerpt);
}

void report_compilation(const dtrace::Error& error, const dtrace::Tracer& tracer) {
  report(error, tracer.options().flag("verbose"));
  for (const dtrace::Diagnostic& diagnostic : tracer.diagnostics()) {
    put(diagnostic.excerpt);
  }
  if (const std::size_t shown = tracer.diagnostics().size(); tracer.diagnostics_total() > shown) {
    say(fmt::format("{} more errors are not shown", tracer.diagnostics_total() - shown));
  }
}

std::string program_name(const dtrace::Program& program) {
  if (is_script(program)) return program.text;
  const std::size_t start = std::min(program.text.find_first_not_of(" \t\n"), program.text.size());
  return program.text.substr(start, program.text.find_first_of("{/;", start) - start);
}

std::string matched_text(const dtrace::Program& program, std::uint32_t probes) {
  return fmt::format("{} '{}' matched {} probe{}", is_script(program) ? "script" : "description",
                     program_name(program), probes, probes == 1 ? "" : "s");
}

}  // namespace dt::cli
