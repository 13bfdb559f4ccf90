// Which probe fired: its clauses run, and records carry its EPID.

#include <gtest/gtest.h>

#include <cstring>

#include "bpf/program/generate_test.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

constexpr const char* kRecordsNothing = R"(program
clause "a" {
  record { default }
  b0:
    emit
    return
})";

// The EPIDs recorded when the probes with these keys fire, one after another.
std::vector<std::uint32_t> epids_of(const Generated& g, const std::vector<std::uint64_t>& keys) {
  World world(g.memory);
  const auto active = static_cast<std::uint32_t>(State::kActive);
  std::memcpy(world.value({MapKind::kGlobals, 0})->data(), &active, sizeof active);
  for (const std::uint64_t key : keys) {
    std::vector<std::uint8_t> context(kContextWords * 8, 0);
    std::memcpy(context.data(), &key, sizeof key);
    EXPECT_EQ(run(g.object, world, context).error, "");
  }
  std::vector<std::uint32_t> epids;
  for (const RingRecord& record : world.map({MapKind::kRing, 0})->records) {
    record::Header header;
    std::memcpy(&header, record.bytes.data(), sizeof header);
    epids.push_back(header.epid);
  }
  return epids;
}

TEST(GenerateSlot, AClauseOfAllProbesRecordsTheEpidOfTheOneThatFired) {
  const Generated g = generate_from(kRecordsNothing, Machine{}, {3, 5, 9});
  ASSERT_EQ(g.error, "");
  EXPECT_EQ(epids_of(g, {9, 3, 5, 4}), (std::vector<std::uint32_t>{3, 1, 2}));
}

TEST(GenerateSlot, AProbeThatIsEnabledAloneDoesNotRunForOthersOfItsProgram) {
  for (const std::uint32_t key : {0u, 7u, 0x80000001u}) {
    const Generated g = generate_from(kRecordsNothing, Machine{}, {key});
    ASSERT_EQ(g.error, "");
    EXPECT_EQ(epids_of(g, {key, key + 1, key}), (std::vector<std::uint32_t>{1, 1})) << key;
  }
}

// Yields one of a known number of keys, and remembers what it was asked for.
class KnownKeys : public WordPrologue {
 public:
  explicit KnownKeys(std::size_t keys) : keys_(keys) {}
  std::size_t key_count() const override { return keys_; }
  bool prepare(const Needs& needs) override {
    asked = needs;
    return false;
  }
  std::optional<Needs> asked;

 private:
  std::size_t keys_;
};

// The clauses bound to the probes with keys 3, 5 and 9 of `keys` that there are.
struct Made {
  Generated g;
  std::optional<Prologue::Needs> asked;
};

Made made_from(const std::string& clause, std::size_t keys) {
  Made made;
  Generated& g = made.g;
  Result<ir::Program> program = ir::parse("program\nagg @0 \"_\" count\n" + clause);
  EXPECT_TRUE(program.ok()) << program.error().text;
  g.program = std::move(*program);
  g.plan = test_plan(g.program, {3, 5, 9});
  g.memory = plan_memory(g.program, g.plan, Machine{});
  KnownKeys prologue(keys);
  generate_with(prologue, g);
  EXPECT_EQ(g.error, "");
  made.asked = prologue.asked;
  return made;
}

constexpr const char* kCounts = R"(clause "a" {
  b0:
    aggregate @0
    return
})";

TEST(GenerateSlot, NobodyAsksForTheKeyWhenEveryProbeIsToDoTheSame) {
  const auto asked = made_from(kCounts, 3).asked;
  ASSERT_TRUE(asked.has_value());
  EXPECT_FALSE(asked->key);
  EXPECT_FALSE(asked->arguments);
  EXPECT_FALSE(asked->only_key.has_value());
  EXPECT_TRUE(made_from(kCounts, 4).asked->key) << "one probe is not enabled";
  EXPECT_TRUE(made_from(kCounts, 0).asked->key) << "nobody knows how many there are";
}

TEST(GenerateSlot, TheKeyIsAskedForWhereAProbeMakesADifference) {
  const struct {
    const char* what;
    const char* clause;
  } clauses[] = {
      {"a record", R"(clause "a" {
  record { default }
  b0:
    emit
    return
})"},
      {"a clause of one probe", R"(clause "only 1" {
  b0:
    aggregate @0
    return
})"},
      {"a built-in", R"(clause "a" {
  b0:
    %0 : u32 = builtin probeid
    branch %0, b1, b2
  b1:
    aggregate @0
    jump b2
  b2:
    return
})"},
      {"a fault", R"(clause "a" {
  b0:
    %0 : s64 = builtin arg0
    %1 : s64 = load_kernel %0
    branch %1, b1, b2
  b1:
    aggregate @0
    jump b2
  b2:
    return
})"},
  };
  for (const auto& [what, clause] : clauses) {
    const auto asked = made_from(clause, 3).asked;
    ASSERT_TRUE(asked.has_value()) << what;
    EXPECT_TRUE(asked->key) << what;
    EXPECT_EQ(asked->arguments, std::string_view(what) == "a fault") << what;
  }
}

TEST(GenerateSlot, AClauseOfEveryProbeThatThereIsRecordsItsEpid) {
  const Made made = made_from(R"(clause "a" {
  record { default }
  b0:
    emit
    return
})",
                              3);
  EXPECT_EQ(epids_of(made.g, {9, 3, 5}), (std::vector<std::uint32_t>{3, 1, 2}));
}

}  // namespace
}  // namespace dt::bpf
