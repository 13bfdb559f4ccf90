// Errors, diagnostics and probes as the caller gets them.

#include "api/output/convert.h"

#include <utility>

namespace dt::api {

dtrace::Error given(Error error) {
  return {std::move(error.text), error.code, std::move(error.remedy), std::move(error.log), {}};
}

dtrace::Status given(Status status) {
  return status.ok() ? dtrace::Status() : dtrace::Status(given(std::move(status.error())));
}

dtrace::Diagnostic given(const Diagnostic& diagnostic, const Sources& sources) {
  dtrace::Diagnostic out;
  out.tag = diagnostic.tag;
  out.text = diagnostic.text;
  out.hint = diagnostic.hint;
  if (diagnostic.span.source < sources.size()) {
    const Source& source = sources.at(diagnostic.span.source);
    const support::Location location = sources.locate(diagnostic.span);
    if (!source.from_command_line || location.file != source.name()) {
      out.file = location.file;
    }
    out.line = location.line;
    out.column = location.column;
  }
  out.excerpt = support::render(diagnostic, sources);
  return out;
}

dtrace::Probe given(const probe::Probe& probe) {
  const probe::Description& d = probe.description;
  return {probe.id.value, d.provider, d.module, d.function, d.name};
}

dtrace::Probe probe_of(const record::Schema& schema, std::uint32_t epid) {
  if (epid == 0 || epid > schema.epids.size()) {
    return {};
  }
  const ProbeId id = schema.epids[epid - 1].probe;
  const record::ProbeNames* const names = record::find_probe(schema, id);
  if (names == nullptr) {
    return {id.value, {}, {}, {}, {}};
  }
  return {id.value, names->provider, names->module, names->function, names->name};
}

dtrace::Attributes given(const probe::Attributes& attributes) {
  return {probe::to_string(attributes.name), probe::to_string(attributes.data),
          probe::to_string(attributes.dependency)};
}

}  // namespace dt::api
