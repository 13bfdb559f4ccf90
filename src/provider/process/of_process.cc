// See of_process.h.

#include "provider/process/of_process.h"

#include <fmt/core.h>
#include <unistd.h>

#include <utility>

#include "support/whole_number.h"

namespace dt::provider {

std::optional<std::int32_t> process_of(std::string_view provider, std::string_view stem) {
  if (!provider.starts_with(stem)) return std::nullopt;
  provider.remove_prefix(stem.size());
  const auto pid = support::whole_number<std::int32_t>(provider);
  return pid && *pid > 0 && provider[0] != '0' ? pid : std::nullopt;
}

bool may_be_numbered(std::string_view provider, std::string_view stem) {
  if (!provider.starts_with(stem)) {
    const std::size_t end = provider.find_last_not_of("0123456789") + 1;
    return end < provider.size() && !probe::is_literal(provider) &&
           probe::glob_match(provider, std::string(stem) + std::string(provider.substr(end)));
  }
  const std::string_view rest = provider.substr(stem.size());
  return rest.empty() || std::string_view("0123456789*?[").find(rest[0]) != rest.npos;
}

MeantProcesses processes_meant(std::string_view provider, std::string_view stem,
                               const OfProcesses& of) {
  MeantProcesses meant;
  meant.is_pattern = !probe::is_literal(provider);
  if (meant.is_pattern) {
    for (const pid_t pid : symbol::all_processes()) {
      if (pid == ::getpid() || !probe::glob_match(provider, fmt::format("{}{}", stem, pid))) {
        continue;
      }
      meant.processes.push_back(pid);
    }
    return meant;
  }
  const std::optional<std::int32_t> pid = process_of(provider, stem);
  if (!pid) {
    meant.refusal = probe::Refusal{probe::Refusal::Code::kNotAProcess,
                                   fmt::format("provider '{}' does not name a process", provider),
                                   "", std::string(stem)};
    return meant;
  }
  if (of.follows && of.follows(*pid)) {
    meant.refusal = probe::Refusal{probe::Refusal::Code::kCannotProbe,
                                   fmt::format("the probes of {} do not follow children", stem),
                                   "-x follow is for pid and USDT"};
    return meant;
  }
  if (of.settle) {
    if (const Status settled = of.settle(*pid); !settled.ok()) {
      meant.refusal = probe::Refusal{
          probe::Refusal::Code::kCannotGrab,
          fmt::format("failed to grab process {}: {}", *pid, settled.error().text), ""};
      return meant;
    }
  }
  meant.processes.push_back(*pid);
  return meant;
}

bool is_meant(const symbol::ProcessObject& object, const std::string& module) {
  return !module.empty() && probe::is_literal(module) ? symbol::is_called(object, module)
                                                      : probe::field_matches(module, object.name);
}

bool names_file(std::string_view module) {
  return module.starts_with('/') && probe::is_literal(module);
}

probe::Refusal no_match(const probe::Pattern& pattern, std::string hint) {
  return {probe::Refusal::Code::kNoMatch,
          fmt::format("probe description {}:{}:{}:{} does not match any probes", pattern.provider,
                      pattern.module, pattern.function, pattern.name),
          std::move(hint)};
}

}  // namespace dt::provider
