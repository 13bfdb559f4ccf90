// What runs behind an exit().

#include <gtest/gtest.h>

#include <cstring>

#include "bpf/program/generate_test.h"
#include "testing/bpf/interp.h"

namespace dt::bpf {
namespace {

// The EPIDs that one firing with this arg0 records.
std::vector<std::uint32_t> epids_of(const Generated& g, std::uint64_t argument) {
  World world(g.memory);
  const auto active = static_cast<std::uint32_t>(State::kActive);
  std::memcpy(world.value({MapKind::kGlobals, 0})->data(), &active, sizeof active);
  std::vector<std::uint8_t> context(kContextWords * 8, 0);
  std::memcpy(context.data() + 8, &argument, sizeof argument);
  EXPECT_EQ(run(g.object, world, context).error, "");
  std::vector<std::uint32_t> epids;
  for (const RingRecord& record : world.map({MapKind::kRing, 0})->records) {
    record::Header header;
    std::memcpy(&header, record.bytes.data(), sizeof header);
    if (record::kind_of(header) == record::Kind::kClause) epids.push_back(header.epid);
  }
  return epids;
}

using Epids = std::vector<std::uint32_t>;

constexpr const char* kMayExit = R"(program
clause "a" {
  record { default }
  b0:
    %0 : s64 = builtin arg0
    branch %0, b1, b2
  b1:
    exit %0
    jump b2
  b2:
    emit
    return
}
clause "b" {
  record { default }
  b0:
    emit
    return
}
clause "c" {
  record { default }
  b0:
    emit
    return
})";

TEST(GenerateExit, TheClauseGoesOnAndNoneBehindItRuns) {
  for (const Limits& limits : {Limits{}, kDivided}) {
    const Generated g = generate_from(kMayExit, Machine{}, {0}, limits);
    ASSERT_EQ(g.error, "");
    EXPECT_EQ(epids_of(g, 0), (Epids{1, 2, 3}));
    EXPECT_EQ(epids_of(g, 1), (Epids{1}));
  }
}

TEST(GenerateExit, OneInAClauseOfErrorEndsTheFiringThatFaulted) {
  constexpr const char* kFaults = R"(program
clause "a" {
  b0:
    %0 : s64 = builtin arg0
    %1 : s64 = const 1
    %2 : s64 = div_u %1, %0
    return
}
clause "b" {
  record { default }
  b0:
    emit
    return
}
clause "ERROR" {
  b0:
    %0 : s64 = const 1
    exit %0
    return
}
clause "ERROR" {
  record { default }
  b0:
    emit
    return
})";
  for (const Limits& limits : {Limits{}, kDivided}) {
    const Generated g = generate_from(kFaults, Machine{}, {0}, limits);
    ASSERT_EQ(g.error, "");
    EXPECT_EQ(epids_of(g, 1), (Epids{2}));
    EXPECT_EQ(epids_of(g, 0), (Epids{4}));
  }
}

TEST(GenerateExit, OnlyTheClauseBehindOneThatMayExitAsks) {
  const Generated g = generate_from(kMayExit, Machine{}, {0});
  std::string without = kMayExit;
  without.replace(without.find("exit %0"), 7, "%1 : s64 = neg %0");
  const Generated none = generate_from(without, Machine{}, {0});
  ASSERT_EQ(g.error + none.error, "");
  // The state is loaded at the beginning, and then once.
  const auto loads = [](const Generated& of) {
    std::size_t count = 0;
    for (const Relocation& relocation : of.object.relocations) {
      count += relocation.map == MapRef{MapKind::kGlobals, 0} ? 1 : 0;
    }
    return count;
  };
  EXPECT_EQ(loads(g), loads(none) + 2);  // and once by exit itself
}

}  // namespace
}  // namespace dt::bpf
