#include "api/parameter_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "provider/kernel/syscall_table.h"

namespace dt::api {

namespace {

using Names = std::vector<std::string>;

Names split(std::string_view text) {
  constexpr std::string_view kBetween = ", ";
  Names names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(kBetween), text.size());
    names.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + kBetween.size(), text.size()));
  }
  return names;
}

Names of_function(const types::Catalog& types, const std::string& function,
                  const std::string& module, std::size_t first) {
  const auto object = types.find_object(function, module);
  if (!object || types.resolved(object->type).kind != types::Kind::kFunction) {
    return {};
  }
  Names names;
  for (const types::Member& parameter : types.resolved(object->type).members) {
    if (first > 0) {
      --first;
    } else {
      names.push_back(parameter.name);
    }
  }
  return names;
}

Names of_entry(const probe::Description& probe, const types::Catalog& types) {
  if (probe.provider == "syscall") {
    const provider::Syscall* const call = provider::find_syscall(probe.function);
    return call == nullptr || call->names == nullptr ? Names() : split(call->names);
  }
  const bool is_of_process = probe.provider.starts_with("pid");
  return of_function(
      types, probe.function,
      is_of_process ? fmt::format("{}`{}", probe.provider, probe.module) : probe.module, 0);
}

}  // namespace

std::vector<std::string> parameter_names(const probe::Description& probe,
                                         const std::vector<probe::Argument>& arguments,
                                         const types::Catalog& types) {
  if (std::ranges::any_of(arguments, [](const auto& one) { return !one.native.empty(); })) {
    return {};
  }
  Names names;
  if (probe.provider == "sdt" || probe.provider == "rawtp") {
    // The function that calls what is attached; its first parameter is for the callee.
    names = of_function(types, "__traceiter_" + probe.name, "vmlinux", 1);
  } else if (probe.name == "entry") {
    names = of_entry(probe, types);
  }
  return names.size() == arguments.size() ? names : Names();
}

}  // namespace dt::api
