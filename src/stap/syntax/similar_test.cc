#include "stap/syntax/similar.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace dt::stap {
namespace {

struct Row {
  std::string_view name;
  std::vector<std::string_view> known;
  std::string_view wanted;
};

// In the order in which SystemTap 4.8 lists them.
TEST(Similar, TheNearestNamesAreListedFirstAndEquallyNearOnesByTheirCharacters) {
  const Row rows[] = {
      {"foo", {"vm", "vfs", "nfsd", "nfs", "_nfs", "end"}, " (similar: nfs, nfsd, vfs, vm, _nfs)"},
      {"foo", {"end", "tcp", "vfs"}, " (similar: vfs, end, tcp)"},
      {"foo", {"zzzzzz", "zz", "zzz", "f"}, " (similar: f, zz, zzz, zzzzzz)"},
      {"abcdef", {"abcde", "abcd", "abc", "ab", "a"}, " (similar: abcde, abcd, abc, a, ab)"},
      {"abcdef", {"ef", "e", "f"}, " (similar: ef, f, e)"},
      {"b", {"a", "vm", "end", "ipmib", "nfs"}, " (similar: a, vm, end, ipmib, nfs)"},
      {"switch", {"swit", "sw", "tch"}, " (similar: tch, swit, sw)"},
      {"switch", {"ntohl", "exit", "cpu", "HZ", "tid"}, " (similar: tid, HZ, cpu, exit, ntohl)"},
      {"x", {"x", "x"}, " (similar: x)"},
      {"x", {}, ""},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(similar(row.name, row.known), row.wanted) << row.name;
  }
}

TEST(Similar, NamesThatAreTooFarAreLeftOut) {
  EXPECT_EQ(similar("abcd", {"abce", "zzzz"}, 4), " (similar: abce)");
}

TEST(Similar, ALongNameHasAnAnswer) {
  const std::string name(100'000, 'a');
  EXPECT_EQ(similar(name, {"b"}), " (similar: b)");
}

}  // namespace
}  // namespace dt::stap
