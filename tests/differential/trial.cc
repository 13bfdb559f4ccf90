// See trial.h.

#include "trial.h"

#include <fmt/core.h>

#include <cstring>

#include "d/front_end.h"
#include "ir/passes.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "probes.h"
#include "record/drop.h"
#include "record/schema.h"

namespace dt::differential {
namespace {

constexpr int kRetries = 5;

std::string text_of(const Diagnostics& diagnostics, const Sources& sources) {
  std::string out;
  for (const Diagnostic& one : diagnostics.all()) {
    out += support::headline(one, sources, true) + "\n" + support::render(one, sources);
  }
  return out;
}

std::string malformed(const ir::Program& program) {
  std::string out;
  for (const std::string& wrong : ir::verify(program)) out += wrong + "\n";
  return out;
}

Status set_option(d::World& world, std::string_view name, std::string_view value) {
  const auto number = static_cast<std::uint32_t>(std::stoul(std::string(value)));
  if (name == "strsize") world.string_size = number;
  if (name == "nspec") world.speculations = number;
  return {};
}

// Every stage of the pipeline up to instructions.
Outcome compile(const Script& script, const bpf::Machine& machine, Compiled& out) {
  Sources sources;
  Diagnostics diagnostics;
  types::Catalog types;
  const Probes probes;
  d::World world{{types, probes}, {}};
  world.macro = [](std::string_view) { return std::optional<std::int64_t>(); };
  world.set_option = set_option;
  const front::Input input{sources.add(Source("diff.d", script.text()))};
  std::optional<ir::Program> program =
      d::compile(sources, std::span<const front::Input>(&input, 1), world, diagnostics);
  if (!program) return {Verdict::kRefused, text_of(diagnostics, sources)};
  out.lowered = std::move(*program);
  if (const std::string wrong = malformed(out.lowered); !wrong.empty()) {
    return {Verdict::kMalformed, "lowered: " + wrong};
  }
  out.optimised = out.lowered;
  ir::optimize(out.optimised);
  if (const std::string wrong = malformed(out.optimised); !wrong.empty()) {
    return {Verdict::kMalformed, "optimised: " + wrong};
  }
  out.plan = enabling::enable(out.optimised, probes);
  if (!out.plan.unmatched.empty()) return {Verdict::kRefused, "a clause matches no probe"};
  if (out.plan.programs.empty()) return {};
  out.memory = bpf::plan_memory(out.optimised, out.plan, machine);
  bpf::WordPrologue prologue;
  const bpf::Limits limits = script.is_divided ? bpf::Limits{.whole = 0, .part = 1} : bpf::Limits{};
  Result<bpf::GeneratedProgram> made =
      bpf::generate({out.optimised, out.plan, 0, prologue, out.memory, limits});
  if (!made.ok()) return {Verdict::kNotGenerated, made.error().text};
  out.object = bpf::take(std::move(*made), 0, out.plan.schema, out.memory);
  return {};
}

// True when the kernel had no memory or no lock to spare just then, and said so:
// what was lost is counted, and says nothing about the code.
bool has_lost(const Observed& observed) {
  return observed.drops[static_cast<std::size_t>(record::Drop::kDynamic)] +
             observed.drops[static_cast<std::size_t>(record::Drop::kAggregation)] >
         0;
}

// Where a difference comes from: the passes over the IR, or what follows.
std::string blame(const Compiled& compiled, const Meant& meant, const Script& script,
                  const Identity& identity) {
  const Meant optimised = run_meant(compiled, compiled.optimised, script, identity);
  const bool same = optimised.firings == meant.firings && optimised.drops == meant.drops &&
                    optimised.state == meant.state &&
                    optimised.values.variables == meant.values.variables &&
                    optimised.values.aggregations == meant.values.aggregations;
  return same ? "(the optimised IR agrees with the IR: code generation is wrong)\n"
              : "(the optimised IR already differs: a pass over the IR is wrong)\n";
}

}  // namespace

std::string record_line(const Compiled& compiled, std::span<const std::uint8_t> bytes) {
  record::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (record::kind_of(header) == record::Kind::kFault) {
    record::FaultRecord f;
    std::memcpy(&f, bytes.data(), sizeof f);
    const std::vector<record::FaultSite>& sites = compiled.plan.schema.fault_sites;
    if (f.site >= sites.size())
      return fmt::format("fault at site {} of {}\n", f.site, sites.size());
    return fmt::format("fault {} of epid {} at {:#x}, action {}, bytes {}-{}\n", f.fault,
                       header.epid, f.address, sites[f.site].action, sites[f.site].span.begin,
                       sites[f.site].span.end);
  }
  std::string text = fmt::format("record of epid {}, cpu {}:", header.epid, header.cpu);
  for (std::size_t i = sizeof header; i < bytes.size(); ++i) {
    text += fmt::format("{}{:02x}", i % 8 == 0 ? " " : "", bytes[i]);
  }
  return text + "\n";
}

std::string difference(const Compiled& compiled, const Meant& meant, const Observed& observed) {
  if (!observed.error.empty()) return observed.error;
  for (std::size_t i = 0; i < meant.firings.size(); ++i) {
    if (meant.firings[i] == observed.firings[i]) continue;
    return fmt::format("firing {} meant\n{}but got\n{}", i, meant.firings[i], observed.firings[i]);
  }
  if (meant.state != observed.state || meant.exit_status != observed.exit_status) {
    return fmt::format("state meant {} ({}) but got {} ({})", meant.state, meant.exit_status,
                       observed.state, observed.exit_status);
  }
  for (std::size_t i = 0; i < meant.drops.size(); ++i) {
    if (meant.drops[i] == observed.drops[i]) continue;
    return fmt::format("drop counter {} meant {} but got {}", i, meant.drops[i], observed.drops[i]);
  }
  return bpf::difference(compiled.optimised, compiled.memory, meant.values, observed.snapshot);
}

std::string listing(const Script& script, const Setup& setup) {
  Compiled compiled;
  compile(script, setup.machine, compiled);
  std::string text = ir::print(compiled.optimised);
  const std::vector<bpf_insn>& insns = compiled.object.insns;
  for (std::size_t i = 0; i < insns.size(); ++i) {
    const bpf_insn* next = i + 1 < insns.size() ? &insns[i + 1] : nullptr;
    text += fmt::format("{:4}: {}\n", i, bpf::disassemble(insns[i], next));
    if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW)) ++i;
  }
  return text;
}

