// Enabling against a table of probes.

#include <gtest/gtest.h>

#include <algorithm>

#include "enabling/plan.h"

namespace dt::enabling {
namespace {

// A few system calls whose keys do not follow their ids, and dtrace's own.
class Table : public probe::Catalog {
 public:
  Table() {
    add("dtrace", "", "", "BEGIN", "dtrace:BEGIN", 0);
    add("dtrace", "", "", "END", "dtrace:END", 0);
    add("dtrace", "", "", "ERROR", "dtrace:ERROR", 0);
    const char* calls[] = {"close", "open", "read", "write"};
    const std::uint32_t numbers[] = {3, 2, 0, 1};
    for (std::size_t i = 0; i < 4; ++i) {
      add("syscall", "vmlinux", calls[i], "entry", "syscall:entry", numbers[i]);
      add("syscall", "vmlinux", calls[i], "return", "syscall:return", numbers[i]);
    }
  }
  std::vector<probe::Probe> match(const probe::Pattern& pattern) const override {
    ++asked;
    std::vector<probe::Probe> found;
    for (const probe::Probe& probe : probes_) {
      if (fits(pattern.provider, probe.description.provider) &&
          fits(pattern.module, probe.description.module) &&
          fits(pattern.function, probe.description.function) &&
          fits(pattern.name, probe.description.name)) {
        found.push_back(probe);
      }
    }
    return found;
  }
  std::optional<probe::Probe> find(ProbeId id) const override {
    if (id.value == 0 || id.value > probes_.size()) return std::nullopt;
    return probes_[id.value - 1];
  }
  std::optional<std::vector<probe::Argument>> arguments(const probe::Probe&) const override {
    return std::nullopt;
  }
  probe::ProviderAttributes attributes(std::string_view) const override { return {}; }
  std::vector<probe::Description> near(const probe::Pattern&, std::size_t) const override {
    return {};
  }
  std::string why_not(const probe::Pattern&) const override { return {}; }

  mutable int asked = 0;

 private:
  static bool fits(const std::string& field, const std::string& name) {
    return field.empty() || field == name;
  }
  void add(const char* provider, const char* module, const char* function, const char* name,
           const char* program, std::uint32_t key) {
    const ProbeId id(static_cast<std::uint32_t>(probes_.size() + 1));
    probes_.push_back({id, {provider, module, function, name}, {program, key}});
  }
  std::vector<probe::Probe> probes_;
};

ir::Program clauses(std::vector<std::vector<std::string>> all) {
  ir::Program program;
  for (const auto& patterns : all) {
    ir::EcbDesc clause;
    for (const std::string& pattern : patterns) {
      clause.points.push_back(probe::parse_point(pattern));
    }
    clause.body.blocks.emplace_back();
    program.clauses.push_back(std::move(clause));
  }
  return program;
}

using Patterns = std::vector<std::vector<std::string>>;

struct Enabled {
  Table probes;
  ir::Program program;
  Plan plan;

