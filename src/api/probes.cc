// What can be asked of probes without tracing.

#include "api/output/convert.h"
#include "api/tracer_state.h"
#include "probe/unmatched.h"
#include "usdt/header.h"
#include "usdt/object.h"

namespace dtrace {

using dt::api::given;

const dt::api::Compiled& Tracer::State::catalogs() {
  if (compiled.probes == nullptr) {
    dt::api::make_catalogs(compiled);
  }
  return compiled;
}

std::vector<Probe> Tracer::match(std::string_view description) const {
  std::vector<Probe> probes;
  if (const auto pattern = dt::probe::parse_pattern(description)) {
    for (const dt::probe::Probe& probe : state_->catalogs().probes->match(*pattern)) {
      probes.push_back(given(probe));
    }
  }
  return probes;
}

Result<std::vector<std::string>> Tracer::descriptions() {
  DT_TRY(state_->begin_compiling());
  const auto target = state_->find_target();
  if (!target.ok()) {
    return given(target.error());
  }
  dt::Result<std::vector<std::string>> descriptions =
      dt::api::read_descriptions(state_->request, state_->callbacks, *target, state_->compiled);
  state_->take_diagnostics();
  if (!descriptions.ok()) {
    return given(std::move(descriptions.error()));
  }
  return std::move(*descriptions);
}

namespace {

using Providers = std::vector<dt::usdt::Provider>;

// As illumos' dtrace_probe_info() has it: the lowest of the fields that the probe has. A module or
// a function is mostly Private, and so is a probe whose description names it.
dt::probe::Attributes of_fields(const Probe& probe, const dt::probe::ProviderAttributes& all) {
  dt::probe::Attributes out = dt::probe::least(all.provider, all.name);
  if (!probe.module.empty()) out = dt::probe::least(out, all.module);
  if (!probe.function.empty()) out = dt::probe::least(out, all.function);
  return out;
}

}  // namespace

Result<std::string> Tracer::State::of_providers(
    const std::function<std::string(const Providers&)>& make) {
  DT_TRY(begin_compiling());
  dt::Result<Providers> providers = dt::api::read_providers(request, callbacks, compiled);
  take_diagnostics();
  if (!providers.ok()) {
    return given(std::move(providers.error()));
  }
  return make(*providers);
}

Result<std::string> Tracer::provider_header(std::string_view file) {
  return state_->of_providers([file](const Providers& all) { return dt::usdt::header(all, file); });
}

Result<std::string> Tracer::provider_object() {
  return state_->of_providers([](const Providers& all) { return dt::usdt::object(all); });
}

std::string Tracer::remark(const Probe& probe) const {
  return state_->catalogs().probes->remark(
      {probe.provider, probe.module, probe.function, probe.name});
}

std::vector<std::string> Tracer::State::worded(const dt::probe::Unmatched& unmatched) {
  const auto front_end = dt::api::make_front_end(
      compiled.languages, {request, callbacks, std::nullopt, compiled.options, *compiled.types,
                           compiled.libraries_left_out, *compiled.probes});
  if (!front_end.ok()) {
    return {front_end.error().text};
  }
  dt::Diagnostics words;
  (*front_end)->report(unmatched, words);
  std::vector<std::string> lines;
  for (const dt::Diagnostic& one : words.all()) {
    // The text of another error says only that nothing matches.
    if (unmatched.refusal) {
      lines.push_back(one.text);
    }
    for (const auto& note : one.notes) {
      lines.push_back(note.text);
    }
    if (!one.hint.empty()) {
      lines.push_back(one.hint);
    }
  }
  return lines;
}

std::vector<std::string> Tracer::why_not(std::string_view description) const {
  if (!dt::probe::parse_pattern(description)) {
    return {};
  }
  return state_->worded(dt::probe::explain_unmatched(*state_->catalogs().probes,
                                                     dt::probe::parse_point(description)));
}

ProbeDetails Tracer::details(const Probe& probe) const {
  const dt::provider::ProviderCatalog& probes = *state_->catalogs().probes;
  const auto found = probes.find(dt::ProbeId{probe.id});
  if (!found) {
    return {};
  }
  ProbeDetails out;
  const dt::probe::ProviderAttributes attributes = probes.attributes(probe.provider);
  out.names = given(of_fields(probe, attributes));
  out.arguments = given(attributes.args);
  if (const auto arguments = probes.arguments(*found)) {
    std::vector<std::string> names = probes.argument_names(*found);
    if (names.size() != arguments->size()) names.assign(arguments->size(), "");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const dt::probe::Argument& argument = (*arguments)[i];
      out.types.push_back({argument.declared.empty() ? argument.type : argument.declared,
                           argument.userland, std::move(names[i])});
    }
  }
  out.program = found->binding.program;
  out.key = found->binding.key;
  out.source = probes.of_program(out.program).source(out.program);
  return out;
}

std::vector<ProbeDetails> Tracer::details(std::span<const Probe> wanted) const {
  const dt::provider::ProviderCatalog& probes = *state_->catalogs().probes;
  std::vector<dt::probe::Probe> found;
  std::vector<dt::probe::Probe*> enabled;
  found.reserve(wanted.size());
  for (const Probe& probe : wanted) {
    found.push_back(probes.find(dt::ProbeId{probe.id}).value_or(dt::probe::Probe{}));
    enabled.push_back(&found.back());
  }
  probes.plan(enabled);
  std::vector<ProbeDetails> out;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    out.push_back(details(wanted[i]));
    if (!found[i].binding.program.empty()) {
      out.back().program = found[i].binding.program;
      out.back().key = found[i].binding.key;
      out.back().source = probes.of_program(out.back().program).source(out.back().program);
    }
  }
  return out;
}

}  // namespace dtrace
