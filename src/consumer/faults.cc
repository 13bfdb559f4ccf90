// The faults of clauses, as messages and as lines of structured output. See state.h.

#include <fmt/core.h>

#include <cstring>
#include <string>

#include "consumer/state.h"
#include "consumer/value/describe.h"
#include "support/shown.h"

namespace dt::consumer {

// "script.d:24:13"; text of the command line has no file: "1:17".
std::string State::place_of(const record::FaultSite& site) const {
  if (site.span.source >= sources.size()) {
    return "an unknown place";
  }
  const Source& source = sources.at(site.span.source);
  const support::Location location = sources.locate(site.span);
  const bool has_file = !source.from_command_line || location.file != source.name();
  return fmt::format("{}{}:{}", has_file ? support::shown_name(location.file) + ":" : std::string(),
                     location.line, location.column);
}

// "error on enabled probe ID 3 (ID 132: syscall::openat:entry)"
std::string State::probe_text(std::uint32_t epid) const {
  const record::EpidInfo& info = schema.epids[epid - 1];
  return fmt::format("error on enabled probe ID {} (ID {}: {})", epid, info.probe.value,
                     probe_name(record::find_probe(schema, info.probe)));
}

void State::fault(Bytes bytes) {
  const std::string flaw = find_flaw(schema, bytes);
  if (!flaw.empty()) {
    error(fmt::format("malformed record: {}", flaw));
    return;
  }
  record::FaultRecord record;
  std::memcpy(&record, bytes.data(), sizeof record);
  const auto kind = static_cast<record::Fault>(record.fault);
  std::string text = probe_text(record.header.epid) + ": " + record::fault_text(kind);
  ErrorLine line{
      record.header.epid, record::fault_text(kind), record.fault, record.address, 0, {}, {}};
  if (kind == record::Fault::kBadAddress || kind == record::Fault::kBadAlignment ||
      kind == record::Fault::kBadStack) {
    text += fmt::format(" (0x{:x})", record.address);
  }
  if (record.site < schema.fault_sites.size()) {
    const record::FaultSite& site = schema.fault_sites[record.site];
    text += site.action == 0 ? std::string(" in predicate")
                             : fmt::format(" in action #{}", site.action);
    line.action = site.action;
    line.place = place_of(site);
    text += " at " + line.place;
  }
  line.text = text;
  const bool wants_each = receiver != nullptr && receiver->wants_faults();
  const bool is_first =
      repeated.is_first({record.header.epid, record.site, record.fault}, text) || wants_each;
  if (is_first) {
    say_error(line);
  } else {
    show_error(line);
  }
  if (is_first && !wants_each && kind == record::Fault::kBadAddress &&
      record.site < schema.fault_sites.size()) {
    advise_on(schema.fault_sites[record.site], record.header.epid);
  }
}

void State::advise_on(const record::FaultSite& site, std::uint32_t epid) {
  if (site.argument == record::kNoArgument || !advise) {
    return;
  }
  const std::string advice = advise(schema.epids[epid - 1].probe, site.argument);
  if (!advice.empty()) {
    error("hint: " + advice);
  }
}

// Errors are for the person; in structured output they are lines as well.
void State::say_error(const ErrorLine& line) {
  if (receiver != nullptr) {
    receiver->fault(line);
  } else {
    error(line.text);
  }
  show_error(line);
}

void State::show_error(const ErrorLine& line) {
  if (options.form == Form::kJsonLines) {
    append_error_line(page.text, schema, line);
    page.hand_over();
  }
}

}  // namespace dt::consumer
