#include "consumer/number_names.h"

#include <gtest/gtest.h>

namespace dt::consumer {
namespace {

using record::FieldKind;

const char* only_seven(std::int64_t number) { return number == 7 ? "poll" : nullptr; }

TEST(NumberNames, KnownNumbersHaveNamesAndOthersStay) {
  NumberNames names(only_seven);
  const struct {
    FieldKind kind;
    std::int64_t number;
    const char* want;
  } cases[] = {
      {FieldKind::kErrnoName, 2, "ENOENT"},
      {FieldKind::kErrnoName, -2, "ENOENT"},
      {FieldKind::kErrnoName, 0, "0"},
      {FieldKind::kErrnoName, 512, "ERESTARTSYS"},
      {FieldKind::kErrnoName, 99999, "99999"},
      {FieldKind::kErrnoName, INT64_MIN, "-9223372036854775808"},
      {FieldKind::kSignalName, 15, "SIGTERM"},
      {FieldKind::kSignalName, 34, "SIGRTMIN"},
      {FieldKind::kSignalName, 37, "SIGRTMIN+3"},
      {FieldKind::kSignalName, 33, "33"},
      {FieldKind::kSignalName, 0, "0"},
      {FieldKind::kSignalName, 65, "65"},
      {FieldKind::kSyscallName, 7, "poll"},
      {FieldKind::kSyscallName, 8, "8"},
      {FieldKind::kUserName, 0, "root"},
      {FieldKind::kUserName, 4123456789, "4123456789"},
      {FieldKind::kUserName, -1, "-1"},
      {FieldKind::kGroupName, 0, "root"},
  };
  for (const auto& one : cases) EXPECT_EQ(names.name(one.kind, one.number), one.want);
  NumberNames without(nullptr);
  EXPECT_EQ(without.name(FieldKind::kSyscallName, 7), "7");
}

}  // namespace
}  // namespace dt::consumer
