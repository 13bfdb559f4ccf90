// Links of places in user code, what their programs read, and families of providers.

#include "provider/mechanism/uprobe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "kernel/bpf_call.h"
#include "provider/mechanism/providers.h"
#include "provider/user/pid_probes.h"
#include "testing/kernel/fake.h"

namespace dt::provider {
namespace {

using Call = kernel::FakeKernel::Call;

Fd program(kernel::FakeKernel& kernel) {
  kernel::ProgramSpec spec;
  spec.name = "dt_test";
  return std::move(kernel.load_program(spec, {}, true)).value();
}

const types::Catalog kNoTypes;

// A kernel that has uprobe.multi, and one that has not.
Status has_it(kernel::Feature) { return {}; }
Status has_not(kernel::Feature) { return Error::of_code("no", EINVAL); }

TEST(Uprobe, EachFileAndProcessIsOneLinkInTheOrderOfItsCode) {
  kernel::FakeKernel kernel;
  const Fd fd = program(kernel);
  const probe::Probe probe{ProbeId(1), {"pid1", "a", "f", "entry"}, {"pid:entry", 0}};
  std::vector<UprobePlace> places;
  for (const std::uint64_t offset : {0x30U, 0x10U, 0x20U}) {
    for (const pid_t pid : {7, 8}) {
      for (const char* path : {"/a", "/b"}) {
        places.push_back({&probe, path, pid, {offset, uprobe_cookie(offset == 0x10, 5), 0}});
      }
    }
  }
  const auto attached = Uprobes(kNoTypes, has_it).attach(places, fd, kernel);
  ASSERT_TRUE(attached.ok());
  ASSERT_EQ(kernel.uprobes.size(), 4U);
  for (const kernel::UprobeSites& link : kernel.uprobes) {
    ASSERT_EQ(link.sites.size(), 3U);
    EXPECT_EQ(link.sites[0].offset, 0x10U);
    EXPECT_EQ(link.sites[0].cookie, 0x5'0000'0001U);
    EXPECT_EQ(link.sites[2].offset, 0x30U);
  }
  EXPECT_TRUE(kernel.uprobe_events.empty());
}

TEST(Uprobe, WithoutLinksEachProcessIsOneEvent) {
  kernel::FakeKernel kernel;
  const Fd fd = program(kernel);
  const probe::Probe probe{ProbeId(1), {"pid1", "a", "f", "entry"}, {"pid:entry", 0}};
  std::vector<UprobePlace> places;
  for (const std::uint64_t offset : {0x30U, 0x10U}) {
    for (const pid_t pid : {8, 7}) {
      for (const char* path : {"/b", "/a"}) {
        places.push_back({&probe, path, pid, {offset, uprobe_cookie(offset == 0x10, 5), 6}});
      }
    }
  }
  {
    const auto attached = Uprobes(kNoTypes, has_not).attach(places, fd, kernel);
    ASSERT_TRUE(attached.ok());
    ASSERT_EQ(kernel.uprobe_events.size(), 2U);
    EXPECT_EQ(kernel.open_descriptors(), 3U);  // with the program
  }
  EXPECT_EQ(kernel.open_descriptors(), 1U);
  EXPECT_TRUE(kernel.uprobes.empty());
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<kernel::UprobeSites>& files = kernel.uprobe_events[i];
    ASSERT_EQ(files.size(), 2U);
    EXPECT_EQ(files[0].path, "/a");
    EXPECT_EQ(files[1].path, "/b");
    for (const kernel::UprobeSites& file : files) {
      EXPECT_EQ(file.pid, i == 0 ? 7 : 8);
      ASSERT_EQ(file.sites.size(), 2U);
      EXPECT_EQ(file.sites[0].offset, 0x10U);
      EXPECT_EQ(file.sites[0].cookie, 0x5'0000'0001U);
      EXPECT_EQ(file.sites[1].semaphore, 6U);
    }
  }
}

TEST(Uprobe, WithoutLinksThereIsALimit) {
  kernel::FakeKernel kernel;
  const Fd fd = program(kernel);
  const probe::Probe probe{ProbeId(1), {"pid1", "a", "f", "entry"}, {"pid:entry", 0}};
  std::vector<UprobePlace> places(20'001, {&probe, "/a", 7, {0x10, 0, 0}});
  EXPECT_TRUE(Uprobes(kNoTypes, has_it).attach(places, fd, kernel).ok());
  const auto refused = Uprobes(kNoTypes, has_not).attach(places, fd, kernel);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().text,
            "these are 20001 places in user code; a kernel without uprobe.multi (Linux 6.6) would "
            "take too long for more than 20000");
  EXPECT_EQ(refused.error().remedy, "name fewer functions");
  places.pop_back();
  EXPECT_TRUE(Uprobes(kNoTypes, has_not).attach(places, fd, kernel).ok());
}

TEST(Uprobe, WithoutLinksTheKernelsTypesMustTellOfEvents) {
  Uprobes uprobes(kNoTypes, has_not);
  EXPECT_EQ(uprobes.way(), "an event of uprobes");
  const auto spec = uprobes.program_spec("pid:entry");
  ASSERT_FALSE(spec.ok());
  EXPECT_EQ(spec.error().text,
            "pid:entry: this kernel has no uprobe.multi, and its type information does not tell of "
            "events of uprobes (struct trace_uprobe)");
  EXPECT_TRUE(Uprobes(kNoTypes, has_it).program_spec("pid:entry").ok());
}

TEST(Uprobe, OfSeveralProcessesOneMayHaveEndedOrChanged) {
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
    const auto attached = Uprobes(kNoTypes, has_it).attach(places, fd, kernel);
    ASSERT_TRUE(attached.ok());
    ASSERT_EQ(kernel.uprobes.size(), 2U);
    EXPECT_EQ(kernel.uprobes[1].pid, 5'000'009);
  }
  const auto first_fails = [&](const std::vector<UprobePlace>& those) {
    kernel::FakeKernel kernel;
    const Fd fd = program(kernel);
    kernel.fail(Call::kAttachUprobes, 1, ENOENT);
    const auto attached = Uprobes(kNoTypes, has_it).attach(those, fd, kernel);
    return attached.ok() ? std::string() : attached.error().text;
  };
  // The end of a process that was named alone is an error.
  EXPECT_EQ(first_fails({places[2]}), "process 5000009 has ended before its probes were there");
  places[1].pid = ::getpid();
  std::swap(places[0], places[1]);
  EXPECT_EQ(first_fails({places[0]}), fmt::format("process {} has changed before its probes were "
                                                  "there: it no longer has /a",
                                                  ::getpid()));
  EXPECT_EQ(first_fails(places), "") << "it executes another program now";
  // Of one that lives and has the file, the kernel means something else.
  places[0].path = "/proc/self/exe";
  EXPECT_NE(first_fails(places), "");
}

