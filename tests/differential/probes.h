#pragma once
// The probes of the differential test: a table for the front end, and a
// prologue that takes everything from the context's words.
//
//   word 0      the probe's key
//   word 1 + n  arg n

#include <optional>
#include <string>
#include <vector>

#include "probe/probe.h"
#include "script.h"
#include "testing/bpf/trial.h"

namespace dt::differential {

constexpr std::uint32_t kContextWords = 11;

// diff:m:f0:go to diff:mm:f3:go, and dtrace:::ERROR.
class Probes final : public probe::Catalog {
 public:
  Probes() {
    for (std::uint32_t i = 0; i < kProbes; ++i) {
      add({"diff", i % 2 == 0 ? "m" : "mm", "f" + std::to_string(i), "go"}, "diff:go", i);
    }
    add({"dtrace", "", "", "ERROR"}, "dtrace:ERROR", 0);
  }

  std::vector<probe::Probe> match(const probe::Pattern& pattern) const override {
    std::vector<probe::Probe> out;
    for (const probe::Probe& one : probes_) {
      if (probe::matches(pattern, one.description)) out.push_back(one);
    }
    return out;
  }
  std::optional<probe::Probe> find(ProbeId id) const override {
    for (const probe::Probe& one : probes_) {
      if (one.id == id) return one;
    }
    return std::nullopt;
  }
  std::optional<std::vector<probe::Argument>> arguments(const probe::Probe& probe) const override {
    if (probe.description.provider != "diff") return std::nullopt;
    return std::vector<probe::Argument>{
        {"int8_t", false}, {"unsigned int", false}, {"unsigned short", false}, {"long", false}};
  }
  probe::ProviderAttributes attributes(std::string_view) const override { return {}; }
  std::vector<probe::Description> near(const probe::Pattern&, std::size_t) const override {
    return {};
  }
  std::string why_not(const probe::Pattern&) const override { return {}; }

 private:
  void add(probe::Description description, std::string program, std::uint32_t key) {
    const ProbeId id(static_cast<std::uint32_t>(probes_.size() + 1));
    probes_.push_back({id, std::move(description), {std::move(program), key}});
  }
  std::vector<probe::Probe> probes_;
};

}  // namespace dt::differential
