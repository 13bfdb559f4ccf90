#pragma once
// What the tests of the lexer and parser share: a world with a few macro
// variables and the types of C, and a run over one text.

#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "d/syntax/parser.h"
#include "testing/front/compiled.h"

namespace dt::d {

class ParseRun {
 public:
  explicit ParseRun(std::string text, front::Input::Spec spec = front::Input::Spec::kProgram,
                    std::vector<std::string> macro_args = {"t.d"})
      : spec_(spec) {
    world.macro_args = std::move(macro_args);
    world.macro = [](std::string_view name) -> std::optional<std::int64_t> {
      if (name == "pid") {
        return 1234;
      }
      return name == "target" ? std::optional<std::int64_t>(99) : std::nullopt;
    };
    source = sources.add(Source("t.d", std::move(text)));
  }

  ParseContext context() { return ParseContext{sources, diagnostics, world, arena, references}; }
  // The tree, or the errors as a person sees them.
  std::string tree() {
    ParseContext c = context();
    unit = parse(source, spec_, c);
    return unit ? print(*unit, sources) : errors();
  }
  std::string tokens() { return print_tokens(source, spec_, context()); }
  std::string errors() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) {
      out += support::render(d, sources);
    }
    return out;
  }

  types::Catalog types;
  front::NoProbes probes;  // the parser never asks for one
  World world{{types, probes}, {}};
  Sources sources;
  Diagnostics diagnostics;
  Arena arena;
  std::vector<bool> references;
  std::uint32_t source = 0;
  std::optional<Unit> unit;

 private:
  front::Input::Spec spec_;
};

}  // namespace dt::d
