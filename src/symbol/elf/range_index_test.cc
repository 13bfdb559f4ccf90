// Ranges within each other.

#include "symbol/elf/range_index.h"

#include <gtest/gtest.h>

namespace dt::symbol {
namespace {

constexpr std::uint32_t kNothing = 99;

std::vector<std::uint32_t> found(const RangeIndex& index, std::uint64_t from, std::uint64_t to) {
  std::vector<std::uint32_t> out;
  for (std::uint64_t at = from; at < to; ++at) out.push_back(index.find(at).value_or(kNothing));
  return out;
}

TEST(RangeIndex, TheInnermostOneHoldsAnAddress) {
  RangeIndex index;
  index.add(1, 9, 0);
  index.add(2, 4, 1);
  index.add(6, 8, 2);
  index.add(6, 7, 3);
  index.add(12, 13, 4);
  index.order();
  EXPECT_EQ(found(index, 0, 14),
            (std::vector<std::uint32_t>{kNothing, 0, 1, 1, 0, 0, 3, 2, 0, kNothing, kNothing,
                                        kNothing, 4, kNothing}));
}

TEST(RangeIndex, OfEqualOnesTheLaterIsWithinTheEarlier) {
  RangeIndex index;
  index.add(1, 3, 0);
  index.add(1, 3, 1);
  index.order();
  EXPECT_EQ(found(index, 1, 3), (std::vector<std::uint32_t>{1, 1}));
}

TEST(RangeIndex, WhatOverlapsOrIsEmptyDoesNoHarm) {
  RangeIndex index;
  index.add(0, 6, 0);
  index.add(4, 9, 1);
  index.add(5, 5, 2);
  index.add(8, 2, 3);
  index.order();
  EXPECT_EQ(found(index, 3, 10), (std::vector<std::uint32_t>{0, 1, 1, 1, 1, 1, kNothing}));
  EXPECT_EQ(RangeIndex().find(0), std::nullopt);
}

}  // namespace
}  // namespace dt::symbol
