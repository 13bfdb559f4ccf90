#include "consumer/value/number_names.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "consumer/value/account_entry.h"

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

struct Entry {
  char* name;
};

// A database whose entry needs `wanted` bytes.
auto needs(std::size_t wanted) {
  return [wanted](Entry* entry, char* buffer, std::size_t bytes, Entry** found) {
    if (bytes < wanted) return ERANGE;
    std::strcpy(buffer, "staff");
    entry->name = buffer;
    *found = entry;
    return 0;
  };
}

TEST(AccountEntry, ABufferThatIsTooSmallIsMadeLarger) {
  for (const std::size_t wanted : {std::size_t{6}, kFirstEntryBytes + 1, kMaxEntryBytes}) {
    EXPECT_EQ(entry_name(&Entry::name, needs(wanted)), "staff") << wanted;
  }
  EXPECT_EQ(entry_name(&Entry::name, needs(kMaxEntryBytes + 1)), std::nullopt);
}

TEST(AccountEntry, WhatIsNotThereHasNoName) {
  const auto is_absent = [](Entry*, char*, std::size_t, Entry**) { return 0; };
  const auto fails = [](Entry*, char*, std::size_t, Entry**) { return EIO; };
  EXPECT_EQ(entry_name(&Entry::name, is_absent), std::nullopt);
  EXPECT_EQ(entry_name(&Entry::name, fails), std::nullopt);
}

}  // namespace
}  // namespace dt::consumer
