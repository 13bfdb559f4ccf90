// Links of places in user code, what their programs read, and families of providers.

#include "provider/uprobe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "kernel/bpf_call.h"
#include "kernel/fake.h"
#include "provider/all.h"
#include "provider/pid_probes.h"

namespace dt::provider {
namespace {

using Call = kernel::FakeKernel::Call;

Fd program(kernel::FakeKernel& kernel) {
  kernel::ProgramSpec spec;
  spec.name = "dt_test";
  return std::move(kernel.load_program(spec, {}, true)).value();
}

TEST(Uprobe, EachFileAndProcessIsOneLinkInTheOrderOfItsCode) {
  kernel::FakeKernel kernel;
  const Fd fd = program(kernel);
  const probe::Probe probe{ProbeId(1), {"pid1", "a", "f", "entry"}, {"pid:entry", 0}};
  std::vector<UprobePlace> places;
  for (const std::uint64_t offset : {0x30, 0x10, 0x20}) {
    for (const pid_t pid : {7, 8}) {
      for (const char* path : {"/a", "/b"}) {
        places.push_back({&probe, path, pid, {offset, uprobe_cookie(offset == 0x10, 5), 0}});
      }
    }
  }
  const auto attached = attach_uprobes(places, fd, kernel);
  ASSERT_TRUE(attached.ok());
  ASSERT_EQ(kernel.uprobes.size(), 4U);
  for (const kernel::UprobeSites& link : kernel.uprobes) {
    ASSERT_EQ(link.sites.size(), 3U);
    EXPECT_EQ(link.sites[0].offset, 0x10U);
    EXPECT_EQ(link.sites[0].cookie, 0x5'0000'0001U);
    EXPECT_EQ(link.sites[2].offset, 0x30U);
  }
}

TEST(Uprobe, OfSeveralProcessesOneMayHaveEnded) {
  const probe::Probe probe{ProbeId(1), {"pid7", "a", "f", "entry"}, {"pid:entry", 0}};
  std::vector<UprobePlace> places;
  // There are no such numbers.
  for (const pid_t pid : {5'000'007, 5'000'008, 5'000'009}) {
    places.push_back({&probe, "/a", pid, {0x10, 0, 0}});
  }
  for (const int code : {ENOENT, ESRCH}) {
    kernel::FakeKernel kernel;
    const Fd fd = program(kernel);
    kernel.fail(Call::kAttachUprobes, 2, code);
    const auto attached = attach_uprobes(places, fd, kernel);
    ASSERT_TRUE(attached.ok());
    ASSERT_EQ(kernel.uprobes.size(), 2U);
    EXPECT_EQ(kernel.uprobes[1].pid, 5'000'009);
  }
  // One that lives is told of, and so is one that was named alone.
  places[1].pid = ::getpid();
  std::swap(places[0], places[1]);
  kernel::FakeKernel alive;
  const Fd other = program(alive);
  alive.fail(Call::kAttachUprobes, 1, ENOENT);
  EXPECT_FALSE(attach_uprobes(places, other, alive).ok());
  kernel::FakeKernel kernel;
  const Fd fd = program(kernel);
  kernel.fail(Call::kAttachUprobes, 1, ENOENT);
  EXPECT_FALSE(attach_uprobes({places[2]}, fd, kernel).ok());
}

TEST(Uprobe, TheProbesThatTheKernelRefusesAreNamed) {
  kernel::FakeKernel kernel;
  const Fd fd = program(kernel);
  const probe::Probe good{ProbeId(1), {"pid1", "a", "good", "entry"}, {"pid:entry", 0}};
  const probe::Probe bad{ProbeId(2), {"pid1", "a", "bad", "entry"}, {"pid:entry", 1}};
  std::vector<UprobePlace> places;
  for (std::uint64_t i = 0; i < 4; ++i) {
    places.push_back({i == 2 ? &bad : &good, "/a", 7, {i, i, 0}});
  }
  // All four; then halves: 0-1 pass, 2-3 do not, 2 does not, 3 passes.
  for (const std::size_t nth : {1, 2, 4, 5}) {
    kernel.fail(Call::kAttachUprobes, nth, kernel::kNotSupported);
  }
  const auto attached = attach_uprobes(places, fd, kernel);
  ASSERT_FALSE(attached.ok());
  EXPECT_TRUE(attached.error().text.starts_with("pid1:a:bad:entry: ")) << attached.error().text;
  EXPECT_EQ(kernel.open_descriptors(), 1U);  // the program
}

TEST(Whose, APatternMeansAllProcessesWhenItMeansAllNumbers) {
  for (const char* all : {"pid*", "p*", "pid[1-9]*", "pid?*", "*"}) {
    EXPECT_TRUE(means_all(all, "pid")) << all;
  }
  for (const char* some :
       {"pid", "pid1", "pid1*", "pid[1-8]*", "pid?", "pi\\*", "proc*", "pid*1"}) {
    EXPECT_FALSE(means_all(some, "pid")) << some;
  }
  EXPECT_TRUE(means_all("demo2*", "demo2"));
  EXPECT_FALSE(means_all("demo2*", "demo"));
}

TEST(PidProvider, IsNamedByAProcess) {
  EXPECT_EQ(pid_of_provider("pid12"), 12);
  for (const char* no : {"pid", "pid0", "pid012", "pid-1", "pid1x", "pid99999999999", "proc1"}) {
    EXPECT_EQ(pid_of_provider(no), std::nullopt) << no;
  }
}

TEST(PidProvider, MakesProbesWhenTheyAreNamedAndOnlyOnce) {
  const types::Catalog types;
  std::vector<std::int32_t> settled;
  std::vector<std::unique_ptr<Provider>> all;
  all.push_back(dtrace_provider());
  const auto settle = [&](std::int32_t pid) -> Status {
    settled.push_back(pid);
    return {};
  };
  all.push_back(pid_provider(types, {settle, nullptr, nullptr, nullptr, nullptr}));
  const ProviderCatalog catalog(std::move(all));
  const auto match = [&](const std::string& text) {
    return catalog.match(*probe::parse_pattern(text));
  };
  EXPECT_EQ(match(":::").size(), 3U);
  const std::string mine = fmt::format("pid{}", ::getpid());
  const auto one = match(mine + ":libc:qsort:entry");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(probe::to_string(one[0].description), mine + ":libc.so.6:qsort:entry");
  EXPECT_EQ(one[0].binding.program, "pid:entry");
  EXPECT_EQ(catalog.of_program("pid:entry").name(), "pid");
  const auto many = match(mine + ":libc.so.*:q*:");
  ASSERT_GT(many.size(), 2U);
  EXPECT_EQ(many[0].id, one[0].id);
  EXPECT_EQ(match(mine + ":libc:qsort:entry")[0].id, one[0].id);
  EXPECT_EQ(match(":::").size(), 3U);
  EXPECT_EQ(match("entry").size(), 0U);
  EXPECT_EQ(settled, std::vector<std::int32_t>(2, ::getpid()));
  EXPECT_EQ(catalog.refusal(*probe::parse_pattern(mine + ":libc:qsorp:entry"))->hint,
            "did you mean 'qsort'?");
  EXPECT_FALSE(catalog.refusal(*probe::parse_pattern("BEGINN")).has_value());
  EXPECT_EQ(catalog.attributes(mine).provider.name, probe::Stability::kEvolving);
}

}  // namespace
}  // namespace dt::provider
