#pragma once
// A text that a front-end has compiled, in a world without probes: for tests of front-ends.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "front/front_end.h"
#include "probe/probe.h"
#include "support/diagnostics.h"
#include "support/source.h"
#include "types/type.h"

namespace dt::front {

// No pattern matches anything, and syscall:vmlinux:write:entry is near all of them.
class NoProbes : public probe::Catalog {
 public:
  std::vector<probe::Probe> match(const probe::Pattern&) const override { return {}; }
  std::optional<probe::Probe> find(ProbeId) const override { return std::nullopt; }
  std::optional<std::vector<probe::Argument>> arguments(const probe::Probe&) const override {
    return std::nullopt;
  }
  probe::ProviderAttributes attributes(std::string_view) const override { return {}; }
  std::vector<probe::Description> near(const probe::Pattern&, std::size_t) const override {
    return {{"syscall", "vmlinux", "write", "entry"}};
  }
  std::string why_not(const probe::Pattern&) const override { return "none was compiled in"; }
};

struct Compiled {
  // `name` is the file's in messages.
  Compiled(std::unique_ptr<FrontEnd> compiler, std::string name, std::string text)
      : front_end(std::move(compiler)) {
    const Input input{sources.add(Source(std::move(name), std::move(text)))};
    const World world{types, probes};
    program = front_end->compile({sources, std::span(&input, 1), world, diagnostics}, dump);
  }

  // All messages, as the command prints them.
  std::string errors() const {
    std::string out;
    for (const Diagnostic& one : diagnostics.all()) out += support::render(one, sources);
    return out;
  }

  std::unique_ptr<FrontEnd> front_end;
  types::Catalog types;
  NoProbes probes;
  Sources sources;
  Diagnostics diagnostics;
  Dump dump;
  std::optional<ir::Program> program;  // nullopt: there are errors
};

}  // namespace dt::front
