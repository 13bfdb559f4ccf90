// The rows of dtrace -l.

#include "cli/list.h"

#include <fmt/core.h>

#include "cli/report.h"
#include "support/shown.h"

namespace dt::cli {
namespace {

using support::shown_name;

std::string attributes_text(std::string_view title, const dtrace::Attributes& a) {
  return fmt::format(
      "\n\t{}\n\t\tIdentifier Names: {}\n\t\tData Semantics:   {}\n\t\tDependency Class: {}\n",
      title, a.name, a.data, a.dependency);  // no name
}

}  // namespace

std::string list_row(const dtrace::Probe& probe, const std::string& remark) {
  return fmt::format("{:>5} {:>10} {:>17} {:>33} {}{}{}\n", probe.id, shown_name(probe.provider),
                     shown_name(probe.module), shown_name(probe.function), shown_name(probe.name),
                     remark.empty() ? "" : "  ", shown_name(remark));
}

std::string list_details(const dtrace::ProbeDetails& details) {
  std::string out = attributes_text("Probe Description Attributes", details.names);
  out += attributes_text("Argument Attributes", details.arguments);
  out += "\n\tArgument Types\n";
  if (details.types.empty()) {
    out += "\t\tNone\n";
  }
  std::size_t index = 0;
  for (const dtrace::Argument& argument : details.types) {
    out += fmt::format("\t\targs[{}]: {}{}", index++, argument.userland ? "userland " : "",
                       argument.type.empty() ? "(unknown)" : shown_name(argument.type));
    out += argument.name.empty() ? "\n" : fmt::format(" ({})\n", shown_name(argument.name));
  }
  return out + "\n";
}

std::string stability_report(const CommandLine& line, const dtrace::Tracer& tracer,
                             std::size_t index) {
  const auto stability = tracer.stability()[index];
  if (!stability) {
    return "";
  }
  const dtrace::Program& program = line.programs[index];
  return fmt::format("\nStability attributes for {} {}:\n",
                     is_script(program) ? "script" : "description", program_name(program)) +
         attributes_text("Minimum Probe Description Attributes", stability->probes) +
         attributes_text("Minimum Statement Attributes", stability->statements) + "\n";
}

std::string stability_reports(const CommandLine& line, const dtrace::Tracer& tracer) {
  std::string out;
  for (std::size_t i = 0; i < line.programs.size(); ++i) {
    out += stability_report(line, tracer, i);
  }
  return out;
}

}  // namespace dt::cli
