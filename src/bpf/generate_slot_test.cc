// Which probe fired: its clauses run, and records carry its EPID.

#include <gtest/gtest.h>

#include <cstring>

#include "bpf/generate_test.h"
#include "bpf/interp.h"

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

}  // namespace
}  // namespace dt::bpf
