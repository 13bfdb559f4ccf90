// The rows of dtrace -l.

#include "cli/list.h"

#include <fmt/core.h>

#include <cstdint>

#include "cli/report.h"
#include "support/json.h"
#include "support/shown.h"

namespace dt::cli {
namespace {

using support::Json;
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

// As RFC 4180 says.
std::string cell(std::string shown) {
  if (shown.find_first_of(",\"") == std::string::npos) return shown;
  std::string out = "\"";
  for (const char c : shown) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string csv_row(const dtrace::Probe& probe, const std::string& remark) {
  return fmt::format("{},{},{},{},{},{}\n", probe.id, cell(shown_name(probe.provider)),
                     cell(shown_name(probe.module)), cell(shown_name(probe.function)),
                     cell(shown_name(probe.name)), cell(shown_name(remark)));
}

std::string text_row(const dtrace::Probe& probe, const std::string& remark) {
  return fmt::format("{:>5} {:>10} {:>17} {:>33} {}{}{}\n", probe.id, shown_name(probe.provider),
                     shown_name(probe.module), shown_name(probe.function), shown_name(probe.name),
                     remark.empty() ? "" : "  ", shown_name(remark));
}

void write_attributes(Json& json, std::string_view name, const dtrace::Attributes& a) {
  json.key(name).begin_object();
  json.field("names", a.name).field("data", a.data).field("class", a.dependency).end_object();
}

void write_details(Json& json, const dtrace::ProbeDetails& details) {
  write_attributes(json, "stability", details.names);
  write_attributes(json, "argument_stability", details.arguments);
  json.key("arguments").begin_array();
  for (const dtrace::Argument& argument : details.types) {
    json.begin_object().field("type", argument.type).field("name", argument.name);
    json.key("userland").boolean(argument.userland).end_object();
  }
  json.end_array();
}

Json& begin_line(Json& json, std::string_view type) {
  return json.begin_object().field("v", std::int64_t{1}).field("type", type);
}

std::string json_row(const dtrace::Probe& probe, const std::string& remark,
                     const std::optional<dtrace::ProbeDetails>& details) {
  std::string out;
  Json json(out);
  begin_line(json, "probe").field("id", static_cast<std::uint64_t>(probe.id));
  json.field("provider", probe.provider).field("module", probe.module);
  json.field("function", probe.function).field("name", probe.name);
  if (!remark.empty()) json.field("remark", remark);
  if (details) write_details(json, *details);
  json.end_object();
  return out + "\n";
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
      return csv_row(probe, remark);
    case ListForm::kJsonLines:
      break;
  }
  return json_row(probe, remark, details);
}

std::string list_about(std::string_view about, std::string_view views) {
  std::string out;
  Json json(out);
  begin_line(json, "recording").field("about", about).field("views", views).end_object();
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
