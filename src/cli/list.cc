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

// A name of a traced file has no bytes here that are not UTF-8, and no controls.
std::string quoted(std::string_view name) {
  std::string out = "\"";
  for (const char c : shown_name(name)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// A text of several lines.
std::string quoted_text(std::string_view text) {
  std::string out;
  for (const char c : support::shown_text(text)) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return '"' + out + '"';
}

// As RFC 4180 says.
std::string cell(std::string_view name) {
  const std::string shown = shown_name(name);
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string out = "\"";
  for (const char c : shown) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string text_row(const dtrace::Probe& probe, const std::string& remark) {
  return fmt::format("{:>5} {:>10} {:>17} {:>33} {}{}{}\n", probe.id, shown_name(probe.provider),
                     shown_name(probe.module), shown_name(probe.function), shown_name(probe.name),
                     remark.empty() ? "" : "  ", shown_name(remark));
}

std::string json_attributes(const dtrace::Attributes& a) {
  return fmt::format(R"({{"names":{},"data":{},"class":{}}})", quoted(a.name), quoted(a.data),
                     quoted(a.dependency));
}

std::string json_details(const dtrace::ProbeDetails& details) {
  std::string out = fmt::format(R"(,"stability":{},"argument_stability":{},"arguments":[)",
                                json_attributes(details.names), json_attributes(details.arguments));
  const char* between = "";
  for (const dtrace::Argument& argument : details.types) {
    out += fmt::format(R"({}{{"type":{},"name":{},"userland":{}}})", between, quoted(argument.type),
                       quoted(argument.name), argument.userland);
    between = ",";
  }
  return out + "]";
}

std::string json_row(const dtrace::Probe& probe, const std::string& remark,
                     const std::optional<dtrace::ProbeDetails>& details) {
  std::string out = fmt::format(
      R"({{"v":1,"type":"probe","id":{},"provider":{},"module":{},"function":{},"name":{})",
      probe.id, quoted(probe.provider), quoted(probe.module), quoted(probe.function),
      quoted(probe.name));
  if (!remark.empty()) out += ",\"remark\":" + quoted(remark);
  if (details) out += json_details(*details);
  return out + "}\n";
}

}  // namespace

std::optional<ListForm> list_form(const CommandLine& line) {
  const std::string form = line.options.get("oformat");
  if (form.empty()) return ListForm::kText;
  if (form == "csv") return ListForm::kCsv;
  if (form == "jsonl") return ListForm::kJsonLines;
  return std::nullopt;
}

std::string list_header(ListForm form) {
  switch (form) {
    case ListForm::kText:
      return "   ID   PROVIDER            MODULE                          FUNCTION NAME\n";
    case ListForm::kCsv:
      return "id,provider,module,function,name,remark\n";
    case ListForm::kJsonLines:
      break;
  }
  return "";
}

std::string list_row(ListForm form, const dtrace::Probe& probe, const std::string& remark,
                     const std::optional<dtrace::ProbeDetails>& details) {
  switch (form) {
    case ListForm::kText:
      return text_row(probe, remark) + (details ? list_details(*details) : "");
    case ListForm::kCsv:
      return fmt::format("{},{},{},{},{},{}\n", probe.id, cell(probe.provider), cell(probe.module),
                         cell(probe.function), cell(probe.name), cell(remark));
    case ListForm::kJsonLines:
      break;
  }
  return json_row(probe, remark, details);
}

std::string list_about(std::string_view about, std::string_view views) {
  return fmt::format("{{\"v\":1,\"type\":\"recording\",\"about\":{},\"views\":{}}}\n",
                     quoted_text(about), quoted_text(views));
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
