#pragma once
// FrontEnd: a language that programs may be written in. It makes an ir::Program of their
// texts, or reports diagnostics in its own words; the stages after it do not know the
// language. docs/adding-a-front-end.md shows how to write one.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "front/dump.h"
#include "front/input.h"
#include "front/session.h"
#include "front/world.h"
#include "ir/ir.h"
#include "ir/refusal.h"
#include "probe/probe.h"
#include "probe/unmatched.h"
#include "support/diagnostics.h"
#include "support/ids.h"
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

  // The handlers of the compiled program that run in this process; null: it has none. It is
  // valid as long as the front-end.
  virtual Session* session() { return nullptr; }

  // The providers that the programs define for programs of their own (dtrace -h and -G);
  // nullopt when diagnostics were reported. A language need not have such definitions.
  virtual std::optional<std::vector<usdt::Provider>> read_providers(const Compilation&) {
    return std::vector<usdt::Provider>();
  }

  // ---- The words of the language for what a later stage refuses ----
  //
  // What is here are plain words; a language with tags, hints or names of its own overrides it.

  // Reports that a point matches no probes.
  virtual void report(const probe::Unmatched& unmatched, Diagnostics& diagnostics) const;

  struct Words {
    std::string tag, text, hint;
  };
  // Why the program, or a place in it, cannot be traced.
  virtual Words words(const ir::Refusal& refusal) const;

  // What to write instead where a firing could not read memory at an argument of its probe; "" when
  // nothing better is known.
  virtual std::string advice(const probe::Catalog& probes, ProbeId probe,
                             std::uint32_t argument) const;
};

}  // namespace dt::front
