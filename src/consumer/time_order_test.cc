#include "consumer/time_order.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string>

#include "record/wire.h"

namespace dt::consumer {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

class TimeOrderTest : public testing::Test {
 protected:
  TimeOrderTest() {
    record::Layout layout;
    layout.fields = {{{record::FieldKind::kInt, 8, true}, 0},
                     {{record::FieldKind::kInt, 8, true}, 0}};
    layout.has_time = true;
    record::place_fields(layout);
    schema_.layouts = {layout};
    schema_.epids = {{ProbeId(1), 0}};
  }

  void add(std::uint16_t cpu, std::int64_t name, std::int64_t time) {
    std::vector<std::uint8_t> bytes(24);
    const record::Header header = {1, cpu, record::tag_of(record::Kind::kClause)};
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + 8, &name, sizeof name);
    std::memcpy(bytes.data() + 16, &time, sizeof time);
    order_.add(bytes);
  }
  void add_fault(std::uint16_t cpu, std::uint64_t name) {
    record::FaultRecord fault = {{1, cpu, record::tag_of(record::Kind::kFault)}, 0, 0, name};
    std::vector<std::uint8_t> bytes(sizeof fault);
    std::memcpy(bytes.data(), &fault, sizeof fault);
    order_.add(bytes);
  }
  // Names of those that come out.
  std::string out(std::int64_t before) {
    std::string names;
    order_.hand_over(before, [&](Bytes bytes) {
      record::Header header;
      std::memcpy(&header, bytes.data(), sizeof header);
      std::uint64_t name = 0;
      const bool is_fault = record::kind_of(header) == record::Kind::kFault;
      std::memcpy(&name, bytes.data() + (is_fault ? 16 : 8), sizeof name);
      names += std::to_string(name) + " ";
    });
    return names;
  }

  record::Schema schema_;
  TimeOrder order_{schema_};
};

TEST_F(TimeOrderTest, RecordsComeInTheOrderOfTheirTimesUpToTheLastThatIsSure) {
  add(0, 1, 100);
  add(1, 2, 90);
  add(0, 3, 120);
  add(1, 4, 110);
  EXPECT_EQ(out(110), "2 1 ");
  EXPECT_TRUE(order_.is_holding());
  add(1, 5, 115);
  EXPECT_EQ(out(kAll), "4 5 3 ");
  EXPECT_FALSE(order_.is_holding());
}

TEST_F(TimeOrderTest, RecordsOfOneFiringAndItsFaultsStayTogether) {
  add(0, 1, 100);
  add(1, 2, 90);
  add_fault(0, 3);
  add(0, 4, 100);
  add_fault(1, 5);
  EXPECT_EQ(out(kAll), "2 5 1 3 4 ");
}

TEST_F(TimeOrderTest, FiringsOfTwoCpusAtOneTimeAreNotMixed) {
  add(1, 1, 100);
  add(0, 2, 100);
  add(1, 3, 100);
  add(0, 4, 100);
  EXPECT_EQ(out(kAll), "2 4 1 3 ");
}

TEST_F(TimeOrderTest, WhatIsNoRecordIsHandedOver) {
  const std::uint8_t one[] = {7};
  order_.add(one);
  int count = 0;
  order_.hand_over(kAll, [&](Bytes bytes) { count += static_cast<int>(bytes.size()); });
  EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace dt::consumer
