#pragma once
// What scripts of tests of the SystemTap language may name: a few probes of system calls.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/probe.h"

namespace dt::stap {

// Both ends of openat, and the entry of close.
class FewProbes : public probe::Catalog {
 public:
  std::vector<probe::Probe> match(const probe::Pattern& pattern) const override {
    std::vector<probe::Probe> out;
    for (const probe::Probe& one : all_) {
      if (probe::matches(pattern, one.description)) out.push_back(one);
    }
    return out;
  }
  std::optional<probe::Probe> find(ProbeId id) const override { return all_[id.value - 1]; }
  std::optional<std::vector<probe::Argument>> arguments(const probe::Probe& of) const override {
    if (of.description.function == "openat" && of.description.name == "entry") {
      return std::vector<probe::Argument>{{"int"}, {"const char *", true}, {"int"}, {"umode_t"}};
    }
    if (of.description.function == "close") return std::vector<probe::Argument>{{"unsigned int"}};
    return std::nullopt;
  }
  probe::ProviderAttributes attributes(std::string_view) const override { return {}; }
  std::vector<probe::Description> near(const probe::Pattern&, std::size_t) const override {
    return {};
  }
  std::string why_not(const probe::Pattern&) const override { return ""; }
  static std::vector<std::string> names_of(const probe::Probe& probe) {
    if (probe.description.function == "openat") return {"dfd", "filename", "flags", "mode"};
    return {"fd"};
  }

 private:
  std::vector<probe::Probe> all_ = {
      {ProbeId{1}, {"syscall", "vmlinux", "openat", "entry"}, {}},
      {ProbeId{2}, {"syscall", "vmlinux", "openat", "return"}, {}},
      {ProbeId{3}, {"syscall", "vmlinux", "close", "entry"}, {}},
  };
};

}  // namespace dt::stap
