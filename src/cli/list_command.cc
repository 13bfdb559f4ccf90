// dtrace -l and -xexplain.

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "cli/commands.h"
#include "cli/compile.h"
#include "cli/inputs.h"
#include "cli/list.h"
#include "cli/report.h"
#include "cli/world.h"
#include "d/front_end.h"

namespace dt::cli {
namespace {

std::string four_fields(std::string_view text) {
  const auto pattern = probe::parse_pattern(text);
  return pattern ? probe::to_string(*pattern) : std::string(text);
}

// The rows of one description; false when nothing matches it.
bool list_pattern(const std::string& text, const CommandLine& line, const Compiled& compiled,
                  std::string& out) {
  const auto pattern = probe::parse_pattern(text);
  if (!pattern) {
    return false;
  }
  const std::vector<probe::Probe> found = compiled.probes->match(*pattern);
  for (const probe::Probe& probe : found) {
    out += list_row(probe);
    if (line.options.verbose) {
      out += list_details(probe, *compiled.probes);
    }
  }
  return !found.empty();
}

// What kept a description from matching.
void say_no_match(const std::string& text, const Compiled& compiled) {
  say(fmt::format("failed to match {}: No probe matches description", four_fields(text)));
  const auto pattern = probe::parse_pattern(text);
  if (!pattern) {
    return;
  }
  const std::string why = compiled.probes->why_not(*pattern);
  const std::vector<probe::Description> near = compiled.probes->near(*pattern, 3);
  if (!why.empty()) {
    say_hint(why);
  } else if (!near.empty()) {
    std::string names;
    for (const probe::Description& description : near) {
      names += (names.empty() ? "" : ", ") + probe::to_string(description);
    }
    say_hint(fmt::format("did you mean {}?", names));
  }
}

}  // namespace

int print_text(const std::string& text) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is said
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    say(support::system_error("failed to write to <stdout>", errno).text);
    return kError;
  }
  return kSuccess;
}

int list_probes(const CommandLine& line) {
  Compiled compiled;
  make_catalogs(compiled);
  std::string out = kListHeader;
  int status = kSuccess;
  if (line.programs.empty()) {
    list_pattern(":::", line, compiled, out);
  } else {
    Result<std::vector<d::Input>> inputs = load_inputs(line, compiled.sources);
    if (!inputs.ok()) {
      report(inputs.error(), line.options.verbose);
      return kError;
    }
    compiled.options = line.options;
    d::World world =
        make_world(*compiled.types, *compiled.probes, line, compiled.options, std::nullopt);
    world.set_option = [&](std::string_view name, std::string_view value) {
      return set_option(compiled.options, name, value);
    };
    Diagnostics diagnostics;
    const auto program = d::compile(compiled.sources, *inputs, world, diagnostics);
    if (!program) {
      report(diagnostics, compiled.sources, line);
      return kError;
    }
    for (const ir::EcbDesc& clause : program->clauses) {
      for (const std::string& pattern : clause.patterns) {
        if (!list_pattern(pattern, line, compiled, out)) {
          say_no_match(pattern, compiled);
          status = kError;
        }
      }
    }
  }
  const int printed = print_text(out);
  return printed != kSuccess ? printed : status;
}

int explain_probe(const CommandLine& line) {
  Compiled compiled;
  make_catalogs(compiled);
  const auto pattern = probe::parse_pattern(line.options.explain);
  const std::vector<probe::Probe> found =
      pattern ? compiled.probes->match(*pattern) : std::vector<probe::Probe>();
  if (found.empty()) {
    say_no_match(line.options.explain, compiled);
    return kError;
  }
  std::string out;
  for (const probe::Probe& probe : found) {
    const provider::Provider& provider = compiled.probes->of_program(probe.binding.program);
    const auto spec = provider.program_spec(probe.binding.program);
    out += fmt::format("{} (ID {}): program {}, key {}, BPF program type {}\n",
                       probe::to_string(probe.description), probe.id.value, probe.binding.program,
                       probe.binding.key,
                       static_cast<int>(spec.ok() ? spec->type : BPF_PROG_TYPE_UNSPEC));
  }
  return print_text(out);
}

}  // namespace dt::cli
