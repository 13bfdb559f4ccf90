#pragma once
// A world for tests of the front end: a table of probes, the built-in types,
// and the options that were set.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "d/front_end.h"

namespace dt::d {

class FakeProbes : public probe::Catalog {
 public:
  FakeProbes() {
    add({"dtrace", "", "", "BEGIN"}, std::vector<probe::Argument>{});
    add({"dtrace", "", "", "END"}, std::vector<probe::Argument>{});
    add({"syscall", "vmlinux", "read", "entry"},
        std::vector<probe::Argument>{{"unsigned int", false}, {"char *", true}, {"size_t", false}});
    add({"syscall", "vmlinux", "write", "entry"},
        std::vector<probe::Argument>{
            {"unsigned int", false}, {"const char *", true}, {"size_t", false}});
    add({"profile", "", "", "tick-1s"}, std::nullopt);
    // Passes (int, struct in *, long *); args[] are translated.
    add({"fake", "vmlinux", "f", "start"},
        std::vector<probe::Argument>{{"struct out *", false, "struct in *", 1}, {"int", false}});
    add({"fake", "vmlinux", "f", "other"},
        std::vector<probe::Argument>{{"struct out *", false, "long *", 2}});
  }

  std::vector<probe::Probe> match(const probe::Pattern& pattern) const override {
    std::vector<probe::Probe> out;
    for (const probe::Probe& one : probes_) {
      if (probe::matches(pattern, one.description)) {
        out.push_back(one);
      }
    }
    return out;
  }
  std::optional<probe::Probe> find(ProbeId id) const override {
    for (const probe::Probe& one : probes_) {
      if (one.id == id) {
        return one;
      }
    }
    return std::nullopt;
  }
  std::optional<std::vector<probe::Argument>> arguments(const probe::Probe& probe) const override {
    return arguments_.at(probe.id.value - 1);
  }
  probe::ProviderAttributes attributes(std::string_view) const override { return {}; }
  std::vector<probe::Description> near(const probe::Pattern&, std::size_t) const override {
    return {};
  }
  std::string why_not(const probe::Pattern&) const override { return {}; }

 private:
  void add(probe::Description description, std::optional<std::vector<probe::Argument>> arguments) {
    probe::Probe one;
    one.id = ProbeId(static_cast<std::uint32_t>(probes_.size() + 1));
    one.binding.program = probe::to_string(description);
    one.description = std::move(description);
    probes_.push_back(std::move(one));
    arguments_.push_back(std::move(arguments));
  }

  std::vector<probe::Probe> probes_;
  std::vector<std::optional<std::vector<probe::Argument>>> arguments_;
};

// One compilation, with everything that it needs and gives.
class FakeWorld {
 public:
  FakeWorld() {
    world.macro = [](std::string_view name) -> std::optional<std::int64_t> {
      if (name == "pid") {
        return 4711;
      }
      return std::nullopt;
    };
    world.set_option = [this](World&, std::string_view name, std::string_view value) -> Status {
      if (name == "wombats") {
        return Error::of("Invalid option name");
      }
      if (name == "strsize") {
        world.string_size = static_cast<std::uint32_t>(std::stoul(std::string(value)));
      }
      if (name == "defaultargs") {
        world.default_args = true;
      }
      options[std::string(name)] = std::string(value);
      return {};
    };
  }
  FakeWorld(const FakeWorld&) = delete;
  FakeWorld& operator=(const FakeWorld&) = delete;

  // The program of a script called "x.d", or nullopt.
  std::optional<ir::Program> compile(std::string text, front::Dump* dump = nullptr,
                                     front::Input::Spec spec = front::Input::Spec::kProgram) {
    const front::Input input{sources.add(Source("x.d", std::move(text))), spec};
    return d::compile(sources, std::span<const front::Input>(&input, 1), world, diagnostics, dump);
  }

  // Headline and excerpt of every diagnostic.
  std::string errors() const {
    std::string out;
    for (const Diagnostic& one : diagnostics.all()) {
      out += support::headline(one, sources, true) + "\n" + support::render(one, sources);
    }
    return out;
  }
  // "TAG text-under-the-caret" of the first, "" when there is none.
  std::string first_error() const {
    if (!diagnostics.any()) {
      return {};
    }
    const Diagnostic& one = diagnostics.all().front();
    return one.tag + " " + std::string(sources.text(one.span));
  }

  types::Catalog types;
  FakeProbes probes;
  World world{{types, probes}, {}};
  Sources sources;
  Diagnostics diagnostics;
  std::map<std::string, std::string> options;
};

}  // namespace dt::d
