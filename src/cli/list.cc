// The rows of dtrace -l.

#include "cli/list.h"

#include "cli/report.h"

namespace dt::cli {
namespace {

std::string attributes_text(std::string_view title, const probe::Attributes& a) {
  return fmt::format(
      "\n\t{}\n\t\tIdentifier Names: {}\n\t\tData Semantics:   {}\n\t\tDependency Class: {}\n",
      title, probe::to_string(a.name), probe::to_string(a.data), probe::to_string(a.dependency));
}

}  // namespace

std::string list_row(const probe::Probe& probe) {
  const probe::Description& d = probe.description;
  return fmt::format("{:>5} {:>10} {:>17} {:>33} {}\n", probe.id.value, d.provider, d.module,
                     d.function, d.name);
}

std::string list_details(const probe::Probe& probe, const probe::Catalog& catalog) {
  const probe::ProviderAttributes all = catalog.attributes(probe.description.provider);
  std::string out = attributes_text("Probe Description Attributes", all.name);
  out += attributes_text("Argument Attributes", all.args);
  out += "\n\tArgument Types\n";
  const auto arguments = catalog.arguments(probe);
  if (!arguments || arguments->empty()) {
    out += "\t\tNone\n";
  } else {
    std::size_t index = 0;
    for (const probe::Argument& argument : *arguments) {
      out += fmt::format("\t\targs[{}]: {}{}\n", index++, argument.userland ? "userland " : "",
                         argument.type.empty() ? "(unknown)" : argument.type);
    }
  }
  return out + "\n";
}

std::string stability_report(const std::vector<d::ClauseStability>& clauses, std::uint32_t source,
                             const Program& program) {
  std::optional<d::ClauseStability> least;
  for (const d::ClauseStability& one : clauses) {
    if (one.source != source) {
      continue;
    }
    if (!least) {
      least = one;
    }
    least->probes = probe::least(least->probes, one.probes);
    least->statements = probe::least(least->statements, one.statements);
  }
  if (!least) {
    return {};
  }
  return fmt::format("\nStability attributes for {} {}:\n",
                     program.is_file ? "script" : "description", program_name(program)) +
         attributes_text("Minimum Probe Description Attributes", least->probes) +
         attributes_text("Minimum Statement Attributes", least->statements) + "\n";
}

std::string stability_reports(const CommandLine& line,
                              const std::vector<d::ClauseStability>& clauses) {
  std::string out;
  for (std::size_t i = 0; i < line.programs.size(); ++i) {
    out += stability_report(clauses, static_cast<std::uint32_t>(i), line.programs[i]);
  }
  return out;
}

}  // namespace dt::cli
