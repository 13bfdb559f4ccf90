#pragma once
// Stages 1-7: from the command line's programs to BPF objects. Touches no
// tracing facility of the kernel and needs no root.

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bpf/generate.h"
#include "bpf/memory.h"
#include "cli/options.h"
#include "enabling/plan.h"
#include "provider/provider.h"
#include "support/diagnostics.h"
#include "support/source.h"
#include "symbol/kallsyms.h"
#include "types/type.h"

namespace dt::cli {

// How long each stage took, for -xstats.
class Stages {
 public:
  Stages();
  // The stage that begins now; ends the one before.
  void begin(std::string name);
  std::string report() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::string name;
    Clock::time_point from;
  };
  std::vector<Entry> entries_;
};

// Everything that stages 1-7 make. Later stages refer into it, so it stays
// where it is.
struct Compiled {
  Sources sources;
  std::unique_ptr<types::Catalog> types;
  std::unique_ptr<provider::ProviderCatalog> probes;
  std::shared_ptr<symbol::Kallsyms> kallsyms;  // read when the script names a kernel symbol
  Options options;                             // the command line's, as pragmas have changed them
  ir::Program program;
  enabling::Plan plan;
  bpf::Memory memory;
  std::vector<bpf::Object> objects;           // by plan.programs
  std::optional<bpf::Object> on_cpu_clock;    // when vtimestamp is used
  std::vector<d::ClauseStability> stability;  // of the clauses, under -v
};

// What came of compiling.
enum class Compilation : std::uint8_t {
  kDone,
  kStopped,  // -xstop: the dump was printed
  kFailed,   // reported
};

// `target` is $target. Prints dumps to standard output and errors to stderr.
Compilation compile(const CommandLine& line, std::optional<std::int64_t> target, Compiled& out,
                    Stages& stages);

// The providers and the type catalogue, for listing.
void make_catalogs(Compiled& out);

}  // namespace dt::cli
