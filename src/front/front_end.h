#pragma once
// FrontEnd: a language that programs may be written in. It makes an ir::Program of their
// texts, or reports diagnostics in its own words; the stages after it do not know the
// language. docs/adding-a-front-end.md shows how to write one.

#include <optional>
#include <span>
#include <vector>

#include "front/dump.h"
#include "front/input.h"
#include "front/world.h"
#include "ir/ir.h"
#include "probe/unmatched.h"
#include "support/diagnostics.h"
#include "support/source.h"
#include "usdt/provider.h"

namespace dt::front {

// What one compilation works on.
struct Compilation {
  Sources& sources;  // a front-end may add its libraries
  std::span<const Input> inputs;
  const World& world;
  Diagnostics& diagnostics;
};

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  // Compiles all inputs into one program; nullopt when diagnostics were reported. Fills in
  // the parts of the dump that are wanted, as far as the compilation came.
  virtual std::optional<ir::Program> compile(const Compilation& compilation, Dump& dump) = 0;

  // The providers that the programs define for programs of their own (dtrace -h and -G);
  // nullopt when diagnostics were reported. A language need not have such definitions.
  virtual std::optional<std::vector<usdt::Provider>> read_providers(const Compilation&) {
    return std::vector<usdt::Provider>();
  }

  // Reports what a later stage refused, in the words of the language. These are plain words;
  // a language with terms, tags or hints of its own has its own.
  virtual void report(const probe::Unmatched& unmatched, Diagnostics& diagnostics) const;
};

}  // namespace dt::front
