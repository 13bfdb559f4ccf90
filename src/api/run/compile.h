#pragma once
// Stages 1-7: from programs to BPF objects. Of the kernel it asks only which features
// there are, by trying those on which the code depends; it attaches nothing, and
// needs no root.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/language/languages.h"
#include "api/options/request.h"
#include "bpf/layout/memory.h"
#include "bpf/program/generate.h"
#include "enabling/plan.h"
#include "front/dump.h"
#include "front/front_end.h"
#include "front/input.h"
#include "kernel/kernel.h"
#include "provider/mechanism/provider.h"
#include "support/diagnostics.h"
#include "support/source.h"
#include "symbol/kernel/kallsyms.h"
#include "types/type.h"
#include "usdt/provider.h"
#include "view/plan.h"

namespace dt::view {
class Flames;
}

namespace dt::api {

// Everything that stages 1-7 make. Later stages refer into it, so it stays
// where it is.
struct Compiled {
  explicit Compiled(kernel::Kernel& runs_on) : kernel(runs_on) {}

  kernel::Kernel& kernel;  // outlives it
  std::vector<Language> languages = built_in_languages();
  Sources sources;
  Diagnostics diagnostics;
  std::unique_ptr<types::Catalog> types;
  std::unique_ptr<provider::ProviderCatalog> probes;
  std::shared_ptr<symbol::Kallsyms> kallsyms;  // read when the script names a kernel symbol
  provider::Settle settle;                     // set before compile(), as is:
  std::vector<std::int32_t> targets;           // the processes of -c and -p
  Options options;                             // the request's, as pragmas have changed them
  std::uint32_t libraries_left_out = 0;        // those that could not be used
  std::vector<front::Input> inputs;            // by Request::programs
  std::unique_ptr<front::FrontEnd> front_end;  // of the language of all of them
  ir::Program program;
  enabling::Plan plan;
  bpf::Memory memory;
  std::vector<view::View> views;                  // of the plan's schema
  const view::Flames* base = nullptr;             // -x base, once it is read
  std::vector<bpf::Object> objects;               // by plan.programs
  std::optional<bpf::Object> on_cpu_clock;        // when vtimestamp is used
  std::optional<bpf::Object> follow;              // -x follow
  std::vector<bpf::Object> arguments;             // bpf::generate_arguments(), where asked for
  std::vector<front::ClauseStability> stability;  // of the clauses, under -v
  std::vector<std::pair<std::string, std::string>> remarks;  // a text, and what to do
  bool unwinds_itself = false;  // a probe that fires in this process has user stacks
  bool unwinds_others = false;  // one that may fire in others than this and the targets
  bool traces = false;          // the run traces the programs, and does not only list their probes
  bool is_stopped = false;      // -xstop
};

// `target` is $target. What is wrong with the programs is in out.diagnostics, and the
// error is then the first line about it. `callbacks` must outlive `out`.
Status compile(const Request& request, const Callbacks& callbacks,
               std::optional<std::int64_t> target, Compiled& out);

// Plans the views of a schema that is known. An error if -x oformat has nothing to show of them.
Status plan_output(Compiled& out);

// The front-end alone: the probe descriptions of all clauses.
Result<std::vector<std::string>> read_descriptions(const Request& request,
                                                   const Callbacks& callbacks,
                                                   std::optional<std::int64_t> target,
                                                   Compiled& out);

// The providers and the type catalogue; `target` is the process whose types are known.
void make_catalogs(Compiled& out, const Callbacks& callbacks = {},
                   std::optional<std::int64_t> target = std::nullopt);

// The `provider` blocks of the programs alone.
Result<std::vector<usdt::Provider>> read_providers(const Request& request,
                                                   const Callbacks& callbacks, Compiled& out);

std::string objects_text(const Compiled& out);

}  // namespace dt::api
