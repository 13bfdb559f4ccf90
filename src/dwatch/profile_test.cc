#include "dwatch/profile.h"

#include <gtest/gtest.h>

namespace dt::dwatch {
namespace {

constexpr const char* kText =
    "# who opens\n"
    "summary: opens\n"
    "argument: least int=0 at least\n"
    "probe: syscall::open:return,\n"
    "\tsyscall::openat:return\n"
    "\n"
    "variant: failed /errno/\n"
    "variant: openat syscall::openat:return\n"
    "filter: self->path\n"
    "details:\n"
    "\ttrace(1);\n"
    "\ttrace(2);\n";

TEST(DwatchProfile, AValueGoesOnInLinesThatBeginWithATab) {
  const Result<Profile> profile = parse_profile("open", kText);
  ASSERT_TRUE(profile.ok()) << profile.error().text;
  EXPECT_EQ(profile->summary, "opens");
  EXPECT_EQ(profile->probes, "syscall::open:return,\nsyscall::openat:return");
  EXPECT_EQ(profile->details, "trace(1);\ntrace(2);");
  EXPECT_EQ(profile->arguments, std::vector<std::string>{"least int=0 at least"});
  EXPECT_TRUE(profile->has_line);
}

TEST(DwatchProfile, AVariantHasOtherProbesOrOneMoreFilter) {
  const Profile profile = *parse_profile("open", kText);
  EXPECT_EQ(under_name(profile, "failed").filter, "(self->path) && (errno)");
  EXPECT_EQ(under_name(profile, "failed").probes, profile.probes);
  EXPECT_EQ(under_name(profile, "openat").filter, "self->path");
  EXPECT_EQ(under_name(profile, "openat").probes, "syscall::openat:return");
}

TEST(DwatchProfile, AVariantMayStandForAnyName) {
  const Profile profile = *parse_profile("e", "probe: a\nvariant: e-* /errno == $* || x == $*/\n");
  EXPECT_EQ(under_name(profile, "e-ENOENT").filter, "errno == ENOENT || x == ENOENT");
  EXPECT_EQ(under_name(profile, "e-ENOENT").name, "e-ENOENT");
  for (const char* const other : {"e-", "e-a b", "e-1)", "f-ENOENT"}) {
    EXPECT_EQ(under_name(profile, other).filter, "") << other;
  }
}

TEST(DwatchProfile, AnErrorSaysItsLine) {
  EXPECT_EQ(parse_profile("x", "summary: a\nprobes: b\n").error().text,
            "x:2: 'probes: b' is nothing that a profile says");
  EXPECT_EQ(parse_profile("x", "probe: a\nnonsense\n").error().text, "x:2: 'nonsense' has no ':'");
  EXPECT_EQ(parse_profile("x", "line: maybe\nprobe: a\n").error().text,
            "x:1: 'line: maybe' is nothing that a profile says");
  EXPECT_EQ(parse_profile("x", "summary: a\n").error().text, "x: there is no 'probe:'");
}

}  // namespace
}  // namespace dt::dwatch