class UprobeRefused : public testing::TestWithParam<bool> {};

TEST_P(UprobeRefused, TheProbesThatTheKernelRefusesAreNamed) {
  kernel::FakeKernel kernel;
  const Fd fd = program(kernel);
  const Call call = GetParam() ? Call::kAttachUprobes : Call::kAttachUprobeEvent;
  const probe::Probe good{ProbeId(1), {"pid1", "a", "good", "entry"}, {"pid:entry", 0}};
  const probe::Probe bad{ProbeId(2), {"pid1", "a", "bad", "entry"}, {"pid:entry", 1}};
  std::vector<UprobePlace> places;
  for (std::uint64_t i = 0; i < 4; ++i) {
    places.push_back({i == 2 ? &bad : &good, "/a", 7, {i, i, 0}});
  }
  // All four; then halves: 0-1 pass, 2-3 do not, 2 does not, 3 passes.
  for (const std::size_t nth : {1U, 2U, 4U, 5U}) {
    kernel.fail(call, nth, kernel::kNotSupported);
  }
  const auto attached = Uprobes(kNoTypes, GetParam() ? has_it : has_not).attach(places, fd, kernel);
  ASSERT_FALSE(attached.ok());
  EXPECT_TRUE(attached.error().text.starts_with("pid1:a:bad:entry: ")) << attached.error().text;
  EXPECT_EQ(kernel.open_descriptors(), 1U);  // the program
}

INSTANTIATE_TEST_SUITE_P(Ways, UprobeRefused, testing::Bool());

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
  all.push_back(pid_provider(types, {settle, nullptr, nullptr, nullptr, nullptr, nullptr},
                             std::make_shared<Uprobes>(types, has_it)));
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