Outcome try_script(const Script& script, const Setup& setup) {
  Compiled compiled;
  Outcome outcome = compile(script, setup.machine, compiled);
  if (outcome.verdict != Verdict::kAgrees || compiled.plan.programs.empty()) return outcome;
  outcome.clauses = script.clauses.size();
  outcome.evaluations = outcome.clauses * script.firings.size();
  const Meant meant = run_meant(compiled, compiled.lowered, script, setup.identity);
  const auto judge = [&](const Observed& observed, Verdict verdict) {
    outcome.text = difference(compiled, meant, observed);
    if (outcome.text.empty()) return true;
    outcome.verdict = !observed.is_translated ? Verdict::kNotTranslated
                      : observed.is_rejected  ? Verdict::kRejected
                                              : verdict;
    outcome.text += "\n" + blame(compiled, meant, script, setup.identity);
    return false;
  };
  if (!judge(run_modelled(compiled, script, setup.identity), Verdict::kModelDiffers))
    return outcome;
  if (setup.kernel != nullptr) {
    Observed observed = run_live(compiled, script, *setup.kernel);
    for (int i = 0; i < kRetries && has_lost(observed); ++i) {
      ++outcome.retries;
      observed = run_live(compiled, script, *setup.kernel);
    }
    judge(observed, Verdict::kKernelDiffers);
  }
  return outcome;
}

}  // namespace dt::differential
