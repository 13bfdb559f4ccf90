// The rows of dtrace -l.

#include "cli/list.h"

namespace dt::cli {
namespace {

std::string attributes(std::string_view title, const probe::Attributes& a) {
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
  std::string out = attributes("Probe Description Attributes", all.name);
  out += attributes("Argument Attributes", all.args);
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

}  // namespace dt::cli
