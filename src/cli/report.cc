// Messages on stderr, in DTrace's words.

#include "cli/report.h"

#include <cstdio>

namespace dt::cli {
namespace {

std::string compile_prefix(const Program& program) {
  if (program.is_file) {
    return fmt::format("failed to compile script {}: ", program.text);
  }
  return fmt::format("invalid probe specifier {}: ", program.text);
}

}  // namespace

void say(std::string_view text) {
  std::string line = "dtrace: ";
  line += text;
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void report(const Error& error, bool verbose) {
  say(error.text);
  if (!error.remedy.empty()) {
    std::fprintf(stderr, "hint: %s\n", error.remedy.c_str());
  }
  if (verbose && !error.log.empty()) {
    std::fprintf(stderr, "%s\n", error.log.c_str());
  }
}

void report(const Diagnostics& diagnostics, const Sources& sources, const CommandLine& line) {
  bool first = true;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (first) {
      const std::uint32_t source = diagnostic.span.source;
      const std::string prefix =
          source < line.programs.size() ? compile_prefix(line.programs[source]) : std::string();
      say(prefix + support::headline(diagnostic, sources, line.options.errtags));
      first = false;
    }
    std::fputs(support::render(diagnostic, sources).c_str(), stderr);
  }
  if (diagnostics.total() > diagnostics.all().size()) {
    say(fmt::format("{} more errors are not shown",
                    diagnostics.total() - diagnostics.all().size()));
  }
}

std::string matched_text(const Program& program, std::uint32_t probes) {
  const std::string name =
      program.is_file ? program.text : program.text.substr(0, program.text.find_first_of("{/;"));
  return fmt::format("{} '{}' matched {} probe{}", program.is_file ? "script" : "description", name,
                     probes, probes == 1 ? "" : "s");
}

}  // namespace dt::cli