  explicit Enabled(std::vector<std::vector<std::string>> patterns, EnableOptions options = {})
      : program(clauses(std::move(patterns))), plan(enable(program, probes, options)) {}
};

TEST(Enable, SlotsAscendByKeyAndEpidsFollowThem) {
  const Enabled e(Patterns{{"syscall:::entry"}});
  ASSERT_EQ(e.plan.programs.size(), 1U);
  const ProgramPlan& program = e.plan.programs[0];
  ASSERT_EQ(program.probes.size(), 4U);
  EXPECT_EQ(program.probes[0].description.function, "read");
  EXPECT_EQ(program.probes[3].description.function, "close");
  ASSERT_EQ(program.clauses.size(), 1U);
  EXPECT_TRUE(program.clauses[0].dense);
  EXPECT_EQ(program.clauses[0].epids, std::vector<std::uint32_t>{1});
  EXPECT_EQ(program.clauses[0].epid(3), 4U);
  ASSERT_EQ(e.plan.schema.epids.size(), 4U);
  EXPECT_EQ(e.plan.schema.epids[0].probe, program.probes[0].id);
  EXPECT_EQ(e.plan.matched, std::vector<std::uint32_t>{4});
}

TEST(Enable, AClauseWithTwoLayoutsHasEpidsOfEachAndIsCountedOnce) {
  ir::Program program = clauses({{"syscall:::entry"}, {"BEGIN"}});
  program.clauses[0].layouts.resize(2);
  const Table probes;
  const Plan plan = enable(program, probes);
  EXPECT_EQ(plan.matched, std::vector<std::uint32_t>{5});
  ASSERT_EQ(plan.programs.size(), 2U);
  const ClauseBinding& binding = plan.programs[0].clauses[0];
  EXPECT_EQ(binding.stride, 4U);
  ASSERT_EQ(plan.schema.epids.size(), 9U);
  for (std::uint32_t slot = 0; slot < 4; ++slot) {
    const record::EpidInfo& first = plan.schema.epids[binding.epid(slot) - 1];
    const record::EpidInfo& second = plan.schema.epids[binding.epid(slot) + binding.stride - 1];
    EXPECT_EQ(first.probe, second.probe);
    EXPECT_EQ(first.layout, 0U);
    EXPECT_EQ(second.layout, 1U);
  }
  EXPECT_EQ(plan.schema.epids[8].layout, 2U);
}

TEST(Enable, ClausesOfOneProgramShareSlots) {
  const Enabled e(
      Patterns{{"syscall::read:entry"}, {"syscall:::entry"}, {"syscall::write:return"}});
  ASSERT_EQ(e.plan.programs.size(), 2U);
  const ProgramPlan& entry = e.plan.programs[0];
  ASSERT_EQ(entry.clauses.size(), 2U);
  EXPECT_FALSE(entry.clauses[0].dense);
  EXPECT_EQ(entry.clauses[0].epids, (std::vector<std::uint32_t>{1, 0, 0, 0}));
  EXPECT_TRUE(entry.clauses[1].dense);
  EXPECT_EQ(entry.clauses[1].epid(0), 2U);
  EXPECT_EQ(e.plan.programs[1].clauses[0].epid(0), 6U);
  EXPECT_EQ(e.plan.schema.epids[5].layout, 2U);
}

TEST(Enable, AnAllProbesPatternGivesEachProgramConsecutiveEpids) {
  const Enabled e(Patterns{{"syscall:::"}});
  ASSERT_EQ(e.plan.programs.size(), 2U);
  EXPECT_TRUE(e.plan.programs[0].clauses[0].dense);
  EXPECT_TRUE(e.plan.programs[1].clauses[0].dense);
  EXPECT_EQ(e.plan.programs[1].clauses[0].epid(0), 5U);
}

TEST(Enable, DescriptionsOfDifferentProbesShareOneBinding) {
  const Enabled e(Patterns{{"syscall::write:entry", "syscall::read:entry"}});
  ASSERT_EQ(e.plan.programs[0].clauses.size(), 1U);
  EXPECT_TRUE(e.plan.programs[0].clauses[0].dense);
  EXPECT_EQ(e.plan.matched[0], 2U);
}

TEST(Enable, AProbeMatchedTwiceByOneClauseFiresTwice) {
  const Enabled e(Patterns{{"syscall:::entry", "syscall::read:entry"}, {"BEGIN"}});
  const ProgramPlan& entry = e.plan.programs[0];
  ASSERT_EQ(entry.clauses.size(), 2U);
  EXPECT_EQ(entry.clauses[0].clause, 0U);
  EXPECT_EQ(entry.clauses[1].clause, 0U);
  EXPECT_TRUE(entry.clauses[0].dense);
  EXPECT_EQ(entry.clauses[1].epids, (std::vector<std::uint32_t>{5, 0, 0, 0}));
  EXPECT_EQ(e.plan.matched[0], 6U);
}

TEST(Enable, ErrorClausesStandApart) {
  const Enabled e(Patterns{{"dtrace:::"}, {"ERROR"}});
  ASSERT_EQ(e.plan.programs.size(), 2U);
  EXPECT_EQ(e.plan.programs[0].program, "dtrace:BEGIN");
  ASSERT_EQ(e.plan.error_clauses.size(), 2U);
  EXPECT_EQ(e.plan.error_clauses[0].epid(0), 3U);
  EXPECT_EQ(e.plan.error_clauses[1].epid(0), 4U);
  EXPECT_EQ(e.plan.error_probe.description.name, "ERROR");
  EXPECT_NE(record::find_probe(e.plan.schema, e.plan.error_probe.id), nullptr);
}

TEST(Enable, MatchesAreCountedBySource) {
  ir::Program program = clauses(Patterns{{"syscall:::entry"}, {"BEGIN"}});
  program.clauses[1].span.source = 2;
  const Plan plan = enable(program, Table());
  EXPECT_EQ(plan.matched, (std::vector<std::uint32_t>{4, 0, 1}));
}

TEST(Enable, ANumberIsAProbeId) {
  const Enabled e(Patterns{{"8"}});
  EXPECT_TRUE(e.plan.unmatched.empty());
  EXPECT_EQ(e.plan.programs[0].probes[0].description.function, "read");
  const Enabled none(Patterns{{"4711"}});
  EXPECT_EQ(none.plan.unmatched, (std::vector<UnmatchedPoint>{{0, 0}}));
}

TEST(Enable, FieldsMatchWhateverTheTextOfAPointSays) {
  Table probes;
  ir::Program program = clauses(Patterns{{""}});
  program.clauses[0].points = {
      {.pattern = {"syscall", "", "write", "entry", "kernel.call(\"write\").begin"}}};
  const Plan plan = enable(program, probes);
  ASSERT_EQ(plan.programs.size(), 1U);
  EXPECT_EQ(plan.programs[0].probes[0].description.function, "write");
  EXPECT_EQ(print(plan, program),
            "program syscall:entry (1 probe)\n"
            "  0: 10 syscall:vmlinux:write:entry key 1\n"
            "  clause 0 `kernel.call(\"write\").begin`: epid 1 + slot\n");
}

TEST(Enable, APointThatMatchesNothingIsListedOnce) {
  const Enabled e(Patterns{{"BEGIN", "foo:::"}, {"foo:::"}, {"bar:::"}});
  EXPECT_EQ(e.plan.unmatched, (std::vector<UnmatchedPoint>{{0, 1}, {2, 0}}));
}

TEST(Enable, ZeroMatchesAreAllowedOnRequest) {
  const Enabled e(Patterns{{"foo:::"}, {"BEGIN"}}, {.allow_zero_matches = true});
  EXPECT_TRUE(e.plan.unmatched.empty());
  EXPECT_EQ(e.plan.programs.size(), 1U);
  EXPECT_EQ(e.plan.schema.layouts.size(), 2U);
}

TEST(Enable, TenThousandClausesAskForTheirPatternOnce) {
  const Enabled e(std::vector<std::vector<std::string>>(10000, {"syscall:::entry"}));
  EXPECT_EQ(e.probes.asked, 1);
  EXPECT_EQ(e.plan.programs[0].clauses.size(), 10000U);
  EXPECT_EQ(e.plan.programs[0].clauses[9999].epids.size(), 1U);
  EXPECT_EQ(e.plan.schema.epids.size(), 40000U);
}

TEST(Enable, ThePlanPrints) {
  const Enabled e(
      {{"syscall::read:entry", "syscall::open:entry"}, {"syscall::read:entry"}, {"ERROR"}});
  EXPECT_EQ(print(e.plan, e.program),
            "program syscall:entry (2 probes)\n"
            "  0: 8 syscall:vmlinux:read:entry key 0\n"
            "  1: 6 syscall:vmlinux:open:entry key 2\n"
            "  clause 0 `syscall::read:entry`, `syscall::open:entry`: epid 1 + slot\n"
            "  clause 1 `syscall::read:entry`: slot 0 epid 3\n"
            "error probe 3\n"
            "  clause 2 `ERROR`: epid 4 + slot\n");
}

}  // namespace
}  // namespace dt::enabling
