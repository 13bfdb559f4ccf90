#pragma once
// For tests: programs from IR text, bound to made-up probes, generated with the
// prologue of testing/bpf/trial.h.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "bpf/program/generate.h"
#include "enabling/plan.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "probe/probe.h"
#include "support/ids.h"
#include "testing/bpf/trial.h"

namespace dt::bpf {

constexpr std::uint32_t kContextWords = 12;

// A program, what it is bound to, and what was generated.
struct Generated {
  ir::Program program;
  enabling::Plan plan;
  Memory memory;
  Object object;
  std::string error;
};

inline probe::Probe test_probe(std::uint32_t id, std::uint32_t key) {
  return {ProbeId(id), {"test", "m", "f" + std::to_string(id), "entry"}, {"test:program", key}};
}

// Binds every clause to the probes with these keys (slot = position); a clause
// whose pattern is "only N" applies to slot N alone, "not N" to all but N, and
// one whose pattern is "ERROR" to errors.
inline enabling::Plan test_plan(const ir::Program& program,
                                const std::vector<std::uint32_t>& keys) {
  enabling::Plan plan;
  enabling::ProgramPlan unit;
  unit.program = "test:program";
  for (std::uint32_t i = 0; i < keys.size(); ++i) unit.probes.push_back(test_probe(i + 1, keys[i]));
  std::uint32_t epid = 1;
  for (std::uint32_t c = 0; c < program.clauses.size(); ++c) {
    const std::string& pattern = program.clauses[c].points[0].pattern.text;
    const std::vector<record::Layout>& layouts = program.clauses[c].layouts;
    const auto first = static_cast<std::uint32_t>(plan.schema.layouts.size());
    plan.schema.layouts.insert(plan.schema.layouts.end(), layouts.begin(), layouts.end());
    if (layouts.empty()) plan.schema.layouts.emplace_back();
    // All EPIDs of one layout, then those of the next one.
    const auto give_epids = [&](std::uint32_t stride) {
      for (std::size_t layout = first; layout < plan.schema.layouts.size(); ++layout) {
        for (std::uint32_t i = 0; i < stride; ++i) {
          plan.schema.epids.push_back({ProbeId(i + 1), static_cast<std::uint32_t>(layout)});
        }
      }
      epid = static_cast<std::uint32_t>(plan.schema.epids.size()) + 1;
    };
    if (pattern == "ERROR") {
      plan.error_clauses.push_back({c, {epid}, true, 1});
      give_epids(1);
      continue;
    }
    enabling::ClauseBinding binding = {c, {}, true};
    const std::uint32_t begin = epid;
    for (std::uint32_t slot = 0; slot < keys.size(); ++slot) {
      bool applies = true;
      if (pattern.rfind("only ", 0) == 0) applies = std::stoul(pattern.substr(5)) == slot;
      if (pattern.rfind("not ", 0) == 0) applies = std::stoul(pattern.substr(4)) != slot;
      binding.epids.push_back(applies ? epid++ : 0);
      binding.dense = binding.dense && applies;
    }
    if (binding.dense) binding.epids.resize(1);
    binding.stride = epid - begin;
    give_epids(binding.stride);
    unit.clauses.push_back(binding);
  }
  plan.programs.push_back(unit);
  plan.error_probe = test_probe(99, 0);
  plan.schema.aggregations = program.aggregations;
  enabling::number_firings(program, plan);
  return plan;
}

// Every clause in a function of its own (parts.h), when there are several.
constexpr Limits kDivided = {.whole = 0, .part = 1};

// Generates the first program and takes it over, or sets the error.
inline void generate_with(Prologue& prologue, Generated& g, const Limits& limits = {}) {
  Result<GeneratedProgram> made = generate({g.program, g.plan, 0, prologue, g.memory, limits});
  if (made.ok())
    g.object = take(std::move(*made), 0, g.plan.schema, g.memory);
  else
    g.error = made.error().text;
}

inline Generated generate_from(ir::Program program, const Machine& machine,
                               const std::vector<std::uint32_t>& keys = {0},
                               const Limits& limits = {}) {
  Generated g;
  g.program = std::move(program);
  for (const std::string& message : ir::verify(g.program)) g.error += message + "\n";
  if (!g.error.empty()) return g;
  g.plan = test_plan(g.program, keys);
  g.memory = plan_memory(g.program, g.plan, machine);
  WordPrologue prologue;
  generate_with(prologue, g, limits);
  return g;
}

inline Generated generate_from(const std::string& text, const Machine& machine,
                               const std::vector<std::uint32_t>& keys = {0},
                               const Limits& limits = {}) {
  Result<ir::Program> program = ir::parse(text);
  if (program.ok()) return generate_from(std::move(*program), machine, keys, limits);
  Generated g;
  g.error = program.error().text;
  return g;
}

inline bool is_clause_record(const std::vector<std::uint8_t>& record) {
  record::Header header;
  std::memcpy(&header, record.data(), sizeof header);
  return record::kind_of(header) == record::Kind::kClause;
}

// A record as the interpreter, which gives no numbers, has it.
inline std::vector<std::uint8_t> without_firing(std::vector<std::uint8_t> record) {
  record::Header header;
  std::memcpy(&header, record.data(), sizeof header);
  header.tag = record::tag_of(record::kind_of(header));
  std::memcpy(record.data(), &header, sizeof header);
  return record;
}

inline std::string listing(const Generated& g) {
  std::string text;
  for (std::size_t i = 0; i < g.object.insns.size(); ++i) {
    const bpf_insn* next = i + 1 < g.object.insns.size() ? &g.object.insns[i + 1] : nullptr;
    text += std::to_string(i) + ": " + disassemble(g.object.insns[i], next) + "\n";
  }
  return text;
}

}  // namespace dt::bpf
