// See glibc_probes.h.

#include "provider/glibc/glibc_probes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "support/nearest.h"

namespace dt::provider {

std::optional<probe::Refusal> GlibcProbes::refuse_name(const std::string& name) const {
  if (name.empty() || !probe::is_literal(name)) return std::nullopt;
  if (auto known = refuse_known_name(name)) return known;
  const std::set<std::string_view> all = names();
  if (all.contains(name)) return std::nullopt;
  return probe::Refusal{probe::Refusal::Code::kNoName,
                        fmt::format("'{}' is no probe of {}", name, subject_),
                        support::did_you_mean(support::nearest(name, {all.begin(), all.end()}))};
}

// Of a process that has glibc, when nothing in it matches.
probe::Refusal GlibcProbes::refuse_pattern(const probe::Pattern& pattern) const {
  const std::vector<std::string_view> all = functions();
  const bool is_known = std::any_of(all.begin(), all.end(), [&](std::string_view one) {
    return probe::field_matches(pattern.function, one);
  });
  const std::string near = is_known ? std::string() : support::nearest(pattern.function, all);
  if (!near.empty()) return no_match(pattern, support::did_you_mean(near));
  return no_match(pattern,
                  "the module is libc.so.6, or the program that has glibc in it; the function "
                  "is one that the program calls, and does what the probe tells");
}

void GlibcProbes::of_process(std::int32_t pid, const probe::Pattern& pattern, Answer& answer) {
  const Result<std::vector<symbol::ProcessObject>> objects = symbol::objects_of(pid);
  if (!objects.ok()) {
    answer.refusal = probe::Refusal{
        probe::Refusal::Code::kCannotGrab,
        fmt::format("failed to grab process {}: {}", pid, std::strerror(objects.error().code)), ""};
    return;
  }
  bool has_glibc = false;
  for (const symbol::ProcessObject& object : *objects) {
    const Result<bool> is_glibc = of_object(pid, object, pattern, answer);
    if (!is_glibc.ok()) {
      answer.refusal =
          probe::Refusal{probe::Refusal::Code::kCannotProbe,
                         fmt::format("the {} of {} in process {} cannot be traced: {}", subject_,
                                     object.name, pid, is_glibc.error().text),
                         ""};
      return;
    }
    has_glibc |= *is_glibc;
  }
  if (!has_glibc) {
    answer.refusal = probe::Refusal{
        probe::Refusal::Code::kNoObject,
        fmt::format("process {} has no glibc, whose {} {} knows: no libc.so.6, and no symbols of "
                    "it in the program",
                    pid, subject_, stem_),
        ""};
  } else if (answer.probes.empty()) {
    answer.refusal = refuse_pattern(pattern);
  }
}

const GlibcProbes::Answer& GlibcProbes::ask(const probe::Pattern& pattern) {
  const std::string key =
      fmt::format("{}:{}:{}:{}", pattern.provider, pattern.module, pattern.function, pattern.name);
  const auto [it, is_new] = answers_.try_emplace(key);
  Answer& answer = it->second;
  if (!is_new) return answer;
  answer.refusal = refuse_name(pattern.name);
  if (answer.refusal) return answer;
  MeantProcesses meant = processes_meant(pattern.provider, stem_, of_);
  if (meant.refusal) {
    answer.refusal = std::move(meant.refusal);
    return answer;
  }
  if (!meant.is_pattern) {
    of_process(meant.processes.front(), pattern, answer);
    return answer;
  }
  for (const std::int32_t pid : meant.processes) {
    Answer one;
    of_process(pid, pattern, one);
    std::move(one.probes.begin(), one.probes.end(), std::back_inserter(answer.probes));
  }
  return answer;
}

std::unique_ptr<Image> GlibcProbes::open_glibc(const symbol::ProcessObject& object) {
  if (!object.is_program && !symbol::is_called(object, "libc")) return nullptr;
  Result<std::unique_ptr<Image>> image = Image::open(object);
  return image.ok() && is_glibc(**image) ? std::move(*image) : nullptr;
}

probe::Description GlibcProbes::description(std::int32_t pid, const symbol::ProcessObject& object,
                                            const char* function, const char* name) const {
  return {fmt::format("{}{}", stem_, pid), object.name, function, name};
}

std::uint32_t GlibcProbes::number_of(std::int32_t pid) {
  return numbers_.try_emplace(pid, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

probe::ProviderAttributes GlibcProvider::attributes() const {
  using enum probe::Stability;
  using enum probe::DependencyClass;
  return {.provider = {kEvolving, kEvolving, kIsa},
          .module = {kPrivate, kPrivate, kUnknown},
          .function = {kPrivate, kPrivate, kUnknown},
          .name = {kEvolving, kEvolving, kIsa},
          .args = {kEvolving, kEvolving, kIsa}};
}

}  // namespace dt::provider
