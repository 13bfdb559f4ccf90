#include "d/check/declared_providers.h"

#include <fmt/core.h>

#include "d/check/translators.h"
#include "d/check/type_names.h"
#include "d/meaning/type_meaning.h"
#include "d/syntax/ast.h"
#include "probe/probe.h"
#include "support/diagnostics.h"

namespace dt::d {

using types::TypeId;

namespace {

constexpr std::size_t kMaxProbeArguments = 10;  // arg0 to arg9
constexpr std::size_t kMaxProviderName = 63;

// Probe names are written with __ in C, where D has -.
std::string probe_name(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with("__")) {
      out += '-';
      ++i;
    } else {
      out += name[i];
    }
  }
  return out;
}

}  // namespace

void DeclaredProviders::define(const ProviderDecl& definition) {
  const std::string& name = definition.name;
  if (name.size() > kMaxProviderName || (name.back() >= '0' && name.back() <= '9')) {
    error(
        "D_PROV_BADNAME", definition.span,
        name.size() > kMaxProviderName
            ? fmt::format("provider name may not exceed {} characters: {}", kMaxProviderName, name)
            : fmt::format("provider name may not end with a digit: {}", name));
    return;
  }
  DeclaredProvider& provider = providers_[name];
  for (const ProviderDecl::ProbeDecl& one : definition.probes) {
    DeclaredProbe probe;
    probe.span = one.span;
    if (!arguments_of(one, probe)) {
      continue;
    }
    const auto [at, fresh] = provider.try_emplace(probe_name(one.name), probe);
    if (fresh) {
      continue;
    }
    const bool same_block = at->second.span.begin >= definition.span.begin &&
                            at->second.span.source == definition.span.source;
    if (same_block || at->second.key != probe.key) {
      Diagnostic& d = error(
          same_block ? "D_PROV_PRDUP" : "D_PROV_INCOMPAT", one.span,
          same_block ? fmt::format("probe {} is declared twice in provider {}", one.name, name)
                     : fmt::format("provider {} probe {} is declared with other arguments", name,
                                   one.name));
      d.notes.push_back({at->second.span, "first declared here"});
    }
  }
}

// The types of a probe's arguments, and which of those that are passed each is.
bool DeclaredProviders::arguments_of(const ProviderDecl::ProbeDecl& one, DeclaredProbe& out) {
  if (one.native.size() > kMaxProbeArguments || one.translated.size() > kMaxProbeArguments) {
    error("D_PROV_PRARGLEN", one.span,
          fmt::format("probe {} has more than {} arguments", one.name, kMaxProbeArguments));
    return false;
  }
  std::vector<TypeId> native;
  for (const TypeName* type : one.native) {
    const auto found = types_.type_of(*type);
    if (!found) {
      return false;
    }
    if (rules_.is_void(*found)) {
      if (one.native.size() == 1) {
        continue;  // probe name(void)
      }
      error("D_DECL_PROTO_VOID", type->span, "void must be sole parameter of a probe");
      return false;
    }
    native.push_back(rules_.decay(*found));
  }
  if (!one.has_mapping) {
    for (std::size_t i = 0; i < native.size(); ++i) {
      out.arguments.push_back({native[i], native[i], static_cast<std::uint32_t>(i)});
      out.key += rules_.name(native[i]) + ";";
    }
    return true;
  }
  for (std::size_t i = 0; i < one.translated.size(); ++i) {
    const auto type = types_.type_of(*one.translated[i]);
    if (!type) {
      return false;
    }
    std::size_t source = i;
    const std::string& name = one.translated_names[i];
    for (std::size_t k = 0; !name.empty() && k < native.size(); ++k) {
      source = one.native_names[k] == name ? k : source;
    }
    if (source >= native.size()) {
      error("D_PROV_PRARGLEN", one.translated[i]->span,
            fmt::format("probe {} passes {} argument{}: there is none for argument #{}", one.name,
                        native.size(), native.size() == 1 ? "" : "s", i + 1));
      return false;
    }
    const TypeId to = rules_.decay(*type);
    if (!rules_.catalog().same(to, native[source]) && !is_simple_mapping(to, native[source]) &&
        translators_.find(translated_output(to), native[source]) == 0) {
      error("D_PROV_PRXLATOR", one.translated[i]->span,
            fmt::format("translator from \"{}\" to \"{}\" is not defined: argument #{} of probe {}",
                        rules_.name(native[source]), rules_.name(to), i + 1, one.name));
      return false;
    }
    out.arguments.push_back({to, native[source], static_cast<std::uint32_t>(source)});
    out.key += fmt::format("{}<{}#{};", rules_.name(to), rules_.name(native[source]), source);
  }
  return true;
}

TypeId DeclaredProviders::translated_output(TypeId type) const {
  return rules_.kind(type) == types::Kind::kPointer ? rules_.pointee(type) : type;
}

// Needs no translator: a number stays a number, a string its address.
bool DeclaredProviders::is_simple_mapping(TypeId to, TypeId from) const {
  const bool numbers = rules_.is_integer(to) && rules_.is_integer(from);
  const bool strings = rules_.is_string_like(to) && rules_.is_string_like(from);
  return numbers || strings;
}

const DeclaredProbe* DeclaredProviders::find(const probe::Description& description) const {
  std::string_view name = description.provider;
  auto found = providers_.find(std::string(name));
  if (found == providers_.end()) {
    // A provider of a process is its name and the process id.
    name = name.substr(0, name.find_last_not_of("0123456789") + 1);
    found = providers_.find(std::string(name));
  }
  if (found == providers_.end()) {
    return nullptr;
  }
  const auto probe = found->second.find(description.name);
  return probe == found->second.end() ? nullptr : &probe->second;
}

}  // namespace dt::d
