// Firings: what comes apart is consumed together, and the rest in its order.

#include "consumer/firings.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>

namespace dt::consumer {
namespace {

using record::ActionKind;

constexpr std::uint32_t kPrinta = 1, kPrintf = 2, kClear = 3;  // EPIDs, as clauses of one probe

class FiringsTest : public testing::Test {
 protected:
  FiringsTest() {
    for (const ActionKind kind : {ActionKind::kPrinta, ActionKind::kPrintf, ActionKind::kClear}) {
      record::Layout layout;
      layout.actions.push_back({});
      layout.actions.back().kind = kind;
      schema_.layouts.push_back(std::move(layout));
      schema_.epids.push_back({ProbeId(1), static_cast<std::uint32_t>(schema_.epids.size()),
                               kind != ActionKind::kClear});
    }
  }

  void add(std::uint32_t epid, std::uint16_t cpu, std::uint16_t number,
           record::Kind kind = record::Kind::kClause) {
    const record::Header header{epid, cpu, record::tag_of(kind, number)};
    std::vector<std::uint8_t> bytes(sizeof header);
    std::memcpy(bytes.data(), &header, sizeof header);
    firings_.add(bytes, consume_);
  }

  // "epid@cpu" of each record that was consumed since the last call.
  std::string consumed() { return std::exchange(consumed_, {}); }

  record::Schema schema_;
  Firings firings_{schema_};
  std::string consumed_;
  FiringId latest_;
  Firings::Consume consume_ = [this](FiringId firing, Bytes bytes) {
    record::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    consumed_ += (consumed_.empty() ? "" : " ") + std::to_string(header.epid) + "@" +
                 std::to_string(header.cpu);
    latest_ = firing;
  };
};

TEST_F(FiringsTest, WhatActsAloneIsConsumedAtOnce) {
  add(kPrinta, 0, 0);
  add(kPrintf, 0, 1);
  add(kClear, 0, 1);
  EXPECT_EQ(consumed(), "1@0 2@0 3@0");
  EXPECT_FALSE(firings_.is_holding());
}

TEST_F(FiringsTest, RecordsOfOneFiringAreConsumedTogether) {
  add(kPrinta, 0, 1);
  EXPECT_EQ(consumed(), "");
  add(kPrintf, 0, 1);
  add(kClear, 0, 1);
  EXPECT_EQ(consumed(), "1@0 2@0 3@0");
  EXPECT_FALSE(firings_.is_holding());
}

TEST_F(FiringsTest, AnotherCpuThatComesBetweenComesAfter) {
  add(kPrinta, 0, 1);
  add(kPrintf, 1, 0);
  add(kPrinta, 1, 1);
  add(kClear, 0, 1);
  EXPECT_EQ(consumed(), "1@0 3@0 2@1") << "the other firing is not complete";
  add(kClear, 1, 1);
  EXPECT_EQ(consumed(), "1@1 3@1");
}

TEST_F(FiringsTest, AnInterruptOfTheSameCpuIsAnotherFiring) {
  add(kPrinta, 0, 1);
  add(kPrinta, 0, 3);
  add(kClear, 0, 3);
  EXPECT_EQ(consumed(), "") << "what it interrupted is consumed first";
  add(kClear, 0, 1);
  EXPECT_EQ(consumed(), "1@0 3@0 1@0 3@0");
}

TEST_F(FiringsTest, ARecordThatNeverComesIsNotWaitedForOnceItsFiringIsOver) {
  add(kPrinta, 0, 1);
  add(kPrintf, 1, 0);
  const std::uint64_t taken = firings_.taken();
  add(kPrintf, 0, 1);
  add(kPrinta, 1, 5);
  firings_.settle(taken, consume_);
  EXPECT_EQ(consumed(), "1@0 2@0 2@1") << "of the last one nothing is known";
  EXPECT_TRUE(firings_.is_holding());
  firings_.settle(firings_.taken(), consume_);
  EXPECT_EQ(consumed(), "1@1");
}

TEST_F(FiringsTest, FaultsBelongToTheirFiring) {
  add(kPrinta, 0, 1);
  add(kPrintf, 1, 0);
  add(kPrintf, 0, 1, record::Kind::kFault);
  add(kClear, 0, 1);
  EXPECT_EQ(consumed(), "1@0 2@0 3@0 2@1");
}

TEST_F(FiringsTest, NumbersThatReturnAreOtherFirings) {
  constexpr std::uint32_t kNumbers = 1U << record::kFiringBits;
  add(kClear, 0, 1);
  const FiringId first = latest_;
  for (std::uint32_t number = 3; number < kNumbers; number += 2) {
    add(kPrintf, 0, static_cast<std::uint16_t>(number));
  }
  add(kClear, 0, 1);
  EXPECT_NE(latest_, first);
  EXPECT_EQ(latest_.number, first.number + kNumbers);
}

TEST_F(FiringsTest, MalformedRecordsAreHandedOn) {
  add(99, 0, 1);
  add(0, 0xffff, 3);
  firings_.add({}, [this](FiringId, Bytes) { consumed_ += " empty"; });
  EXPECT_EQ(consumed(), "99@0 0@65535 empty");
}

}  // namespace
}  // namespace dt::consumer
